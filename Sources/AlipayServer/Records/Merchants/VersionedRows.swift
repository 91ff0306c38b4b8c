import BillfoldStorage
import Synchronization

/// Counts the changes of some rows by this process.
final class RowChanges: Sendable {
    private struct State {
        var ended = 0
        var underWay = 0
    }

    private let state = Mutex(State())

    func begin() { state.withLock { $0.underWay += 1 } }

    func end() {
        state.withLock { state in
            state.underWay -= 1
            state.ended += 1
        }
    }

    /// How many changes have ended; `nil` while one is under way, for then nobody knows which rows a reader sees.
    var count: Int? { state.withLock { $0.underWay == 0 ? $0.ended : nil } }
}

/// What was made of rows, for as long as they have the versions that they had.
final class VersionedRows<Key: Hashable & Sendable, Version: Sendable, Value: Sendable>: Sendable {
    /// What is known of a row before it is read.
    struct Look: Sendable {
        var version: Version?
        /// What the row is now, where it need not be read.
        var current: Value?
        fileprivate var value: Value?
        fileprivate var changes: Int?
    }

    private struct Held {
        var version: Version
        var value: Value
        /// How many changes there had been before the row was read.
        var changes: Int?
    }

    private let rows = Remembered<Key, Held>()
    private let changes: RowChanges?

    /// - Parameter changes: Of all of these rows, where nobody but this process changes them: while there is none, they need not be read. `nil`
    ///   where other processes share the store.
    init(changes: RowChanges?) { self.changes = changes }

    /// Call it before the row is read.
    func look(for key: Key) -> Look {
        let count = changes?.count
        let held = rows[key]
        let isCurrent = count != nil && held?.changes == count
        return Look(version: held?.version, current: isCurrent ? held?.value : nil, value: held?.value, changes: count)
    }

    /// The row has the version that the look knew.
    func confirm(_ look: Look, for key: Key) -> Value? {
        if let value = look.value, let version = look.version, look.changes != nil { keep(value, version, seen: look, for: key) }
        return look.value
    }

    /// The row was read after the look, and this is what it became.
    func keep(_ value: Value, _ version: Version, seen look: Look, for key: Key) {
        rows.keep(Held(version: version, value: value, changes: look.changes), for: key)
    }
}
