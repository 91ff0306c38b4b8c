extension VerifiedNotification {
    /// What happened, which the status alone does not say (alipay.md#what-a-notification-proves [D, O]).
    public enum Event: Sendable, Hashable {
        case paid
        /// A part was given back; carries the cumulative amount as sent, which the legacy generation does not say.
        case refunded(total: String?)
        /// Closed, and nothing says that anything was ever paid: time-out, close or cancel. It says nothing against a payment that is known
        /// from elsewhere.
        case closed
        /// The whole amount was given back. The payment was made: an order that was not known to be paid was.
        case refundedWhole(total: String?)
        /// The fields contradict each other, or an amount in them cannot be read. Nothing follows from it: ask by a query.
        case unclear
        /// `notify_type` other than of a trade, or a status that is not known.
        case other
    }

    public var event: Event { Event { self[$0] } }
}

extension VerifiedNotification.Event {
    /// Reads the fields that decide; an empty value counts as absent.
    ///
    /// A refund counts only where an amount above zero went back: an unpaid trade that times out is told with `refund_fee` 0.00 [O]. A
    /// close proves no payment. The open platform and domestic legacy trades tell of a payment by `gmt_payment`, so a close without it was
    /// never paid [O]; the short cross-border set has none, is finished where it is paid, and tells of refunds by another notification [V].
    package init(_ field: (String) -> String?) {
        func value(_ name: String) -> String? { field(name).flatMap { $0.isEmpty ? nil : $0 } }
        guard value("notify_type") ?? "trade_status_sync" == "trade_status_sync" else {
            self = .other
            return
        }
        let refund = ToldRefund(value)
        switch value("trade_status") {
        case "TRADE_SUCCESS"?, "TRADE_FINISHED"?:
            self =
                switch refund {
                case .none: .paid
                case .part(let total): .refunded(total: total)
                case .whole(let total): .refunded(total: total)
                case .unclear: .unclear
                }
        case "TRADE_CLOSED"?:
            self =
                switch (refund, value("gmt_payment") != nil) {
                case (.none, false): .closed
                case (.whole(let total), true): .refundedWhole(total: total)
                default: .unclear
                }
        default: self = .other
        }
    }

    /// In one word, as the command line and the doctor say it.
    public var name: String {
        switch self {
        case .paid: "paid"
        case .refunded: "refunded"
        case .closed: "closed"
        case .refundedWhole: "refunded-whole"
        case .unclear: "unclear"
        case .other: "other"
        }
    }
}

/// What a trade's notification says of money that went back.
private enum ToldRefund {
    case none
    case part(String)
    /// All of it, as the amounts or, in the legacy generation, the status alone say.
    case whole(String?)
    case unclear

    /// The open platform says it by `refund_fee`, cumulative and never more than the total; the legacy generation by `refund_status`, of
    /// which only one value means that money moved.
    init(_ value: (String) -> String?) {
        let isLegacySuccess = value("refund_status") == "REFUND_SUCCESS"
        guard let text = value("refund_fee") else {
            self = isLegacySuccess ? .whole(nil) : .none
            return
        }
        guard let back = PlainDecimal(text), !back.isZero || !isLegacySuccess else {
            self = .unclear
            return
        }
        guard !back.isZero else {
            self = .none
            return
        }
        guard let total = (value("total_amount") ?? value("total_fee")).flatMap(PlainDecimal.init), back <= total else {
            self = .unclear
            return
        }
        self = back == total ? .whole(text) : .part(text)
    }
}
