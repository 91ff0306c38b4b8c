import BillfoldStorage

/// A payment's life as its audit chain tells it, event by event, through the same state machine that made it.
struct PaymentReplay {
    /// An entry that the ledger must have, and when it was booked.
    struct Booking {
        var entry: PaymentTransition.Entry
        var at: Timestamp
    }

    private(set) var standing: PaymentStanding
    private(set) var bookings: [Booking] = []
    /// Every alarm that was raised once.
    private(set) var alarms: Set<PaymentTransition.Alarm> = []
    /// How often each kind of modification was begun.
    private(set) var begun: [Modification.Kind: Int] = [:]
    /// How often a modification was confirmed to have come to nothing.
    private(set) var failed = 0
    /// How often a void or reversal was confirmed.
    private(set) var undone = 0
    private var refunds: ArraySlice<Int64>
    private let books: PaymentBooks

    /// - Parameter refundTotals: The running totals under which refunds are booked: the chain does not tell them.
    init(amount: Int64, refundTotals: [Int64], books: PaymentBooks) {
        standing = PaymentStanding(amount: amount)
        refunds = refundTotals.sorted()[...]
        self.books = books
    }

    /// Takes the chain's next row.
    ///
    /// - Returns: What the row would have to say; `nil` where it follows from those before it.
    mutating func take(_ row: AuditRow) -> String? {
        let old = standing.state
        if let event = event(of: row.action) {
            let transition = standing.apply(event, books: books)
            guard transition.disposition != .refused else { return "an event that fits a payment that is \(old.rawValue)" }
            standing = transition.standing
            bookings += transition.postings.map { Booking(entry: $0, at: row.at) }
            if let alarm = transition.alarm { alarms.insert(alarm) }
            if event == .reversed { undone += 1 }
        } else if row.action == "restored" {
            guard standing.evidence.isEmpty else { return "an event that fits a payment that is \(old.rawValue)" }
            standing.evidence = PaymentStore.evidenceOfRestored
        } else if row.action == "refunded" {
            return "a refund that is booked"
        } else if row.action == "modification-failed" {
            failed += 1
        } else if row.action.hasPrefix("alarm-"), let alarm = PaymentTransition.Alarm(rawValue: String(row.action.dropFirst(6))) {
            alarms.insert(alarm)
        } else if row.action.hasSuffix("-submitted"), let kind = Modification.Kind(rawValue: String(row.action.dropLast(10))) {
            begun[kind, default: 0] += 1
            if kind == .reversal { standing.evidence.insert(.undoWanted) }
        } else {
            return "an event of a payment"
        }
        let said = "\(old.rawValue) > \(standing.state.rawValue) "
        return row.result.utf8.starts(with: said.utf8) ? nil : said + "…"
    }

    private mutating func event(of action: String) -> PaymentEvent? {
        switch action {
        case "authorised": .authorised
        case "submitted": .submitted
        case "closed": .closed
        case "accepted": .accepted
        case "unresolved": .unresolved
        case "declined": .declined
        case "succeeded": .succeeded
        case "reversed": .reversed
        case "refunded": refunds.popFirst().map { .refunded(total: $0) }
        default: nil
        }
    }
}
