public import BillfoldTrace
public import ServiceLifecycle

/// Runs a `TraceForwarder` beside the listeners and sends what is left when they have stopped.
public struct TraceForwardingService: Service {
    private let forwarder: TraceForwarder

    public init(_ forwarder: TraceForwarder) { self.forwarder = forwarder }

    public func run() async throws {
        await cancelWhenGracefulShutdown { await forwarder.run() }
        await forwarder.flush()
    }
}
