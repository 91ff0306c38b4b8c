import AppContainer
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldTrace
import MiniPrograms
import WalletAPI

/// The OAuth server as the super app's `OAuthService` asks it for the user who is signed in (mini-programs.md#steps, 4 to 6 and 24 to 26).
///
/// The server decides and issues in one call: where nothing has to be agreed to, its first answer is a code. That code is kept until it is
/// asked for, so that none is issued in vain.
actor PhoneAuthorizations: AuthorizationBackend {
    private let server: SuperAppServer
    private let user: SuperAppServer.User
    /// The ids of the run that asks.
    private let about: [String: String]
    private var issued: [ScopeQuestion: AuthorizationGrant] = [:]

    init(server: SuperAppServer, user: SuperAppServer.User, about: [String: String]) {
        self.server = server
        self.user = user
        self.about = about
    }

    func standing(of question: ScopeQuestion) async throws -> ScopeStanding {
        let answer = try await applied(question)
        if answer.result == ApplyAuthCodeAnswer.pendingAgreement {
            let ask = Set(answer.pendingScopes)
            return ScopeStanding(
                silent: question.scopes.subtracting(ask).subtracting(answer.errorScopes.keys), ask: ask, forbidden: answer.errorScopes)
        }
        if let grant = Self.grant(answer) {
            var granted = question
            granted.scopes = Set(grant.successScopes)
            issued[granted] = grant
            return ScopeStanding(silent: granted.scopes, forbidden: answer.errorScopes)
        }
        // None of them can be given: the service says so.
        if !answer.errorScopes.isEmpty { return ScopeStanding(forbidden: answer.errorScopes) }
        throw WalletFailure(.appServiceError, "\(answer.result.resultCode): \(answer.result.resultMessage)")
    }

    func acknowledge(_ question: ScopeQuestion) async throws -> String? {
        let wish = ApplyAuthCodeRequest(appID: question.appID, authClientID: question.clientID, scopes: question.scopes.sorted())
        let object = try await asked("/v1/authorizations/agreements", title: "agree", body: wish.body, about: question)
        return object["referenceAgreementId"]?.string
    }

    func applyAuthCode(_ question: ScopeQuestion) async throws -> AuthorizationGrant {
        if let grant = issued.removeValue(forKey: question) { return grant }
        let answer = try await applied(question)
        guard let grant = Self.grant(answer) else {
            throw WalletFailure(.unknownError, "\(answer.result.resultCode): \(answer.result.resultMessage)")
        }
        return grant
    }

    func revoke(userID: String, clientID: String, appID: String) async throws {
        let body = RevokeRequest(appID: appID, authClientID: clientID).body
        _ = try await server.send("POST", RevokeRequest.path, as: user, body: body, title: "revoke", about: about)
    }

    private func applied(_ question: ScopeQuestion) async throws -> ApplyAuthCodeAnswer {
        let wish = ApplyAuthCodeRequest(appID: question.appID, authClientID: question.clientID, scopes: question.scopes.sorted())
        return try ApplyAuthCodeAnswer(try await asked(ApplyAuthCodeRequest.path, title: "applyAuthCode", body: wish.body, about: question))
    }

    private func asked(_ path: String, title: String, body: [UInt8], about question: ScopeQuestion) async throws -> JSONObject {
        let fields: [TraceEntry.Field] = [
            .init("appId", question.appID), .init("authClientId", question.clientID),
            .init("scopes", question.scopes.sorted().joined(separator: " ")),
        ]
        do {
            let answer = try await server.send("POST", path, as: user, body: body, title: title, about: about, fields: fields) {
                object in
                ["authSuccessScopes", "pendingScopes"].compactMap { name in
                    guard let scopes = object[name]?.array?.compactMap(\.string), !scopes.isEmpty else { return nil }
                    return .init(name, scopes.joined(separator: " "))
                }
            }
            return try server.object(answer)
        } catch let refusal as SandboxRefusal {
            // Engineers of a mini program read it in `errorMessage`.
            throw WalletFailure(.appServiceError, refusal.description)
        } catch is RequestingHost.NoAnswer {
            throw WalletFailure(.systemError, "the wallet does not answer")
        }
    }

    private static func grant(_ answer: ApplyAuthCodeAnswer) -> AuthorizationGrant? {
        answer.authCode.map {
            AuthorizationGrant(authCode: $0.reveal(), successScopes: answer.successScopes, errorScopes: answer.errorScopes)
        }
    }
}
