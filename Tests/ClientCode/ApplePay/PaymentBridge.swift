import Foundation
import PassKit
import UIKit

/// What a cross-platform framework's plug-in does: a method with a dictionary, an answer by two blocks.
final class PaymentBridge: NSObject, PKPaymentAuthorizationControllerDelegate {
    typealias Resolve = (Any?) -> Void
    typealias Reject = (String, String, Error?) -> Void

    private var resolve: Resolve?
    private var reject: Reject?
    private var completion: ((PKPaymentAuthorizationResult) -> Void)?

    static let networks: [String: PKPaymentNetwork] = [
        "visa": .visa, "mastercard": .masterCard, "amex": .amex, "chinaUnionPay": .chinaUnionPay,
    ]

    func canMakePayments(_ names: [String]) -> Bool {
        let networks = names.compactMap { PaymentBridge.networks[$0] }
        return networks.isEmpty
            ? PKPaymentAuthorizationController.canMakePayments()
            : PKPaymentAuthorizationController.canMakePayments(usingNetworks: networks)
    }

    func show(_ options: [String: Any], resolve: @escaping Resolve, reject: @escaping Reject) {
        self.resolve = resolve
        self.reject = reject
        let request = PKPaymentRequest()
        request.merchantIdentifier = options["merchantIdentifier"] as? String ?? ""
        request.countryCode = options["countryCode"] as? String ?? ""
        request.currencyCode = options["currencyCode"] as? String ?? ""
        request.supportedNetworks = (options["supportedNetworks"] as? [String] ?? []).compactMap { PaymentBridge.networks[$0] }
        request.merchantCapabilities = PKMerchantCapability(rawValue: PKMerchantCapability.capability3DS.rawValue)
        let items = options["items"] as? [[String: String]] ?? []
        request.paymentSummaryItems = items.map {
            PKPaymentSummaryItem(label: $0["label"] ?? "", amount: NSDecimalNumber(string: $0["amount"]))
        }
        let controller = PKPaymentAuthorizationController(paymentRequest: request)
        controller.delegate = self
        controller.present(completion: { [weak self] presented in
            if !presented { self?.reject?("E_SHOW", "The sheet did not appear", nil) }
        })
    }

    /// The page's script says how the server answered.
    func complete(_ status: String) {
        let status: PKPaymentAuthorizationStatus = status == "success" ? .success : .failure
        completion?(PKPaymentAuthorizationResult(status: status, errors: nil))
        completion = nil
    }

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping (PKPaymentAuthorizationResult) -> Void
    ) {
        self.completion = completion
        resolve?(["paymentData": payment.token.paymentData.base64EncodedString()])
        resolve = nil
        reject = nil
    }

    func paymentAuthorizationControllerDidFinish(_ controller: PKPaymentAuthorizationController) {
        controller.dismiss(completion: nil)
        reject?("E_CANCEL", "The customer closed the sheet", nil)
        reject = nil
        resolve = nil
    }
}
