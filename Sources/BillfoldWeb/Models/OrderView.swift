package import BillfoldMoney

/// An order with its payments, refunds and books, as the order's page shows it.
package struct OrderView: Sendable, Hashable {
    package struct Item: Sendable, Hashable {
        package var label: String
        package var amount: Amount
        /// Whether the amount is not known yet.
        package var isPending: Bool

        package init(label: String, amount: Amount, isPending: Bool = false) {
            self.label = label
            self.amount = amount
            self.isPending = isPending
        }
    }

    package struct Payment: Sendable, Hashable {
        package var id: String
        package var state: String
        package var amount: Amount
        /// Network and masked account.
        package var account: String
        /// Microseconds since 1970.
        package var startedAt: Int64
        /// What decided the state: a notification, a query, the day's file; or why it is refused.
        package var evidence: String?
        /// What may still be given back; `nil` where nothing may.
        package var refundable: Amount?

        package init(
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

    package struct Refund: Sendable, Hashable {
        package var id: String
        package var paymentID: String
        package var state: String
        package var amount: Amount
        package var reason: String

        package init(id: String, paymentID: String, state: String, amount: Amount, reason: String) {
            self.id = id
            self.paymentID = paymentID
            self.state = state
            self.amount = amount
            self.reason = reason
        }
    }

    /// One posting: an amount on one side of one account.
    package struct Posting: Sendable, Hashable {
        package enum Side: String, Sendable, Hashable { case debit, credit }

        package var account: String
        package var side: Side
        package var amount: Amount
        package var occasion: String

        package init(account: String, side: Side, amount: Amount, occasion: String) {
            self.account = account
            self.side = side
            self.amount = amount
            self.occasion = occasion
        }
    }

    package var id: String
    package var reference: String
    /// The state's name in the journey, such as `created` or `succeeded`.
    package var state: String
    /// `delivered` or `electronic`.
    package var goods: String
    package var merchantName: String
    package var total: Amount
    package var items: [Item]
    package var payments: [Payment]
    package var refunds: [Refund]
    package var postings: [Posting]

    package init(
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
