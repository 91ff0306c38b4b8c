import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import BillfoldTrace
import UnionPay

extension CardPaymentsService {
    /// Takes a notification of the acquirer (reference section 8.5): verify, find, compare, apply, commit; then the caller
    /// answers 200. It throws when nothing was stored, and the acquirer sends again.
    ///
    /// - Parameter isReported: Whether the sender reports the message to the trace; then only what it cannot know is told here.
    func takeNotification(_ body: [UInt8], isReported: Bool) async throws {
        let fields: UnionPayFields
        do throws(UnionPayError) { fields = try FormBody.decode(body) } catch {
            throw refusal("the body is no form", nil, isReported, problem: "\(error.code)")
        }
        guard let acquirerID = fields["merId"].flatMap({ try? AcquirerMerchantID($0) }),
            let merchant = context.merchant(acquirerID: acquirerID)
        else { throw refusal("no such merchant", fields, isReported, problem: "merId is none of ours") }
        let notification: PaymentNotification
        do throws(UnionPayError) {
            notification = try Unverified<PaymentNotification>(fields).verified(by: merchant.verifier, at: context.clock.now().date)
        } catch {
            throw refusal("the notification is not believed", fields, isReported, problem: "\(error.code): \(error.reason)")
        }
        switch notification.transactionType {
        case .consume: try await apply(notification, toPaymentOf: merchant, isReported)
        case .refund, .void: try await apply(notification, toModificationOf: merchant, isReported)
        case .query, .fileTransfer, .reversal: throw refusal("nothing of this type is notified", fields, isReported, problem: "txnType")
        }
        context.metrics.notification("applied")
    }

    private func apply(
        _ notification: PaymentNotification, toPaymentOf merchant: MerchantProfile, _ isReported: Bool
    ) async throws {
        let key = notification.key.description
        let (now, context, detail) = (context.clock.now(), context, try detail(notification, key))
        // Only successes are notified; anything else says nothing final.
        let event: PaymentEvent = notification.isSuccess ? .succeeded : .unresolved
        let heard = try await context.database.writeRepeatably { tx -> Heard in
            guard let payment = try PaymentRecords.find(externalKey: key, merchant: merchant.id, in: tx) else { return .ofNoPayment }
            guard notification.amount == payment.amount else { return .ofAnotherAmount(payment.id) }
            return .taken(
                try context.take(event, about: payment, merchant: merchant, detail: detail, at: now, in: tx), order: payment.order)
        }
        switch heard {
        case .ofNoPayment: throw mismatch("no such payment", notification, isReported)
        case .ofAnotherAmount(let payment):
            try await context.raise(
                .amountDiffers, on: payment, merchant: merchant, reason: "a notification names \(notification.amount.text)")
            throw mismatch("another amount", notification, isReported, about: payment)
        case .taken(let taken, let order):
            if !isReported { trace(notification, about: ["payment": taken.payment.description, "order": order.description]) }
            context.tell(taken)
        }
    }

    /// What a notification came to in the books. Only the last changed anything.
    private enum Heard: Sendable {
        case ofNoPayment
        case ofAnotherAmount(TimeOrderedID)
        case taken(Taken, order: TimeOrderedID)
    }

    private func apply(
        _ notification: PaymentNotification, toModificationOf merchant: MerchantProfile, _ isReported: Bool
    ) async throws {
        let key = notification.key.description
        let found = try await context.database.lookup { tx in try ModificationRecords.find(externalKey: key, merchant: merchant.id, in: tx)
        }
        let kind: Modification.Kind = notification.transactionType == .refund ? .refund : .void
        guard let modification = found, modification.kind == kind else {
            throw mismatch("no such \(kind.rawValue)", notification, isReported)
        }
        guard notification.amount == modification.amount else {
            try await context.raise(
                .amountDiffers, on: modification.payment, merchant: merchant,
                reason: "the notification of a \(kind.rawValue) names \(notification.amount.text)")
            throw mismatch("another amount", notification, isReported, about: modification.payment)
        }
        let (now, context, detail) = (context.clock.now(), context, try detail(notification, modification.externalKey))
        if !isReported {
            trace(notification, about: ["payment": modification.payment.description, kind.rawValue: modification.id.description])
        }
        let event: Modification.Event = notification.isSuccess ? .succeeded : .unresolved
        let taken = try await context.database.writeRepeatably { tx in
            try context.take(event, aboutModification: modification.id, merchant: merchant, detail: detail, at: now, in: tx)
        }
        context.tell(taken)
    }

    private func detail(_ notification: PaymentNotification, _ externalKey: String) throws -> EventDetail {
        EventDetail(
            actor: "unionpay", reason: "\(notification.code) \(notification.message)",
            acquirerReference: notification.queryID.description,
            settlementDay: try notification.settlementDay.map { try SettlementDate($0, of: externalKey).description })
    }

    private func trace(_ notification: PaymentNotification, about: [String: String]) {
        context.trace.message(
            "\(notification.transactionType.title) notification", .notification, from: MessageTrace.unionPay, to: MessageTrace.merchant,
            fields: notification.fields, about: about)
    }

    private func refusal(_ reason: String, _ fields: UnionPayFields?, _ isReported: Bool, problem: String) -> CardPaymentsError {
        context.metrics.notification("refused")
        if isReported {
            context.trace.note(
                "notification refused", about: fields?["orderId"].map { ["unionpay.order": $0] } ?? [:], problem: problem)
        } else {
            context.trace.unbelieved("notification", .notification, fields: fields, problem: problem)
        }
        return CardPaymentsError(code: .notificationRefused, reason: reason)
    }

    private func mismatch(
        _ reason: String, _ notification: PaymentNotification, _ isReported: Bool, about: TimeOrderedID? = nil
    ) -> CardPaymentsError {
        context.metrics.notification("mismatch")
        var ids = ["unionpay.order": notification.key.order.description]
        ids["payment"] = about?.description
        if !isReported { trace(notification, about: ids) }
        context.trace.note("notification not applied", about: ids, problem: reason)
        return CardPaymentsError(code: .notificationMismatch, reason: "the notification does not fit our records")
    }
}
