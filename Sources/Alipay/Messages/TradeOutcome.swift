/// What a signed answer to a query says of a trade's money (alipay.md#trade-states [D]).
public enum TradeOutcome: String, Sendable, Hashable, CaseIterable {
    /// Nothing was paid so far; it may still be.
    case open
    /// The money was paid. Parts of it may have gone back since.
    case paid
    /// Closed, and nothing says that anything was ever paid. It says nothing against a payment that is known from elsewhere.
    case closed
    /// Paid once, and given back in whole.
    case givenBack = "given-back"
    /// Nothing follows from it: a refusal, a status that is not known, or fields that contradict each other. Ask again.
    case unclear

    /// - Parameters:
    ///   - status: `trade_status`.
    ///   - isPaidOnce: Whether a time of payment is told.
    init(status: String?, isPaidOnce: Bool) {
        switch (status, isPaidOnce) {
        case ("WAIT_BUYER_PAY"?, false): self = .open
        // The time of payment may be left out; the status says it.
        case ("TRADE_SUCCESS"?, _), ("TRADE_FINISHED"?, _): self = .paid
        case ("TRADE_CLOSED"?, false): self = .closed
        // Only what was given back in whole leaves a paid state for this one.
        case ("TRADE_CLOSED"?, true): self = .givenBack
        default: self = .unclear
        }
    }
}

extension VerifiedModernAnswer {
    /// What an answer to `alipay.trade.query` says of the trade; `send_pay_date` is its time of payment.
    public var tradeOutcome: TradeOutcome {
        guard isAccepted else { return .unclear }
        return TradeOutcome(status: self["trade_status"], isPaidOnce: !(self["send_pay_date"] ?? "").isEmpty)
    }

    /// Whether an answer to `alipay.trade.refund`, or to `alipay.trade.fastpay.refund.query`, proves that the money went back:
    /// `fund_change` Y, or `refund_status` REFUND_SUCCESS. Without them the call was accepted and nothing more: ask by the query
    /// (alipay.md#refunds [D]).
    public var provesRefund: Bool { isAccepted && (self["fund_change"] == "Y" || self["refund_status"] == "REFUND_SUCCESS") }
}

extension VerifiedLegacyAnswer {
    /// What an answer to `single_trade_query` says of the trade. `gmt_payment` is not in every answer: a close without it proves nothing.
    public var tradeOutcome: TradeOutcome {
        TradeOutcome(status: self["trade_status"], isPaidOnce: !(self["gmt_payment"] ?? "").isEmpty)
    }
}
