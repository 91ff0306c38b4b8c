import AlipayPlus
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Logging

/// What the gateway verifiably says of payments that the wallet's books do not know, and how two persons settle it.
///
/// A failover to a standby that lags loses a payment's row while the gateway takes the payment: its merchant is paid, and the customer was
/// not debited. A refund of such a payment is kept as well; the gateway sends it until it is credited.
struct WalletNotices: Sendable {
    static let action = "wallet-settle-notice"
    static let source = "gateway"
    private static let payment = "payment"
    /// The customer pays what the gateway has taken.
    static let debit = UnmatchedNoticeOffice.Way("debit", "Book it: the customer’s balance pays it now")

    /// What was sent, and what the gateway made of it.
    private struct Evidence: Codable {
        var buyer: String
        var trade: String
        var payee: String
        var subject: String
        /// Microseconds since 1970, on the gateway's clock.
        var paidAt: Int64
    }

    let context: WalletContext

    /// The gateway's receipt for a payment that was sent.
    func notice(of hold: Hold, _ receipt: OrderGatewayLink.Receipt, buyer: String) throws -> UnmatchedNotice {
        let now = context.now()
        let evidence = Evidence(
            buyer: buyer, trade: hold.trade, payee: hold.payee, subject: hold.subject, paidAt: receipt.paidAt.microseconds)
        return UnmatchedNotice(
            owner: context.configuration.owner, id: context.identifiers.next(at: now), source: Self.source, kind: Self.payment,
            naturalKey: "\(Self.payment) \(hold.requestID)", reference: hold.requestID, about: hold.trade, amount: hold.amount,
            evidence: try JSONDocument.encode(evidence), receivedAt: now)
    }

    func notice(of refund: OrderGatewayRefund, body: [UInt8]) -> UnmatchedNotice {
        let now = context.now()
        return UnmatchedNotice(
            owner: context.configuration.owner, id: context.identifiers.next(at: now), source: Self.source, kind: "refund",
            naturalKey: Self.key(refund), reference: refund.requestID, about: refund.trade, amount: refund.amount, evidence: body,
            receivedAt: now)
    }

    /// What Alipay+ asks to be given back of a payment that the books do not know.
    func notice(of refund: WalletRefundRequest, payment: String, _ amount: Amount) -> UnmatchedNotice {
        let now = context.now()
        return UnmatchedNotice(
            owner: context.configuration.owner, id: context.identifiers.next(at: now), source: "alipay-plus", kind: "refund",
            naturalKey: "refund \(refund.refundRequestId)", reference: refund.refundRequestId, about: payment, amount: amount,
            evidence: refund.body, receivedAt: now)
    }

    static func key(_ refund: OrderGatewayRefund) -> String { "refund \(refund.requestID)" }

    var office: UnmatchedNoticeOffice {
        let owner = context.configuration.owner
        return UnmatchedNoticeOffice(
            action: Self.action, database: context.database, owners: { [owner] }, clock: context.clock,
            links: AuditChain(key: context.configuration.keys.audit), errors: ErrorMapping().withWallet(),
            ways: { $0.kind == Self.payment ? [Self.debit] : [] }, book: debit)
    }

    @Sendable private func debit(
        _ decision: UnmatchedNoticeOffice.Decision, in tx: any Transaction
    ) throws -> UnmatchedNoticeOffice.Effect {
        let (notice, owner) = (decision.notice, context.configuration.owner)
        guard let id = try? TimeOrderedID(text: notice.reference), let amount = notice.amount,
            let told = try? JSONDocument.decode(Evidence.self, notice.evidence)
        else { throw WalletError(code: .corruptRecord, reason: "a notice does not read back") }
        guard try HoldRecords.find(id, in: tx) == nil else {
            throw WalletError(code: .paymentSettled, reason: "the books know the payment by now: close the notice")
        }
        guard let account = try AccountRecords.find(number: told.buyer, in: tx) else {
            throw WalletError(code: .accountNotFound, reason: "there is no such account")
        }
        let hold = Hold(
            id: id, account: account.id, checkout: id, trade: told.trade, payee: told.payee, subject: told.subject, amount: amount,
            state: .held, refunded: 0, note: "", createdAt: id.instant)
        guard try HoldRecords.insert(hold, in: tx) else {
            throw WalletError(code: .tradeBeingPaid, reason: "another payment of the trade stands: it is settled first")
        }
        guard try BalanceRecords.hold(amount, account.id, in: tx) else {
            throw WalletError(code: .insufficientBalance, reason: "the balance is too small")
        }
        try WalletPostings.hold.book(amount, customer: account.number, source: id, owner: owner, at: decision.at, in: tx)
        guard try HoldRecords.settle(id, .captured, paidAt: Timestamp(microseconds: told.paidAt), note: "by hand", in: tx),
            try BalanceRecords.capture(amount, account.id, in: tx)
        else { throw WalletError(code: .corruptRecord, reason: "less is held than a payment set aside") }
        try WalletPostings.capture.book(amount, customer: account.number, source: id, owner: owner, at: decision.at, in: tx)
        return .init("account \(account.number) has paid \(amount)")
    }
}

extension WalletContext {
    /// Tells operators about a notice that is stored.
    func tell(_ notice: UnmatchedNotice) {
        count("wallet_alarms_total", [("kind", "unmatched-notice")])
        logger.critical(
            "the gateway speaks of something that is not in the books", metadata: ["notice": "\(notice.id)", "says": "\(notice.summary)"])
    }
}
