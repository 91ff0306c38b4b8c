package import BillfoldMoney
package import BillfoldWeb

/// An order with its payments, refunds and books, as the page of its story shows it.
package struct OrderSheet: Sendable, Hashable {
    package struct Item: Sendable, Hashable {
        package let label: String
        package let amount: String

        /// - Parameter isPending: Whether the amount is not known yet.
        package init(label: String, amount: Amount, isPending: Bool = false) {
            self.label = label
            self.amount = isPending ? "pending" : amount.text
        }
    }

    package struct Payment: Sendable, Hashable {
        package let id: String
        package let state: StateWord
        package let amount: String
        /// Network and masked account; of an order that was pushed, UnionPay's client and the order's number.
        package let account: String
        package let startedAt: InstantText
        /// What decided the state: a notification, a query, the day's file; or why it is refused.
        package let evidence: String?
        /// What may still be given back; `nil` where nothing may.
        package let refundable: String?
        /// What its merchant's back end was told of it.
        fileprivate(set) var eventsPath: String?

        /// - Parameter startedAt: Microseconds since 1970.
        package init(
            id: String, state: String, amount: Amount, account: String, startedAt: Int64, evidence: String? = nil,
            refundable: Amount? = nil
        ) {
            self.id = id
            self.state = StateWord(state)
            self.amount = amount.description
            self.account = account
            self.startedAt = InstantText(startedAt)
            self.evidence = evidence
            self.refundable = refundable?.text
        }
    }

    package struct Refund: Sendable, Hashable {
        package let id: String
        package let paymentID: String
        package let state: StateWord
        package let amount: String
        package let reason: String
        /// What its merchant's back end was told of it.
        fileprivate(set) var eventsPath: String?

        package init(id: String, paymentID: String, state: String, amount: Amount, reason: String) {
            self.id = id
            self.paymentID = paymentID
            self.state = StateWord(state)
            self.amount = amount.description
            self.reason = reason
        }
    }

    /// One posting: an amount on one side of one account.
    package struct Posting: Sendable, Hashable {
        package enum Side: String, Sendable, Hashable { case debit, credit }

        package let account: String
        package let side: Side
        package let amount: Amount
        package let occasion: String
        private let debit: String?
        private let credit: String?

        package init(account: String, side: Side, amount: Amount, occasion: String) {
            self.account = account
            self.side = side
            self.amount = amount
            self.occasion = occasion
            debit = side == .debit ? amount.text : nil
            credit = side == .credit ? amount.text : nil
        }
    }

    /// The postings of one currency, with sums that must be equal.
    package struct Book: Sendable, Hashable {
        package let rows: [Posting]
        private let currency: String
        private let debits: String
        private let credits: String
        private let isBalanced: Bool

        fileprivate init(_ postings: [Posting], in currency: Currency) {
            rows = postings.filter { $0.amount.currency == currency }
            let debits = Self.sum(rows, on: .debit, in: currency)
            let credits = Self.sum(rows, on: .credit, in: currency)
            self.currency = currency.alphabeticCode
            self.debits = debits?.text ?? "too large"
            self.credits = credits?.text ?? "too large"
            isBalanced = debits != nil && debits == credits
        }

        private static func sum(_ postings: [Posting], on side: Posting.Side, in currency: Currency) -> Amount? {
            try? Amount.sum(postings.filter { $0.side == side }.map(\.amount), currency: currency)
        }
    }

    package let id: String
    package let reference: String
    package let state: StateWord
    /// `delivered` or `electronic`.
    package let goods: String
    package let merchantName: String
    package let total: String
    package let currency: String
    package let items: [Item]
    package let payments: [Payment]
    /// The payments of which something may be given back.
    private let refundable: [Payment]
    package let refunds: [Refund]
    package let books: [Book]
    /// When it can't be paid any more.
    package let expiresAt: InstantText?
    /// The part of the installation that its merchant has to itself.
    package let space: SpaceNote?

    /// - Parameters:
    ///   - state: Its name in the journey, such as `created` or `succeeded`.
    ///   - expiresAt: Microseconds since 1970.
    ///   - owner: Its merchant, whose back end is told of it.
    package init(
        id: String, reference: String, state: String, goods: String, merchantName: String, total: Amount, expiresAt: Int64? = nil,
        owner: WebhookOwner? = nil, items: [Item] = [], payments: [Payment] = [], refunds: [Refund] = [], postings: [Posting] = []
    ) {
        self.id = id
        self.reference = reference
        self.state = StateWord(state)
        self.goods = goods
        self.merchantName = merchantName
        self.total = total.text
        currency = total.currency.alphabeticCode
        self.expiresAt = expiresAt.map(InstantText.init)
        space = owner?.space
        self.items = items
        self.payments = payments.map {
            var payment = $0
            payment.eventsPath = owner?.path(ofObject: payment.id)
            return payment
        }
        refundable = payments.filter { $0.refundable != nil }
        self.refunds = refunds.map {
            var refund = $0
            refund.eventsPath = owner?.path(ofObject: refund.id)
            return refund
        }
        let currencies = postings.map(\.amount.currency).reduce(into: [Currency]()) { if !$0.contains($1) { $0.append($1) } }
        books = currencies.map { Book(postings, in: $0) }
    }
}

extension OrderSheet {
    /// The order as what a story is about.
    ///
    /// - Parameter offersRefunds: Whether the reader may ask for refunds.
    package func subject(offersRefunds: Bool) -> StorySubject {
        StorySubject(
            id: id, name: reference, label: "\(merchantName), \(goods) goods", standing: state, template: "console/order",
            values: Section(order: self, offersRefunds: offersRefunds), styles: ["console/order.css"],
            scripts: offersRefunds ? ["console/operators.js"] : [])
    }

    private struct Section {
        var order: OrderSheet
        var offersRefunds: Bool
    }
}
