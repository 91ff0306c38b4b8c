import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Logging

/// Payments that wallets send for trades that the books do not know.
///
/// Every trade is opened here before it is paid. One that is not here was lost, as by a failover to a standby that lags behind, and perhaps
/// after its payment was taken and its merchant told. So the wallet is told nothing final: it keeps the customer's money set aside and asks
/// again until two persons have settled the notice.
struct UnmatchedPayments: Sendable {
    static let action = "gateway-settle-notice"
    static let refuse = UnmatchedNoticeOffice.Way("refuse", "It is not taken: the wallet gives its customer the money back")

    let context: AlipayServerContext

    private static func source(_ wallet: String) -> String { "wallet:\(wallet)" }
    private static func key(_ requestID: String) -> String { "payment \(requestID)" }

    /// Keeps a payment, and returns whether people have settled before that it is not taken.
    func keep(_ request: LinkRequest.Pay, body: [UInt8], wallet: String) async throws -> Bool {
        let now = context.clock.now()
        let notice = UnmatchedNotice(
            owner: context.noticeOwner, id: context.identifiers.next(at: now), source: Self.source(wallet), kind: "payment",
            naturalKey: Self.key(request.requestID), reference: request.requestID, about: request.tradeNo, amount: request.amount,
            evidence: body, receivedAt: now)
        let links = AuditChain(key: context.configuration.keys.audit)
        let (isNew, isSettled) = try await context.database.writeRepeatably { tx in
            let isNew = try UnmatchedNoticeRecords.keep(notice, linking: links, in: tx)
            let known = try UnmatchedNoticeRecords.find(
                source: notice.source, naturalKey: notice.naturalKey, owner: notice.owner, in: tx)
            return (isNew, known?.settlement != nil)
        }
        if isNew {
            context.metrics.alarm("unmatched-notice")
            context.logger.critical(
                "a wallet pays a trade that is not in the books", metadata: ["notice": "\(notice.id)", "says": "\(notice.summary)"])
        }
        return isSettled
    }

    /// Whether people have still to settle a wallet's payment.
    func isOpen(_ requestID: String, wallet: String, in tx: any Transaction) throws -> Bool {
        guard
            let known = try UnmatchedNoticeRecords.find(
                source: Self.source(wallet), naturalKey: Self.key(requestID), owner: context.noticeOwner, in: tx)
        else { return false }
        return known.settlement == nil
    }

    static var unknown: AlipayServerError {
        AlipayServerError(code: .outcomeUnknown, reason: "the trade is not in the books: what became of the payment is being looked for")
    }

    var office: UnmatchedNoticeOffice {
        let owner = context.noticeOwner
        return UnmatchedNoticeOffice(
            action: Self.action, database: context.database, owners: { [owner] }, clock: context.clock,
            links: AuditChain(key: context.configuration.keys.audit), errors: ErrorMapping().withAlipay(), ways: { _ in [Self.refuse] },
            // Nothing was booked: the wallet hears it when it asks next.
            book: { decision, _ in .init("payment \(decision.notice.reference) is not taken") })
    }
}
