public import Foundation

#if !canImport(ObjectiveC)
    extension NotificationCenter {
        /// Calls an observer by a selector, as Foundation does where there is Objective-C: the observer takes it as a ``SelectorReceiver``.
        ///
        /// The observer is not kept alive. It hears of what is posted on the main thread alone, and stays registered until it is gone:
        /// `removeObserver(_:)` with the observer itself takes nothing away here.
        public func addObserver(_ observer: Any, selector aSelector: Selector, name aName: Notification.Name?, object anObject: Any?) {
            guard let receiver = observer as? any SelectorReceiver else {
                SimulatedScreen.current.record(.selectorNotTaken, "\(type(of: observer)): \(aSelector)")
                return
            }
            let observed = Observed(receiver: receiver)
            _ = addObserver(forName: aName, object: anObject, queue: nil) { notification in
                // Safe: it goes no further than the main actor, where it is posted.
                nonisolated(unsafe) let sent = notification
                guard Thread.isMainThread else { return }
                MainActor.assumeIsolated { _ = observed.receiver?.receive(aSelector, from: sent) }
            }
        }
    }

    /// The reference is read on the main thread alone.
    private final class Observed: @unchecked Sendable {
        weak var receiver: (any SelectorReceiver)?
        init(receiver: any SelectorReceiver) { self.receiver = receiver }
    }
#endif
