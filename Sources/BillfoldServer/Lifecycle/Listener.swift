public import BillfoldStorage
public import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
import ServiceLifecycle

/// One address with the routes served on it.
///
/// It always takes connections: see ``ServerLimits/maximumConnections``. A renewed certificate is taken over while it serves.
public struct Listener: Sendable {
    /// What runs for a listener.
    struct Running {
        var server: any Service
        var certificateWatch: CertificateWatch?
    }

    package typealias OnListening = @Sendable (_ port: Int) async -> Void

    package let configuration: ListenerConfiguration
    private let build: @Sendable (_ metrics: PrometheusMetrics, _ onListening: @escaping OnListening) throws -> Running

    /// - Parameters:
    ///   - configuration: Where it binds and what it spends on a caller. A certificate is read when the listener starts, not here.
    ///   - router: Usually from ``ServerSurroundings/router(for:context:)`` with the same configuration.
    ///   - logger: Is told about the listener's connections and its certificate.
    ///   - clock: What the end of the listener's certificate is judged by: the machine's, as callers do, though test mode moves others.
    public init<Context: RequestContext>(
        _ configuration: ListenerConfiguration, router: Router<Context>, logger: Logger, clock: any WallClock = SystemClock()
    ) where Context.Source == ApplicationRequestContextSource {
        router.refuseOtherMethods()
        self.init(configuration, responder: router.buildResponder(), logger: logger, clock: clock)
    }

    package init<Responder: HTTPResponder>(
        _ configuration: ListenerConfiguration, responder: Responder, logger: Logger, clock: any WallClock = SystemClock()
    ) where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        self.configuration = configuration
        let limits = configuration.limits
        build = { metrics, onListening in
            let certificate = try configuration.tls.map { try ServerCertificate($0, clock: clock) }
            let budget = ConnectionBudget(configuration, logger: logger)
            let http = HTTP1Channel.Configuration(
                additionalChannelHandlers: [RequestGuard(limits: limits)],
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: limits.maximumHeaderBytes, maxHeaderListSize: limits.maximumHeaderBytes,
                    maxHeaderFieldCount: 128))
            let server = HTTPServerBuilder { respond in
                GuardedChannel(
                    base: HTTP1Channel(responder: respond, configuration: http), budget: budget, limits: limits, certificate: certificate,
                    hosts: HostNames(configuration))
            }
            let application = Application(
                responder: responder, server: server,
                // Under a flood of connections the system's queue holds those that come in a moment. A longer one would only have everybody
                // wait longer: who finds it full asks again after a second.
                configuration: ApplicationConfiguration(address: configuration.address.bindAddress, backlog: 1_024),
                onServerRunning: { channel in await onListening(channel.localAddress?.port ?? configuration.address.port) },
                logger: logger)
            return Running(
                server: application,
                certificateWatch: certificate.map {
                    CertificateWatch(certificate: $0, listener: configuration.name, metrics: metrics, logger: logger)
                })
        }
    }

    func running(metrics: PrometheusMetrics, onListening: @escaping OnListening) throws -> Running { try build(metrics, onListening) }
}
