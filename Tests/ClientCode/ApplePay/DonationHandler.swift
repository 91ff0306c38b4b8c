import Foundation
import PassKit
import UIKit

typealias DonationCompletion = (_ success: Bool, _ transaction: String?) -> Void

/// A handler of the kind that many apps keep as one object for all screens.
class DonationHandler: NSObject {
    static let supportedNetworks: [PKPaymentNetwork] = [.amex, .discover, .masterCard, .visa]

    var completionHandler: DonationCompletion?
    var paymentStatus: PKPaymentAuthorizationStatus = .failure
    var transaction: String?

    class func status() -> (canMakePayments: Bool, canSetupCards: Bool) {
        return (
            PKPaymentAuthorizationViewController.canMakePayments(),
            PKPaymentAuthorizationViewController.canMakePayments(usingNetworks: supportedNetworks)
        )
    }

    @MainActor
    func donate(_ amount: NSDecimalNumber, completion: @escaping DonationCompletion) {
        completionHandler = completion

        let request = PKPaymentRequest()
        request.merchantIdentifier = "merchant.example.help"
        request.merchantCapabilities = .capability3DS
        request.countryCode = "US"
        request.currencyCode = "USD"
        request.supportedNetworks = DonationHandler.supportedNetworks
        request.paymentSummaryItems = [PKPaymentSummaryItem(label: "Help Now", amount: amount, type: .final)]
        request.requiredBillingContactFields = Set([.name, .postalAddress])

        guard let paymentVC = PKPaymentAuthorizationViewController(paymentRequest: request) else {
            completion(false, nil)
            return
        }
        paymentVC.delegate = self
        UIApplication.shared.keyWindow?.rootViewController?.present(paymentVC, animated: true, completion: nil)
    }
}

extension DonationHandler: PKPaymentAuthorizationViewControllerDelegate {
    @available(iOS 11.0, *)
    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping (PKPaymentAuthorizationResult) -> Void
    ) {
        let token = payment.token
        var body: [String: Any] = ["transaction": token.transactionIdentifier]
        body["network"] = token.paymentMethod.network?.rawValue
        if let json = try? JSONSerialization.jsonObject(with: token.paymentData, options: []) as? [String: Any] {
            body["version"] = json["version"]
        }
        paymentStatus = body["version"] as? String == "EC_v1" ? .success : .failure
        transaction = token.transactionIdentifier
        completion(PKPaymentAuthorizationResult(status: paymentStatus, errors: nil))
    }

    func paymentAuthorizationViewControllerDidFinish(_ controller: PKPaymentAuthorizationViewController) {
        controller.dismiss(animated: true) { [weak self] in
            guard let self = self else { return }
            self.completionHandler?(self.paymentStatus == .success, self.transaction)
        }
    }
}
