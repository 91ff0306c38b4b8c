#if canImport(Darwin)
    import os
#else
    import Synchronization
#endif

/// A value behind a lock: whoever has the lock is alone with it. It stands in for `Mutex`, which needs iOS 18: phones may have iOS 16.
package final class Locked<Value>: Sendable {
    #if canImport(Darwin)
        private let lock = OSAllocatedUnfairLock()
        // Safe: read and written only by whoever has the lock.
        private nonisolated(unsafe) var value: Value
    #else
        private let mutex: Mutex<Value>
    #endif

    package init(_ value: sending Value) {
        #if canImport(Darwin)
            self.value = value
        #else
            mutex = Mutex(value)
        #endif
    }

    /// Waits for the lock and keeps it until `body` has ended. `body` must not come back for it.
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        #if canImport(Darwin)
            lock.lock()
            defer { lock.unlock() }
            return try body(&value)
        #else
            return try mutex.withLock(body)
        #endif
    }
}
