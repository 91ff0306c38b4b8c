import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// A trade's life as its audit chain tells it, event by event, through the same state machine that made it.
struct TradeReplay {
    private(set) var standing: TradeStanding
    /// When it was paid, by the chain.
    private(set) var paidAt: Timestamp?
    /// When money went back, once for each refund.
    private(set) var refundedAt: [Timestamp] = []
    private var refunds: ArraySlice<Refund>

    /// - Parameter refunds: Those that were booked, in their order: the chain does not tell their amounts.
    init(_ trade: Trade, refunds: [Refund]) {
        standing = TradeStanding(product: trade.product, price: trade.money.price.minorUnits)
        self.refunds = refunds[...]
    }

    /// Takes the chain's next row.
    ///
    /// - Returns: What the row would have to say; `nil` where it follows from those before it.
    mutating func take(_ row: AuditRow, isFirst: Bool) -> String? {
        if isFirst {
            return row.action == "made" && row.result == standing.status.rawValue ? nil : "made: \(standing.status.rawValue)"
        }
        // What changes no state: who pays, and by which string of the order.
        if row.action == "taken-up" { return row.result == standing.status.rawValue ? nil : standing.status.rawValue }
        if row.action == "shown-again" { return nil }
        guard let event = event(of: row.action) else { return row.action == "refunded" ? "a refund that is booked" : "an event of a trade" }
        let (old, transition) = (standing.status, standing.apply(event))
        guard transition.disposition == .advanced else { return "an event that fits a trade that is \(old.rawValue)" }
        standing = transition.standing
        switch transition.money {
        case .pay?: paidAt = row.at
        case .giveBack?: refundedAt.append(row.at)
        case nil: break
        }
        let said = "\(old.rawValue) > \(standing.status.rawValue)"
        return row.result.utf8.elementsEqual(said.utf8) ? nil : said
    }

    private mutating func event(of action: String) -> TradeEvent? {
        switch action {
        case "paid": .paid
        case "closed": .closed
        case "expired": .expired
        case "refunded": refunds.popFirst().map { .refunded(price: $0.part.price, route: $0.route) }
        case "refund-window-ended": .refundWindowEnded
        default: nil
        }
    }
}
