import Foundation
import HTTPTypes
package import Hummingbird
package import NIOCore

/// Refuses a caller that asks too often with 429 `rate-limited` and `Retry-After`, before anything costly is done.
package struct RateLimitMiddleware<Context: CallerContext>: RouterMiddleware {
    private let limiter: RateLimiter
    private let caller: @Sendable (Request, Context) -> String

    /// - `caller`: Names who is asking; by default the peer's address, an IPv6 peer by its /64 network.
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

/// Names a peer for limits and the audit trail.
package enum CallerName {
    package static func of(_ address: SocketAddress?) -> String {
        guard let address else { return "none" }
        guard let text = address.ipAddress else { return "local" }
        var octets = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, text, &octets) == 1 else { return text }
        if octets.prefix(10).allSatisfy({ $0 == 0 }), octets[10] == 0xff, octets[11] == 0xff {
            return octets.suffix(4).map(String.init).joined(separator: ".")
        }
        // Whoever has one address of a /64 network has all of them.
        return octets.prefix(8).map { String($0, radix: 16) }.joined(separator: "-")
    }
}
