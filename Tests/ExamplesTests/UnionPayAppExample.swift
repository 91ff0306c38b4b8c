import Foundation
import Testing
import UIKitSimulator
import UnionPayApp

struct UnionPayAppExample {
    // Example
    /// The tea shop's checkout. Its server asks UnionPay for the number, and knows what was paid.
    @MainActor
    final class TeaCheckout {
        private(set) var text = ""

        func pay(_ number: String, over screen: UIViewController) {
            let isShown = UPPaymentControl.default().startPay(number, fromScheme: "teashop", mode: "01", viewController: screen)
            text = isShown ? "paying" : "not possible"
        }

        /// What the app does with each URL by which it is opened. No word of the client says that money moved.
        func opened(by url: URL, isPaid: Bool) {
            UPPaymentControl.default().handlePaymentResult(url) { _, _ in
                self.text = isPaid ? "receipt" : "being confirmed"
            }
        }
    }

    /// A customer pays in UnionPay's app, which is played here, and comes back before the server has heard of the money.
    @MainActor
    func buy() -> String {
        let (control, launcher, checkout) = (UPPaymentControl(), SimulatedLauncher(), TeaCheckout())
        control.launcher = launcher
        control.opener = { url in MainActor.assumeIsolated { checkout.opened(by: url, isPaid: false) } }
        return UPPaymentControl.$current.withValue(control) {
            checkout.pay("201603131105018491158", over: UIViewController())
            launcher.finish(.success())
            return checkout.text
        }
    }
    // End

    @MainActor @Test func example() { #expect(buy() == "being confirmed") }
}
