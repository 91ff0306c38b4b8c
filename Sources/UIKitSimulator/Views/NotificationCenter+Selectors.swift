import BillfoldConcurrency
public import Foundation

#if !canImport(ObjectiveC)
    extension NotificationCenter {
        /// Calls an observer by a selector, as Foundation does where there is Objective-C: the observer takes it as a ``SelectorReceiver``.
        ///
        /// The observer is not kept alive. It is called at once by whoever posts, who has to be on the main thread: what is posted
        /// elsewhere is a ``ScreenFault`` of the screen on which the observer was added, and is not told.
        public func addObserver(_ observer: Any, selector aSelector: Selector, name aName: Notification.Name?, object anObject: Any?) {
            let screen = SimulatedScreen.current
            guard let receiver = observer as? any SelectorReceiver else {
                screen.record(.selectorNotTaken, "\(type(of: observer)): \(aSelector)")
                return
            }
            let observed = Observed(receiver: receiver)
            let token = addObserver(forName: aName, object: anObject, queue: nil) { notification in
                guard observed.isThere else { return }
                guard MainThread.isHere else { return screen.record(.postedOffMainThread, notification.name.rawValue) }
                // Safe: it goes no further than the main actor, where it is posted.
                nonisolated(unsafe) let sent = notification
                MainActor.assumeIsolated { observed.receive(aSelector, from: sent) }
            }
            Registration.keep(
                Registration(
                    center: self, observed: observed, name: aName, object: identity(anObject), token: HandedOver(token)))
        }

        /// Takes away what was added for an observer, by a selector or by a block.
        public func removeObserver(_ observer: AnyObject) {
            Registration.remove(of: observer) { $0.center === self }
            removeObserver(observer as Any)
        }

        /// Takes away what was added for an observer under a name and for an object. Nil means each.
        public func removeObserver(_ observer: AnyObject, name aName: Notification.Name?, object anObject: Any?) {
            let object = identity(anObject)
            Registration.remove(of: observer) {
                $0.center === self && (aName == nil || $0.name == aName) && (object == nil || $0.object == object)
            }
            removeObserver(observer as Any, name: aName, object: anObject)
        }

        private func identity(_ object: Any?) -> ObjectIdentifier? { object.map { ObjectIdentifier($0 as AnyObject) } }
    }

    /// An observer that was added by a selector, and what Foundation knows it by.
    private struct Registration: Sendable {
        var center: NotificationCenter
        var observed: Observed
        var name: Notification.Name?
        var object: ObjectIdentifier?
        var token: HandedOver<any NSObjectProtocol>

        private static let all = Locked<[Registration]>([])

        /// Keeps one, and forgets those whose observers are gone.
        static func keep(_ registration: Registration) {
            forget { !$0.observed.isThere }
            all.withLock { $0.append(registration) }
        }

        /// Forgets an observer's registrations of which `isMeant` says yes.
        static func remove(of observer: AnyObject, where isMeant: @Sendable (Registration) -> Bool) {
            let observer = ObjectIdentifier(observer)
            forget { $0.observed.identity == observer && isMeant($0) }
        }

        private static func forget(_ isGone: @Sendable (Registration) -> Bool) {
            let gone = all.withLock { all in
                defer { all.removeAll(where: isGone) }
                return all.filter(isGone)
            }
            for registration in gone { registration.center.removeObserver(registration.token.value as Any) }
        }
    }

    /// `@unchecked Sendable`: the observer is called on the main thread alone; elsewhere one only asks whether it is there.
    private final class Observed: @unchecked Sendable {
        let identity: ObjectIdentifier
        private weak var receiver: (any SelectorReceiver)?

        init(receiver: any SelectorReceiver) {
            self.receiver = receiver
            identity = ObjectIdentifier(receiver)
        }

        var isThere: Bool { receiver != nil }

        @MainActor func receive(_ selector: Selector, from notification: Notification) {
            _ = receiver?.receive(selector, from: notification)
        }
    }
#endif
