/// What can happen to a trade.
package enum TradeEvent: Sendable, Hashable {
    /// The payer has paid the whole amount.
    case paid
    /// The merchant closed or cancelled it unpaid.
    case closed
    /// Its time to be paid has ended.
    case expired
    /// Money went back to the payer: that much of the price, in minor units.
    case refunded(price: Int64, route: RefundRoute)
    /// The time in which it could be refunded has ended.
    case refundWindowEnded

    var name: String {
        switch self {
        case .paid: "paid"
        case .closed: "closed"
        case .expired: "expired"
        case .refunded: "refunded"
        case .refundWindowEnded: "refund-window-ended"
        }
    }
}

/// By which call a refund was asked for.
package enum RefundRoute: String, Sendable, Hashable, Codable, CaseIterable {
    /// `alipay.trade.refund`.
    case modern
    /// `alipay.trade.cancel` of a paid trade.
    case cancel
    /// `forex_refund`: the only one that refunds a finished cross-border trade.
    case forex
    /// `refund_fastpay_by_platform_nopwd`.
    case batch
    /// `refund_fastpay_by_platform_pwd`: a person of the merchant confirmed it.
    case confirmedBatch

    /// The method or service, as merchants know it.
    var call: String {
        switch self {
        case .modern: "alipay.trade.refund"
        case .cancel: "alipay.trade.cancel"
        case .forex: "forex_refund"
        case .batch: "refund_fastpay_by_platform_nopwd"
        case .confirmedBatch: "refund_fastpay_by_platform_pwd"
        }
    }
}

/// What a merchant sells through, which decides where a payment leads.
package enum TradeProduct: String, Sendable, Hashable, Codable, CaseIterable {
    /// Price, payment and settlement in CNY; a paid trade can be refunded until its window ends.
    case domestic
    /// Settled in the contract's currency; a paid trade is finished at once and refunded by `forex_refund` (alipay.md#trade-states) [D].
    case crossBorder

    var paidStatus: TradeStatus { self == .domestic ? .success : .finished }
}
