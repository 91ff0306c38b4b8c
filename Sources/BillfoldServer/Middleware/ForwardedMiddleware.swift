package import Hummingbird

/// Puts the client's address in the place of the peer's where a trusted program in front names it, for everything that follows.
package struct ForwardedMiddleware<Context: CallerContext>: RouterMiddleware {
    private let proxies: TrustedProxies

    package init(proxies: TrustedProxies) { self.proxies = proxies }

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.remoteAddress = proxies.client(of: context.remoteAddress, request.headers)
        return try await next(request, context)
    }
}
