import AlipayPlus
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// What wallets say that they have collected, and the books do not know: kept for two persons, who have it taken back.
///
/// A failover to a standby that lags loses the rows of a payment whose wallet has collected. The gateway has told the acquirer nothing
/// final of it (an inquiry about it is answered U), so the customer gets the money back and the acquirer asks anew.
struct UnmatchedCollections: Sendable {
    static let kind = "payment"

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
