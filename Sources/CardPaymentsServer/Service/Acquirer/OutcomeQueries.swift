package import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Logging
import UnionPay

/// Asks the acquirer what became of payments, refunds and voids, by the stored deadlines (apple-pay.md#query).
package struct OutcomeQueries: DeadlineHandler {
    let context: ServiceContext

    package func fire(_ deadline: Deadline) async throws -> DeadlineOutcome {
        switch (deadline.kind, context.merchant(deadline.merchant)) {
        case (Deadline.paymentQuery, let merchant?), (Deadline.pushedPaymentQuery, let merchant?):
            return try await payment(deadline, merchant)
        case (Deadline.modificationQuery, let merchant?): return try await modification(deadline, merchant)
        default:
            // Another process, of a newer version or with another configuration, may know what this one does not.
            context.logger.error(
                "a deadline's kind or merchant is not known here",
                metadata: ["kind": "\(deadline.kind)", "merchant": "\(deadline.merchant)"])
            return .again(at: context.clock.now().advanced(by: .seconds(60)))
        }
    }

    private func payment(_ deadline: Deadline, _ merchant: MerchantProfile) async throws -> DeadlineOutcome {
        let found = try await context.database.read { tx in
            try PaymentRecords.find(deadline.subject, merchant: deadline.merchant, in: tx)
        }
        guard let payment = found, !payment.state.isSettled else { return .done }
        let reply = try await ask(
            payment.externalKey, reference: payment.acquirerReference, merchant: merchant,
            about: ["payment": payment.id.description, "order": payment.order.description])
        var event: PaymentEvent?
        var alarm: PaymentTransition.Alarm?
        var detail = EventDetail(actor: "unionpay")
        let isPushed = try PaymentDetail(payment.detail).pushed == true
        if let reply {
            detail = try said(reply, payment.externalKey)
            switch reply.verdict(of: payment.amount) {
            case .paid: event = .succeeded
            // Another card may be tried as long as the customer has time (unionpay-tn.md#query).
            case .declined where isPushed && !isPastTimeLimit(payment): break
            case .declined: event = .declined
            case .disputed: (event, alarm) = (.unresolved, .disputed)
            case .otherAmount:
                (event, alarm) = (.unresolved, .amountDiffers)
                detail.reason = "the acquirer names another amount"
            case .notPerformed(let code):
                // Past its time limit and a margin, a payment that the acquirer denies was not made.
                if isPastTimeLimit(payment) {
                    event = .declined
                    detail.reason = "not paid by its time limit: \(detail.reason ?? code.description)"
                }
            case .unknown: break
            }
        }
        if event == nil, isPushed ? isPastTimeLimit(payment) : isPastFastSchedule(deadline), payment.state != .unknown {
            (event, detail.reason) = (.unresolved, "no outcome on the fast schedule")
        }
        if let event {
            let (now, said, raised, context) = (context.clock.now(), detail, alarm, context)
            let taken = try await context.database.writeRepeatably { tx in
                try context.take(event, about: payment, merchant: merchant, detail: said, alarm: raised, at: now, in: tx)
            }
            context.tell(taken)
            if taken.isSettled { return .done }
        }
        if let due = try PaymentDetail(payment.detail).reversalDue, context.clock.now().microseconds >= due {
            let (now, id, context) = (context.clock.now(), payment.id, context)
            try await context.database.writeRepeatably { tx in
                _ = try context.closeSheet(of: id, merchant: merchant, at: now, in: tx)
            }
        }
        return try await next(
            after: deadline, of: payment.id, because: "the payment's outcome is not known", merchant: merchant,
            final: isPushed ? finalInstant(of: payment) : nil)
    }

    private func isPastTimeLimit(_ payment: Payment) -> Bool {
        finalInstant(of: payment).map { context.clock.now() > $0 } ?? false
    }

    /// The instant past which a denial by the acquirer is final.
    private func finalInstant(of payment: Payment) -> Timestamp? {
        let margin = QuerySchedule.settlingMargin.components.seconds
        guard let limit = try? PaymentDetail(payment.detail).payTimeout, limit < .max - margin else { return nil }
        return Timestamp(secondsSince1970: limit + margin)
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
        var alarm: PaymentTransition.Alarm?
        var detail = EventDetail(actor: "unionpay")
        if modification.kind == .reversal {
            // It is repeated by the outbox. Once the payment is known to have failed there is nothing left to reverse.
            if payment.state == .failed { (event, detail.reason) = (.declined, "nothing was taken") }
        } else if let reply = try await ask(
            modification.externalKey, reference: modification.acquirerReference, merchant: merchant,
            about: ["payment": payment.id.description, modification.kind.rawValue: modification.id.description])
        {
            detail = try said(reply, modification.externalKey)
            switch reply.verdict(of: modification.amount) {
            case .paid: event = .succeeded
            case .declined: event = .declined
            case .disputed: (event, alarm) = (.unresolved, .disputed)
            case .otherAmount: (event, alarm) = (.unresolved, .amountDiffers)
            case .notPerformed(.noSuchTransaction) where isPastFastSchedule(deadline):
                try await offerAgain(modification, merchant)
            case .notPerformed(let code) where isPastFastSchedule(deadline) && code.class != .retryLater:
                // The acquirer has it and refused it. [I]
                event = .declined
            case .notPerformed, .unknown: break
            }
        }
        if let event {
            let (now, said, raised, context) = (context.clock.now(), detail, alarm, context)
            let taken = try await context.database.writeRepeatably { tx in
                try context.take(
                    event, aboutModification: modification.id, merchant: merchant, detail: said, alarm: raised, at: now, in: tx)
            }
            context.tell(taken)
            if taken.isSettled { return .done }
        }
        return try await next(
            after: deadline, of: payment.id, because: "the \(modification.kind.rawValue)'s outcome is not known", merchant: merchant)
    }

    /// The acquirer does not have a refund or void that was sent: its message was lost, and the same bytes go again. A copy that
    /// arrives beside another is refused as a duplicate (12).
    private func offerAgain(_ modification: Modification, _ merchant: MerchantProfile) async throws {
        let (now, most) = (context.clock.now(), Self.mostCopies)
        try await context.database.writeRepeatably { tx in
            _ = try OutboxRecords.offerAgain(modification.id, merchant: merchant.id, limit: most, at: now, in: tx)
        }
    }

    private static let mostCopies: Int64 = 40

    func said(_ reply: BoundReply<QueryReply>, _ externalKey: String) throws -> EventDetail {
        EventDetail(
            actor: "unionpay", reason: reply.original.map { "\($0.code) \($0.message)" } ?? "\(reply.code) \(reply.message)",
            acquirerReference: reply.original?.queryID?.description,
            settlementDay: try reply.original?.settlementDay.map { try SettlementDate($0, of: externalKey).description })
    }

    /// The reply, or `nil` when there is none that can be believed.
    func ask(
        _ externalKey: String, reference: String?, merchant: MerchantProfile, about: [String: String]
    ) async throws -> BoundReply<QueryReply>? {
        let message = try context.messages.query(externalKey, reference: reference, merchant: merchant)
        let key = try TransactionKey(externalKey: externalKey)
        let answer = await context.connection.post(message, to: context.configuration.endpoints.query, title: "query", about: about)
        guard case .fields(let fields) = answer else { return nil }
        do throws(UnionPayError) {
            return try Unverified<QueryReply>(fields).verified(by: merchant.verifier, at: context.clock.now().date).bound(to: key)
        } catch {
            context.trace.note("query refused", about: about, problem: "the reply is not believed: \(error.code)")
            return nil
        }
    }

    private func isPastFastSchedule(_ deadline: Deadline) -> Bool { deadline.attempt >= QuerySchedule.backEnd.waits.count }

    /// After the schedule's end the acquirer is asked at its last interval for two days; then a person and the file must decide.
    ///
    /// - Parameter final: For a pushed order, the instant past which a denial counts. No wait leads past it: until it is asked then, the
    ///   order takes no other attempt.
    private func next(
        after deadline: Deadline, of payment: TimeOrderedID, because reason: String, merchant: MerchantProfile, final: Timestamp? = nil
    ) async throws -> DeadlineOutcome {
        let (configuration, now) = (context.configuration, context.clock.now())
        // The first question comes as soon as for any payment; a pushed order has its own schedule from then on.
        let isPushed = deadline.kind == Deadline.pushedPaymentQuery
        let waits = isPushed ? [.zero] + configuration.pushedQuerySchedule : configuration.querySchedule
        let attempt = Int(clamping: deadline.attempt)
        let comes = final.map { now <= $0 } ?? false
        // Servers of a version that does not know the kind count attempts at which nobody was asked.
        guard let last = waits.last, attempt < waits.count + 24 || comes else {
            try await context.raise(.outcomeUnknown, on: payment, merchant: merchant, reason: reason)
            return .done
        }
        let next = now.advanced(by: attempt < waits.count ? waits[attempt] : last)
        guard let final, comes else { return .again(at: next) }
        return .again(at: min(next, final.advanced(by: .seconds(1))))
    }
}

extension Deadline {
    /// Ask the acquirer what became of an order that was pushed. A kind of its own: servers of a version that knows no pushed orders
    /// leave it alone, and would judge such a payment like a deduct.
    static let pushedPaymentQuery = "pushed-payment-query"
}
