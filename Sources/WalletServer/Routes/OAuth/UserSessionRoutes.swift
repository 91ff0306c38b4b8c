import BillfoldDiagnosis
import BillfoldJSON
import BillfoldServer
import HTTPTypes
import Hummingbird

/// How the super app's own app signs a user in and out; the paths are ours [I]. Browsers use the wallet's pages.
///
/// - `POST /v1/users/sessions` `{"name","password"}` → 201 `{"session","name","number"}`: the session is what ``SuperAppSessions`` takes as
///   a bearer. Refused with `login-refused` for every reason, and with `rate-limited`
/// - `POST /v1/users/sessions/end` with the session → 204
struct UserSessionRoutes: Sendable {
    let sessions: SuperAppSessions

    private struct SignedIn: Encodable {
        var session: String
        var name: String
        var number: String
    }

    func add<Context: CallerContext>(to router: some RouterMethods<Context>) {
        router.post("/v1/users/sessions") { request, routed in
            try await signIn(request, from: CallerName.of(routed.remoteAddress))
        }
        router.post("/v1/users/sessions/end") { request, _ in
            // The app's own: a browser's cookie ends on the wallet's pages.
            guard let token = request.bearer, Visitor.isToken(token), try await sessions.accounts.session(token: token) != nil else {
                throw WalletError(code: .unauthorized, reason: "no user is signed in with this session")
            }
            try await sessions.accounts.logOut(token: token)
            return Response(status: .noContent, headers: [.cacheControl: "no-store"])
        }
    }

    private func signIn(_ request: Request, from address: String) async throws -> Response {
        let body = try await request.json(upTo: OpenAPIEnvelope.bodyLimit)
        let reader = try SuperAppWish.Reader(body, allowing: ["name", "password"])
        let (name, password) = (try reader.text("name"), Secret(try reader.text("password", maximum: 1_024)))
        let token = try await sessions.accounts.logIn(name, password: password, from: address, replacing: nil)
        // A session that ended at once, because its account was frozen meanwhile say, looks like every other refusal.
        guard let (_, account) = try await sessions.accounts.session(token: token) else { throw AccountService.refused }
        return try JSONAnswer.make(
            SignedIn(session: token, name: account.name, number: account.number), status: .created, headers: [.cacheControl: "no-store"])
    }
}
