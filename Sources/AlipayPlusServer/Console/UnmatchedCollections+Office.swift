import AlipayPlus
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import HTTPTypes

/// What two persons may have done about what the books do not know.
extension UnmatchedCollections {
    static let action = "acquiring-settle-notice"
    static let takeBack = UnmatchedNoticeOffice.Way("take-back", "Have the wallet cancel it: its customer gets the money back")

    func office() -> UnmatchedNoticeOffice {
        let context = context
        return UnmatchedNoticeOffice(
            action: Self.action, database: context.database, owners: { [context.noticeOwner] }, clock: context.clock,
            links: AuditChain(key: context.configuration.keys.audit), errors: ErrorMapping().withAlipayPlus(),
            ways: { _ in [Self.takeBack] }, book: { try self.book($0, in: $1) })
    }

    private func book(_ decision: UnmatchedNoticeOffice.Decision, in tx: any Transaction) throws -> UnmatchedNoticeOffice.Effect {
        let notice = decision.notice
        if try AcquirerPaymentRecords.find(walletRequest: notice.reference, in: tx) != nil {
            throw ServerError(code: .conflict, reason: "the books know the payment by now: close the notice", status: .conflict)
        }
        let wallet = String(notice.source.dropFirst("wallet:".count))
        guard let partner = try AlipayPlusPartyRecords.wallet(wallet, in: tx) else {
            throw ServerError(code: .conflict, reason: "the wallet is not registered any more", status: .conflict)
        }
        let request = WalletCancelRequest(pspId: partner.pspID, paymentRequestId: notice.reference)
        let errand = WalletErrand(kind: .takeBack, wallet: wallet, body: String(decoding: request.body, as: UTF8.self))
        let id = context.identifiers.next(at: decision.at)
        let insertion = OutboxRecords.insertion(
            OutboxMessage(
                merchant: notice.owner, id: id, destination: WalletErrand.destination(of: wallet), kind: errand.kind.rawValue,
                subject: notice.id, subjectVersion: 1, body: try JSONDocument.encode(errand), schedule: errand.kind.rawValue,
                dueAt: decision.at, createdAt: decision.at))
        try tx.execute(insertion.sql, insertion.bindings)
        return .init("wallet \(wallet) is asked to cancel \(notice.reference)")
    }
}
