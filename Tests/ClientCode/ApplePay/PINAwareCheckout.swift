import PassKit
import UIKit

/// A checkout for cards that ask for a PIN. It implements both forms of the last step, because it once ran on old systems.
final class PINAwareCheckout: NSObject {
    var statuses: [PKPaymentAuthorizationStatus]
    private(set) var usedOldForm = false
    private(set) var isOver = false

    init(statuses: [PKPaymentAuthorizationStatus]) { self.statuses = statuses }

    @MainActor
    func show(on screen: UIViewController, amount: NSDecimalNumber) -> Bool {
        let request = PKPaymentRequest()
        request.merchantIdentifier = "merchant.example.jade"
        request.countryCode = "CN"
        request.currencyCode = "CNY"
        request.supportedNetworks = [.chinaUnionPay]
        request.merchantCapabilities = [.threeDSecure, .emv]
        request.paymentSummaryItems = [PKPaymentSummaryItem(label: "Jade", amount: amount)]
        guard let controller = PKPaymentAuthorizationViewController(paymentRequest: request) else { return false }
        controller.delegate = self
        screen.present(controller, animated: true) {}
        return true
    }
}

extension PINAwareCheckout: PKPaymentAuthorizationViewControllerDelegate {
    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping (PKPaymentAuthorizationResult) -> Void
    ) {
        completion(PKPaymentAuthorizationResult(status: statuses.removeFirst(), errors: nil))
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didAuthorizePayment payment: PKPayment,
        completion: @escaping (PKPaymentAuthorizationStatus) -> Void
    ) {
        usedOldForm = true
        completion(statuses.removeFirst())
    }

    func paymentAuthorizationViewControllerDidFinish(_ controller: PKPaymentAuthorizationViewController) {
        isOver = true
        controller.dismiss(animated: true, completion: nil)
    }
}
