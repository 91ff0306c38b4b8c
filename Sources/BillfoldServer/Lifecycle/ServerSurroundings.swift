public import BillfoldStorage
public import Hummingbird
public import Logging

/// What every listener of a process shares, made once where the process is composed.
public struct ServerSurroundings: Sendable {
    public var logger: Logger
    public var metrics: PrometheusMetrics
    /// The time of day: test mode may move it, for everybody or for one owner.
    public var clock: any WallClock
    /// The time since some fixed instant, for limits and durations: nobody moves it.
    public var uptime: @Sendable () -> Duration
    public var readiness: Readiness
    public var errors: ErrorMapping

    public init(
        logger: Logger, metrics: PrometheusMetrics = PrometheusMetrics(), clock: any WallClock, uptime: @escaping @Sendable () -> Duration,
        readiness: Readiness = Readiness(), errors: ErrorMapping = ErrorMapping()
    ) {
        self.logger = logger
        self.metrics = metrics
        self.clock = clock
        self.uptime = uptime
        self.readiness = readiness
        self.errors = errors
    }

    /// Makes a router with what every listener does before a route is reached, and the health routes.
    ///
    /// In order: the client's address where a trusted proxy names it, request id, metrics and log line, security headers, errors to
    /// refusals, `Host` and `Origin`, rate limit.
    public func router<Context: CallerContext>(
        for configuration: ListenerConfiguration, context: Context.Type = ServerRequestContext.self
    ) -> Router<Context> {
        let router = Router(context: Context.self, options: .autoGenerateHeadEndpoints)
        if !configuration.trustedProxies.isEmpty { router.add(middleware: ForwardedMiddleware(proxies: configuration.trustedProxies)) }
        router.add(middleware: RequestIDMiddleware())
        if clock is SpaceClock { router.add(middleware: OwnTimeMiddleware()) }
        router.add(
            middleware: HTTPMetricsMiddleware(
                metrics: metrics, listener: configuration.name, level: configuration.requestLogLevel, quiet: configuration.quietRoutes,
                uptime: uptime))
        router.add(middleware: SecurityHeadersMiddleware(isTLS: configuration.tls != nil))
        router.add(middleware: ErrorMiddleware(mapping: errors))
        router.add(middleware: OriginMiddleware(configuration: configuration))
        if let rate = configuration.limits.rate {
            router.add(middleware: RateLimitMiddleware(limiter: RateLimiter(limit: rate, uptime: uptime)))
        }
        HealthRoutes(readiness: readiness).add(to: router)
        return router
    }
}
