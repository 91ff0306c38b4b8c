import BillfoldDiagnosis
import BillfoldJSON
import BillfoldServer
import BillfoldStorage
import HTTPTypes
import Hummingbird
import MiniPrograms
import NIOCore

/// The OAuth server behind `my.getAuthCode`: calls of the super app for its signed-in user, and signed calls of merchants' servers.
///
/// The paths of the signed calls are the documented ones (mini-programs.md#oauth-server [D]); the others are ours [I].
struct OAuthRoutes: Sendable {
    let envelope: OpenAPIEnvelope
    let sessions: SuperAppSessions
    let authorizations: SuperAppAuthorizationService
    let tokens: TokenService

    func add<Context: CallerContext>(to router: some RouterMethods<Context>) {
        addForUsers(to: router)
        router.post("/v1/authorizations/applyToken") { request, _ in try await applyToken(request, .v1) }
        router.post("/v2/authorizations/applyToken") { request, _ in try await applyToken(request, .v2) }
        router.post("/v2/users/inquiryUserInfo") { request, _ in try await inquiry(request, InquiryUserInfoRequest.path) }
        router.post("/v1/customers/user/inquiryUserInfoByAccessToken") { request, _ in
            try await inquiry(request, InquiryUserInfoRequest.olderPath)
        }
        router.post("/v1/authorizations/prepare") { request, _ in
            try await signed(request) { call, client in
                let address = try await tokens.prepare(PrepareRequest(call.object()), by: client)
                return OpenAPIAnswer(.success, PrepareRequest.answer(.success, authURL: address))
            }
        }
        router.post("/v1/authorizations/revoke") { request, _ in
            // A merchant's server signs; a user's own super app has the user's session.
            guard request.headers[.callSignature] == nil else {
                return try await signed(request) { call, client in
                    try await tokens.revoke(RevokeRequest(call.object()), by: client)
                    return OpenAPIAnswer(.success)
                }
            }
            return try await user(request) { object, account in
                let wish = try RevokeRequest(object)
                guard wish.accessToken == nil else { throw OpenAPIRefusal(.paramIllegal, "a token is revoked by a signed call") }
                try await authorizations.withdraw(appID: wish.appID, by: account.id)
                return OpenAPIAnswer(.success).body
            }
        }
    }

    private func addForUsers<Context: CallerContext>(to router: some RouterMethods<Context>) {
        router.post("/v1/authorizations/applyAuthCode") { request, _ in
            try await user(request) { object, account in
                do {
                    return try await authorizations.applyAuthCode(ApplyAuthCodeRequest(object), by: account).body
                } catch let refusal as OpenAPIRefusal {
                    return ApplyAuthCodeAnswer(result: refusal.result).body
                }
            }
        }
        router.post("/v1/authorizations/agreements") { request, _ in
            try await user(request) { object, account in
                let wish = try ApplyAuthCodeRequest(object)
                let id = try await authorizations.agree(
                    to: Set(wish.scopes), appID: wish.appID, clientID: wish.authClientID, by: account)
                return JSONWriter.write(
                    JSONObject([
                        .init("result", OpenAPIResult.success.json), .init("referenceAgreementId", .string(id.description)),
                    ]))
            }
        }
        router.get("/v1/authorizations/agreements") { request, _ in
            let account = try await sessions.user(request)
            let query = try request.query(allowing: ["appId"])
            guard query["appId"].map(PackageManifest.isAppID) ?? true else {
                throw WalletError(code: .malformedRequest, reason: "appId is no mini program's id")
            }
            let agreed = try await authorizations.agreements(of: account, appID: query["appId"])
            let list = agreed.sorted { $0.key < $1.key }.map { app, scopes in
                JSONValue.object(
                    JSONObject([.init("appId", .string(app)), .init("scopes", .array(scopes.sorted().map { .string($0) }))]))
            }
            return Self.json(JSONWriter.write(JSONObject([.init("agreements", .array(list))])))
        }
        router.get("/v1/authorizations/contracts/:token") { request, context in
            _ = try await sessions.user(request)
            let contract = try await authorizations.contract(try context.parameters.require("token"))
            return Self.json(JSONWriter.write(.texts(["merchantName": contract.client.name, "contractDesc": contract.terms])))
        }
        router.post("/v1/authorizations/contracts/:token/signature") { request, context in
            let token = try context.parameters.require("token")
            return try await user(request) { object, account in
                let wish = try RevokeRequest(object)
                guard let password = object["paymentPassword"]?.string, WalletAccount.isPaymentPassword(password) else {
                    throw OpenAPIRefusal(.paramIllegal, "paymentPassword is not six digits")
                }
                return try await authorizations.sign(
                    contract: token, appID: wish.appID, clientID: wish.authClientID, password: Secret(password), by: account
                ).body
            }
        }
    }

    // MARK: Signed calls

    private func applyToken(_ request: Request, _ version: ApplyTokenRequest.Version) async throws -> Response {
        try await signed(request) { call, client in
            let answer = try await tokens.applyToken(ApplyTokenRequest(call.object(), version: version), by: client)
            return OpenAPIAnswer(answer.result, answer.body)
        }
    }

    private func inquiry(_ request: Request, _ path: String) async throws -> Response {
        try await signed(request) { call, client in
            let answer = try await tokens.inquiryUserInfo(InquiryUserInfoRequest(call.object(), path: path), by: client)
            return OpenAPIAnswer(answer.result, answer.body)
        }
    }

    private func signed(
        _ request: Request, _ body: @Sendable (SignedCall, OAuthClient) async throws -> OpenAPIAnswer
    ) async throws -> Response {
        try await envelope.answer(request, from: .client) { call in
            guard case .client(let client) = call.party.who else { throw OpenAPIRefusal(.invalidAuthClient) }
            return try await body(call, client)
        }
    }

    // MARK: Calls of the super app

    /// Answers a signed-in user with a result in the protocol's own words; without a session it is 401 `unauthorized`.
    private func user(
        _ request: Request, _ body: @Sendable (JSONObject, WalletAccount) async throws -> [UInt8]
    ) async throws -> Response {
        let account = try await sessions.user(request)
        let bytes = try await request.json(upTo: OpenAPIEnvelope.bodyLimit)
        do {
            let object: JSONObject
            do throws(JSONError) { object = try JSONReader.readObject(bytes) } catch {
                throw MiniProgramError(code: .malformedJSON, reason: "the body is not strict JSON: \(error.code)")
            }
            return Self.json(try await body(object, account))
        } catch {
            guard error is OpenAPIRefusal || error is MiniProgramError else { throw error }
            return Self.json(OpenAPIAnswer(OpenAPIRefusal(refusing: error, logger: sessions.context.logger).result).body)
        }
    }

    private static func json(_ body: [UInt8]) -> Response {
        JSONAnswer.verbatim(body, headers: [.cacheControl: "no-store"])
    }
}

/// Whose super app asks: the wallet's session in its cookie, or as a bearer where the super app keeps it itself.
struct SuperAppSessions: Sendable {
    let context: WalletContext
    let accounts: AccountService

    /// Refuses with `unauthorized`. Posts from other sites carry no cookie, and the listener refuses their origins.
    func user(_ request: Request) async throws -> WalletAccount {
        guard let account = try await userIfAny(request) else {
            throw WalletError(code: .unauthorized, reason: "no user is signed in at the wallet")
        }
        return account
    }

    /// Nil where nobody is signed in.
    func userIfAny(_ request: Request) async throws -> WalletAccount? {
        guard let token = request.bearer ?? Visitor.cookie(Visitor.cookieName, of: request), Visitor.isToken(token) else { return nil }
        return try await accounts.session(token: token)?.1
    }
}
