import AlipayPlus
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldWeb

/// What operators see of the acquiring gateway, and what they can do.
package struct AlipayPlusBackOffice: AcquiringDesk {
    let context: AlipayPlusServerContext
    let cashier: CashierService

    private static let mostRows = 100
    /// Among so many of an acquirer's latest payments an order's or a wallet's number is looked for.
    private static let searched = 1_000
    package func overview(_ number: String?) async throws -> AcquiringOverview {
        let (brands, clock) = (try await brands(), context.clock)
        return try await context.database.read { tx in
            var payments: [AcquirerPayment] = []
            var (alarms, parked): ([AcquirerPaymentAlarm], [NotificationView]) = ([], [])
            for id in try Self.acquirers(in: tx) {
                payments += try Self.payments(number, of: id, in: tx)
                alarms += try AcquirerPaymentAlarmRecords.open(id, limit: Self.mostRows, in: tx)
                parked += try NotificationRecords.parked(id, limit: Self.mostRows, in: tx).map { try Self.shown($0, in: tx) }
            }
            let latest = payments.sorted { $0.id > $1.id }.prefix(Self.mostRows)
            return AcquiringOverview(
                payments: latest.map { Self.shown($0, brands, at: clock) },
                alarms: alarms.sorted { $0.raisedAt < $1.raisedAt }.map {
                    .init(
                        paymentID: $0.payment.description, acquirer: $0.acquirer.description, subject: $0.subject.description,
                        kind: $0.kind.rawValue, note: $0.note, raisedAt: $0.raisedAt.microseconds,
                        step: $0.kind == .amountDiffers ? .clear : .retry)
                }, parked: parked, number: number)
        }
    }

    package func payment(_ id: String) async throws -> AcquiringPaymentView? {
        guard let id = try? TimeOrderedID(text: id) else { return nil }
        let (brands, clock) = (try await brands(), context.clock)
        let found = try await context.database.read { tx -> AcquirerPayment? in
            for acquirer in try Self.acquirers(in: tx) {
                if let payment = try AcquirerPaymentRecords.find(id, acquirer: acquirer, in: tx) { return payment }
            }
            return nil
        }
        guard let payment = found else { return nil }
        let choices = try await cashier.choices(for: payment)
        return try await context.database.read { tx in
            let refunds = try AcquirerRefundRecords.all(of: payment.id, acquirer: payment.acquirer, in: tx)
            var postings = try LedgerRecords.postings(of: payment.id, merchant: payment.acquirer, in: tx)
            for refund in refunds { postings += try LedgerRecords.postings(of: refund.id, merchant: payment.acquirer, in: tx) }
            return AcquiringPaymentView(
                payment: Self.shown(payment, brands, at: clock), identifiers: Self.identifiers(of: payment, refunds),
                failure: payment.failure,
                settlement: payment.settledMoney.map { "\($0.settlement.description), less a fee of \($0.fee.description)" },
                expiresAt: payment.expiresAt.microseconds, paidAt: payment.paidAt?.microseconds,
                legs: payment.legs.map { Self.shown($0, of: payment, brands) }, refunds: refunds.map { Self.shown($0, of: payment) },
                choices: choices.map(Self.shown),
                notifications: try NotificationRecords.all(of: payment.id, acquirer: payment.acquirer, in: tx).map {
                    try Self.shown($0, in: tx)
                },
                postings: postings.map {
                    PostingView(
                        template: $0.template, account: $0.account, amount: $0.amount.description, at: $0.at.microseconds)
                })
        }
    }

    package func replay(_ id: String, of acquirer: String, because reason: String, by person: String) async throws -> Bool {
        guard let id = try? TimeOrderedID(text: id), let acquirer = try? MerchantID(acquirer) else { return false }
        let (now, links) = (context.clock.now(), AuditChain(key: context.configuration.keys.audit))
        return try await context.database.writeRepeatably { tx in
            guard let row = try NotificationRecords.find(id, acquirer: acquirer, in: tx) else { return false }
            return try NotificationRecords.deliveries.replay(
                id, in: row.state, owner: acquirer, by: person, because: reason, at: now, linking: links, in: tx)
        }
    }

    // MARK: Finding

    static func acquirers(in tx: any Transaction) throws -> [MerchantID] {
        try AlipayPlusPartyRecords.all(.acquirer, in: tx).map { try JSONDocument.decode(Acquirer.self, $0.document).id }
    }

    /// By the number of any party; the latest where there is none.
    private static func payments(_ number: String?, of acquirer: MerchantID, in tx: any Transaction) throws -> [AcquirerPayment] {
        guard let number else { return try AcquirerPaymentRecords.latest(acquirer, limit: mostRows, in: tx) }
        if let payment = try AcquirerPaymentRecords.find(requestID: number, acquirer: acquirer, in: tx) { return [payment] }
        let named = try AcquirerRefundRecords.find(requestID: number, acquirer: acquirer, in: tx)
        let id = try? TimeOrderedID(text: number)
        let refund = try named ?? id.flatMap { try AcquirerRefundRecords.find($0, acquirer: acquirer, in: tx) }
        if let refund { return try AcquirerPaymentRecords.find(refund.payment, acquirer: acquirer, in: tx).map { [$0] } ?? [] }
        if let id {
            if let payment = try AcquirerPaymentRecords.find(id, acquirer: acquirer, in: tx) { return [payment] }
            if let payment = try AcquirerPaymentRecords.find(leg: id, in: tx), payment.acquirer == acquirer { return [payment] }
        }
        if let found = try AcquirerPaymentRecords.find(walletRequest: number, in: tx), found.payment.acquirer == acquirer {
            return [found.payment]
        }
        return try AcquirerPaymentRecords.latest(acquirer, limit: searched, in: tx).filter { payment in
            payment.terms.order.referenceOrderId == number
                || payment.legs.contains { payment.detail(of: $0.id)?.walletPaymentID == number }
        }
    }

    private func brands() async throws -> [String: String] {
        Dictionary(try await context.parties.wallets().map { ($0.type, $0.brand) }) { first, _ in first }
    }

    // MARK: Showing

    private static func shown(
        _ payment: AcquirerPayment, _ brands: [String: String], at clock: any WallClock
    ) -> AcquiringOverview.Payment {
        let amount = payment.terms.amount
        let refunded = Amount(minorUnits: payment.refunded.price, currency: amount.currency)
        return AcquiringOverview.Payment(
            paymentID: payment.paymentID, requestID: payment.requestID, acquirer: payment.acquirer.description,
            merchantName: payment.terms.merchantName, scenario: payment.scenario.rawValue, amount: amount.description,
            refunded: refunded.isZero ? nil : refunded.description, state: payment.state.rawValue,
            wallet: payment.currentLeg.map { brands[$0.wallet] ?? $0.wallet } ?? "", madeAt: payment.createdAt.microseconds,
            space: clock.spaceNote(of: payment.acquirer.description))
    }

    private static func identifiers(of payment: AcquirerPayment, _ refunds: [AcquirerRefund]) -> [AcquiringPaymentView.Identifier] {
        let terms = payment.terms
        var all: [(String, String, String?)] = [
            ("acquirerId", "this gateway", payment.acquirer.description), ("referenceMerchantId", "the acquirer", terms.merchantID),
            ("referenceOrderId", "the merchant", terms.order.referenceOrderId), ("paymentRequestId", "the acquirer", payment.requestID),
            ("paymentId", "this gateway", payment.paymentID),
        ]
        for leg in payment.legs {
            all.append(("paymentRequestId to \(leg.wallet)", "this gateway", payment.walletRequestID(of: leg.id)))
            all.append(("mppPaymentId", leg.wallet, payment.detail(of: leg.id)?.walletPaymentID))
        }
        for refund in refunds {
            all.append(("refundRequestId", "the acquirer", refund.requestID))
            all.append(("refundId", "this gateway", refund.id.description))
        }
        return all.compactMap { name, giver, value in
            value.flatMap { $0.isEmpty ? nil : AcquiringPaymentView.Identifier(name: name, giver: giver, value: $0) }
        }
    }

    private static func shown(
        _ leg: CollectionLeg, of payment: AcquirerPayment, _ brands: [String: String]
    ) -> AcquiringPaymentView.Leg {
        let detail = payment.detail(of: leg.id)
        return AcquiringPaymentView.Leg(
            wallet: brands[leg.wallet] ?? leg.wallet, state: leg.state.rawValue, requestID: payment.walletRequestID(of: leg.id),
            walletPaymentID: detail?.walletPaymentID, payable: detail?.money.payable.description ?? "",
            at: detail?.createdAt.microseconds ?? payment.createdAt.microseconds)
    }

    private static func shown(_ refund: AcquirerRefund, of payment: AcquirerPayment) -> AcquiringPaymentView.Refund {
        AcquiringPaymentView.Refund(
            requestID: refund.requestID, refundID: refund.id.description,
            amount: Amount(minorUnits: refund.part.price, currency: payment.terms.amount.currency).description,
            state: refund.state.rawValue, failure: refund.failure, at: refund.createdAt.microseconds)
    }

    private static func shown(_ choice: CashierService.Choice) -> AcquiringPaymentView.Choice {
        AcquiringPaymentView.Choice(
            wallet: choice.wallet.type, name: choice.wallet.brand, payable: choice.payable?.description, offer: choice.promotion?.name,
            obstacles: choice.obstacles.map(\.reason))
    }

    private static func shown(_ row: NotificationRow, in tx: any Transaction) throws -> NotificationView {
        NotificationView(
            id: row.id.description, merchant: row.acquirer.description, notifyID: row.id.description, tradeNo: row.payment.description,
            kind: row.kind, says: row.says,
            // A query may hold what the acquirer keeps secret.
            address: String(row.url.prefix { $0 != "?" && $0 != "#" }), state: row.state.rawValue, madeAt: row.createdAt.microseconds,
            attempts: try NotificationRecords.deliveries.attempts(of: row.id, owner: row.acquirer, in: tx).map { attempt in
                NotificationView.Attempt(
                    number: String(attempt.number), status: attempt.status.map { String($0) } ?? "",
                    reply: String(decoding: attempt.reply, as: UTF8.self), note: attempt.note, reason: attempt.reason?.rawValue ?? "",
                    milliseconds: attempt.milliseconds, at: attempt.at.microseconds)
            }, next: try OutboxRecords.standing(of: row.id, merchant: row.acquirer, in: tx)?.nextAttempt?.microseconds)
    }
}
