import BillfoldStorage
import Synchronization

/// Wakes the requests of this process that wait for a payment's outcome when another request of it stores one.
///
/// A hint and no more: whoever waits reads the store, and looks again by itself, for the outcome may be stored by another
/// process.
final class SettlementNews: Sendable {
    private struct Waiting {
        var next: UInt64 = 0
        var continuations: [TimeOrderedID: [UInt64: AsyncStream<Void>.Continuation]] = [:]
    }

    private let waiting = Mutex(Waiting())

    /// Ends, or has ended, once ``announce(_:)`` is called for the payment after this call.
    func news(of id: TimeOrderedID) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let token = waiting.withLock { waiting in
            waiting.next += 1
            waiting.continuations[id, default: [:]][waiting.next] = continuation
            return waiting.next
        }
        continuation.onTermination = { [self] _ in
            waiting.withLock { waiting in
                waiting.continuations[id]?[token] = nil
                if waiting.continuations[id]?.isEmpty == true { waiting.continuations[id] = nil }
            }
        }
        return stream
    }

    func announce(_ id: TimeOrderedID) {
        // Ending a stream calls back, so not under the lock.
        let woken = waiting.withLock { $0.continuations.removeValue(forKey: id) }
        for continuation in (woken ?? [:]).values { continuation.finish() }
    }
}

extension AsyncStream<Void> {
    /// Waits for the stream's end, and no longer than `limit`; afterwards the stream is of no more use.
    func end(within limit: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in self {} }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }
}
