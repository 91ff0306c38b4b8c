public import UIKitSimulator

/// Hears what happens in the sheet. Every callback with a handler must be answered, exactly once.
///
/// PassKit's optional methods are requirements with default implementations here; a callback left to its default is
/// not made, as on a device. Of a callback in several forms the newest that is implemented is made. Calls arrive on the main actor,
/// as PassKit's headers say; an answer may come from any thread.
@MainActor
@preconcurrency
public protocol PKPaymentAuthorizationControllerDelegate: AnyObject {
    /// The sheet is over: dismiss it. Arrives without an authorisation when the customer cancelled, and may come at any time.
    func paymentAuthorizationControllerDidFinish(_ controller: PKPaymentAuthorizationController)

    /// The window over which the sheet comes up. Asked for when it is presented; here it draws over none.
    func presentationWindow(for controller: PKPaymentAuthorizationController) -> UIWindow?

    /// The customer is about to confirm. Nothing is asked.
    func paymentAuthorizationControllerWillAuthorizePayment(_ controller: PKPaymentAuthorizationController)

    /// Answer only after the server has answered: the sheet shows the result and closes.
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping @Sendable (PKPaymentAuthorizationResult) -> Void)

    /// Another card was chosen. What is known of it before authorisation is little.
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectPaymentMethod paymentMethod: PKPaymentMethod,
        handler completion: @escaping @Sendable (PKPaymentRequestPaymentMethodUpdate) -> Void)

    /// `contact` is redacted to what shipping needs.
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingContact contact: PKContact,
        handler completion: @escaping @Sendable (PKPaymentRequestShippingContactUpdate) -> Void)

    /// Another shipping method was chosen: answer with the new sum.
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingMethod shippingMethod: PKShippingMethod,
        handler completion: @escaping @Sendable (PKPaymentRequestShippingMethodUpdate) -> Void)

    /// The customer entered a code, or took it away.
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didChangeCouponCode couponCode: String,
        handler completion: @escaping @Sendable (PKPaymentRequestCouponCodeUpdate) -> Void)

    /// A Mac needs a web session: have the merchant's server ask for one.
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController,
        didRequestMerchantSessionUpdate handler: @escaping @Sendable (PKPaymentRequestMerchantSessionUpdate) -> Void)

    // MARK: The same, as Swift spells a handler with async

    /// The form with `handler:`, in Swift's other spelling. A delegate has one of the two.
    func paymentAuthorizationController(_ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment) async
        -> PKPaymentAuthorizationResult

    /// The form with `handler:`, in Swift's other spelling. A delegate has one of the two.
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectPaymentMethod paymentMethod: PKPaymentMethod
    ) async -> PKPaymentRequestPaymentMethodUpdate

    /// The form with `handler:`, in Swift's other spelling. A delegate has one of the two.
    func paymentAuthorizationController(_ controller: PKPaymentAuthorizationController, didSelectShippingContact contact: PKContact) async
        -> PKPaymentRequestShippingContactUpdate

    /// The form with `handler:`, in Swift's other spelling. A delegate has one of the two.
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingMethod shippingMethod: PKShippingMethod
    ) async -> PKPaymentRequestShippingMethodUpdate

    /// The form with `handler:`, in Swift's other spelling. A delegate has one of the two.
    func paymentAuthorizationController(_ controller: PKPaymentAuthorizationController, didChangeCouponCode couponCode: String) async
        -> PKPaymentRequestCouponCodeUpdate

    /// The form with a handler, in Swift's other spelling. A delegate has one of the two.
    func paymentAuthorizationControllerDidRequestMerchantSessionUpdate(_ controller: PKPaymentAuthorizationController) async
        -> PKPaymentRequestMerchantSessionUpdate

    // MARK: Before iOS 11

    /// The form before iOS 11. A status that blames a contact keeps the sheet open.
    @available(iOS, deprecated: 11.0, message: "Implement the form with handler.")
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment,
        completion: @escaping @Sendable (PKPaymentAuthorizationStatus) -> Void)

    /// The form before iOS 11. The items replace those that the sheet shows.
    @available(iOS, deprecated: 11.0, message: "Implement the form with handler.")
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectPaymentMethod paymentMethod: PKPaymentMethod,
        completion: @escaping @Sendable ([PKPaymentSummaryItem]) -> Void)

    /// The form before iOS 11. Shipping methods and items replace those that the sheet shows.
    @available(iOS, deprecated: 11.0, message: "Implement the form with handler.")
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingContact contact: PKContact,
        completion: @escaping @Sendable (PKPaymentAuthorizationStatus, [PKShippingMethod], [PKPaymentSummaryItem]) -> Void)

    /// The form before iOS 11. The items replace those that the sheet shows.
    @available(iOS, deprecated: 11.0, message: "Implement the form with handler.")
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingMethod shippingMethod: PKShippingMethod,
        completion: @escaping @Sendable (PKPaymentAuthorizationStatus, [PKPaymentSummaryItem]) -> Void)
}

// What stands for PassKit's optional methods: each says that the delegate has no such method.
extension PKPaymentAuthorizationControllerDelegate {
    public func presentationWindow(for controller: PKPaymentAuthorizationController) -> UIWindow? { nil }

    public func paymentAuthorizationControllerWillAuthorizePayment(_ controller: PKPaymentAuthorizationController) {}

    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping @Sendable (PKPaymentAuthorizationResult) -> Void
    ) {
        completion(.unimplemented)
    }

    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectPaymentMethod paymentMethod: PKPaymentMethod,
        handler completion: @escaping @Sendable (PKPaymentRequestPaymentMethodUpdate) -> Void
    ) {
        completion(.unimplemented)
    }

    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingContact contact: PKContact,
        handler completion: @escaping @Sendable (PKPaymentRequestShippingContactUpdate) -> Void
    ) {
        completion(.unimplemented)
    }

    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingMethod shippingMethod: PKShippingMethod,
        handler completion: @escaping @Sendable (PKPaymentRequestShippingMethodUpdate) -> Void
    ) {
        completion(.unimplemented)
    }

    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didChangeCouponCode couponCode: String,
        handler completion: @escaping @Sendable (PKPaymentRequestCouponCodeUpdate) -> Void
    ) {
        completion(.unimplemented)
    }

    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController,
        didRequestMerchantSessionUpdate handler: @escaping @Sendable (PKPaymentRequestMerchantSessionUpdate) -> Void
    ) {
        handler(.unimplemented)
    }
}

extension PKPaymentAuthorizationControllerDelegate {
    public nonisolated(nonsending) func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment
    ) async
        -> PKPaymentAuthorizationResult
    {
        .unimplemented
    }

    public nonisolated(nonsending) func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectPaymentMethod paymentMethod: PKPaymentMethod
    ) async -> PKPaymentRequestPaymentMethodUpdate {
        .unimplemented
    }

    public nonisolated(nonsending) func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingContact contact: PKContact
    )
        async -> PKPaymentRequestShippingContactUpdate
    {
        .unimplemented
    }

    public nonisolated(nonsending) func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingMethod shippingMethod: PKShippingMethod
    ) async -> PKPaymentRequestShippingMethodUpdate {
        .unimplemented
    }

    public nonisolated(nonsending) func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didChangeCouponCode couponCode: String
    ) async
        -> PKPaymentRequestCouponCodeUpdate
    {
        .unimplemented
    }

    public nonisolated(nonsending) func paymentAuthorizationControllerDidRequestMerchantSessionUpdate(
        _ controller: PKPaymentAuthorizationController
    ) async
        -> PKPaymentRequestMerchantSessionUpdate
    {
        .unimplemented
    }
}

extension PKPaymentAuthorizationControllerDelegate {
    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment,
        completion: @escaping @Sendable (PKPaymentAuthorizationStatus) -> Void
    ) {
        controller.isDefaultReached = true
    }

    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectPaymentMethod paymentMethod: PKPaymentMethod,
        completion: @escaping @Sendable ([PKPaymentSummaryItem]) -> Void
    ) {
        controller.isDefaultReached = true
    }

    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingContact contact: PKContact,
        completion: @escaping @Sendable (PKPaymentAuthorizationStatus, [PKShippingMethod], [PKPaymentSummaryItem]) -> Void
    ) {
        controller.isDefaultReached = true
    }

    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingMethod shippingMethod: PKShippingMethod,
        completion: @escaping @Sendable (PKPaymentAuthorizationStatus, [PKPaymentSummaryItem]) -> Void
    ) {
        controller.isDefaultReached = true
    }
}
