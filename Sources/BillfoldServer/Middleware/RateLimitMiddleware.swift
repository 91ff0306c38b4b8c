import HTTPTypes
package import Hummingbird

/// Refuses a caller that asks too often with 429 `rate-limited` and `Retry-After`, before anything costly is done.
package struct RateLimitMiddleware<Context: CallerContext>: RouterMiddleware {
    private let limiter: RateLimiter
    private let caller: @Sendable (Request, Context) -> String

    /// - Parameter caller: Names who is asking; by default the peer's address, an IPv6 peer by its /64 network.
    package init(limiter: RateLimiter, caller: (@Sendable (Request, Context) -> String)? = nil) {
        self.limiter = limiter
        self.caller = caller ?? { _, context in CallerName.of(context.remoteAddress) }
    }

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        switch limiter.admit(caller(request, context)) {
        case .admitted: return try await next(request, context)
        case .refused(let retryAfter):
            let seconds = retryAfter.components.seconds + (retryAfter.components.attoseconds > 0 ? 1 : 0)
            throw ServerError(
                code: .rateLimited, reason: "too many requests from this caller", status: .tooManyRequests,
                headers: [.retryAfter: String(max(1, seconds))])
        }
    }
}
