public import BillfoldMoney

/// An order with its payments, refunds and books, as the order's page shows it.
public struct OrderView: Sendable, Hashable {
    public struct Item: Sendable, Hashable {
        public var label: String
        public var amount: Amount
        /// Whether the amount is not known yet.
        public var isPending: Bool

        public init(label: String, amount: Amount, isPending: Bool = false) {
            self.label = label
            self.amount = amount
            self.isPending = isPending
        }
    }

    public struct Payment: Sendable, Hashable {
        public var id: String
        public var state: String
        public var amount: Amount
        /// Network and masked account.
        public var account: String
        /// Microseconds since 1970.
        public var startedAt: Int64
        /// What decided the state: a notification, a query, the day's file; or why it is refused.
        public var evidence: String?
        /// What may still be given back; `nil` where nothing may.
        public var refundable: Amount?

        public init(
            id: String, state: String, amount: Amount, account: String, startedAt: Int64, evidence: String? = nil,
            refundable: Amount? = nil
        ) {
            self.id = id
            self.state = state
            self.amount = amount
            self.account = account
            self.startedAt = startedAt
            self.evidence = evidence
            self.refundable = refundable
        }
    }

    public struct Refund: Sendable, Hashable {
        public var id: String
        public var paymentID: String
        public var state: String
        public var amount: Amount
        public var reason: String

        public init(id: String, paymentID: String, state: String, amount: Amount, reason: String) {
            self.id = id
            self.paymentID = paymentID
            self.state = state
            self.amount = amount
            self.reason = reason
        }
    }

    /// One posting: an amount on one side of one account.
    public struct Posting: Sendable, Hashable {
        public enum Side: String, Sendable, Hashable { case debit, credit }

        public var account: String
        public var side: Side
        public var amount: Amount
        public var occasion: String

        public init(account: String, side: Side, amount: Amount, occasion: String) {
            self.account = account
            self.side = side
            self.amount = amount
            self.occasion = occasion
        }
    }

    public var id: String
    public var reference: String
    /// The state's name in the journey, such as `created` or `succeeded`.
    public var state: String
    /// `delivered` or `electronic`.
    public var goods: String
    public var merchantName: String
    public var total: Amount
    public var items: [Item]
    public var payments: [Payment]
    public var refunds: [Refund]
    public var postings: [Posting]

    public init(
        id: String, reference: String, state: String, goods: String, merchantName: String, total: Amount, items: [Item] = [],
        payments: [Payment] = [], refunds: [Refund] = [], postings: [Posting] = []
    ) {
        self.id = id
        self.reference = reference
        self.state = state
        self.goods = goods
        self.merchantName = merchantName
        self.total = total
        self.items = items
        self.payments = payments
        self.refunds = refunds
        self.postings = postings
    }
}
