import Logging
import NIOCore
import Synchronization

/// Shares a listener's connections out among callers: by address, an IPv6 address by its /64 network, and in total.
///
/// A listener never stops taking connections: where there are too many, the greediest caller's longest idle one ends for the new one, so
/// that nobody keeps a good client waiting by holding connections. Half a request is idle too. Only where every connection has a
/// whole request to be answered is the new one ended.
final class ConnectionBudget: Sendable {
    /// Sent to a connection that shall end unless it has become busy meanwhile.
    struct EndIfIdle: Sendable {}

    private struct State {
        var ledger: ConnectionLedger
        var channels: [Int: any Channel] = [:]
        var saidAt: NIODeadline?
    }

    private let state: Mutex<State>
    private let proxies: TrustedProxies
    private let listener: String
    private let logger: Logger

    init(_ configuration: ListenerConfiguration, logger: Logger) {
        let limits = configuration.limits
        let perCaller = limits.maximumConnectionsPerCaller ?? limits.maximumConnections / 4
        state = Mutex(State(ledger: ConnectionLedger(maximum: limits.maximumConnections, maximumPerCaller: perCaller)))
        proxies = configuration.trustedProxies
        listener = configuration.name
        self.logger = logger
    }

    /// Takes a connection in and ends another for it where that is needed.
    ///
    /// - Returns: What to name it by; `nil` where it has to end itself.
    func admit(_ channel: any Channel) -> Int? {
        let peer = channel.remoteAddress
        // A proxy's connections are those of all who come through it.
        let isProxy = proxies.contains(peer)
        let caller = (isProxy ? "proxy " : "") + CallerName.of(peer)
        let (slot, ending, isNews) = state.withLock { state -> (Int?, (any Channel)?, Bool) in
            let admission = state.ledger.admit(caller, isExempt: isProxy)
            if let admission { state.channels[admission.slot] = channel }
            let isPressed = admission.map { $0.ending != nil } ?? true
            let isNews = isPressed && (state.saidAt.map { $0 + .minutes(1) < .now() } ?? true)
            if isNews { state.saidAt = .now() }
            return (admission?.slot, admission?.ending.flatMap { state.channels[$0] }, isNews)
        }
        ending?.pipeline.fireUserInboundEventTriggered(EndIfIdle())
        if isNews {
            logger.warning(
                "there are too many connections: the greediest caller's idle ones end", metadata: ["listener": "\(listener)"])
        }
        return slot
    }

    func setIdle(_ slot: Int, _ isIdle: Bool) { state.withLock { $0.ledger.setIdle(slot, isIdle) } }

    func remove(_ slot: Int) {
        state.withLock { state in
            state.ledger.remove(slot)
            state.channels[slot] = nil
        }
    }
}
