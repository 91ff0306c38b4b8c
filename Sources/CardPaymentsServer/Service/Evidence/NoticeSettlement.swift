import ApplePay
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import UnionPay

/// How two persons settle what the acquirer notified of a transaction that the books do not know: the books get what the acquirer has, so
/// that both sides agree afterwards.
struct NoticeSettlement: Sendable {
    /// Books the charge as a payment of its order.
    static let payment = UnmatchedNoticeOffice.Way("payment", "Book it as a payment of its order")
    /// Books the charge, and has the acquirer give it back by its query id.
    static let refund = UnmatchedNoticeOffice.Way("refund", "Book it and refund all of it at the acquirer")
    /// Books a refund or void as done.
    static let undone = UnmatchedNoticeOffice.Way("undone", "Book it as done to the payment that is named below")

    /// The detail of a refund or void that people have booked from a notice: its message is not here.
    static let restored = Array("restored".utf8)

    let context: ServiceContext

    static func ways(of notice: UnmatchedNotice) -> [UnmatchedNoticeOffice.Way] {
        switch notice.kind {
        case "payment": [payment, refund]
        case TransactionType.refund.title, TransactionType.void.title: [undone]
        default: []
        }
    }

    /// The order or payment that a notice is to be booked to: a name alone tells nobody whose it is.
    static func place(
        of notice: UnmatchedNotice, _ way: String, _ belongsTo: String?, in tx: any Transaction
    ) throws -> [ApprovalAction.Line] {
        let named = try (belongsTo ?? (way == undone.name ? nil : notice.about)).flatMap { text -> TimeOrderedID? in
            if let id = try? TimeOrderedID(text: text) { return id }
            guard belongsTo == nil else { throw missing(way) }
            return nil
        }
        guard way != undone.name else {
            guard let named else { return [] }
            guard let payment = try PaymentRecords.find(named, merchant: notice.owner, in: tx) else { throw missing(way) }
            let order = try OrderRecords.find(payment.order, merchant: notice.owner, in: tx)
            return [
                .init("Payment", "\(payment.amount), \(payment.state.rawValue), given back \(payment.refunded)"),
                .init("Its order", order?.reference ?? "lost"),
            ]
        }
        guard let named, let order = try OrderRecords.find(named, merchant: notice.owner, in: tx) else {
            guard belongsTo == nil else { throw missing(way) }
            return [.init("Order", "lost: a closed one is made in its place")]
        }
        let payments = try PaymentRecords.find(order: named, merchant: notice.owner, in: tx)
        let state = CardPaymentsService.state(of: order, payments: payments, at: notice.receivedAt)
        let other = notice.amount.map { $0 == order.amount ? "" : "; the notice says \($0)" } ?? ""
        var lines: [ApprovalAction.Line] = [.init("Order", "\(order.reference): \(order.amount), \(state)\(other)")]
        if belongsTo != nil, !notice.about.isEmpty, notice.about != named.description {
            lines.append(.init("Another order", "the notice itself names \(notice.about)"))
        }
        return lines
    }

    private static func missing(_ way: String) -> CardPaymentsError {
        way == undone.name
            ? CardPaymentsError(code: .paymentNotFound, reason: "the merchant has no such payment")
            : CardPaymentsError(code: .orderNotFound, reason: "the merchant has no such order")
    }

    func settle(_ decision: UnmatchedNoticeOffice.Decision, in tx: any Transaction) throws -> UnmatchedNoticeOffice.Effect {
        let notice = decision.notice
        guard let merchant = context.merchant(notice.owner), let amount = notice.amount else {
            throw CardPaymentsError(code: .configurationInvalid, reason: "the notice's merchant is not configured here")
        }
        let told = try Told(notice)
        switch decision.way {
        case Self.payment.name:
            let taken = try charge(told, amount: amount, merchant: merchant, by: decision, in: tx)
            return .init("booked as payment \(taken.payment)") { [context] in context.tell(taken) }
        case Self.refund.name:
            let taken = try charge(told, amount: amount, merchant: merchant, by: decision, in: tx)
            let refund = try giveBack(taken.payment, amount: amount, merchant: merchant, by: decision, in: tx)
            return .init("booked as payment \(taken.payment), given back by refund \(refund)") { [context] in context.tell(taken) }
        case Self.undone.name:
            let taken = try undo(told, amount: amount, merchant: merchant, by: decision, in: tx)
            return .init("booked as \(notice.kind) \(told.id) of payment \(taken.payment)") { [context] in context.tell(taken) }
        default:
            let known = [Self.payment, Self.refund, Self.undone].map(\.name).joined(separator: ", ")
            throw RequestReader.malformed("way", "is none of \(known)")
        }
    }

    /// What the acquirer's message says that the books need.
    private struct Told {
        var key: TransactionKey
        /// Ours: every message that leaves here carries its subject's id as `orderId`.
        var id: TimeOrderedID
        var queryID: String
        var settlementDay: String?
        var account: String
        /// `bizType`.
        var product: String?

        init(_ notice: UnmatchedNotice) throws {
            key = try TransactionKey(externalKey: notice.reference)
            guard let id = try? TimeOrderedID(text: key.order.description) else {
                throw CardPaymentsError(code: .wrongState, reason: "the acquirer's order number is none of ours: nothing here has sent it")
            }
            self.id = id
            var fields: [String: String] = [:]
            for line in String(decoding: notice.evidence, as: UTF8.self).split(separator: "\n") {
                let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if parts.count == 2 { fields[String(parts[0])] = String(parts[1]) }
            }
            guard let number = fields["queryId"] else {
                throw CardPaymentsError(code: .wrongState, reason: "the notice has no number of the acquirer's")
            }
            queryID = try QueryID(number).description
            if let day = fields["settleDate"], !day.isEmpty {
                settlementDay = try SettlementDate(SettlementDay(day), of: notice.reference).description
            }
            account = fields["accNo"] ?? ""
            product = fields["bizType"]
        }

        func detail(by people: String, _ reason: String) -> EventDetail {
            EventDetail(actor: people, reason: reason, acquirerReference: queryID, settlementDay: settlementDay)
        }
    }

    private func charge(
        _ told: Told, amount: Amount, merchant: MerchantProfile, by decision: UnmatchedNoticeOffice.Decision, in tx: any Transaction
    ) throws -> Taken {
        let order = try order(for: told, amount: amount, merchant: merchant, by: decision, in: tx)
        var detail = PaymentDetail(
            transactionIdentifier: "", maskedAccount: told.account, accountHash: "", network: nil,
            items: [.init(label: "As the acquirer told", amount: amount.text)], shippingMethod: nil, couponCode: nil, contacts: nil,
            payTimeout: decision.at.beijing.secondsSince1970)
        if told.product == BusinessType.orderPush { detail.pushed = true }
        let draft = try Payment(
            merchant: merchant.id, id: told.id, order: order, amount: amount, externalKey: told.key.description, detail: detail.encoded(),
            at: decision.at)
        let said = told.detail(by: decision.people, "restored from notice \(decision.notice.id)")
        let payment = try context.store.restore(draft, detail: said, at: decision.at, in: tx)
        guard payment.amount == amount else {
            throw CardPaymentsError(code: .wrongState, reason: "the books have payment \(payment.id) with another amount by now")
        }
        return try context.take(.succeeded, about: payment, merchant: merchant, detail: said, at: decision.at, in: tx)
    }

    /// The order that people name, or that the acquirer repeats. Where its row is lost as well, one stands in for it: expired and closed,
    /// so that nothing more is paid on it.
    private func order(
        for told: Told, amount: Amount, merchant: MerchantProfile, by decision: UnmatchedNoticeOffice.Decision, in tx: any Transaction
    ) throws -> TimeOrderedID {
        if let named = decision.belongsTo {
            guard let id = try? TimeOrderedID(text: named), let order = try OrderRecords.find(id, merchant: merchant.id, in: tx) else {
                throw CardPaymentsError(code: .orderNotFound, reason: "the merchant has no such order")
            }
            guard order.amount.currency == amount.currency else {
                throw CardPaymentsError(code: .invalidAmount, reason: "the order is in \(order.amount.currency)")
            }
            return id
        }
        let id = (try? TimeOrderedID(text: decision.notice.about)) ?? told.id
        if try OrderRecords.find(id, merchant: merchant.id, in: tx) != nil { return id }
        let definition = OrderDefinition(
            goods: .electronic, currency: amount.currency, country: "CN",
            merchantName: merchant.displayName.isEmpty ? merchant.id.description : merchant.displayName,
            lines: [.init(label: "A charge whose order is lost", unitAmount: amount.text, quantity: 1, taxRate: "0")], shippingMethods: [],
            coupons: [], serviceableCountries: [])
        try OrderRecords.insert(
            Order(
                merchant: merchant.id, id: id, reference: "lost-\(id)", amount: amount, expiresAt: decision.at,
                clientSecret: KeyedHash(of: id.bytes, purpose: "no-secret", key: context.configuration.keys.hashing),
                applicationData: id.bytes,
                detail: JSONDocument.encode(definition), createdAt: decision.at), in: tx)
        _ = try OrderRecords.close(id, merchant: merchant.id, in: tx)
        return id
    }

    private func giveBack(
        _ id: TimeOrderedID, amount: Amount, merchant: MerchantProfile, by decision: UnmatchedNoticeOffice.Decision,
        in tx: any Transaction
    ) throws -> TimeOrderedID {
        guard let payment = try PaymentRecords.find(id, merchant: merchant.id, in: tx) else {
            throw CardPaymentsError(code: .paymentNotFound, reason: "the payment is gone")
        }
        let refundID = try context.undoingID("notice", of: payment, merchant)
        if let known = try ModificationRecords.find(refundID, merchant: merchant.id, in: tx) {
            guard known.state != .failed, known.amount == amount else {
                throw CardPaymentsError(code: .wrongState, reason: "refund \(known.id) of the same charge is \(known.state.rawValue)")
            }
            return known.id
        }
        let (refund, row) = try context.undoing(
            .refund, id: refundID, of: payment, amount: amount, reason: decision.reason, merchant: merchant, lease: .zero, at: decision.at)
        return try context.store.begin(
            refund, detail: EventDetail(actor: decision.people, reason: decision.reason), at: decision.at, message: { _ in row }, in: tx
        ).id
    }

    private func undo(
        _ told: Told, amount: Amount, merchant: MerchantProfile, by decision: UnmatchedNoticeOffice.Decision, in tx: any Transaction
    ) throws -> Taken {
        let said = told.detail(by: decision.people, "restored from notice \(decision.notice.id)")
        let kind: Modification.Kind = decision.notice.kind == TransactionType.void.title ? .void : .refund
        if let known = try ModificationRecords.find(told.id, merchant: merchant.id, in: tx) {
            guard known.kind == kind, known.amount == amount, known.externalKey == told.key.description,
                decision.belongsTo.map({ $0 == known.payment.description }) ?? true
            else {
                throw CardPaymentsError(
                    code: .wrongState,
                    reason: "the books have \(known.id) as a \(known.kind.rawValue) of \(known.amount) of payment \(known.payment)")
            }
        } else {
            guard let named = decision.belongsTo, let id = try? TimeOrderedID(text: named) else {
                throw CardPaymentsError(code: .paymentNotFound, reason: "name the payment that it was done to")
            }
            let modification = Modification(
                merchant: merchant.id, id: told.id, payment: id, kind: kind, amount: amount, externalKey: told.key.description,
                reason: decision.reason, detail: Self.restored, at: decision.at)
            _ = try context.store.begin(modification, detail: said, at: decision.at, message: { _ in nil }, in: tx)
        }
        return try context.take(.succeeded, aboutModification: told.id, merchant: merchant, detail: said, at: decision.at, in: tx)
    }
}
