public import BillfoldMoney
public import BillfoldStorage

/// One leg of a booked entry. Rows are only ever added.
public struct Posting: Sendable, Hashable {
    /// The payment, modification or settlement that the entry belongs to.
    public var source: TimeOrderedID
    public var template: String
    /// Tells repeated uses of one template on one source apart.
    public var ordinal: Int64
    public var line: Int64
    public var account: String
    /// Debit positive, credit negative.
    public var amount: Amount
    public var at: Timestamp
}

/// What an account holds: the sum of its postings.
public struct AccountBalance: Sendable, Hashable {
    public var account: String
    public var balance: Amount
}

/// The sum of every account. It is in balance when each currency sums to zero, which holds after every transaction.
public struct TrialBalance: Sendable, Hashable {
    public var accounts: [AccountBalance]

    /// Currencies that do not sum to zero, with what they are out by. Anything here is an alarm.
    public func imbalances() throws -> [Amount] {
        try Dictionary(grouping: accounts, by: \.balance.currency).map { currency, rows in
            try Amount.sum(rows.map(\.balance), currency: currency)
        }.filter { !$0.isZero }
    }
}
