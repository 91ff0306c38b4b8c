import Alipay

/// Says what a reply is worth: its signature over the exact bytes, and whether it is of the order that was sent.
struct ResultCheck: Sendable {
    let legacyKeys: AlipayVerificationKeys
    let modernKeys: AlipayVerificationKeys

    /// `order` is nil for a payment whose order nobody remembers: nothing about it is proven on the phone then.
    func word(
        _ reply: PaymentResult?, of order: OrderFacts?, note: (PaymentFault.Code) -> Void = { _ in }
    ) -> WalletWord {
        guard let reply else { return .none }
        switch reply.status.action {
        case .backToOrder: return .cancelled
        case .retry: return .failed(reply.status)
        case .query: return .open(reply.status)
        case .verify: break
        }
        do throws(AlipayError) {
            let result = try reply.verified(by: reply.generation == .modern ? modernKeys : legacyKeys)
            guard let order, order.isOrder(of: result) else {
                note(.otherOrder)
                return .unproven
            }
            return .paid(tradeNumber: result.tradeNo)
        } catch {
            note(error.code == .unknownKey ? .noResultKey : .signatureRefused)
            return .unproven
        }
    }
}
