import AlipayPlus
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import HTTPTypes

/// What wallets say that they have collected, and the books do not know: kept for two persons, who have it taken back.
///
/// A failover to a standby that lags loses the rows of a payment whose wallet has collected. The gateway has told the acquirer nothing
/// final of it (an inquiry about it is answered U), so the customer gets the money back and the acquirer asks anew.
struct UnmatchedCollections: Sendable {
    static let action = "acquiring-settle-notice"
    static let kind = "payment"
    static let takeBack = UnmatchedNoticeOffice.Way("take-back", "Have the wallet cancel it: its customer gets the money back")

    let context: AlipayPlusServerContext

    /// A wallet's word as it is kept where there is nothing in the books that it could be about.
    func notice(
        of requestID: String, from wallet: String, told: CollectionStore.Told, price: WireAmount?, evidence: [UInt8]
    ) -> UnmatchedNotice {
        let now = context.clock.now()
        let amount = try? price?.amount()
        return UnmatchedNotice(
            owner: context.noticeOwner, id: context.identifiers.next(at: now), source: "wallet:\(wallet)", kind: Self.kind,
            naturalKey: "collected \(requestID) \(amount?.description ?? "")", reference: requestID, about: told.walletPaymentID ?? "",
            amount: amount, evidence: evidence, receivedAt: now)
    }

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
        guard let partner = try PartyRecords.wallet(wallet, in: tx) else {
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

    /// What the wallet answered. A notice that the wallet does not take back is open again.
    func delivery(of message: OutboxMessage, _ outcome: WalletClient.Outcome<PlainAnswer>) -> Delivery {
        let context = context
        func reopening(_ note: String) -> @Sendable (any Transaction) throws -> Void {
            { tx in
                try UnmatchedNoticeRecords.reopen(
                    message.subject, owner: message.merchant, because: note, at: context.clock.now(),
                    linking: AuditChain(key: context.configuration.keys.audit), in: tx)
            }
        }
        let note: String
        switch outcome {
        case .unanswered(let reason): note = reason
        case .answered(let answer, _):
            note = "\(answer.result)"
            let isDone = answer.result.isSuccess || answer.result.resultCode == AlipayPlusResult.orderIsClosed.resultCode
            if isDone { return Delivery(.delivered, note: note) }
            if answer.result.isFailure {
                var delivery = Delivery(.delivered, note: note, record: reopening(note))
                delivery.committed = { context.reopened(message.subject, note) }
                return delivery
            }
        }
        var delivery = Delivery(.retry(after: nil), note: note)
        delivery.givenUp = reopening("the wallet did not answer: \(note)")
        return delivery
    }
}
