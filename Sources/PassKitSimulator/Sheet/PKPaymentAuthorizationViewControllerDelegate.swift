public import Foundation

/// Hears what happens in the sheet of a view controller. Every callback with a handler must be answered, exactly once.
///
/// As ``PKPaymentAuthorizationControllerDelegate``: what is left to its default is not made, and of several forms the newest that is
/// implemented is made. Two methods share the name `didSelect` and differ by what was chosen.
@MainActor
@preconcurrency
public protocol PKPaymentAuthorizationViewControllerDelegate: NSObjectProtocol {
    /// The sheet is over: dismiss it. Arrives without an authorisation when the customer cancelled, and may come at any time.
    func paymentAuthorizationViewControllerDidFinish(_ controller: PKPaymentAuthorizationViewController)

    /// The customer is about to confirm. Nothing is asked.
    func paymentAuthorizationViewControllerWillAuthorizePayment(_ controller: PKPaymentAuthorizationViewController)

    /// Answer only after the server has answered: the sheet shows the result and closes.
    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping @Sendable (PKPaymentAuthorizationResult) -> Void)

    /// Another card was chosen. What is known of it before authorisation is little.
    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect paymentMethod: PKPaymentMethod,
        handler completion: @escaping @Sendable (PKPaymentRequestPaymentMethodUpdate) -> Void)

    /// `contact` is redacted to what shipping needs.
    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelectShippingContact contact: PKContact,
        handler completion: @escaping @Sendable (PKPaymentRequestShippingContactUpdate) -> Void)

    /// Another shipping method was chosen: answer with the new sum.
    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect shippingMethod: PKShippingMethod,
        handler completion: @escaping @Sendable (PKPaymentRequestShippingMethodUpdate) -> Void)

    /// The customer entered a code, or took it away.
    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didChangeCouponCode couponCode: String,
        handler completion: @escaping @Sendable (PKPaymentRequestCouponCodeUpdate) -> Void)

    /// A Mac needs a web session: have the merchant's server ask for one.
    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController,
        didRequestMerchantSessionUpdate handler: @escaping @Sendable (PKPaymentRequestMerchantSessionUpdate) -> Void)

    // MARK: The same, as Swift spells a handler with async

    /// The form with `handler:`, in Swift's other spelling. A delegate has one of the two.
    func paymentAuthorizationViewController(_ controller: PKPaymentAuthorizationViewController, didAuthorizePayment payment: PKPayment)
        async -> PKPaymentAuthorizationResult

    /// The form with `handler:`, in Swift's other spelling. A delegate has one of the two.
    func paymentAuthorizationViewController(_ controller: PKPaymentAuthorizationViewController, didSelect paymentMethod: PKPaymentMethod)
        async -> PKPaymentRequestPaymentMethodUpdate

    /// The form with `handler:`, in Swift's other spelling. A delegate has one of the two.
    func paymentAuthorizationViewController(_ controller: PKPaymentAuthorizationViewController, didSelectShippingContact contact: PKContact)
        async -> PKPaymentRequestShippingContactUpdate

    /// The form with `handler:`, in Swift's other spelling. A delegate has one of the two.
    func paymentAuthorizationViewController(_ controller: PKPaymentAuthorizationViewController, didSelect shippingMethod: PKShippingMethod)
        async -> PKPaymentRequestShippingMethodUpdate

    /// The form with `handler:`, in Swift's other spelling. A delegate has one of the two.
    func paymentAuthorizationViewController(_ controller: PKPaymentAuthorizationViewController, didChangeCouponCode couponCode: String)
        async -> PKPaymentRequestCouponCodeUpdate

    /// The form with a handler, in Swift's other spelling. A delegate has one of the two.
    func paymentAuthorizationViewControllerDidRequestMerchantSessionUpdate(_ controller: PKPaymentAuthorizationViewController) async
        -> PKPaymentRequestMerchantSessionUpdate

    // MARK: Before iOS 11

    /// The form before iOS 11. A status that blames a contact keeps the sheet open.
    @available(iOS, deprecated: 11.0, message: "Implement the form with handler.")
    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didAuthorizePayment payment: PKPayment,
        completion: @escaping @Sendable (PKPaymentAuthorizationStatus) -> Void)

    /// The form before iOS 11. The items replace those that the sheet shows.
    @available(iOS, deprecated: 11.0, message: "Implement the form with handler.")
    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect paymentMethod: PKPaymentMethod,
        completion: @escaping @Sendable ([PKPaymentSummaryItem]) -> Void)

    /// The form before iOS 11. Shipping methods and items replace those that the sheet shows.
    @available(iOS, deprecated: 11.0, message: "Implement the form with handler.")
    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelectShippingContact contact: PKContact,
        completion: @escaping @Sendable (PKPaymentAuthorizationStatus, [PKShippingMethod], [PKPaymentSummaryItem]) -> Void)

    /// The form before iOS 11. The items replace those that the sheet shows.
    @available(iOS, deprecated: 11.0, message: "Implement the form with handler.")
    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect shippingMethod: PKShippingMethod,
        completion: @escaping @Sendable (PKPaymentAuthorizationStatus, [PKPaymentSummaryItem]) -> Void)
}

// What stands for PassKit's optional methods: each says that the delegate has no such method.
extension PKPaymentAuthorizationViewControllerDelegate {
    public func paymentAuthorizationViewControllerWillAuthorizePayment(_ controller: PKPaymentAuthorizationViewController) {}

    public func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping @Sendable (PKPaymentAuthorizationResult) -> Void
    ) {
        completion(.unimplemented)
    }

    public func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect paymentMethod: PKPaymentMethod,
        handler completion: @escaping @Sendable (PKPaymentRequestPaymentMethodUpdate) -> Void
    ) {
        completion(.unimplemented)
    }

    public func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelectShippingContact contact: PKContact,
        handler completion: @escaping @Sendable (PKPaymentRequestShippingContactUpdate) -> Void
    ) {
        completion(.unimplemented)
    }

    public func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect shippingMethod: PKShippingMethod,
        handler completion: @escaping @Sendable (PKPaymentRequestShippingMethodUpdate) -> Void
    ) {
        completion(.unimplemented)
    }

    public func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didChangeCouponCode couponCode: String,
        handler completion: @escaping @Sendable (PKPaymentRequestCouponCodeUpdate) -> Void
    ) {
        completion(.unimplemented)
    }

    public func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController,
        didRequestMerchantSessionUpdate handler: @escaping @Sendable (PKPaymentRequestMerchantSessionUpdate) -> Void
    ) {
        handler(.unimplemented)
    }
}

extension PKPaymentAuthorizationViewControllerDelegate {
    public nonisolated(nonsending) func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didAuthorizePayment payment: PKPayment
    ) async -> PKPaymentAuthorizationResult {
        .unimplemented
    }

    public nonisolated(nonsending) func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect paymentMethod: PKPaymentMethod
    ) async -> PKPaymentRequestPaymentMethodUpdate {
        .unimplemented
    }

    public nonisolated(nonsending) func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelectShippingContact contact: PKContact
    ) async -> PKPaymentRequestShippingContactUpdate {
        .unimplemented
    }

    public nonisolated(nonsending) func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect shippingMethod: PKShippingMethod
    ) async -> PKPaymentRequestShippingMethodUpdate {
        .unimplemented
    }

    public nonisolated(nonsending) func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didChangeCouponCode couponCode: String
    ) async -> PKPaymentRequestCouponCodeUpdate {
        .unimplemented
    }

    public nonisolated(nonsending) func paymentAuthorizationViewControllerDidRequestMerchantSessionUpdate(
        _ controller: PKPaymentAuthorizationViewController
    ) async
        -> PKPaymentRequestMerchantSessionUpdate
    {
        .unimplemented
    }
}

extension PKPaymentAuthorizationViewControllerDelegate {
    public func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didAuthorizePayment payment: PKPayment,
        completion: @escaping @Sendable (PKPaymentAuthorizationStatus) -> Void
    ) {
        controller.isDefaultReached = true
    }

    public func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect paymentMethod: PKPaymentMethod,
        completion: @escaping @Sendable ([PKPaymentSummaryItem]) -> Void
    ) {
        controller.isDefaultReached = true
    }

    public func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelectShippingContact contact: PKContact,
        completion: @escaping @Sendable (PKPaymentAuthorizationStatus, [PKShippingMethod], [PKPaymentSummaryItem]) -> Void
    ) {
        controller.isDefaultReached = true
    }

    public func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect shippingMethod: PKShippingMethod,
        completion: @escaping @Sendable (PKPaymentAuthorizationStatus, [PKPaymentSummaryItem]) -> Void
    ) {
        controller.isDefaultReached = true
    }
}
