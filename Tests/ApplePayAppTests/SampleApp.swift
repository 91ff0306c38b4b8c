// Written as an app for a phone is written: against PassKit's names alone.
import Foundation

#if canImport(PassKit) && canImport(UIKit)
    import Contacts
    import PassKit
#else
    import PassKitSimulator
#endif

typealias PaymentCompletionHandler = (Bool) -> Void

/// A payment handler such as many apps have.
final class PaymentHandler: NSObject, PKPaymentAuthorizationControllerDelegate {
    static let supportedNetworks: [PKPaymentNetwork] = [.amex, .masterCard, .visa]

    var paymentController: PKPaymentAuthorizationController?
    var paymentSummaryItems = [PKPaymentSummaryItem]()
    var paymentStatus = PKPaymentAuthorizationStatus.failure
    var completionHandler: PaymentCompletionHandler?

    static func applePayStatus() -> (canMakePayments: Bool, canSetupCards: Bool) {
        (
            PKPaymentAuthorizationController.canMakePayments(),
            PKPaymentAuthorizationController.canMakePayments(usingNetworks: supportedNetworks)
        )
    }

    func makeButton() -> PKPaymentButton { PKPaymentButton(paymentButtonType: .buy, paymentButtonStyle: .black) }

    func startPayment(completion: @escaping PaymentCompletionHandler) {
        completionHandler = completion
        let ticket = PKPaymentSummaryItem(label: "Festival Entry", amount: NSDecimalNumber(string: "9.99"), type: .final)
        let tax = PKPaymentSummaryItem(label: "Tax", amount: NSDecimalNumber(string: "1.00"), type: .final)
        let total = PKPaymentSummaryItem(label: "Festival", amount: NSDecimalNumber(string: "10.99"), type: .final)
        paymentSummaryItems = [ticket, tax, total]

        let collection = PKShippingMethod(label: "Collection", amount: NSDecimalNumber(string: "0.00"))
        collection.detail = "Collect at the door"
        collection.identifier = "COLLECTION"

        let paymentRequest = PKPaymentRequest()
        paymentRequest.paymentSummaryItems = paymentSummaryItems
        paymentRequest.merchantIdentifier = "merchant.example.festival"
        paymentRequest.merchantCapabilities = .capability3DS
        paymentRequest.countryCode = "US"
        paymentRequest.currencyCode = "USD"
        paymentRequest.supportedNetworks = PaymentHandler.supportedNetworks
        paymentRequest.shippingType = .delivery
        paymentRequest.shippingMethods = [collection]
        paymentRequest.requiredShippingContactFields = [.name, .postalAddress]
        paymentRequest.supportsCouponCode = true

        paymentController = PKPaymentAuthorizationController(paymentRequest: paymentRequest)
        paymentController?.delegate = self
        paymentController?.present(completion: { (presented: Bool) in
            if !presented { self.completionHandler?(false) }
        })
    }

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping (PKPaymentAuthorizationResult) -> Void
    ) {
        var errors = [any Error]()
        var status = PKPaymentAuthorizationStatus.success
        if payment.shippingContact?.postalAddress?.isoCountryCode != "US" {
            errors.append(
                PKPaymentRequest.paymentShippingAddressUnserviceableError(withLocalizedDescription: "Sample App only picks up in the US"))
            errors.append(
                PKPaymentRequest.paymentShippingAddressInvalidError(
                    withKey: CNPostalAddressCountryKey, localizedDescription: "Invalid country"))
            status = .failure
        }
        paymentStatus = status
        completion(PKPaymentAuthorizationResult(status: status, errors: errors))
    }

    func paymentAuthorizationControllerDidFinish(_ controller: PKPaymentAuthorizationController) {
        controller.dismiss {
            self.completionHandler?(self.paymentStatus == .success)
        }
    }

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didChangeCouponCode couponCode: String,
        handler completion: @escaping (PKPaymentRequestCouponCodeUpdate) -> Void
    ) {
        guard couponCode == "FESTIVAL" else {
            let error = PKPaymentRequest.paymentCouponCodeInvalidError(localizedDescription: "Coupon code is not valid.")
            completion(
                PKPaymentRequestCouponCodeUpdate(errors: [error], paymentSummaryItems: paymentSummaryItems, shippingMethods: []))
            return
        }
        let discount = PKPaymentSummaryItem(label: "Coupon", amount: NSDecimalNumber(string: "-2.00"))
        let total = PKPaymentSummaryItem(label: "Festival", amount: NSDecimalNumber(string: "8.99"))
        paymentSummaryItems = Array(paymentSummaryItems.dropLast()) + [discount, total]
        completion(PKPaymentRequestCouponCodeUpdate(errors: nil, paymentSummaryItems: paymentSummaryItems, shippingMethods: []))
    }
}
