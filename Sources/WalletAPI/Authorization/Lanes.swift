import BillfoldConcurrency

/// Lets one caller at a time through for each key, in the order in which they came.
final class Lanes<Key: Hashable & Sendable>: Sendable {
    private struct Waiting {
        var ticket: Int
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        /// The keys that somebody has, with those who wait for them.
        var queues: [Key: [Waiting]] = [:]
        var tickets = 0
        /// Tickets whose callers were cancelled before they began to wait.
        var cancelled: Set<Int> = []
    }

    private let state = Locked(State())

    /// Waits for the turn; false when the caller was cancelled before it came.
    func enter(_ key: Key) async -> Bool {
        let ticket = state.withLock { state in
            state.tickets += 1
            return state.tickets
        }
        let entered = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let decided: Bool? = state.withLock { state in
                    if state.cancelled.contains(ticket) { return false }
                    guard state.queues[key] != nil else {
                        state.queues[key] = []
                        return true
                    }
                    state.queues[key]?.append(Waiting(ticket: ticket, continuation: continuation))
                    return nil
                }
                if let decided { continuation.resume(returning: decided) }
            }
        } onCancel: {
            let waiting = state.withLock { state -> Waiting? in
                guard let place = state.queues[key]?.firstIndex(where: { $0.ticket == ticket }) else {
                    state.cancelled.insert(ticket)
                    return nil
                }
                return state.queues[key]?.remove(at: place)
            }
            waiting?.continuation.resume(returning: false)
        }
        state.withLock { _ = $0.cancelled.remove(ticket) }
        return entered
    }

    /// Hands the turn to the next.
    func leave(_ key: Key) {
        let next = state.withLock { state -> Waiting? in
            guard var queue = state.queues[key] else { return nil }
            guard !queue.isEmpty else {
                state.queues[key] = nil
                return nil
            }
            let next = queue.removeFirst()
            state.queues[key] = queue
            return next
        }
        next?.continuation.resume(returning: true)
    }
}
