import Synchronization

/// Carries what a transaction learned to whoever acts once it is committed. A transaction that runs again overwrites it.
package final class Latest<Value: Sendable>: Sendable {
    private let held = Mutex<Value?>(nil)

    package init() {}

    package var value: Value? { held.withLock { $0 } }
    package func set(_ value: Value) { held.withLock { $0 = value } }
    /// Hands the value over: nobody finds it here any more.
    package func take() -> Value? { held.withLock { $0.take() } }
}
