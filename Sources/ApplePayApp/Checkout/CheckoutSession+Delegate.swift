import Foundation

#if canImport(PassKit) && canImport(UIKit)
    public import PassKit

    // PassKit calls on the main thread; older headers do not say so.
    extension CheckoutSession: @preconcurrency PKPaymentAuthorizationControllerDelegate {}
#else
    public import PassKitSimulator

    extension CheckoutSession: PKPaymentAuthorizationControllerDelegate {}
#endif

extension CheckoutSession {
    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectPaymentMethod paymentMethod: PKPaymentMethod,
        handler completion: @escaping (PKPaymentRequestPaymentMethodUpdate) -> Void
    ) {
        choose(paymentMethod, answering: completion)
    }

    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingContact contact: PKContact,
        handler completion: @escaping (PKPaymentRequestShippingContactUpdate) -> Void
    ) {
        choose(contact, answering: completion)
    }

    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingMethod shippingMethod: PKShippingMethod,
        handler completion: @escaping (PKPaymentRequestShippingMethodUpdate) -> Void
    ) {
        choose(shippingMethod, answering: completion)
    }

    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didChangeCouponCode couponCode: String,
        handler completion: @escaping (PKPaymentRequestCouponCodeUpdate) -> Void
    ) {
        enter(couponCode, answering: completion)
    }

    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping (PKPaymentAuthorizationResult) -> Void
    ) {
        pay(payment, answer("didAuthorizePayment", completion))
    }

    public func paymentAuthorizationControllerDidFinish(_ controller: PKPaymentAuthorizationController) { finish() }
}

// Each callback, of either class, records the customer's choice, asks the server for figures, and answers once.
extension CheckoutSession {
    func choose(_ paymentMethod: PKPaymentMethod, answering completion: @escaping (PKPaymentRequestPaymentMethodUpdate) -> Void) {
        selection.paymentMethod = .init(network: paymentMethod.network?.rawValue, type: paymentMethod.type.name)
        requote("didSelectPaymentMethod", answering: completion) { quote in
            PKPaymentRequestPaymentMethodUpdate(errors: nil, paymentSummaryItems: quote.items)
        }
    }

    func choose(_ contact: PKContact, answering completion: @escaping (PKPaymentRequestShippingContactUpdate) -> Void) {
        selection.shippingContact = ContactDetails(contact)
        requote("didSelectShippingContact", answering: completion) { quote in
            PKPaymentRequestShippingContactUpdate(
                errors: quote.errors, paymentSummaryItems: quote.items, shippingMethods: quote.shippingMethods)
        }
    }

    func choose(_ shippingMethod: PKShippingMethod, answering completion: @escaping (PKPaymentRequestShippingMethodUpdate) -> Void) {
        selection.shippingMethod = shippingMethod.identifier
        requote("didSelectShippingMethod", answering: completion) { quote in
            PKPaymentRequestShippingMethodUpdate(paymentSummaryItems: quote.items)
        }
    }

    func enter(_ couponCode: String, answering completion: @escaping (PKPaymentRequestCouponCodeUpdate) -> Void) {
        selection.couponCode = couponCode.isEmpty ? nil : couponCode
        requote("didChangeCouponCode", answering: completion) { quote in
            PKPaymentRequestCouponCodeUpdate(
                errors: quote.errors, paymentSummaryItems: quote.items, shippingMethods: quote.shippingMethods)
        }
    }

    /// A quote in PassKit's objects.
    private struct Shown {
        var items: [PKPaymentSummaryItem]
        var shippingMethods: [PKShippingMethod]
        var errors: [any Error]?
    }

    private func requote<Update: PKPaymentRequestUpdate>(
        _ callback: String, answering completion: @escaping (Update) -> Void, _ makeUpdate: @escaping @MainActor (Shown) -> Update
    ) {
        let answer = answer(callback, completion)
        // Without figures from the server nothing may be authorised: the sheet ends.
        let refusal: @MainActor () -> Update = { [self] in
            let update = makeUpdate(shown(errors: nil))
            update.status = .failure
            return update
        }
        answer.limit(to: configuration.quoteLimit, wait: configuration.wait, fallback: refusal)
        Task {
            do throws(ApplePayAppError) {
                let quote = try await server.quote(selection, for: order, access: access)
                _ = try SummaryItems.items(quote.items, total: quote.total, merchantName: order.merchantName)
                items = quote.items
                total = quote.total
                shippingMethods = quote.shippingMethods
                // A code that was refused must not go along with the payment.
                if quote.errors.contains(where: { $0.code.hasPrefix("couponCode") }) { selection.couponCode = nil }
                let errors = quote.errors.filter(\.canBeShownBeforeAuthorization).map(\.passKitError)
                answer.fulfilUnlessExpired(makeUpdate(shown(errors: errors.isEmpty ? nil : errors)))
            } catch {
                answer.fulfilUnlessExpired(refusal())
            }
        }
    }

    /// The current figures. Never an empty list: that would show a zero total.
    private func shown(errors: [any Error]?) -> Shown {
        let current = (try? SummaryItems.items(items, total: total, merchantName: order.merchantName)) ?? []
        let methods = order.goods == .delivered ? SummaryItems.shippingMethods(shippingMethods) : []
        return Shown(items: current, shippingMethods: methods, errors: errors)
    }
}
