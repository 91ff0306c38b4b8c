import Foundation

/// Where the names of an outside SDK do their work: they are called from any thread, as names that a header gives are, and work on the
/// main one.
package enum MainThread {
    /// Set on the main queue alone.
    private static let mark: DispatchSpecificKey<Void> = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()

    /// Whether the caller may touch what is the main actor's.
    ///
    /// Where no run loop turns, as in a program on Linux behind its first `await`, the main queue's work is done by whatever thread is
    /// free, and `Thread.isMainThread` says no.
    package static var isHere: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mark) != nil }

    /// Does the work at once on the main thread. From elsewhere it is done there in its turn, and the caller waits: for calls that have a
    /// value to give back, and for those alone. A main thread that waits for the caller waits for ever.
    package static func run<Result>(_ work: @MainActor () -> Result) -> Result {
        func now() -> HandedOver<Result> { MainActor.assumeIsolated { HandedOver(work()) } }
        return (isHere ? now() : DispatchQueue.main.sync(execute: now)).value
    }

    /// Does the work at once on the main thread. From elsewhere it is done there in its turn, and the caller goes on: for calls that give
    /// nothing back. What one thread hands over is done in the order in which it was handed over, and before what the thread waits for by
    /// ``run(_:)`` afterwards. Values of the caller's task are kept.
    package static func soon(_ work: @escaping @MainActor @Sendable () -> Void) {
        if isHere { MainActor.assumeIsolated(work) } else { Task { @MainActor in work() } }
    }
}

/// A value that an outside SDK's header lets cross to the main thread, and that Swift would not: a block, or an object that the app keeps.
///
/// `@unchecked Sendable`: the side that hands it over is done with it (``MainThread/soon(_:)``) or waits (``MainThread/run(_:)``), and
/// whoever takes it uses it on the main thread alone. Of an object that the app goes on changing on another thread, the app has to take
/// care, as with the real SDK.
package struct HandedOver<Value>: @unchecked Sendable {
    package let value: Value

    package init(_ value: Value) { self.value = value }
}
