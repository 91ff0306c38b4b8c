public import BillfoldPayments
import BillfoldStorage
import Logging
import UnionPay

/// Asks the acquirer what became of payments, refunds and voids, by the stored deadlines (reference section 8.6).
public struct OutcomeQueries: DeadlineHandler {
    let context: ServiceContext

    public func fire(_ deadline: Deadline) async throws -> DeadlineOutcome {
        guard let merchant = context.merchant(deadline.merchant) else { return .done }
        switch deadline.kind {
        case Deadline.paymentQuery: return try await payment(deadline, merchant)
        case Deadline.modificationQuery: return try await modification(deadline, merchant)
        default: return .done
        }
    }

    private func payment(_ deadline: Deadline, _ merchant: MerchantProfile) async throws -> DeadlineOutcome {
        let found = try await context.database.read { tx in
            try PaymentRecords.find(deadline.subject, merchant: deadline.merchant, in: tx)
        }
        guard let payment = found, !payment.state.isSettled else { return .done }
        let reply = try await ask(
            payment.externalKey, payment.acquirerReference, merchant,
            about: ["payment": payment.id.description, "order": payment.order.description])
        var event: PaymentEvent?
        var detail = EventDetail(actor: "unionpay")
        if let reply {
            detail.acquirerReference = reply.original?.queryID?.description
            detail.settlementDay = reply.original?.settlementDay?.description
            detail.reason = reply.original.map { "\($0.code) \($0.message)" } ?? "\(reply.code) \(reply.message)"
            (event, detail) = verdict(reply, payment, detail)
        }
        let attempt = Int(clamping: deadline.attempt)
        if event == nil, attempt >= QuerySchedule.backEnd.waits.count, payment.state != .unknown {
            (event, detail.reason) = (.unresolved, "no outcome on the fast schedule")
        }
        if let event {
            let (now, id, said, context) = (context.clock.now(), payment.id, detail, context)
            let applied = try await context.database.write { tx in
                try context.store.apply(event, to: id, merchant: deadline.merchant, detail: said, at: now, in: tx)
            }
            context.note(applied)
            if applied.payment.state.isSettled { return .done }
        }
        return next(attempt)
    }

    private func verdict(_ reply: QueryReply, _ payment: Payment, _ said: EventDetail) -> (PaymentEvent?, EventDetail) {
        var detail = said
        switch reply.verdict {
        case .paid:
            if let amount = reply.original?.amount, amount != payment.amount {
                context.alarm("query-amount-differs", payment: payment.id)
                detail.reason = "the acquirer names another amount"
                return (.unresolved, detail)
            }
            return (.succeeded, detail)
        case .declined: return (.declined, detail)
        case .disputed:
            context.alarm("disputed", payment: payment.id)
            return (.unresolved, detail)
        case .unknown(let code):
            // Past its time limit and a margin, a payment that a clear query does not call paid was not made.
            let limit = (try? PaymentDetail(payment.detail))?.payTimeout ?? .max
            let isClear = reply.original != nil || code == .noSuchTransaction
            let margin = QuerySchedule.settlingMargin.components.seconds
            guard isClear, limit < .max - margin, context.clock.now() > Timestamp(secondsSince1970: limit + margin) else {
                return (nil, detail)
            }
            detail.reason = "not paid by its time limit: \(detail.reason ?? code.description)"
            return (.declined, detail)
        }
    }

    private func modification(_ deadline: Deadline, _ merchant: MerchantProfile) async throws -> DeadlineOutcome {
        let found = try await context.database.read { tx in
            let modification = try ModificationRecords.find(deadline.subject, merchant: deadline.merchant, in: tx)
            return try modification.flatMap { found in
                try PaymentRecords.find(found.payment, merchant: deadline.merchant, in: tx).map { (found, $0) }
            }
        }
        guard let (modification, payment) = found, !modification.state.isSettled else { return .done }
        var event: Modification.Event?
        var detail = EventDetail(actor: "unionpay")
        if modification.kind == .reversal {
            // It is repeated by the outbox. Once the payment is known to have failed there is nothing left to reverse.
            if payment.state == .failed { (event, detail.reason) = (.declined, "nothing was taken") }
        } else if let reply = try await ask(
            modification.externalKey, modification.acquirerReference, merchant,
            about: ["payment": payment.id.description, modification.kind.rawValue: modification.id.description])
        {
            detail.acquirerReference = reply.original?.queryID?.description
            detail.settlementDay = reply.original?.settlementDay?.description
            detail.reason = reply.original.map { "\($0.code) \($0.message)" } ?? "\(reply.code) \(reply.message)"
            switch reply.verdict {
            case .paid: event = .succeeded
            case .declined: event = .declined
            case .disputed: context.alarm("disputed", payment: payment.id)
            case .unknown: break
            }
        }
        if let event {
            let (now, said, context) = (context.clock.now(), detail, context)
            let applied = try await context.database.write { tx in
                try context.store.apply(
                    event, toModification: modification.id, merchant: deadline.merchant, detail: said, at: now, in: tx)
            }
            if applied.state.isSettled { return .done }
        }
        return next(Int(clamping: deadline.attempt))
    }

    /// The reply, or `nil` when there is none that can be believed.
    private func ask(
        _ externalKey: String, _ reference: String?, _ merchant: MerchantProfile, about: [String: String]
    ) async throws -> QueryReply? {
        let body = try context.messages.query(externalKey, reference: reference, merchant: merchant)
        let answer = await context.connection.post(body, to: context.configuration.endpoints.query, title: "query", about: about)
        guard case .fields(let fields) = answer else { return nil }
        do throws(UnionPayError) {
            let reply = try Unverified<QueryReply>(fields).verified(by: merchant.verifier, at: context.clock.now().date)
            if let key = reply.key, key.description != externalKey { return nil }
            return reply
        } catch {
            context.trace.note("query refused", about: about, problem: "the reply is not believed: \(error.code)")
            return nil
        }
    }

    /// After the schedule's end the acquirer is asked at its last interval until the file of the day decides.
    private func next(_ attempt: Int) -> DeadlineOutcome {
        let waits = context.configuration.querySchedule
        guard let last = waits.last, attempt < waits.count + 24 else { return .done }
        return .again(at: context.clock.now().advanced(by: attempt < waits.count ? waits[attempt] : last))
    }
}
