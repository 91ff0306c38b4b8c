public import Hummingbird
import HummingbirdCore
import HummingbirdTLS
public import Logging
import NIOCore
import ServiceLifecycle

/// One address with the routes served on it.
public struct Listener: Sendable {
    public typealias OnListening = @Sendable (_ port: Int) async -> Void

    public let configuration: ListenerConfiguration
    private let build: @Sendable (_ onListening: @escaping OnListening) throws -> any Service

    /// - `router`: Usually from ``ServerSurroundings/router(for:context:)`` with the same configuration.
    public init<Context: RequestContext>(
        _ configuration: ListenerConfiguration, router: Router<Context>, logger: Logger
    ) where Context.Source == ApplicationRequestContextSource {
        router.refuseOtherMethods()
        self.init(configuration, responder: router.buildResponder(), logger: logger)
    }

    public init<Responder: HTTPResponder>(
        _ configuration: ListenerConfiguration, responder: Responder, logger: Logger
    ) where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        self.configuration = configuration
        let limits = configuration.limits
        build = { onListening in
            let http = HTTPServerBuilder.http1(
                configuration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: [RequestGuard(limits: limits)], idleTimeout: TimeAmount(limits.idleTimeout),
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: limits.maximumHeaderBytes, maxHeaderListSize: limits.maximumHeaderBytes,
                        maxHeaderFieldCount: 128)))
            let server = try configuration.tls.map { try HTTPServerBuilder.tls(http, tlsConfiguration: $0.configuration()) } ?? http
            return Application(
                responder: responder, server: server,
                configuration: ApplicationConfiguration(
                    address: configuration.address.bindAddress,
                    availableConnectionsDelegate: MaximumAvailableConnections(limits.maximumConnections, logger: logger)),
                onServerRunning: { channel in await onListening(channel.localAddress?.port ?? configuration.address.port) },
                logger: logger)
        }
    }

    func service(onListening: @escaping OnListening) throws -> any Service { try build(onListening) }
}
