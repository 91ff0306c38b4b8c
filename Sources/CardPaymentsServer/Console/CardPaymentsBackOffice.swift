import BillfoldJSON
package import BillfoldMoney
package import BillfoldPayments
import BillfoldServer
package import BillfoldStorage
import UnionPay

/// What operators see of the card-payments books, and how they clear alarms. It works on the same store, so it may run in another
/// process than the server.
package struct CardPaymentsBackOffice: Sendable {
    let database: any Database
    /// Whose books it reads, beside those of merchants who registered while the sandbox ran.
    package let merchants: [BillfoldPayments.MerchantID]
    private let takesOwnMerchants: Bool
    let clock: any WallClock
    let links: AuditChain
    let rounding: Rounding
    /// Hears of alarms that are cleared here.
    let follower: (any PaymentFollower)?

    /// - Parameters:
    ///   - database: With ``CardPaymentsServer/migrations`` applied.
    ///   - takesOwnMerchants: As the server's ``CardPaymentsConfiguration/takesOwnMerchants``.
    ///   - links: Under the server's audit key.
    ///   - rounding: As the server's ``CardPaymentsConfiguration/rounding``.
    ///   - follower: Hears of alarms that are cleared; nobody where there is none.
    package init(
        database: any Database, merchants: [BillfoldPayments.MerchantID], takesOwnMerchants: Bool = false, clock: any WallClock,
        links: AuditChain, rounding: Rounding = .halfUp, follower: (any PaymentFollower)? = nil
    ) {
        self.database = database
        self.merchants = merchants
        self.takesOwnMerchants = takesOwnMerchants
        self.clock = clock
        self.links = links
        self.rounding = rounding
        self.follower = follower
    }

    /// Whose books there are now.
    func owners() async throws -> [BillfoldPayments.MerchantID] {
        guard takesOwnMerchants else { return merchants }
        let known = try await database.read { try CardPaymentsRecords.merchantsWithKeys(in: $0) }
        return merchants + known.filter { OwnMerchant.acquirerID(of: $0) != nil }
    }

    /// What the books hold of one order, read in one transaction.
    private struct Held: Sendable {
        var order: Order
        var payments: [Payment]
        var modifications: [Modification]
        var postings: [Posting]
        /// Of the orders that were pushed, by their payments.
        var numbers: [TimeOrderedID: TransactionNumber]
    }

    /// The order with its payments, refunds and postings as the books hold them now; `nil` where no merchant has an order of that id.
    package func order(_ id: String) async throws -> OrderSheet? {
        guard let id = try? TimeOrderedID(text: id) else { return nil }
        for merchant in try await owners() {
            if let held = try await held(id, merchant) { return try sheet(held) }
        }
        return nil
    }

    private func held(_ id: TimeOrderedID, _ merchant: BillfoldPayments.MerchantID) async throws -> Held? {
        try await database.read { tx in
            guard let order = try OrderRecords.find(id, merchant: merchant, in: tx) else { return nil }
            let payments = try PaymentRecords.find(order: id, merchant: merchant, in: tx)
            let modifications = try payments.flatMap { try ModificationRecords.find(payment: $0.id, merchant: merchant, in: tx) }
            let postings = try (payments.map(\.id) + modifications.map(\.id)).flatMap {
                try LedgerRecords.postings(of: $0, merchant: merchant, in: tx)
            }
            let numbers = try payments.compactMap { payment in
                try CardPaymentsRecords.number(of: payment.id, merchant: merchant, in: tx).map { (payment.id, $0) }
            }
            return Held(
                order: order, payments: payments, modifications: modifications, postings: postings,
                numbers: Dictionary(numbers) { first, _ in first })
        }
    }

    private func sheet(_ held: Held) throws -> OrderSheet {
        let order = held.order
        let definition = try JSONDocument.decode(OrderDefinition.self, order.detail)
        let details = try held.payments.map { try PaymentDetail($0.detail) }
        // What the shopper last agreed to; before that, what the shop asked for.
        let items =
            try details.last?.items
            ?? OrderPricing(order: definition, rounding: rounding).quote(OrderPricing.Choice(), at: order.createdAt.date).items
        return OrderSheet(
            id: order.id.description, reference: order.reference,
            // A merchant's order expires by the merchant's time.
            state: CardPaymentsService.state(of: order, payments: held.payments, at: clock.now(of: order.merchant.description)),
            goods: definition.goods.rawValue, merchantName: definition.merchantName, total: held.payments.last?.amount ?? order.amount,
            expiresAt: order.expiresAt.microseconds,
            owner: eventOwner(order.merchant),
            items: try items.map {
                .init(label: $0.label, amount: try Amount($0.amount, currency: definition.currency), isPending: $0.type == "pending")
            },
            payments: zip(held.payments, details).map { payment, detail in
                .init(
                    id: payment.id.description, state: payment.state.rawValue, amount: payment.amount,
                    account: Self.account(of: detail, number: held.numbers[payment.id]),
                    startedAt: payment.createdAt.microseconds, evidence: Self.evidence(payment), refundable: Self.refundable(payment))
            },
            refunds: held.modifications.map { modification in
                .init(
                    id: modification.id.description, paymentID: modification.payment.description, state: modification.state.rawValue,
                    amount: modification.amount,
                    reason: [modification.kind.rawValue, modification.reason, modification.answer].compactMap(\.self).joined(
                        separator: ": "))
            },
            postings: try held.postings.sorted { ($0.at, $0.source, $0.template, $0.line) < ($1.at, $1.source, $1.template, $1.line) }.map {
                posting in
                let isCredit = posting.amount.isNegative
                return .init(
                    account: posting.account, side: isCredit ? .credit : .debit,
                    amount: isCredit ? try posting.amount.negated() : posting.amount, occasion: posting.template)
            })
    }

    /// By what it is paid: the card of a token, or UnionPay's client, which tells of no card.
    private static func account(of detail: PaymentDetail, number: TransactionNumber?) -> String {
        guard detail.pushed == true else { return [detail.network, detail.maskedAccount].compactMap(\.self).joined(separator: " ") }
        return number.map { "UnionPay's client, number \($0)" } ?? "UnionPay's client, no number yet"
    }

    /// What decided the payment's state, as far as the books say.
    private static func evidence(_ payment: Payment) -> String? {
        let parts = [
            payment.reason, payment.acquirerReference.map { "query id \($0)" }, payment.settlementDay.map { "settles on \($0)" },
            payment.alarm.map { "alarm: \($0.rawValue)" },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private static func refundable(_ payment: Payment) -> Amount? {
        let left = payment.standing.amount - payment.reserved
        guard payment.state == .succeeded || payment.state == .partlyRefunded, left > 0 else { return nil }
        return Amount(minorUnits: left, currency: payment.currency)
    }
}
