public import Foundation

#if !canImport(ObjectiveC)
    extension Timer {
        /// Calls a target by a selector, as Foundation does where there is Objective-C: the target takes it as a ``SelectorReceiver``
        /// and gets the timer. The target is kept alive until the timer is over. It is called on the thread of the run loop, which has to
        /// be the main one.
        public class func scheduledTimer(
            timeInterval ti: TimeInterval, target aTarget: Any, selector aSelector: Selector, userInfo: Any?, repeats yesOrNo: Bool
        ) -> Timer {
            let timer = Timer(timeInterval: ti, target: aTarget, selector: aSelector, userInfo: userInfo, repeats: yesOrNo)
            RunLoop.current.add(timer, forMode: .default)
            return timer
        }

        /// A timer that is started by a run loop. See `scheduledTimer(timeInterval:target:selector:userInfo:repeats:)`.
        public convenience init(
            timeInterval ti: TimeInterval, target aTarget: Any, selector aSelector: Selector, userInfo: Any?, repeats yesOrNo: Bool
        ) {
            // Safe: it goes no further than the main thread, whose run loop calls it.
            nonisolated(unsafe) let target = aTarget as AnyObject
            self.init(timeInterval: ti, repeats: yesOrNo) { timer in
                nonisolated(unsafe) let fired = timer
                MainActor.assumeIsolated { _ = Selector.send(aSelector, to: target, from: fired) }
            }
        }
    }
#endif
