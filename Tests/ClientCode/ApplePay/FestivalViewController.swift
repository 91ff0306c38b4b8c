import Contacts
import PassKit
import UIKit

/// A shop of tickets for iOS 11 and later: methods that end in `handler`, update objects, errors that name a field, coupons.
final class FestivalViewController: UIViewController, PKPaymentAuthorizationViewControllerDelegate {
    var service: OrderService?
    private(set) var result: PKPaymentAuthorizationStatus?
    private(set) var phone: String?
    private var coupon: String?
    private var fee = NSDecimalNumber(string: "2.50")
    private lazy var button = PKPaymentButton(paymentButtonType: .book, paymentButtonStyle: .automatic)

    override func viewDidLoad() {
        super.viewDidLoad()
        button.cornerRadius = 8
        button.addAction(UIAction { [weak self] _ in self?.buy() }, for: .touchUpInside)
        button.isHidden = !PKPaymentAuthorizationController.canMakePayments(
            usingNetworks: [.amex, .discover, .visa], capabilities: [.threeDSecure, .credit, .debit])
        view.addSubview(button)
    }

    private var items: [PKPaymentSummaryItem] {
        var items = [
            PKPaymentSummaryItem(label: "Ticket", amount: NSDecimalNumber(value: 40)),
            PKPaymentSummaryItem(label: "Service", amount: fee, type: .final),
        ]
        if coupon != nil { items.append(PKPaymentSummaryItem(label: "Coupon", amount: NSDecimalNumber(value: -5))) }
        let total = items.reduce(NSDecimalNumber.zero) { $0.adding($1.amount) }
        items.append(PKPaymentSummaryItem(label: "Lantern Festival", amount: total))
        return items
    }

    private var methods: [PKShippingMethod] {
        let post = PKShippingMethod(label: "By post", amount: NSDecimalNumber(value: 0))
        post.identifier = "post"
        post.detail = "In a paper envelope"
        var from = DateComponents()
        from.day = 3
        var to = DateComponents()
        to.day = 5
        post.dateComponentsRange = PKDateComponentsRange(start: from, end: to)
        let gate = PKShippingMethod(label: "At the gate", amount: NSDecimalNumber(value: 0))
        gate.identifier = "gate"
        return [post, gate]
    }

    func buy() {
        let request = PKPaymentRequest()
        request.merchantIdentifier = "merchant.example.lantern"
        request.supportedNetworks = PKPaymentRequest.availableNetworks().filter { [.amex, .discover, .visa].contains($0) }
        request.merchantCapabilities = [.threeDSecure, .credit, .debit]
        request.countryCode = "US"
        request.currencyCode = "USD"
        request.supportedCountries = ["US", "CA"]
        request.paymentSummaryItems = items
        request.shippingMethods = methods
        request.shippingType = .shipping
        request.requiredShippingContactFields = [.postalAddress, .name, .phoneNumber, .emailAddress]
        request.requiredBillingContactFields = [.postalAddress]
        request.supportsCouponCode = true
        if let controller = PKPaymentAuthorizationViewController(paymentRequest: request) {
            controller.delegate = self
            present(controller, animated: true)
        }
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect paymentMethod: PKPaymentMethod,
        handler completion: @escaping (PKPaymentRequestPaymentMethodUpdate) -> Void
    ) {
        fee = paymentMethod.type == .credit ? NSDecimalNumber(string: "2.50") : .zero
        completion(PKPaymentRequestPaymentMethodUpdate(paymentSummaryItems: items))
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelectShippingContact contact: PKContact,
        handler completion: @escaping (PKPaymentRequestShippingContactUpdate) -> Void
    ) {
        guard let address = contact.postalAddress, address.isoCountryCode == "US" else {
            let errors = [
                PKPaymentRequest.paymentShippingAddressUnserviceableError(withLocalizedDescription: "Tickets go to the United States"),
                PKPaymentRequest.paymentShippingAddressInvalidError(
                    withKey: CNPostalAddressCountryKey, localizedDescription: "Choose an address in the United States"),
            ]
            completion(PKPaymentRequestShippingContactUpdate(errors: errors, paymentSummaryItems: items, shippingMethods: methods))
            return
        }
        completion(PKPaymentRequestShippingContactUpdate(errors: nil, paymentSummaryItems: items, shippingMethods: methods))
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect shippingMethod: PKShippingMethod,
        handler completion: @escaping (PKPaymentRequestShippingMethodUpdate) -> Void
    ) {
        completion(PKPaymentRequestShippingMethodUpdate(paymentSummaryItems: items))
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didChangeCouponCode couponCode: String,
        handler completion: @escaping (PKPaymentRequestCouponCodeUpdate) -> Void
    ) {
        coupon = couponCode == "LANTERN" ? couponCode : nil
        var errors: [Error]?
        if couponCode == "SPRING" {
            errors = [PKPaymentRequest.paymentCouponCodeExpiredError(localizedDescription: "That one is over")]
        } else if coupon == nil, !couponCode.isEmpty {
            errors = [PKPaymentRequest.paymentCouponCodeInvalidError(localizedDescription: "There is no such code")]
        }
        completion(PKPaymentRequestCouponCodeUpdate(errors: errors, paymentSummaryItems: items, shippingMethods: methods))
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController,
        didRequestMerchantSessionUpdate handler: @escaping (PKPaymentRequestMerchantSessionUpdate) -> Void
    ) {
        let session = PKPaymentMerchantSession(dictionary: ["merchantSessionIdentifier": "example"])
        handler(PKPaymentRequestMerchantSessionUpdate(status: .success, merchantSession: session))
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping @Sendable (PKPaymentAuthorizationResult) -> Void
    ) {
        phone = payment.shippingContact?.phoneNumber?.stringValue
        guard payment.billingContact?.postalAddress != nil else {
            let error = PKPaymentRequest.paymentBillingAddressInvalidError(
                withKey: CNPostalAddressStreetKey, localizedDescription: "An address is needed")
            completion(PKPaymentAuthorizationResult(status: .failure, errors: [error]))
            return
        }
        guard let mail = payment.shippingContact?.emailAddress, !mail.isEmpty else {
            let error = PKPaymentRequest.paymentContactInvalidError(
                withContactField: .emailAddress, localizedDescription: "Tickets are announced by e-mail")
            completion(PKPaymentAuthorizationResult(status: .failure, errors: [error]))
            return
        }
        service?.charge(order: payment.token.transactionIdentifier, token: payment.token.paymentData) { [weak self] charged in
            let status: PKPaymentAuthorizationStatus = charged == .charged ? .success : .failure
            completion(PKPaymentAuthorizationResult(status: status, errors: nil))
            Task { @MainActor in self?.result = status }
        }
    }

    func paymentAuthorizationViewControllerDidFinish(_ controller: PKPaymentAuthorizationViewController) {
        dismiss(animated: true, completion: nil)
    }
}
