#if !canImport(ObjectiveC)
    import Foundation
    import Testing
    import UIKitSimulator

    @MainActor
    struct ObservingTests {
        // MARK: Notifications

        private let name = Notification.Name("changed")

        @Test func nothingIsLostBetweenTheSequenceAndWhoAsks() async {
            let center = NotificationCenter()
            let notifications = center.notifications(named: name)
            center.post(name: name, object: nil, userInfo: ["n": 1])
            center.post(name: Notification.Name("other"), object: nil)
            center.post(name: name, object: nil, userInfo: ["n": 2])
            var seen: [Int] = []
            for await number in notifications.map({ $0.userInfo?["n"] as? Int ?? 0 }) {
                seen.append(number)
                if number == 2 { center.post(name: name, object: nil, userInfo: ["n": 3]) }
                if number == 3 { break }
            }
            #expect(seen == [1, 2, 3])
        }

        @Test func aSecondOneHearsWhatComesAfterIt() async {
            let center = NotificationCenter()
            let notifications = center.notifications(named: name)
            center.post(name: name, object: nil, userInfo: ["n": 1])
            var (first, second) = (notifications.makeAsyncIterator(), notifications.makeAsyncIterator())
            center.post(name: name, object: nil, userInfo: ["n": 2])
            #expect(await first.next()?.userInfo?["n"] as? Int == 1)
            #expect(await first.next()?.userInfo?["n"] as? Int == 2)
            #expect(await second.next()?.userInfo?["n"] as? Int == 2)
        }

        @Test func oneObjectsNotificationsAreItsOwn() async {
            let center = NotificationCenter()
            let (mine, other) = (NSObject(), NSObject())
            let notifications = center.notifications(named: name, object: mine)
            center.post(name: name, object: other)
            center.post(name: name, object: mine)
            var iterator = notifications.makeAsyncIterator()
            #expect(await iterator.next()?.object as? NSObject === mine)
        }

        @Test func aCancelledTaskStopsToWait() async {
            let center = NotificationCenter()
            let name = name
            let waiting = Task { () -> Int in
                var count = 0
                for await _ in center.notifications(named: name) { count += 1 }
                return count
            }
            await Task.yield()
            waiting.cancel()
            #expect(await waiting.value == 0)
        }

        // MARK: Properties

        private final class Log: @unchecked Sendable {
            var lines: [String] = []
        }

        @Test func whatAScrollViewHasIsObserved() {
            let (list, log) = (UITableView(), Log())
            let observation = list.observe(\.contentSize, options: [.new, .old]) { list, change in
                let part = MainActor.assumeIsolated { list.contentSize.height }
                log.lines.append("\(change.oldValue?.height ?? -1) \(change.newValue?.height ?? -1) \(part) \(change.kind == .setting)")
            }
            list.contentSize = CGSize(width: 0, height: 120)
            list.contentSize = CGSize(width: 0, height: 120)
            list.contentOffset = CGPoint(x: 0, y: 7)
            #expect(log.lines == ["0.0 120.0 120.0 true"], "another property, or the same value, is nothing")
            observation.invalidate()
            list.contentSize = .zero
            #expect(log.lines.count == 1)
        }

        @Test func thePresentValueIsToldIfAskedFor() {
            let (field, log) = (UITextField(), Log())
            var observation: NSKeyValueObservation? = field.observe(\.isEnabled, options: .initial) { _, change in
                log.lines.append("\(change.newValue == nil) \(change.oldValue == nil) \(change.isPrior) \(change.indexes == nil)")
            }
            #expect(log.lines == ["true true false true"], "values that nobody asked for are not there")
            field.isEnabled = false
            #expect(log.lines.count == 2 && observation != nil)
            observation = nil
            field.isEnabled = true
            #expect(log.lines.count == 2, "it is over when it is let go of")
        }

        @Test func aViewTellsOfItsPlace() {
            let (view, log) = (UIProgressView(progressViewStyle: .bar), Log())
            let observations = [
                view.observe(\.bounds, options: .new) { _, change in log.lines.append("bounds \(change.newValue?.width ?? 0)") },
                view.observe(\.isHidden) { _, _ in log.lines.append("hidden") },
                view.observe(\.progress) { _, _ in log.lines.append("progress") },
            ]
            view.frame.origin.x = 3
            view.frame.size.width = 8
            view.isHidden = true
            view.setProgress(0.5, animated: true)
            #expect(log.lines == ["bounds 8.0", "hidden", "progress"] && observations.count == 3)
            let part = Progress(totalUnitCount: 4)
            view.observedProgress = part
            part.completedUnitCount = 1
            #expect(view.progress == 0.25)
        }

        /// Observes as apps of before closures do.
        private final class OldController: UIViewController {
            var lines: [String] = []

            override func observeValue(
                forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?
            ) {
                let (old, new) = (change?[.oldKey] as? CGPoint, change?[.newKey] as? CGPoint)
                lines.append("\(keyPath ?? "") \(old?.y ?? -1) \(new?.y ?? -1) \(object is UIScrollView)")
            }
        }

        @Test func aPropertyIsObservedByItsName() {
            let (controller, scroll) = (OldController(), UIScrollView())
            let shown = Shown(controller)
            shown.run {
                scroll.addObserver(controller, forKeyPath: "contentOffset", options: [.initial, .new, .old], context: nil)
                #expect(controller.lines == ["contentOffset -1.0 0.0 true"])
                scroll.contentOffset.y = 9
                #expect(controller.lines.last == "contentOffset 0.0 9.0 true")
                scroll.removeObserver(controller, forKeyPath: "contentOffset")
                scroll.contentOffset.y = 10
                #expect(controller.lines.count == 2 && shown.faults.isEmpty)
                scroll.removeObserver(controller, forKeyPath: "contentOffset", context: nil)
                scroll.addObserver(controller, forKeyPath: "colour", options: [], context: nil)
                scroll.addObserver(NSObject(), forKeyPath: "contentOffset", context: nil)
            }
            #expect(shown.faults == [.propertyNotObserved, .propertyNotObserved, .propertyNotObserved])
        }
    }
#endif
