package import BillfoldTrace
import ServiceLifecycle

/// Runs a `TraceForwarder` beside the listeners and sends what is left when they have stopped.
package struct TraceForwardingService: Service {
    private let forwarder: TraceForwarder

    package init(_ forwarder: TraceForwarder) { self.forwarder = forwarder }

    package func run() async throws {
        await cancelWhenGracefulShutdown { await forwarder.run() }
        await forwarder.flush()
    }
}
