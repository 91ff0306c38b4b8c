import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import UnionPay

extension CardPaymentsService {
    /// Takes a notification of the acquirer (apple-pay.md#notification): verify, find, compare, apply, commit; then the caller
    /// answers 200. One about nothing in the books is kept for people (``BillfoldPayments/UnmatchedNotice``). It throws when nothing was
    /// stored, and the acquirer sends again.
    ///
    /// - Parameter isReported: Whether the sender reports the message to the trace; then only what it cannot know is told here.
    func takeNotification(_ body: [UInt8], isReported: Bool) async throws {
        let fields: UnionPayFields
        do throws(UnionPayError) { fields = try FormBody.decode(body) } catch {
            throw refusal("the body is no form", of: nil, isReported: isReported, problem: "\(error.code)")
        }
        guard let acquirerID = fields["merId"].flatMap({ try? AcquirerMerchantID($0) }),
            let merchant = context.merchant(acquirerID: acquirerID)
        else { throw refusal("no such merchant", of: fields, isReported: isReported, problem: "merId is none of ours") }
        let notification: PaymentNotification
        do throws(UnionPayError) {
            notification = try Unverified<PaymentNotification>(fields).verified(by: merchant.verifier, at: context.clock.now().date)
        } catch {
            throw refusal("the notification is not believed", of: fields, isReported: isReported, problem: "\(error.code): \(error.reason)")
        }
        OwnTime.enter(merchant.id.description)
        switch notification.transactionType {
        case .consume: try await apply(notification, toPaymentOf: merchant, isReported)
        case .refund, .void: try await apply(notification, toModificationOf: merchant, isReported)
        case .query, .fileTransfer, .reversal:
            throw refusal("nothing of this type is notified", of: fields, isReported: isReported, problem: "txnType")
        }
    }

    private func apply(
        _ notification: PaymentNotification, toPaymentOf merchant: MerchantProfile, _ isReported: Bool
    ) async throws {
        let key = notification.key.description
        let (now, context, detail) = (context.clock.now(), context, try detail(notification, key))
        // Only successes are notified; anything else says nothing final.
        let event: PaymentEvent = notification.isSuccess ? .succeeded : .unresolved
        let heard = try await context.database.writeRepeatably { tx -> Heard in
            guard let payment = try PaymentRecords.find(externalKey: key, merchant: merchant.id, in: tx) else {
                let notice = Self.notice(notification, of: merchant, context, at: now)
                let links = AuditChain(key: context.configuration.keys.audit)
                return .ofNoPayment(first: try UnmatchedNoticeRecords.keep(notice, linking: links, in: tx) ? notice : nil)
            }
            guard notification.amount == payment.amount else { return .ofAnotherAmount(payment.id) }
            return .taken(
                try context.take(event, about: payment, merchant: merchant, detail: detail, at: now, in: tx), order: payment.order)
        }
        switch heard {
        case .ofNoPayment(let first): kept(first, of: notification, isReported: isReported)
        case .ofAnotherAmount(let payment):
            try await context.raise(
                .amountDiffers, on: payment, merchant: merchant, reason: "a notification names \(notification.amount.text)")
            throw mismatch("another amount", in: notification, isReported: isReported, about: payment)
        case .taken(let taken, let order):
            if !isReported { trace(notification, about: ["payment": taken.payment.description, "order": order.description]) }
            context.metrics.notification("applied")
            context.tell(taken)
        }
    }

    /// What a notification came to in the books.
    private enum Heard: Sendable {
        /// It is kept for people, who are told of the first copy.
        case ofNoPayment(first: UnmatchedNotice?)
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
            let notice = Self.notice(notification, of: merchant, context, at: context.clock.now())
            let links = AuditChain(key: context.configuration.keys.audit)
            let isNew = try await context.database.writeRepeatably { tx in
                try UnmatchedNoticeRecords.keep(notice, linking: links, in: tx)
            }
            return kept(isNew ? notice : nil, of: notification, isReported: isReported)
        }
        guard notification.amount == modification.amount else {
            try await context.raise(
                .amountDiffers, on: modification.payment, merchant: merchant,
                reason: "the notification of a \(kind.rawValue) names \(notification.amount.text)")
            throw mismatch("another amount", in: notification, isReported: isReported, about: modification.payment)
        }
        let (now, context, detail) = (context.clock.now(), context, try detail(notification, modification.externalKey))
        if !isReported {
            trace(notification, about: ["payment": modification.payment.description, kind.rawValue: modification.id.description])
        }
        let event: Modification.Event = notification.isSuccess ? .succeeded : .unresolved
        let taken = try await context.database.writeRepeatably { tx in
            try context.take(event, aboutModification: modification.id, merchant: merchant, detail: detail, at: now, in: tx)
        }
        context.metrics.notification("applied")
        context.tell(taken)
    }

    /// The notification as it is kept where the books know nothing of what it is about. `reqReserved` names the order of a payment of ours.
    private static func notice(
        _ notification: PaymentNotification, of merchant: MerchantProfile, _ context: ServiceContext, at now: Timestamp
    ) -> UnmatchedNotice {
        let type = notification.transactionType
        let kind = (type == .consume ? "payment" : type.title) + (notification.isSuccess ? "" : " without success")
        // One line a field, so a value has no line of its own.
        let shown = FieldGuide.decode(notification.fields).map { field in
            "\(field.name)=" + String(String.UnicodeScalarView(field.value.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
        }.joined(separator: "\n")
        return UnmatchedNotice(
            owner: merchant.id, id: context.identifiers.next(at: now), source: "unionpay", kind: kind,
            naturalKey: [
                type.rawValue, notification.key.description, notification.queryID.description, notification.code.description,
                notification.amount.description,
            ].joined(separator: " "),
            reference: notification.key.description, about: notification.reserved ?? "", amount: notification.amount,
            evidence: Array(shown.utf8), receivedAt: now)
    }

    /// Tells that a notification is kept. It is acknowledged like one that was applied: it is durable, and the acquirer, which sends five
    /// copies at most, has nothing to add.
    ///
    /// - Parameter first: The notice, where this is its first copy.
    private func kept(_ first: UnmatchedNotice?, of notification: PaymentNotification, isReported: Bool) {
        context.metrics.notification("kept")
        let about = ["unionpay.order": notification.key.order.description]
        if !isReported { trace(notification, about: about) }
        context.trace.note("notification kept for people", about: about, problem: "it speaks of nothing in the books")
        if let first { context.tell(first) }
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

    private func refusal(_ reason: String, of fields: UnionPayFields?, isReported: Bool, problem: String) -> CardPaymentsError {
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
        _ reason: String, in notification: PaymentNotification, isReported: Bool, about: TimeOrderedID? = nil
    ) -> CardPaymentsError {
        context.metrics.notification("mismatch")
        var ids = ["unionpay.order": notification.key.order.description]
        ids["payment"] = about?.description
        if !isReported { trace(notification, about: ids) }
        context.trace.note("notification not applied", about: ids, problem: reason)
        return CardPaymentsError(code: .notificationMismatch, reason: "the notification does not fit our records")
    }
}
