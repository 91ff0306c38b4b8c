import HTTPTypes
package import Hummingbird

/// Tells browsers what a page of ours may do: load from this listener only, be framed by nobody, send no address onwards.
///
/// A route that sets a policy of its own (a page with a nonce) keeps it.
package struct SecurityHeadersMiddleware<Context: RequestContext>: RouterMiddleware {
    private let isTLS: Bool

    package init(isTLS: Bool) { self.isTLS = isTLS }

    static var policy: String {
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
    }

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        Self.set(.contentSecurityPolicy, to: Self.policy, in: &response)
        Self.set(.xContentTypeOptions, to: "nosniff", in: &response)
        // Not `no-referrer`: a browser then posts our own forms with `Origin: null`, which the origin check refuses.
        Self.set(.referrerPolicy, to: "same-origin", in: &response)
        Self.set(.frameOptions, to: "DENY", in: &response)
        Self.set(.openerPolicy, to: "same-origin", in: &response)
        Self.set(.resourcePolicy, to: "same-origin", in: &response)
        Self.set(.cacheControl, to: "no-store", in: &response)
        if isTLS { Self.set(.strictTransportSecurity, to: "max-age=31536000", in: &response) }
        return response
    }

    private static func set(_ name: HTTPField.Name, to value: String, in response: inout Response) {
        if response.headers[name] == nil { response.headers[name] = value }
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    fileprivate static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
    // swift-format-ignore: NeverForceUnwrap
    fileprivate static let frameOptions = HTTPField.Name("X-Frame-Options")!
    // swift-format-ignore: NeverForceUnwrap
    fileprivate static let openerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy")!
    // swift-format-ignore: NeverForceUnwrap
    fileprivate static let resourcePolicy = HTTPField.Name("Cross-Origin-Resource-Policy")!
}
