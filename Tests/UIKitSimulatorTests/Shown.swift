import UIKitSimulator

/// A screen of its own, with a window that shows a controller.
@MainActor
struct Shown {
    let screen = SimulatedScreen()
    let window: UIWindow

    init(_ controller: UIViewController) {
        window = SimulatedScreen.$bound.withValue(screen) { UIWindow(frame: .zero) }
        window.rootViewController = controller
        run { window.makeKeyAndVisible() }
    }

    /// Does something on the screen.
    @discardableResult
    func run<Value>(_ work: () throws -> Value) rethrows -> Value { try SimulatedScreen.$bound.withValue(screen) { try work() } }

    var faults: [ScreenFault.Code] { screen.faults.map(\.code) }
}

/// Takes the selectors that it is sent, and keeps them.
@MainActor
final class Receiver: NSObject, SelectorReceiver {
    var received: [String] = []
    var senders: [Any?] = []
    let known: Set<String>

    init(_ known: String...) { self.known = Set(known) }

    func receive(_ selector: Selector, from sender: Any?) -> Bool {
        guard known.contains(selector.description) else { return false }
        received.append(selector.description)
        senders.append(sender)
        return true
    }
}
