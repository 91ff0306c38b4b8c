/// The part of a trade that its state machine decides by: values only.
package struct TradeStanding: Sendable, Hashable {
    package var product: TradeProduct
    package var status: TradeStatus
    /// What the order asks for, in minor units of the price's currency.
    package var price: Int64
    /// How much of the price was given back.
    package var refunded: Int64

    package init(product: TradeProduct, status: TradeStatus = .waitBuyerPay, price: Int64, refunded: Int64 = 0) {
        self.product = product
        self.status = status
        self.price = price
        self.refunded = refunded
    }

    /// Whether money of the payer is or was in the trade.
    package var wasPaid: Bool {
        switch status {
        case .success, .finished, .pending: true
        case .closed: refunded > 0
        case .waitBuyerPay: false
        }
    }

    /// What the event makes of the trade. Pure: no clock, no store, nothing random.
    package func apply(_ event: TradeEvent) -> TradeTransition {
        switch (status, event) {
        case (.waitBuyerPay, .paid): return moved(to: product.paidStatus, money: .pay)
        case (.success, .paid), (.finished, .paid), (.pending, .paid): return unchanged
        case (.closed, .paid): return refused(.tradeClosed)
        case (.waitBuyerPay, .closed), (.waitBuyerPay, .expired): return moved(to: .closed)
        case (_, .expired): return unchanged
        case (_, .closed): return refused(.statusInvalid)
        case (.success, .refunded(let part, _)): return giveBack(part)
        // Finished trades of the one product are refunded by the one call (alipay.md#trade-states) [D].
        case (.finished, .refunded(let part, .forex)) where product == .crossBorder: return giveBack(part)
        case (.finished, .refunded): return refused(.tradeFinished)
        case (.closed, .refunded): return refused(refunded > 0 ? .refundExceedsPayment : .statusInvalid)
        case (.waitBuyerPay, .refunded), (.pending, .refunded): return refused(.statusInvalid)
        case (.success, .refundWindowEnded): return moved(to: .finished)
        case (_, .refundWindowEnded): return unchanged
        }
    }

    private func giveBack(_ part: Int64) -> TradeTransition {
        guard part > 0, part <= price - refunded else { return refused(.refundExceedsPayment) }
        var next = self
        next.refunded += part
        // A finished trade stays finished: nothing leads out of that state (alipay.md#trade-states) [D].
        if next.refunded == price, status == .success { next.status = .closed }
        return TradeTransition(standing: next, disposition: .advanced, money: .giveBack(price: part), notifies: true)
    }

    private func moved(to status: TradeStatus, money: TradeTransition.Money? = nil) -> TradeTransition {
        var next = self
        next.status = status
        return TradeTransition(standing: next, disposition: .advanced, money: money, notifies: true)
    }

    private var unchanged: TradeTransition { TradeTransition(standing: self, disposition: .unchanged) }
    private func refused(_ code: TradeRefusal.Code) -> TradeTransition {
        TradeTransition(standing: self, disposition: .refused(code))
    }
}

/// What must be stored because of one event: values only.
package struct TradeTransition: Sendable, Hashable {
    package enum Disposition: Sendable, Hashable {
        case advanced
        /// The event was known already.
        case unchanged
        /// The event does not fit the state: nothing is stored.
        case refused(TradeRefusal.Code)
    }

    package enum Money: Sendable, Hashable {
        case pay
        /// Minor units of the price.
        case giveBack(price: Int64)
    }

    package var standing: TradeStanding
    package var disposition: Disposition
    package var money: Money?
    /// Whether the merchant is owed a notification: every state but WAIT_BUYER_PAY is told (alipay.md#trade-states) [D].
    package var notifies = false
}
