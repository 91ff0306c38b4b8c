import BillfoldDiagnosis
import BillfoldJSON
import BillfoldStorage
import Foundation
package import Hummingbird

/// Signing in and out, and the queue of actions that wait for a second person.
///
/// - `POST /api/session` `{"name","password"}` → 200 `{"name","roles","csrfToken"}` and the session cookie
/// - `GET /api/session`, `DELETE /api/session`
/// - `GET /api/approvals?state=`, `POST /api/approvals` `{"kind","subject","detail"}` → 202
/// - `POST /api/approvals/{id}/approval`, `POST /api/approvals/{id}/rejection`
package struct OperatorRoutes: Sendable {
    private let directory: OperatorDirectory?
    private let approvals: ApprovalQueue?

    package init(directory: OperatorDirectory?, approvals: ApprovalQueue?) {
        self.directory = directory
        self.approvals = approvals
    }

    /// Adds the route that works without a session.
    package func addSignIn(to router: some RouterMethods<ServerRequestContext>) {
        guard let directory else { return }
        router.post("/api/session") { request, context in
            let signIn = try await request.decoded(SignIn.self, of: ["name", "password"], upTo: 4_096)
            let (session, token) = try await directory.signIn(
                signIn.name, password: Secret(signIn.password), from: CallerName.of(context.remoteAddress))
            return try JSONAnswer.make(
                SessionView(session.identity, csrfToken: session.csrfToken), headers: [.setCookie: OperatorSession.cookie(token: token)])
        }
    }

    /// Adds the routes that stand behind ``OperatorAuthentication``.
    package func add(to router: some RouterMethods<ServerRequestContext>) {
        router.get("/api/session") { _, context in
            guard let identity = context.operatorIdentity else { throw ServerError.signInFirst }
            return try JSONAnswer.make(SessionView(identity, csrfToken: context.operatorSession?.csrfToken))
        }
        if let directory {
            router.delete("/api/session") { request, context in
                try await request.wholeWithoutBody()
                if let session = context.operatorSession { try await directory.signOut(session) }
                return Response(status: .noContent, headers: [.setCookie: OperatorSession.removalCookie])
            }
        }
        if let approvals { Self.add(approvals, to: router) }
    }

    private static func add(_ approvals: ApprovalQueue, to router: some RouterMethods<ServerRequestContext>) {
        router.get("/api/approvals") { request, context in
            _ = try context.operatorInRole(.viewer)
            let name = request.uri.queryParameters["state"].map(String.init) ?? ApprovalRequest.State.waiting.rawValue
            guard let state = ApprovalRequest.State(rawValue: name) else {
                throw ServerError(code: .malformedRequest, reason: "no such state", status: .badRequest)
            }
            return try await JSONAnswer.make(approvals.requests(in: state).map(ApprovalView.init))
        }
        router.post("/api/approvals") { request, context in
            let person = try context.operatorInRole(.operator)
            // Room for the longest detail when each of its bytes is escaped.
            let wish = try ApprovalReader(await request.json(upTo: 65_536), allowing: ["kind", "subject", "detail"])
            let made = try await approvals.request(
                kind: wish.text("kind"), subject: wish.text("subject"), detail: detail(of: wish), by: person)
            return try JSONAnswer.make(ApprovalView(made), status: .accepted)
        }
        router.post("/api/approvals/{id}/approval") { request, context in
            let person = try context.operatorInRole(.approver)
            try await request.wholeWithoutBody()
            return try await JSONAnswer.make(ApprovalView(approvals.approve(Self.id(context), by: person)))
        }
        router.post("/api/approvals/{id}/rejection") { request, context in
            let person = try context.operatorInRole(.viewer)
            try await request.wholeWithoutBody()
            return try await JSONAnswer.make(ApprovalView(approvals.reject(Self.id(context), by: person)))
        }
    }

    /// A detail is JSON in a text, so line breaks may stand in it.
    private static func detail(of wish: ApprovalReader) throws(ServerError) -> String {
        switch wish.object["detail"] {
        case nil, .null?: return "{}"
        case .string(let text)?: return text
        default: throw .malformed("detail is not text")
        }
    }

    private static func id(_ context: ServerRequestContext) throws(ServerError) -> ApprovalRequest.ID {
        guard let text = context.parameters.get("id"), let id = ApprovalRequest.ID(text) else {
            throw ServerError(code: .notFound, reason: "no such request", status: .notFound)
        }
        return id
    }
}

private struct SignIn: Decodable {
    var name: String
    var password: String
}

private struct SessionView: Encodable {
    var name: String
    var roles: [String]
    var csrfToken: String?

    init(_ identity: OperatorIdentity, csrfToken: String?) {
        name = identity.name
        roles = identity.roles.map(\.rawValue).sorted()
        self.csrfToken = csrfToken
    }
}

private struct ApprovalView: Encodable {
    var id: String
    var kind: String
    var subject: String
    var detail: String
    var lines: [ApprovalAction.Line]
    var requestedBy: String
    var requestedAt: Int64
    var expiresAt: Int64
    var state: String
    var decidedBy: String?
    var decidedAt: Int64?
    var outcome: String?

    init(_ request: ApprovalRequest) {
        id = request.id.description
        kind = request.kind
        subject = request.subject
        detail = request.detail
        lines = request.lines
        requestedBy = request.requestedBy
        requestedAt = request.requestedAt.microseconds
        expiresAt = request.expiresAt.microseconds
        state = request.state.rawValue
        decidedBy = request.decidedBy
        decidedAt = request.decidedAt?.microseconds
        outcome = request.outcome
    }
}
