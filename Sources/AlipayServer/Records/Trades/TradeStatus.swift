/// Where a trade of the gateway stands.
///
/// Source: alipay.md#trade-states [D]; `TRADE_PENDING` was met in no real sample [I].
package enum TradeStatus: String, Sendable, Hashable, CaseIterable {
    /// Made at the password step, not paid.
    case waitBuyerPay = "WAIT_BUYER_PAY"
    /// Paid, and refundable.
    case success = "TRADE_SUCCESS"
    /// Paid; not refundable by the modern calls any more.
    case finished = "TRADE_FINISHED"
    /// Closed unpaid, or refunded whole.
    case closed = "TRADE_CLOSED"
    /// Paid, but the seller's account cannot receive yet [I].
    case pending = "TRADE_PENDING"
}
