import Foundation

#if canImport(PassKit) && canImport(UIKit)
    import PassKit
#else
    import PassKitSimulator
#endif

/// One sheet for one order: asks UnionPay what it comes to, shows it, and sends the token of each authorisation.
@MainActor
final class PluginSheet: NSObject {
    private enum Standing {
        case nothingSent
        /// A token is on its way, or its answer was lost.
        case sent
        case told(PluginEnd)
    }

    private let order: PluginOrder
    private let exchange: SheetExchange
    private var standing = Standing.nothingSent
    private var items: [PKPaymentSummaryItem] = []
    private var isOver = false
    private var waiting: CheckedContinuation<Void, Never>?

    init(_ order: PluginOrder, _ exchange: SheetExchange) {
        self.order = order
        self.exchange = exchange
    }

    /// Returns when the sheet is gone, with what the plug-in tells.
    func run(_ onPresent: (@MainActor @Sendable (PKPaymentAuthorizationController) -> Void)?) async -> PluginEnd {
        let facts: SheetExchange.Facts
        do throws(SheetExchange.Failure) { facts = try await exchange.facts() } catch {
            // No token was made, so nothing can have been taken.
            if case .refused(let text) = error { return .failure(text) }
            return .failure()
        }
        // Of another order its price would be shown, and this one paid.
        guard facts.number.map({ $0.utf8.elementsEqual(order.number.utf8) }) ?? true else { return .failure() }
        switch facts.state {
        case .open: break
        case .paid: return .success()
        case .over: return .failure(facts.text)
        }
        guard let request = request(facts) else { return .failure() }
        let controller = PKPaymentAuthorizationController(paymentRequest: request)
        controller.delegate = self
        guard await controller.present() else { return .failure() }
        onPresent?(controller)
        if !isOver { await withCheckedContinuation { waiting = $0 } }
        return switch standing {
        case .nothingSent: .cancel
        case .sent: .unknownCancel
        case .told(let end): end
        }
    }

    private func request(_ facts: SheetExchange.Facts) -> PKPaymentRequest? {
        guard facts.amount.wholeMatch(of: /[0-9]{1,10}\.[0-9]{2}/) != nil, let fen = UInt64(facts.amount.replacing(".", with: "")),
            let merchant = order.merchantIdentifier
        else { return nil }
        let request = PKPaymentRequest()
        request.merchantIdentifier = merchant
        request.countryCode = "CN"
        request.currencyCode = facts.currency
        request.supportedNetworks = [.chinaUnionPay]
        // Without `emv` a UnionPay card never calls back (apple-pay.md#capabilities).
        request.merchantCapabilities = [.threeDSecure, .emv]
        let amount = NSDecimalNumber(mantissa: fen, exponent: -2, isNegative: false)
        let text = facts.description ?? ""
        items = [PKPaymentSummaryItem(label: text.allSatisfy(\.isWhitespace) ? "UnionPay" : text, amount: amount)]
        request.paymentSummaryItems = items
        return request
    }

    private func pay(_ token: Data) async -> PKPaymentAuthorizationStatus? {
        standing = .sent
        do throws(SheetExchange.Failure) {
            let end = try await exchange.pay(token)
            standing = .told(end)
            return end.word == .success ? .success : .failure
        } catch {
            guard case .refused(let text) = error else { return nil }
            standing = .told(.failure(text))
            return .failure
        }
    }

    private func finish() {
        guard !isOver else { return }
        isOver = true
        waiting?.resume()
        waiting = nil
    }
}

#if canImport(PassKit) && canImport(UIKit)
    // PassKit calls on the main thread; older headers do not say so.
    extension PluginSheet: @preconcurrency PKPaymentAuthorizationControllerDelegate {}
#else
    extension PluginSheet: PKPaymentAuthorizationControllerDelegate {}
#endif

extension PluginSheet {
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping (PKPaymentAuthorizationResult) -> Void
    ) {
        let token = payment.token.paymentData
        Task {
            let status = await pay(token)
            // The sheet went first, and the app was told to ask.
            guard !isOver else { return }
            if let status { return completion(PKPaymentAuthorizationResult(status: status, errors: nil)) }
            // Neither word would be true: the sheet goes, and the app is told to ask.
            controller.dismiss(completion: nil)
            finish()
        }
    }

    // What the customer chooses changes nothing: the order comes to what it came to.

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectPaymentMethod paymentMethod: PKPaymentMethod,
        handler completion: @escaping (PKPaymentRequestPaymentMethodUpdate) -> Void
    ) { completion(PKPaymentRequestPaymentMethodUpdate(paymentSummaryItems: items)) }

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingContact contact: PKContact,
        handler completion: @escaping (PKPaymentRequestShippingContactUpdate) -> Void
    ) { completion(PKPaymentRequestShippingContactUpdate(errors: nil, paymentSummaryItems: items, shippingMethods: [])) }

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingMethod shippingMethod: PKShippingMethod,
        handler completion: @escaping (PKPaymentRequestShippingMethodUpdate) -> Void
    ) { completion(PKPaymentRequestShippingMethodUpdate(paymentSummaryItems: items)) }

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didChangeCouponCode couponCode: String,
        handler completion: @escaping (PKPaymentRequestCouponCodeUpdate) -> Void
    ) { completion(PKPaymentRequestCouponCodeUpdate(errors: nil, paymentSummaryItems: items, shippingMethods: [])) }

    func paymentAuthorizationControllerDidFinish(_ controller: PKPaymentAuthorizationController) {
        controller.dismiss(completion: nil)
        finish()
    }
}
