import BillfoldMoney
import BillfoldStorage

/// A wallet's own books: every entry moves one amount from one account to another, and no balance is kept but what they come to.
enum MobileBooks {
    /// What the customers have is owed to them; what is collected is owed to Alipay+; what the wallet gives is its own loss.
    static func customer(_ id: String) -> String { "customer:\(id)" }
    static let alipayPlus = "alipay-plus"
    static let offers = "offers"
    /// Where customers' money comes from.
    static let funding = "funding"

    struct Entry: PartyDocument, Hashable {
        static let kind = "mobile.entry"

        enum Occasion: String, Sendable, Hashable, Codable {
            case opening, deposit, payment, cancel, refund
        }

        /// What it is booked for, with a number: an entry is booked once.
        var id: String
        var occasion: Occasion
        /// The payment's `paymentRequestId`, or the customer's id where an account is opened.
        var about: String
        /// Where it comes from.
        var debit: String
        /// Where it goes.
        var credit: String
        var amount: Amount
        /// Milliseconds since 1970.
        var at: Int64
    }

    /// A running total of one account, written with every entry that touches it.
    struct Account: PartyDocument, Hashable {
        static let kind = "mobile.account"
        var id: String
        /// What came in less what went out.
        var balance: Amount
    }

    static func balance(of account: String, _ currency: Currency, in tx: any Transaction) throws -> Amount {
        try PartyRecords.find(Account.self, account, in: tx)?.balance ?? .zero(currency)
    }

    /// Books an entry and both accounts. Nothing is booked for an amount of zero, and nothing twice.
    static func book(_ entry: Entry, in tx: any Transaction) throws {
        guard !entry.amount.isZero, try PartyRecords.find(Entry.self, entry.id, in: tx) == nil else { return }
        try PartyRecords.put(entry, in: tx)
        let currency = entry.amount.currency
        let from = try balance(of: entry.debit, currency, in: tx)
        try PartyRecords.put(Account(id: entry.debit, balance: try from - entry.amount), in: tx)
        let to = try balance(of: entry.credit, currency, in: tx)
        try PartyRecords.put(Account(id: entry.credit, balance: try to + entry.amount), in: tx)
    }

    /// Books a payment that was collected.
    static func collect(_ payment: MobilePayment, from customer: String, at now: Int64, in tx: any Transaction) throws {
        try move(
            payment, for: .payment, name: "pay", customer: payment.collected.minorUnits, offer: payment.offer, of: customer, at: now, in: tx
        )
    }

    /// Books a payment back as a whole.
    static func giveBack(_ payment: MobilePayment, to customer: String, at now: Int64, in tx: any Transaction) throws {
        try move(
            payment, for: .cancel, name: "cancel", customer: -payment.collected.minorUnits, offer: -payment.offer, of: customer, at: now,
            in: tx)
    }

    static func refund(
        _ refund: MobilePayment.Refund, of payment: MobilePayment, to customer: String, at now: Int64, in tx: any Transaction
    ) throws {
        try move(
            payment, for: .refund, name: "refund:\(refund.id)", customer: -refund.toCustomer, offer: refund.toCustomer - refund.units,
            of: customer, at: now, in: tx)
    }

    /// What goes to Alipay+ from the customer and from the wallet's own purse; less than nothing comes back.
    private static func move(
        _ payment: MobilePayment, for occasion: Entry.Occasion, name: String, customer units: Int64, offer: Int64, of id: String,
        at now: Int64, in tx: any Transaction
    ) throws {
        for (part, account, units) in [("customer", customer(id), units), ("offer", offers, offer)] {
            let amount = Amount(minorUnits: Int64(units.magnitude), currency: payment.payable.currency)
            try book(
                Entry(
                    id: "\(payment.id) \(name) \(part)", occasion: occasion, about: payment.id, debit: units < 0 ? alipayPlus : account,
                    credit: units < 0 ? account : alipayPlus, amount: amount, at: now), in: tx)
        }
    }

    /// What the entries come to by account, which is what the accounts must say.
    static func totals(in tx: any Transaction) throws -> [String: Amount] {
        var totals: [String: Amount] = [:]
        for entry in try PartyRecords.all(Entry.self, in: tx) {
            let zero = Amount.zero(entry.amount.currency)
            totals[entry.debit] = try (totals[entry.debit] ?? zero) - entry.amount
            totals[entry.credit] = try (totals[entry.credit] ?? zero) + entry.amount
        }
        return totals
    }
}
