import Synchronization

/// Tells the outbox worker of the same process that rows were committed that are due: it looks at once instead of at its next turn.
///
/// Nothing rests on it. Rows of other processes, and those whose bell nobody heard, are found by the worker's regular looks.
public final class OutboxBell: Sendable {
    private let ringing = Mutex<AsyncStream<Void>.Continuation?>(nil)

    public init() {}

    /// Call it after the commit. Rings while the worker is looking come to one more look.
    public func ring() { _ = ringing.withLock { $0 }?.yield() }

    /// What a worker waits on; the last one that begins hears the bell.
    func listen() -> (rings: AsyncStream<Void>, stop: @Sendable () -> Void) {
        let (rings, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        ringing.withLock { $0 = continuation }
        return (rings, { continuation.finish() })
    }
}
