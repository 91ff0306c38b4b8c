/// The app behind a sheet, whichever class shows the sheet. The core asks; which form of a callback the app's delegate implements
/// is found out here.
@MainActor
protocol SheetApp: AnyObject {
    /// Whether somebody hears the callbacks.
    var hasDelegate: Bool { get }
    /// Set by the default implementation of an older form: a list of items or a status has no room to say so.
    var isDefaultReached: Bool { get set }
    func willAuthorize()
    func didFinish()
    func didAuthorize(_ payment: PKPayment) -> SheetQuestion<PKPaymentAuthorizationResult>
    func didSelect(_ paymentMethod: PKPaymentMethod) -> SheetQuestion<PKPaymentRequestPaymentMethodUpdate>
    func didSelect(_ contact: PKContact) -> SheetQuestion<PKPaymentRequestShippingContactUpdate>
    func didSelect(_ shippingMethod: PKShippingMethod) -> SheetQuestion<PKPaymentRequestShippingMethodUpdate>
    func didChangeCouponCode(_ couponCode: String) -> SheetQuestion<PKPaymentRequestCouponCodeUpdate>
    func didRequestMerchantSession() -> SheetQuestion<PKPaymentRequestMerchantSessionUpdate>
}

extension SheetApp {
    /// An older form, which answers with `none` where it is left to its default implementation.
    func olderForm<Answer>(
        else none: @escaping @autoclosure @MainActor () -> Answer, _ call: @escaping SheetQuestion<Answer>.Form
    ) -> SheetQuestion<Answer>.Form {
        { [weak self] answer in
            self?.isDefaultReached = false
            call(answer)
            if self?.isDefaultReached == true { answer(none()) }
        }
    }
}

/// An answer that can say that the app has no such method. The defaults of the delegates' protocols give such a one.
protocol SheetAnswer {
    var isUnimplemented: Bool { get }
}

/// One callback in every form that PassKit knows, the newest first. The first one that the app implements is made, and no other.
@MainActor
struct SheetQuestion<Answer: SheetAnswer> {
    typealias Form = @MainActor (@escaping @Sendable (Answer) -> Void) -> Void

    let forms: [Form]

    /// - Parameters:
    ///   - handler: The method that ends in `handler:`.
    ///   - concurrent: The same method as Swift spells it with `async`.
    ///   - older: The method that ends in `completion:`, where there was one.
    init(handler: @escaping Form, concurrent: @escaping @MainActor () async -> Answer, older: Form? = nil) {
        let waiting: Form = { answer in Task { answer(await concurrent()) } }
        forms = [handler, waiting] + [older].compactMap(\.self)
    }
}

extension PKPaymentAuthorizationResult: SheetAnswer {}
extension PKPaymentRequestUpdate: SheetAnswer {}
extension PKPaymentRequestMerchantSessionUpdate: SheetAnswer {}
