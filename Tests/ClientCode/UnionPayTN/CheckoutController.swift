import UIKit

class CheckoutController: UIViewController, UPAPayPluginDelegate {
    private(set) var messages: [String] = []
    let merchantID = "merchant.example.tea"

    func applePay(tn: String?) -> Bool {
        guard let tn, !tn.isEmpty else { return false }
        return UPAPayPlugin.startPay(tn, mode: "00", viewController: self, delegate: self, andAPMechantID: merchantID)
    }

    func upaPayPluginResult(_ payResult: UPPayResult!) {
        let status: UPPaymentResultStatus = payResult.paymentResultStatus
        switch status {
        case .success: show("paid \(payResult.otherInfo ?? "")")
        case .failure: show(payResult.errorDescription ?? "failed")
        case .cancel: show("cancelled")
        case .unknownCancel: show("ask the server")
        @unknown default: show("unknown")
        }
    }

    private func show(_ text: String) { messages.append(text) }
}
