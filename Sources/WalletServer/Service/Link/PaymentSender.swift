import BillfoldJSON
import BillfoldMoney
package import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import HTTPTypes
import Logging

/// Delivers payments to the gateway and books what it answers.
///
/// The same code serves the page that leased a row and the worker that takes it over. A payment that may have arrived is asked about; it
/// is sent again, under its own id, only after the gateway said that it never had it. Where sending again does not help, the payment is
/// withdrawn: the customer has the money back once the gateway said that it takes no copy of it any more, and never because of time alone.
package struct PaymentSender: OutboxSender {
    static let destination = "gateway"
    static let kind = "payment"
    /// What has no known outcome is asked about for as long as it takes.
    static let schedule = RetrySchedule.exponential(base: .seconds(1), cap: .seconds(60), attempts: 10_000_000)

    let context: WalletContext
    let link: OrderGatewayLink

    package func deliver(_ claim: OutboxClaim) async -> Delivery {
        let message = claim.message
        // Another process, of a newer version, may know what this one does not.
        guard message.kind == Self.kind else { return Delivery(.retry(after: .seconds(60)), note: "no such kind here") }
        do {
            guard let hold = try await context.database.lookup({ tx in try HoldRecords.find(message.subject, in: tx) }),
                hold.state == .held
            else { return Delivery(.delivered, note: "not sent: the payment is settled") }
            return try await delivery(of: answer(to: claim, hold), hold, message)
        } catch {
            context.logger.error(
                "a payment cannot be sent", metadata: ["row": "\(message.id)", "error": "\(ErrorMapping.logDescription(of: error))"])
            return Delivery(.retry(after: nil), note: "our fault: \(type(of: error))")
        }
    }

    private func answer(to claim: OutboxClaim, _ hold: Hold) async -> OrderGatewayLink.Answer<OrderGatewayLink.Receipt> {
        if claim.attempt > 1 {
            let known = await link.payment(hold.requestID, trade: hold.trade)
            guard case .refused(let refusal) = known, refusal.meaning == .neverHad else { return known }
            if isHopeless(claim, hold) { return await link.withdraw(hold.requestID, trade: hold.trade) }
        }
        return await link.pay(claim.message.body, trade: hold.trade)
    }

    /// Of a payment that the gateway has not had: whether it is not sent again. A copy that was refused may have been damaged on its way,
    /// so it is sent twice.
    private func isHopeless(_ claim: OutboxClaim, _ hold: Hold) -> Bool {
        (!hold.note.isEmpty && claim.attempt > 2)
            || hold.createdAt.advanced(by: context.configuration.paymentPatience) <= context.now()
    }

    private struct Sent: Decodable { var buyerID: String }

    private func delivery(
        of answer: OrderGatewayLink.Answer<OrderGatewayLink.Receipt>, _ hold: Hold, _ message: OutboxMessage
    ) throws -> Delivery {
        let (context, now) = (context, context.now())
        switch answer {
        case .done(let receipt):
            let kept = Latest<UnmatchedNotice>()
            var delivery = Delivery(.delivered, note: "taken") { tx in
                let isBooked = try HoldSettlement.settle(
                    hold.id, .accepted, receipt: receipt, note: "", at: now, context: context, in: tx)
                guard !isBooked else { return }
                let buyer = try JSONDocument.decode(Sent.self, message.body).buyerID
                let notice = try WalletNotices(context: context).notice(of: hold, receipt, buyer: buyer)
                let links = AuditChain(key: context.configuration.keys.audit)
                if try UnmatchedNoticeRecords.keep(notice, linking: links, in: tx) { kept.set(notice) }
            }
            delivery.committed = { if let notice = kept.value { context.tell(notice) } }
            return delivery
        case .refused(let refusal):
            return refused(refusal, hold, at: now)
        case .unknown(let reason), .notSent(let reason):
            return Delivery(.retry(after: nil), note: reason)
        }
    }

    private func refused(_ refusal: OrderGatewayLink.Refusal, _ hold: Hold, at now: Timestamp) -> Delivery {
        let context = context
        switch refusal.meaning {
        case .decided:
            context.trace.note("hold given back", about: ["alipay.trade": hold.trade], problem: refusal.code)
            return Delivery(.delivered, note: refusal.code) { tx in
                try HoldSettlement.settle(hold.id, .refused, receipt: nil, note: refusal.code, at: now, context: context, in: tx)
            }
        // Said of a payment that was just sent, it is no judgement of it.
        case .neverHad: return Delivery(.retry(after: nil), note: refusal.code)
        case .thisCopy:
            let note = "the gateway answered \(refusal.status.code) \(refusal.code)"
            context.count("wallet_payments_not_judged_total", [("status", String(refusal.status.code))])
            context.logger.error(
                "the gateway refuses to judge a payment: link, credential or gateway need a person",
                metadata: ["payment": "\(hold.id)", "status": "\(refusal.status.code)", "code": "\(refusal.code)"])
            return Delivery(.retry(after: nil), note: note) { tx in try HoldRecords.note(note, of: hold.id, in: tx) }
        }
    }
}
