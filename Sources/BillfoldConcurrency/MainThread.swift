import Foundation

/// Where the names of an outside SDK do their work: they are called from any thread, as names that a header gives are, and work on the
/// main one.
package enum MainThread {
    /// Set on the main queue alone. Where no run loop turns, the queue's work is done by whatever thread is free, and
    /// `Thread.isMainThread` says no.
    private static let mark: DispatchSpecificKey<Void> = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()

    /// Does the work at once on the main thread. From elsewhere it is done there in its turn, and the caller waits.
    package static func run<Result>(_ work: @MainActor () -> Result) -> Result {
        func now() -> HandedOver<Result> { MainActor.assumeIsolated { HandedOver(work()) } }
        let isThere = Thread.isMainThread || DispatchQueue.getSpecific(key: mark) != nil
        return (isThere ? now() : DispatchQueue.main.sync(execute: now)).value
    }
}

/// A value that an outside SDK's header lets cross to the main thread, and that Swift would not: a block, or an object that the app keeps.
///
/// `@unchecked Sendable`: the side that hands it over waits (``MainThread/run(_:)``) and whoever takes it uses it on the main thread
/// alone. Of an object
/// that the app goes on changing on another thread, the app has to take care, as with the real SDK.
package struct HandedOver<Value>: @unchecked Sendable {
    package let value: Value

    package init(_ value: Value) { self.value = value }
}
