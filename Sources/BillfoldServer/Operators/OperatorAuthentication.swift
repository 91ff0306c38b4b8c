import BillfoldWeb
import HTTPTypes
package import Hummingbird
import PaymentCrypto

/// Finds out who acts, and refuses whoever may not.
///
/// The session cookie decides, and what changes something must carry the session's CSRF token in `X-CSRF-Token`, or in the form
/// field `csrf` for plain forms. Whoever has no session acts as the stranger it is given, or not at all.
package struct OperatorAuthentication: RouterMiddleware {
    package typealias Context = ServerRequestContext

    private let directory: OperatorDirectory?
    private let stranger: OperatorIdentity?

    /// - Parameters:
    ///   - directory: Who may sign in; `nil` where nobody can.
    ///   - stranger: As whom somebody acts who did not sign in; `nil` where everybody has to.
    package init(directory: OperatorDirectory?, stranger: OperatorIdentity?) {
        self.directory = directory
        self.stranger = stranger
    }

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await admit(request, context: context, next: next)
        } catch var error as ServerError where error.code == .signInRequired && directory != nil {
            // Whoever opens a page is led to the form; programs get the code.
            if request.method == .get, request.headers[.accept]?.contains("text/html") == true {
                return Response(status: .seeOther, headers: [.location: "/sign-in?next=\(PathSegment.encoded(request.uri.string))"])
            }
            error.headers[.wwwAuthenticate] = "Session"
            throw error
        }
    }

    private func admit(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        guard let token = Self.token(of: request), let session = try await directory?.session(token: token) else {
            guard let stranger else { throw ServerError.signInFirst }
            context.operatorIdentity = stranger
            return try await next(request, context)
        }
        var request = request
        if ![.get, .head, .options].contains(request.method) {
            guard try await Self.sentToken(&request).map({ ConstantTime.equal($0, session.csrfToken) }) == true else {
                throw ServerError(code: .csrfTokenMissing, reason: "the request lacks this session's CSRF token", status: .forbidden)
            }
        }
        context.operatorIdentity = session.identity
        context.operatorSession = session
        return try await next(request, context)
    }

    static func token(of request: Request) -> String? {
        Cookies.value(of: OperatorSession.cookieName, in: request.headers[values: .cookie])
    }

    private static func sentToken(_ request: inout Request) async throws -> String? {
        if let header = request.headers[.csrfToken] { return header }
        guard request.headers[.contentType]?.hasPrefix("application/x-www-form-urlencoded") == true else { return nil }
        let body = try await request.collectBody(upTo: 65_536)
        return FormFields(String(buffer: body))["csrf"]
    }
}

extension HTTPField.Name {
    /// Carries the CSRF token of the session.
    package static let csrfToken = HTTPField.Name("X-CSRF-Token")!  // swift-format-ignore: NeverForceUnwrap
}

extension ServerRequestContext {
    /// Who acts. Refuses with `sign-in-required` where no ``OperatorAuthentication`` stands before the route.
    package func operatorInRole(_ role: OperatorRole) throws(ServerError) -> OperatorIdentity {
        guard let operatorIdentity else { throw .signInFirst }
        try operatorIdentity.require(role)
        return operatorIdentity
    }
}
