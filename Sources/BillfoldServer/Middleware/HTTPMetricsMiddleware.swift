import HTTPTypes
package import Hummingbird
package import Logging
import Metrics

/// Counts and times requests, and writes one log line for each.
///
/// Labels are bounded: the route's pattern instead of the path, and only methods that HTTP defines. Neither label nor line
/// holds a query, a header or a body.
package struct HTTPMetricsMiddleware<Context: RequestContext>: RouterMiddleware {
    private let metrics: PrometheusMetrics
    private let listener: String
    private let level: Logger.Level
    private let quiet: Set<String>
    private let uptime: @Sendable () -> Duration

    /// - Parameters:
    ///   - metrics: Where requests are counted.
    ///   - listener: Its name.
    ///   - level: Of the line.
    ///   - quiet: What routes begin with whose successes leave their line at `debug`.
    ///   - uptime: Times the request.
    package init(
        metrics: PrometheusMetrics, listener: String, level: Logger.Level = .info, quiet: Set<String> = [],
        uptime: @escaping @Sendable () -> Duration
    ) {
        self.metrics = metrics
        self.listener = listener
        self.level = level
        self.quiet = quiet
        self.uptime = uptime
    }

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let meter = Meter(label: "http_server_requests_in_flight", dimensions: [("listener", listener)], factory: metrics)
        meter.increment()
        defer { meter.decrement() }
        let start = uptime()
        let response = try await next(request, context)
        let elapsed = uptime() - start
        let route = context.endpointPath ?? "NotFound"
        let dimensions = [
            ("listener", listener), ("method", Self.method(request.method)), ("route", route),
            ("status", String(response.status.code)),
        ]
        Counter(label: "http_server_requests_total", dimensions: dimensions, factory: metrics).increment()
        let (seconds, attoseconds) = elapsed.components
        Timer(label: "http_server_request_duration_seconds", dimensions: Array(dimensions.prefix(3)), factory: metrics)
            .recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        context.logger.log(
            level: isRoutine(route) && response.status.code < 400 ? .debug : level, "request",
            metadata: [
                "listener": "\(listener)", "method": "\(Self.method(request.method))", "route": "\(route)",
                "status": "\(response.status.code)", "microseconds": "\(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)",
                "request_id": "\(response.headers[.requestID] ?? context.requestID)",
            ])
        return response
    }

    /// What browsers and monitors ask again and again, and how the sandbox's parties sign up at each start, which only a test installation lets
    /// them do.
    private func isRoutine(_ route: String) -> Bool {
        route.hasSuffix("/assets/**") || route.hasPrefix("/onboarding/") || ["/healthz", "/readyz", "/metrics"].contains(route)
            || quiet.contains { route.hasPrefix($0) }
    }

    private static func method(_ method: HTTPRequest.Method) -> String {
        switch method {
        case .get, .head, .post, .put, .delete, .options, .patch, .connect, .trace: method.rawValue
        default: "other"
        }
    }
}
