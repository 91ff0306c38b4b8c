/// Hears what happens in the sheet. Every callback with a handler must be answered, exactly once.
///
/// PassKit's optional methods are requirements with default implementations here; a callback left to its default is
/// not made, as on a device. Calls arrive on the main actor, as PassKit's headers say.
@MainActor
public protocol PKPaymentAuthorizationControllerDelegate: AnyObject {
    /// The sheet is over: dismiss it. Arrives without an authorisation when the customer cancelled.
    func paymentAuthorizationControllerDidFinish(_ controller: PKPaymentAuthorizationController)

    /// The customer is about to confirm. Nothing is asked.
    func paymentAuthorizationControllerWillAuthorizePayment(_ controller: PKPaymentAuthorizationController)

    /// Answer only after the server has answered: the sheet shows the result and closes.
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping (PKPaymentAuthorizationResult) -> Void)

    /// Another card was chosen. What is known of it before authorisation is little.
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectPaymentMethod paymentMethod: PKPaymentMethod,
        handler completion: @escaping (PKPaymentRequestPaymentMethodUpdate) -> Void)

    /// `contact` is redacted to what shipping needs.
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingContact contact: PKContact,
        handler completion: @escaping (PKPaymentRequestShippingContactUpdate) -> Void)

    /// Another shipping method was chosen: answer with the new sum.
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingMethod shippingMethod: PKShippingMethod,
        handler completion: @escaping (PKPaymentRequestShippingMethodUpdate) -> Void)

    /// The customer entered a code, or took it away.
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didChangeCouponCode couponCode: String,
        handler completion: @escaping (PKPaymentRequestCouponCodeUpdate) -> Void)

    /// A Mac needs a web session: have the merchant's server ask for one.
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController,
        didRequestMerchantSessionUpdate handler: @escaping (PKPaymentRequestMerchantSessionUpdate) -> Void)
}

extension PKPaymentAuthorizationControllerDelegate {
    public func paymentAuthorizationControllerWillAuthorizePayment(_ controller: PKPaymentAuthorizationController) {}

    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping (PKPaymentAuthorizationResult) -> Void
    ) {
        completion(PKPaymentAuthorizationResult(status: .failure, errors: nil))
    }

    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectPaymentMethod paymentMethod: PKPaymentMethod,
        handler completion: @escaping (PKPaymentRequestPaymentMethodUpdate) -> Void
    ) {
        let update = PKPaymentRequestPaymentMethodUpdate(paymentSummaryItems: [])
        update.isUnimplemented = true
        completion(update)
    }

    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingContact contact: PKContact,
        handler completion: @escaping (PKPaymentRequestShippingContactUpdate) -> Void
    ) {
        let update = PKPaymentRequestShippingContactUpdate(errors: nil, paymentSummaryItems: [], shippingMethods: [])
        update.isUnimplemented = true
        completion(update)
    }

    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingMethod shippingMethod: PKShippingMethod,
        handler completion: @escaping (PKPaymentRequestShippingMethodUpdate) -> Void
    ) {
        let update = PKPaymentRequestShippingMethodUpdate(paymentSummaryItems: [])
        update.isUnimplemented = true
        completion(update)
    }

    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didChangeCouponCode couponCode: String,
        handler completion: @escaping (PKPaymentRequestCouponCodeUpdate) -> Void
    ) {
        let update = PKPaymentRequestCouponCodeUpdate(errors: nil, paymentSummaryItems: [], shippingMethods: [])
        update.isUnimplemented = true
        completion(update)
    }

    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController,
        didRequestMerchantSessionUpdate handler: @escaping (PKPaymentRequestMerchantSessionUpdate) -> Void
    ) {
        let update = PKPaymentRequestMerchantSessionUpdate(status: .failure, merchantSession: nil)
        update.isUnimplemented = true
        handler(update)
    }
}
