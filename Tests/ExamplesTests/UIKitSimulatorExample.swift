import Foundation
import Testing
import UIKitSimulator

struct UIKitSimulatorExample {
    // Example
    /// The shop's screen, as it is on a phone.
    final class TeaViewController: UIViewController {
        var answer: String?

        override func viewDidLoad() {
            super.viewDidLoad()
            let button = UIButton(
                type: .system, primaryAction: UIAction(title: "Buy") { [weak self] _ in self?.ask() })
            view.addSubview(button)
        }

        private func ask() {
            let alert = UIAlertController(title: "Buy tea?", message: nil, preferredStyle: .alert)
            alert.addAction(UIAlertAction(title: "No", style: .cancel) { [weak self] _ in self?.answer = "no" })
            alert.addAction(UIAlertAction(title: "Yes", style: .default) { [weak self] _ in self?.answer = "yes" })
            present(alert, animated: true)
        }
    }

    /// A customer taps the button, reads the question and answers it. Returns what the shop heard.
    @MainActor
    func buy() -> String? {
        let screen = SimulatedScreen()
        return SimulatedScreen.$bound.withValue(screen) {
            let shop = TeaViewController()
            let window = UIWindow(frame: .zero)
            window.rootViewController = shop
            window.makeKeyAndVisible()
            screen.tap("Buy")
            guard screen.texts == ["Buy tea?", "No", "Yes"] else { return nil }
            screen.tap("Yes")
            return shop.answer
        }
    }
    // End

    @MainActor @Test func example() { #expect(buy() == "yes") }
}
