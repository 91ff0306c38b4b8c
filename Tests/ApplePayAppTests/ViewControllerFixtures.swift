import Foundation

@testable import PassKitSimulator

/// In which form an app's delegate answers.
enum DelegateForm: CaseIterable {
    case handler, async, completion
}

/// What a shop's delegates hear and answer, in whichever form.
@MainActor
final class Counter {
    var calls: [String] = []
    var contact: PKContact?
    var payment: PKPayment?
    var status = PKPaymentAuthorizationStatus.success
    var errors: [any Error]?
    /// Callbacks that are not answered; their answers wait here.
    var silent: Set<String> = []
    var held: [@Sendable () -> Void] = []
    var sheetAtTheEnd: SheetState.Phase?

    static let methods = ["standard", "express"].map { identifier in
        let method = PKShippingMethod()
        method.label = identifier.capitalized
        method.amount = identifier == "express" ? 25 : 10
        method.identifier = identifier
        method.detail = "to the door"
        return method
    }

    func items(shipping: NSDecimalNumber = 10) -> [PKPaymentSummaryItem] {
        [
            PKPaymentSummaryItem(label: "Tea", amount: 33), PKPaymentSummaryItem(label: "Shipping", amount: shipping),
            PKPaymentSummaryItem(label: "Tea House", amount: shipping.adding(33)),
        ]
    }

    func answer(_ callback: String, _ give: @escaping @Sendable () -> Void) {
        calls.append(callback)
        if silent.contains(callback) { held.append(give) } else { give() }
    }

    func request() -> PKPaymentRequest {
        let request = PKPaymentRequest()
        request.merchantIdentifier = "merchant.example.tea"
        request.countryCode = "CN"
        request.currencyCode = "CNY"
        request.supportedNetworks = [.chinaUnionPay, .visa]
        request.merchantCapabilities = [.capability3DS, .capabilityEMV, .capabilityCredit, .capabilityDebit]
        request.requiredShippingAddressFields = .all
        request.shippingMethods = Self.methods
        request.paymentSummaryItems = items()
        request.supportsCouponCode = true
        return request
    }

    func delegate(_ form: DelegateForm) -> any PKPaymentAuthorizationViewControllerDelegate {
        switch form {
        case .handler: HandlerDelegate(self)
        case .async: AsyncDelegate(self)
        case .completion: CompletionDelegate(self)
        }
    }

    func finish(_ controller: PKPaymentAuthorizationViewController) {
        calls.append("didFinish")
        sheetAtTheEnd = controller.sheet?.state.phase
        controller.dismiss(animated: true, completion: nil)
    }
}

/// Implements nothing but what is required.
final class BareDelegate: NSObject, PKPaymentAuthorizationViewControllerDelegate {
    let counter: Counter

    init(_ counter: Counter) { self.counter = counter }

    func paymentAuthorizationViewControllerDidFinish(_ controller: PKPaymentAuthorizationViewController) { counter.finish(controller) }
}

final class HandlerDelegate: NSObject, PKPaymentAuthorizationViewControllerDelegate {
    let counter: Counter

    init(_ counter: Counter) { self.counter = counter }

    func paymentAuthorizationViewControllerDidFinish(_ controller: PKPaymentAuthorizationViewController) { counter.finish(controller) }

    func paymentAuthorizationViewControllerWillAuthorizePayment(_ controller: PKPaymentAuthorizationViewController) {
        counter.calls.append("willAuthorize")
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping @Sendable (PKPaymentAuthorizationResult) -> Void
    ) {
        counter.payment = payment
        nonisolated(unsafe) let result = PKPaymentAuthorizationResult(status: counter.status, errors: counter.errors)
        counter.answer("didAuthorizePayment") { completion(result) }
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect paymentMethod: PKPaymentMethod,
        handler completion: @escaping @Sendable (PKPaymentRequestPaymentMethodUpdate) -> Void
    ) {
        nonisolated(unsafe) let update = PKPaymentRequestPaymentMethodUpdate(paymentSummaryItems: counter.items())
        counter.answer("didSelectPaymentMethod") { completion(update) }
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelectShippingContact contact: PKContact,
        handler completion: @escaping @Sendable (PKPaymentRequestShippingContactUpdate) -> Void
    ) {
        counter.contact = contact
        nonisolated(unsafe) let update = PKPaymentRequestShippingContactUpdate(
            errors: nil, paymentSummaryItems: counter.items(), shippingMethods: Counter.methods)
        counter.answer("didSelectShippingContact") { completion(update) }
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect shippingMethod: PKShippingMethod,
        handler completion: @escaping @Sendable (PKPaymentRequestShippingMethodUpdate) -> Void
    ) {
        nonisolated(unsafe) let update = PKPaymentRequestShippingMethodUpdate(
            paymentSummaryItems: counter.items(shipping: shippingMethod.amount))
        counter.answer("didSelectShippingMethod") { completion(update) }
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didChangeCouponCode couponCode: String,
        handler completion: @escaping @Sendable (PKPaymentRequestCouponCodeUpdate) -> Void
    ) {
        nonisolated(unsafe) let update = PKPaymentRequestCouponCodeUpdate(
            errors: nil, paymentSummaryItems: counter.items(shipping: 0), shippingMethods: Counter.methods)
        counter.answer("didChangeCouponCode") { completion(update) }
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController,
        didRequestMerchantSessionUpdate handler: @escaping @Sendable (PKPaymentRequestMerchantSessionUpdate) -> Void
    ) {
        nonisolated(unsafe) let update = PKPaymentRequestMerchantSessionUpdate(
            status: .success, merchantSession: PKPaymentMerchantSession(dictionary: [:]))
        counter.answer("didRequestMerchantSessionUpdate") { handler(update) }
    }
}

final class AsyncDelegate: NSObject, PKPaymentAuthorizationViewControllerDelegate {
    let counter: Counter

    init(_ counter: Counter) { self.counter = counter }

    func paymentAuthorizationViewControllerDidFinish(_ controller: PKPaymentAuthorizationViewController) { counter.finish(controller) }

    func paymentAuthorizationViewControllerWillAuthorizePayment(_ controller: PKPaymentAuthorizationViewController) {
        counter.calls.append("willAuthorize")
    }

    private func wait(_ callback: String) async {
        await withCheckedContinuation { waiting in counter.answer(callback) { waiting.resume() } }
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didAuthorizePayment payment: PKPayment
    ) async -> PKPaymentAuthorizationResult {
        counter.payment = payment
        await wait("didAuthorizePayment")
        return PKPaymentAuthorizationResult(status: counter.status, errors: counter.errors)
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect paymentMethod: PKPaymentMethod
    ) async -> PKPaymentRequestPaymentMethodUpdate {
        await wait("didSelectPaymentMethod")
        return PKPaymentRequestPaymentMethodUpdate(paymentSummaryItems: counter.items())
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelectShippingContact contact: PKContact
    ) async -> PKPaymentRequestShippingContactUpdate {
        counter.contact = contact
        await wait("didSelectShippingContact")
        return PKPaymentRequestShippingContactUpdate(
            errors: nil, paymentSummaryItems: counter.items(), shippingMethods: Counter.methods)
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect shippingMethod: PKShippingMethod
    ) async -> PKPaymentRequestShippingMethodUpdate {
        await wait("didSelectShippingMethod")
        return PKPaymentRequestShippingMethodUpdate(paymentSummaryItems: counter.items(shipping: shippingMethod.amount))
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didChangeCouponCode couponCode: String
    ) async -> PKPaymentRequestCouponCodeUpdate {
        await wait("didChangeCouponCode")
        return PKPaymentRequestCouponCodeUpdate(
            errors: nil, paymentSummaryItems: counter.items(shipping: 0), shippingMethods: Counter.methods)
    }

    func paymentAuthorizationViewControllerDidRequestMerchantSessionUpdate(
        _ controller: PKPaymentAuthorizationViewController
    ) async -> PKPaymentRequestMerchantSessionUpdate {
        await wait("didRequestMerchantSessionUpdate")
        return PKPaymentRequestMerchantSessionUpdate(status: .success, merchantSession: PKPaymentMerchantSession(dictionary: [:]))
    }
}

/// The forms before iOS 11. Coupons and web sessions came later and have none.
final class CompletionDelegate: NSObject, PKPaymentAuthorizationViewControllerDelegate {
    let counter: Counter

    init(_ counter: Counter) { self.counter = counter }

    func paymentAuthorizationViewControllerDidFinish(_ controller: PKPaymentAuthorizationViewController) { counter.finish(controller) }

    func paymentAuthorizationViewControllerWillAuthorizePayment(_ controller: PKPaymentAuthorizationViewController) {
        counter.calls.append("willAuthorize")
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didAuthorizePayment payment: PKPayment,
        completion: @escaping @Sendable (PKPaymentAuthorizationStatus) -> Void
    ) {
        counter.payment = payment
        let status = counter.status
        counter.answer("didAuthorizePayment") { completion(status) }
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect paymentMethod: PKPaymentMethod,
        completion: @escaping @Sendable ([PKPaymentSummaryItem]) -> Void
    ) {
        nonisolated(unsafe) let items = counter.items()
        counter.answer("didSelectPaymentMethod") { completion(items) }
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelectShippingContact contact: PKContact,
        completion: @escaping @Sendable (PKPaymentAuthorizationStatus, [PKShippingMethod], [PKPaymentSummaryItem]) -> Void
    ) {
        counter.contact = contact
        nonisolated(unsafe) let items = counter.items()
        nonisolated(unsafe) let methods = Counter.methods
        // The address of a foreign country is blamed by a status: there were no errors yet.
        let status: PKPaymentAuthorizationStatus = contact.postalAddress?.isoCountryCode == "CN" ? .success : .invalidShippingPostalAddress
        counter.answer("didSelectShippingContact") { completion(status, methods, items) }
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect shippingMethod: PKShippingMethod,
        completion: @escaping @Sendable (PKPaymentAuthorizationStatus, [PKPaymentSummaryItem]) -> Void
    ) {
        nonisolated(unsafe) let items = counter.items(shipping: shippingMethod.amount)
        counter.answer("didSelectShippingMethod") { completion(.success, items) }
    }
}

/// Implements a callback in both forms, as apps do that run on old systems too.
final class BothFormsDelegate: NSObject, PKPaymentAuthorizationViewControllerDelegate {
    let counter: Counter

    init(_ counter: Counter) { self.counter = counter }

    func paymentAuthorizationViewControllerDidFinish(_ controller: PKPaymentAuthorizationViewController) { counter.finish(controller) }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping (PKPaymentAuthorizationResult) -> Void
    ) {
        counter.calls.append("didAuthorizePayment:handler:")
        completion(PKPaymentAuthorizationResult(status: .success, errors: nil))
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didAuthorizePayment payment: PKPayment,
        completion: @escaping (PKPaymentAuthorizationStatus) -> Void
    ) {
        counter.calls.append("didAuthorizePayment:completion:")
        completion(.failure)
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect paymentMethod: PKPaymentMethod
    ) async -> PKPaymentRequestPaymentMethodUpdate {
        counter.calls.append("didSelectPaymentMethod async")
        return PKPaymentRequestPaymentMethodUpdate(paymentSummaryItems: counter.items())
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect paymentMethod: PKPaymentMethod,
        completion: @escaping ([PKPaymentSummaryItem]) -> Void
    ) {
        counter.calls.append("didSelectPaymentMethod:completion:")
        completion([])
    }
}
