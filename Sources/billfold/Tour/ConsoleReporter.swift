import BillfoldSandbox
import BillfoldTrace
import Foundation

/// Brings what a party of this process reports to a console that runs in another.
final class ConsoleReporter: Sendable {
    let reporter: PartyReporter
    private let forwarder: TraceForwarder
    private let forwarding: Task<Void, Never>

    /// - Parameter console: Its origin, or a proxy's in front of it.
    init(console: String) {
        let buffer = TraceBuffer()
        let (codec, url) = (TraceCodec(), console + "/trace")
        let forwarder = TraceForwarder(buffer: buffer) { batch in try await TourClient.report(codec.encode(batch), to: url) }
        self.forwarder = forwarder
        forwarding = Task { await forwarder.run() }
        reporter = PartyReporter(
            sink: buffer, now: { Int64(Date().timeIntervalSince1970 * 1_000_000) }, makeName: { SystemRandomness.name() })
    }

    func flush() async { await forwarder.flush() }

    func end() { forwarding.cancel() }
}
