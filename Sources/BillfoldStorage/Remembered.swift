public import Synchronization

/// Values that spare another reading or making of them. Nothing rests on them: when the capacity is reached, those that were kept before it
/// was reached the last time are forgotten.
///
/// Public and inlinable, so that it is specialised for its keys and values in other modules.
public final class Remembered<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline
    struct State: Sendable {
        @usableFromInline var recent: [Key: Value] = [:]
        @usableFromInline var earlier: [Key: Value] = [:]

        @inlinable
        init() {}
    }

    @usableFromInline let state = Mutex(State())
    @usableFromInline let capacity: Int

    /// - Parameter capacity: The newest so many are remembered for certain, and at the most twice as many.
    @inlinable
    public init(capacity: Int = 4_096) { self.capacity = capacity }

    @inlinable
    public subscript(key: Key) -> Value? { state.withLock { $0.recent[key] ?? $0.earlier[key] } }

    /// Takes the place of what the key had. It may make room by forgetting older ones.
    @inlinable
    public func keep(_ value: Value, for key: Key) {
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
    @inlinable
    public func take(_ key: Key) -> Value? {
        state.withLock { state in
            let earlier = state.earlier.removeValue(forKey: key)
            return state.recent.removeValue(forKey: key) ?? earlier
        }
    }
}
