import BillfoldMoney
package import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Logging
import UnionPay

/// Delivers outbox rows to the acquirer and turns its synchronous answers into events.
///
/// The same code serves the request that leased a row and the worker that takes it over.
package struct AcquirerSender: OutboxSender {
    let context: ServiceContext

    /// What one exchange with the acquirer came to.
    private enum Heard {
        /// It certainly did not leave.
        case notSent(String)
        case outcome(MessageOutcome, EventDetail)
    }

    /// A payment and its deduct as the request that sends them has just stored them.
    struct Stored: Sendable {
        var payment: Payment
        var payTimeout: Timestamp
        var deduct: SignedMessage
    }

    /// How long what was stored is taken as what is there. Later the payment is read again: somebody may be undoing it.
    private static let freshness = Duration.seconds(1)

    package func deliver(_ claim: OutboxClaim) async -> Delivery { await deliver(claim, of: nil) }

    /// - Parameter stored: For the first attempt at a deduct, which then need not read again what was stored a moment ago.
    func deliver(_ claim: OutboxClaim, of stored: Stored?) async -> Delivery {
        let message = claim.message
        // Another process, of a newer version or with another configuration, may know what this one does not.
        guard let kind = AcquirerMessages.Kind(rawValue: message.kind), let merchant = context.merchant(message.merchant) else {
            context.logger.error("an outbox row's kind or merchant is not known here", metadata: ["row": "\(message.id)"])
            return Delivery(.retry(after: .seconds(60)), note: "no such kind or merchant here")
        }
        do {
            switch kind {
            case .consume: return try await consume(claim, merchant: merchant, stored: stored)
            case .push: return try await push(claim, merchant: merchant)
            case .refund, .void, .reversal: return try await modify(kind, for: claim, merchant: merchant)
            }
        } catch {
            context.logger.error(
                "an outbox row cannot be sent", metadata: ["row": "\(message.id)", "error": "\(ErrorMapping.logDescription(of: error))"])
            return Delivery(.retry(after: nil), note: "our fault: \(type(of: error))")
        }
    }

    private func consume(_ claim: OutboxClaim, merchant: MerchantProfile, stored: Stored?) async throws -> Delivery {
        let message = claim.message
        let fresh = context.clock.now() < message.createdAt.advanced(by: Self.freshness) ? stored : nil
        var found = fresh?.payment
        if found == nil {
            found = try await context.database.lookup { tx in
                try PaymentRecords.find(message.subject, merchant: message.merchant, in: tx)
            }
        }
        // A payment about which anything is known already is asked about, not sent again; one that is being reversed is not sent.
        guard let payment = found, payment.state == .submitted, payment.reserved == 0 else {
            return erasing(Delivery(.delivered, note: "not sent: the payment is past that"))
        }
        // Only the acquirer's regard for an optional field would keep it from taking money for a payment that fails meanwhile.
        let limit = try fresh?.payTimeout ?? PaymentDetail(payment.detail).timeLimit
        guard context.clock.now() < limit else { return erasing(Delivery(.delivered, note: "not sent: past its time limit")) }
        let about = ["payment": payment.id.description, "order": payment.order.description]
        let heard = try await exchange(
            claim, as: .consume, known: fresh?.deduct, key: TransactionKey(externalKey: payment.externalKey), merchant: merchant,
            about: about)
        let (event, detail, alarm): (PaymentEvent, EventDetail, PaymentTransition.Alarm?)
        switch heard {
        case .notSent(let reason): return erasing(Delivery(.retry(after: nil), note: reason))
        case .outcome(.accepted, let said): (event, detail, alarm) = (.accepted, said, nil)
        case .outcome(.refused, let refusal):
            let (truth, said) = await truth(
                behind: refusal, key: payment.externalKey, amount: payment.amount, merchant: merchant, about: about)
            event = truth.isRefused ? .declined : truth == .paid ? .succeeded : .unresolved
            (detail, alarm) = (said, truth.alarm)
        case .outcome(.disputed, let said): (event, detail, alarm) = (.unresolved, said, .disputed)
        case .outcome(.unresolved, let said), .outcome(.undone, let said), .outcome(.nothingToUndo, let said):
            (event, detail, alarm) = (.unresolved, said, nil)
        }
        let (now, context, taken) = (context.clock.now(), context, Latest<Taken>())
        var delivery = Delivery(.delivered, note: detail.reason ?? event.name) { tx in
            taken.set(try context.take(event, about: payment, merchant: merchant, detail: detail, alarm: alarm, at: now, in: tx))
        }
        delivery.committed = { context.tell(taken.value) }
        return erasing(delivery)
    }

    /// A deduct's body holds card data, and serves no purpose once it was delivered or given up.
    private func erasing(_ delivery: Delivery) -> Delivery {
        var delivery = delivery
        delivery.erasesBody = true
        return delivery
    }

    private func modify(_ kind: AcquirerMessages.Kind, for claim: OutboxClaim, merchant: MerchantProfile) async throws -> Delivery {
        let message = claim.message
        let found = try await context.database.read { tx in
            try ModificationRecords.find(message.subject, merchant: message.merchant, in: tx).flatMap { modification in
                try PaymentRecords.find(modification.payment, merchant: message.merchant, in: tx).map { (modification, $0) }
            }
        }
        guard let (modification, payment) = found, !modification.state.isSettled else {
            return Delivery(.delivered, note: "not sent: the modification is settled")
        }
        // A reversal carries the original's key; a refund or void has one of its own.
        let key = try TransactionKey(externalKey: kind == .reversal ? payment.externalKey : modification.externalKey)
        let about = ["payment": modification.payment.description, kind.rawValue: modification.id.description]
        let heard = try await exchange(claim, as: kind, known: nil, key: key, merchant: merchant, about: about)
        let (now, context, taken) = (context.clock.now(), context, Latest<Taken>())
        var truth: Truth?
        var delivery: Delivery
        switch heard {
        case .notSent(let reason): delivery = Delivery(.retry(after: nil), note: reason)
        case .outcome(let outcome, var detail):
            if outcome == .refused, kind != .reversal {
                let found = await self.truth(
                    behind: detail, key: modification.externalKey, amount: modification.amount, merchant: merchant, about: about)
                (truth, detail) = (found.0, found.said)
            }
            let event: Modification.Event =
                switch outcome {
                case .accepted: .accepted
                case .undone: .succeeded
                case .refused: (truth?.isRefused ?? true) ? .declined : truth == .paid ? .succeeded : .unresolved
                // Before the payment is known the deduct may still arrive; a known success that cannot be reversed stays one.
                case .nothingToUndo: payment.state == .succeeded ? .declined : .unresolved
                case .disputed, .unresolved: .unresolved
                }
            // A reversal is repeated until it is answered; a refund or void that may have arrived is asked about instead.
            let isRepeated = kind == .reversal && event == .unresolved
            let (said, alarm) = (detail, outcome == .disputed ? .disputed : truth?.alarm)
            delivery = Delivery(isRepeated ? .retry(after: nil) : .delivered, note: said.reason ?? event.rawValue) { tx in
                taken.set(
                    try context.take(
                        event, aboutModification: modification.id, merchant: merchant, detail: said,
                        alarm: alarm, at: now, in: tx))
            }
        }
        let givenUp = Latest<Taken>()
        if kind == .reversal {
            // Nobody will repeat it any more: it lets go of the money, and a person is called.
            delivery.givenUp = { tx in
                givenUp.set(
                    try context.take(
                        .declined, aboutModification: modification.id, merchant: merchant,
                        detail: EventDetail(actor: "system", reason: "the reversal was given up unanswered"), at: now, in: tx))
            }
        }
        delivery.committed = {
            context.tell(taken.value)
            context.tell(givenUp.value)
        }
        return delivery
    }

    /// What the acquirer has of a message that it refused.
    enum Truth: Sendable {
        /// Nothing, or a refusal of its own.
        case refused
        case paid
        case disputed
        case otherAmount
        case unknown

        var isRefused: Bool { self == .refused }

        var alarm: PaymentTransition.Alarm? {
            switch self {
            case .disputed: .disputed
            case .otherAmount: .amountDiffers
            case .refused, .paid, .unknown: nil
            }
        }
    }

    /// Asks what became of a message whose first copy, as far as is known here, was refused.
    ///
    /// A refusal is about the copy that it answers. Numbers are made of the intent, so a copy may have left before a failover lost its row,
    /// and have done what this one was refused for. A refusal stands where the acquirer has nothing beside it. [I] It throws nothing: the
    /// message has left.
    func truth(
        behind refusal: EventDetail, key externalKey: String, amount: Amount, merchant: MerchantProfile, about: [String: String]
    ) async -> (Truth, said: EventDetail) {
        let queries = OutcomeQueries(context: context)
        guard let reply = try? await queries.ask(externalKey, reference: nil, merchant: merchant, about: about),
            let said = try? queries.said(reply, externalKey)
        else { return (.unknown, refusal) }
        switch reply.verdict(of: amount) {
        case .paid: return (.paid, said)
        case .disputed: return (.disputed, said)
        case .otherAmount: return (.otherAmount, said)
        case .unknown: return (.unknown, said)
        case .notPerformed(let code) where code.class == .retryLater: return (.unknown, said)
        case .declined, .notPerformed: return (.refused, refusal)
        }
    }

    /// Posts a message and says what the answer means for it: verified, bound to the message, and read for the copy that it is.
    private func exchange(
        _ claim: OutboxClaim, as kind: AcquirerMessages.Kind, known: SignedMessage?, key: TransactionKey, merchant: MerchantProfile,
        about: [String: String]
    ) async throws -> Heard {
        let message = try known ?? context.messages.open(claim.message)
        let answer = await context.connection.post(
            message, to: context.configuration.endpoints.transaction, title: kind.rawValue, about: about)
        switch answer {
        case .notSent(let reason): return .notSent(reason)
        case .silent(let reason): return .outcome(.unresolved, EventDetail(actor: "unionpay", reason: reason))
        case .fields(let fields):
            do throws(UnionPayError) {
                let reply = try Unverified<AcceptanceReply>(fields).verified(by: merchant.verifier, at: context.clock.now().date)
                    .bound(to: key, kind.type)
                let detail = EventDetail(
                    actor: "unionpay", reason: "\(reply.code) \(reply.message)", acquirerReference: reply.queryID?.description)
                return .outcome(reply.outcome(of: claim.attempt > 1 ? .repeated : .first), detail)
            } catch {
                context.trace.note("reply refused", about: about, problem: "the reply is not believed: \(error.code)")
                return .outcome(.unresolved, EventDetail(actor: "unionpay", reason: "the reply is not believed: \(error.code)"))
            }
        }
    }
}
