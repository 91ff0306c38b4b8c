import Synchronization

/// Values that spare another reading or making of them. Nothing rests on them: when one more than the capacity comes, all are forgotten.
final class Remembered<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let values = Mutex<[Key: Value]>([:])
    private let capacity: Int

    init(capacity: Int = 4_096) { self.capacity = capacity }

    subscript(key: Key) -> Value? { values.withLock { $0[key] } }

    func keep(_ value: Value, for key: Key) {
        values.withLock { values in
            if values.count >= capacity, values[key] == nil { values.removeAll(keepingCapacity: true) }
            values[key] = value
        }
    }

    /// The value of a key, which is forgotten with it.
    func take(_ key: Key) -> Value? { values.withLock { $0.removeValue(forKey: key) } }
}
