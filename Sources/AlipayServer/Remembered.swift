import Synchronization

/// Values that spare another reading or making of them. Nothing rests on them: when the capacity is reached, those that were kept before it
/// was reached the last time are forgotten.
final class Remembered<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var recent: [Key: Value] = [:]
        var earlier: [Key: Value] = [:]
    }

    private let state = Mutex(State())
    private let capacity: Int

    init(capacity: Int = 4_096) { self.capacity = capacity }

    subscript(key: Key) -> Value? { state.withLock { $0.recent[key] ?? $0.earlier[key] } }

    func keep(_ value: Value, for key: Key) {
        // What is forgotten is given back outside of the lock.
        _ = state.withLock { state -> [Key: Value] in
            var forgotten: [Key: Value] = [:]
            if state.recent.count >= capacity, state.recent[key] == nil {
                forgotten = state.earlier
                (state.earlier, state.recent) = (state.recent, [:])
            }
            state.recent[key] = value
            return forgotten
        }
    }

    /// The value of a key, which is forgotten with it.
    func take(_ key: Key) -> Value? {
        state.withLock { state in
            let earlier = state.earlier.removeValue(forKey: key)
            return state.recent.removeValue(forKey: key) ?? earlier
        }
    }
}
