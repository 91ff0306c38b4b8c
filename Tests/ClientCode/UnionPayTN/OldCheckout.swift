import UIKit

/// An app of the plug-in before `UPPaymentControl`.
class OldCheckout: UIViewController, UPPayPluginDelegate {
    private(set) var result: String?

    func pay(_ tn: String) {
        UPPayPlugin.startPay(tn, mode: "01", viewController: self, delegate: self)
    }

    func upPayPluginResult(_ result: String!) {
        self.result = result
        if result == "success" { title = "paid, says the plug-in" }
    }
}
