public import BillfoldPayments
import BillfoldStorage
import Logging
import UnionPay

/// Delivers outbox rows to the acquirer and turns its synchronous answers into events.
///
/// The same code serves the request that leased a row and the worker that takes it over.
public struct AcquirerSender: OutboxSender {
    let context: ServiceContext

    public func deliver(_ claim: OutboxClaim) async -> Delivery {
        do {
            let message = claim.message
            guard let kind = AcquirerMessages.Kind(rawValue: message.kind), let merchant = context.merchant(message.merchant) else {
                return Delivery(.park, note: "no such kind or merchant")
            }
            let body = try context.messages.open(message)
            switch kind {
            case .consume: return try await consume(message, body, merchant)
            case .refund, .void, .reversal: return try await modify(kind, message, body, merchant)
            }
        } catch {
            context.logger.error("an outbox row cannot be sent", metadata: ["row": "\(claim.message.id)", "error": "\(type(of: error))"])
            return Delivery(.retry(after: nil), note: "our fault: \(type(of: error))")
        }
    }

    private func consume(_ message: OutboxMessage, _ body: [UInt8], _ merchant: MerchantProfile) async throws -> Delivery {
        let payment = try await context.database.read { tx in try PaymentRecords.find(message.subject, merchant: message.merchant, in: tx) }
        // A payment about which anything is known already is asked about, not sent again; one that is being reversed is not sent.
        guard let payment, payment.state == .submitted, payment.reserved == 0 else {
            return Delivery(.delivered, note: "not sent: the payment is past that")
        }
        let about = ["payment": payment.id.description, "order": payment.order.description]
        let answer = await context.connection.post(
            body, to: context.configuration.endpoints.transaction, title: message.kind, about: about)
        let (event, detail, delivery): (PaymentEvent, EventDetail, Delivery.Verdict)
        switch answer {
        case .notSent(let reason): return Delivery(.retry(after: nil), note: reason)
        case .silent(let reason): (event, detail, delivery) = (.unresolved, EventDetail(actor: "unionpay", reason: reason), .delivered)
        case .fields(let fields): (event, detail, delivery) = outcome(of: fields, payment: payment, merchant: merchant)
        }
        let now = context.clock.now()
        let context = context
        return Delivery(delivery, note: detail.reason ?? event.name) { tx in
            _ = try context.store.apply(event, to: payment.id, merchant: payment.merchant, detail: detail, at: now, in: tx)
        }
    }

    /// What a synchronous reply to a deduct means (reference section 8.4). Accepted is not paid.
    private func outcome(
        of fields: UnionPayFields, payment: Payment, merchant: MerchantProfile
    ) -> (PaymentEvent, EventDetail, Delivery.Verdict) {
        let reply: AcceptanceReply
        do throws(UnionPayError) {
            reply = try Unverified<AcceptanceReply>(fields).verified(by: merchant.verifier, at: context.clock.now().date)
        } catch {
            context.trace.note("reply refused", about: ["payment": payment.id.description], problem: "the reply is not believed: \(error.code)")
            return (.unresolved, EventDetail(actor: "unionpay", reason: "the reply is not believed: \(error.code)"), .delivered)
        }
        let detail = EventDetail(
            actor: "unionpay", reason: "\(reply.code) \(reply.message)", acquirerReference: reply.queryID?.description)
        // A reply about another transaction says nothing about this one.
        if let key = reply.key, key.description != payment.externalKey {
            return (.unresolved, EventDetail(actor: "unionpay", reason: "the reply is about another transaction"), .delivered)
        }
        switch reply.code.class {
        case .accepted: return (.accepted, detail, .delivered)
        case .ourFault, .setUp, .declined: return (.declined, detail, .delivered)
        case .unknown, .retryLater, .duplicate, .reference, .throttled, .disputed, .alreadyDone, .fileMissing, .other:
            return (.unresolved, detail, .delivered)
        }
    }

    private func modify(
        _ kind: AcquirerMessages.Kind, _ message: OutboxMessage, _ body: [UInt8], _ merchant: MerchantProfile
    ) async throws -> Delivery {
        let found = try await context.database.read { tx in
            try ModificationRecords.find(message.subject, merchant: message.merchant, in: tx)
        }
        guard let modification = found, !modification.state.isSettled else {
            return Delivery(.delivered, note: "not sent: the modification is settled")
        }
        let about = ["payment": modification.payment.description, kind.rawValue: modification.id.description]
        let answer = await context.connection.post(
            body, to: context.configuration.endpoints.transaction, title: kind.rawValue, about: about)
        let (event, detail): (Modification.Event, EventDetail)
        switch answer {
        case .notSent(let reason): return Delivery(.retry(after: nil), note: reason)
        case .silent(let reason): (event, detail) = (.unresolved, EventDetail(actor: "unionpay", reason: reason))
        case .fields(let fields): (event, detail) = outcome(of: fields, kind: kind, merchant: merchant)
        }
        // A reversal is repeated until it is answered; a refund or void that may have arrived is asked about instead.
        let verdict: Delivery.Verdict = kind == .reversal && event == .unresolved ? .retry(after: nil) : .delivered
        let now = context.clock.now()
        let context = context
        return Delivery(verdict, note: detail.reason ?? event.rawValue) { tx in
            _ = try context.store.apply(
                event, toModification: modification.id, merchant: modification.merchant, detail: detail, at: now, in: tx)
        }
    }

    private func outcome(
        of fields: UnionPayFields, kind: AcquirerMessages.Kind, merchant: MerchantProfile
    ) -> (Modification.Event, EventDetail) {
        let reply: AcceptanceReply
        do throws(UnionPayError) {
            reply = try Unverified<AcceptanceReply>(fields).verified(by: merchant.verifier, at: context.clock.now().date)
        } catch {
            context.trace.note("reply refused", about: fields["orderId"].map { ["unionpay.order": $0] } ?? [:], problem: "the reply is not believed: \(error.code)")
            return (.unresolved, EventDetail(actor: "unionpay", reason: "the reply is not believed: \(error.code)"))
        }
        let detail = EventDetail(
            actor: "unionpay", reason: "\(reply.code) \(reply.message)", acquirerReference: reply.queryID?.description)
        switch (kind, reply.code.class) {
        // A reversal has no notification and no key of its own to ask by, so its answer is its outcome. [I]
        case (.reversal, .accepted), (.reversal, .alreadyDone): return (.succeeded, detail)
        // Nothing to reverse yet: the deduct may still arrive, so the reversal is repeated.
        case (.reversal, .reference): return (.unresolved, detail)
        case (_, .accepted): return (.accepted, detail)
        case (_, .ourFault), (_, .setUp), (_, .declined), (_, .reference): return (.declined, detail)
        default: return (.unresolved, detail)
        }
    }
}
