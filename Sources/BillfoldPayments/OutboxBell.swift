public import BillfoldStorage
import Synchronization

/// Tells the outbox worker of the same process that rows were committed that are due: it looks at once instead of at its next turn.
///
/// Nothing rests on it. Rows of other processes, and those whose bell nobody heard, are found by the worker's regular looks.
public final class OutboxBell: Sendable {
    enum Ring: Sendable {
        /// Rows may be due.
        case look
        /// A message that its maker has leased and committed.
        case handover(OutboxClaim)
        /// A message that waited for its place, and has it.
        case begin(OutboxClaim)
    }

    /// The worker that hears the bell.
    struct Listener: Sendable {
        /// Keeps a place for one message to a destination, or one among those that wait for a place, and returns until when the message is
        /// left to this process; nil where there is none.
        var reserve: @Sendable (_ destination: String, _ now: Timestamp) -> Timestamp?
        var release: @Sendable (_ destination: String) -> Void
    }

    private struct State {
        var continuation: AsyncStream<Ring>.Continuation?
        var listener: Listener?
        /// Rings while the worker has not yet begun to look come to one look.
        var isLookDue = false
        /// Which of the workers it is.
        var number = 0
    }

    private let state = Mutex(State())

    public init() {}

    /// Call it after the commit. Rings while the worker is looking come to one more look.
    public func ring() {
        let continuation = state.withLock { state -> AsyncStream<Ring>.Continuation? in
            guard !state.isLookDue else { return nil }
            state.isLookDue = state.continuation != nil
            return state.continuation
        }
        continuation?.yield(.look)
    }

    /// A place for a message that is about to be stored, so that it leaves after the commit without being looked for.
    ///
    /// Store the message with ``OutboxPlace/leaseUntil`` as its `dueAt`, and hand it over after the commit. Where the process ends in
    /// between, a worker takes the message when the lease ends.
    ///
    /// - Parameters:
    ///   - destination: The message's.
    ///   - now: Begins the lease.
    /// - Returns: Nil where messages to the destination wait in the store, too many wait in this process, or its breaker is open, and where
    ///   no worker listens: store the message as due now, and ring.
    public func place(for destination: String, at now: Timestamp) -> OutboxPlace? {
        guard let listener = state.withLock({ $0.listener }), let end = listener.reserve(destination, now) else { return nil }
        return OutboxPlace(leaseUntil: end, bell: self) { listener.release(destination) }
    }

    fileprivate func handOver(_ claim: OutboxClaim) -> Bool { tell(.handover(claim)) }

    /// Has the worker deliver a message that is counted as under way. False: it has ended.
    func begin(_ claim: OutboxClaim) -> Bool { tell(.begin(claim)) }

    private func tell(_ ring: Ring) -> Bool {
        guard let continuation = state.withLock({ $0.continuation }) else { return false }
        if case .enqueued = continuation.yield(ring) { return true }
        return false
    }

    /// What a worker waits on; the last one that begins hears the bell.
    func listen(_ listener: Listener) -> (rings: AsyncStream<Ring>, stop: @Sendable () -> Void) {
        let (rings, continuation) = AsyncStream.makeStream(of: Ring.self)
        let number = state.withLock { state in
            state = State(continuation: continuation, listener: listener, number: state.number + 1)
            return state.number
        }
        return (
            rings,
            { [self] in
                continuation.finish()
                state.withLock { if $0.number == number { $0 = State(number: number) } }
            }
        )
    }

    /// Rings from here on come to another look.
    func beginsToLook() { state.withLock { $0.isLookDue = false } }
}

/// A place among the messages that a worker has under way, or that wait there to be. It is given back when nobody holds it any more.
public final class OutboxPlace: Sendable {
    /// Until when the message is left to this process.
    public let leaseUntil: Timestamp
    private let bell: OutboxBell
    private let release: @Sendable () -> Void
    private let isHandedOver = Atomic(false)

    fileprivate init(leaseUntil: Timestamp, bell: OutboxBell, release: @escaping @Sendable () -> Void) {
        (self.leaseUntil, self.bell, self.release) = (leaseUntil, bell, release)
    }

    deinit {
        if !isHandedOver.load(ordering: .acquiring) { release() }
    }

    /// Has the message delivered. Call it once, after the commit that stored it with ``leaseUntil``.
    public func handOver(_ message: OutboxMessage) {
        guard !isHandedOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        if !bell.handOver(.byRequest(message)) { isHandedOver.store(false, ordering: .releasing) }
    }
}
