import BillfoldDiagnosis
import BillfoldJSON
import MiniPrograms
import WalletAPI

/// The OAuth server, as the container's OAuth service asks it for the user who is signed in.
///
/// The server decides and issues in one call. Where nothing has to be agreed to, its first answer is a code, which is kept until it is
/// asked for: none is issued in vain.
actor Authorizations: AuthorizationBackend {
    private let server: WalletServer
    private let user: WalletServer.User
    private var issued: [ScopeQuestion: AuthorizationGrant] = [:]

    init(server: WalletServer, user: WalletServer.User) {
        self.server = server
        self.user = user
    }

    func standing(of question: ScopeQuestion) async throws -> ScopeStanding {
        let answer = try await applied(question)
        if answer.result == ApplyAuthCodeAnswer.pendingAgreement {
            let asked = Set(answer.pendingScopes)
            let silent = question.scopes.subtracting(asked).subtracting(answer.errorScopes.keys)
            return ScopeStanding(silent: silent, ask: asked, forbidden: answer.errorScopes)
        }
        if let grant = Self.grant(answer) {
            var granted = question
            granted.scopes = Set(grant.successScopes)
            issued[granted] = grant
            return ScopeStanding(silent: granted.scopes, forbidden: answer.errorScopes)
        }
        return ScopeStanding(forbidden: answer.errorScopes)
    }

    func acknowledge(_ question: ScopeQuestion) async throws -> String? {
        try await asked("/v1/authorizations/agreements", Self.wish(question).body)["referenceAgreementId"]?.string
    }

    func applyAuthCode(_ question: ScopeQuestion) async throws -> AuthorizationGrant {
        if let grant = issued.removeValue(forKey: question) { return grant }
        let answer = try await applied(question)
        guard let grant = Self.grant(answer) else { throw WalletFailure(.unknownError, answer.result.resultMessage) }
        return grant
    }

    func revoke(userID: String, clientID: String, appID: String) async throws {
        _ = try await asked(RevokeRequest.path, RevokeRequest(appID: appID, authClientID: clientID).body)
    }

    private func applied(_ question: ScopeQuestion) async throws -> ApplyAuthCodeAnswer {
        try ApplyAuthCodeAnswer(try await asked(ApplyAuthCodeRequest.path, Self.wish(question).body))
    }

    private func asked(_ path: String, _ body: [UInt8]) async throws -> JSONObject {
        do {
            return try JSONReader.readObject(try await server.send("POST", path, as: user, body).body, maximumBytes: 1 << 20)
        } catch let refusal as WalletServer.Refusal {
            throw WalletFailure(.appServiceError, refusal.code)
        } catch {
            throw WalletFailure(.systemError, "the wallet does not answer")
        }
    }

    private static func wish(_ question: ScopeQuestion) -> ApplyAuthCodeRequest {
        ApplyAuthCodeRequest(appID: question.appID, authClientID: question.clientID, scopes: question.scopes.sorted())
    }

    private static func grant(_ answer: ApplyAuthCodeAnswer) -> AuthorizationGrant? {
        answer.authCode.map {
            AuthorizationGrant(authCode: $0.reveal(), successScopes: answer.successScopes, errorScopes: answer.errorScopes)
        }
    }
}
