import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import UnionPay

/// `POST /v1/payments/{id}/refunds`.
struct RefundRequestBody: Sendable {
    var amount: String
    var reason: String?

    init(_ bytes: [UInt8]) throws(CardPaymentsError) {
        let body = try RequestReader(bytes, allowing: ["amount", "reason"])
        amount = try body.text("amount", maximum: 32)
        reason = try body.optionalText("reason")
    }
}

extension CardPaymentsService {
    private enum Begun: Sendable {
        case new(OutboxMessage)
        case known(TimeOrderedID)
    }

    func known(_ id: String, merchant: MerchantProfile) async throws -> Payment? {
        guard let id = try? TimeOrderedID(text: id) else { return nil }
        return try await context.database.read { tx in try PaymentRecords.find(id, merchant: merchant.id, in: tx) }
    }

    func payment(_ id: String, merchant: MerchantProfile) async throws -> Payment {
        guard let found = try await known(id, merchant: merchant) else {
            throw CardPaymentsError(code: .paymentNotFound, reason: "the merchant has no such payment")
        }
        return found
    }

    func report(_ payment: Payment) async throws -> PaymentReport {
        let modifications = try await context.database.read { tx in
            try ModificationRecords.find(payment: payment.id, merchant: payment.merchant, in: tx)
        }
        return PaymentReport(payment, modifications)
    }

    func refundView(_ id: String, merchant: MerchantProfile) async throws -> ModificationView {
        let found = try await context.database.read { tx -> Modification? in
            guard let id = try? TimeOrderedID(text: id) else { return nil }
            return try ModificationRecords.find(id, merchant: merchant.id, in: tx)
        }
        guard let found, found.kind == .refund else {
            throw CardPaymentsError(code: .refundNotFound, reason: "the merchant has no such refund")
        }
        return ModificationView(found)
    }

    /// Gives back part or all of a payment. The answer tells the state after the acquirer's synchronous reply, which is
    /// "accepted" at best; a repeated request reports progress.
    func refund(_ id: String, _ body: RefundRequestBody, key: String, merchant: MerchantProfile) async throws -> ModificationView {
        let payment = try await payment(id, merchant: merchant)
        let amount: Amount
        do throws(MoneyError) { amount = try Amount(body.amount, currency: payment.currency, fraction: .exact) } catch {
            throw CardPaymentsError(code: .invalidAmount, reason: error.reason)
        }
        guard amount.isPositive else { throw CardPaymentsError(code: .invalidAmount, reason: "a refund gives back more than nothing") }
        return try await modify(
            .refund, payment, amount, reason: body.reason, key: key, merchant: merchant, operation: "POST /v1/payments/{id}/refunds",
            parts: [Array(id.utf8), Array(amount.minorUnitText.utf8), Array((body.reason ?? "").utf8)])
    }

    /// Undoes a whole payment: a void where it is known to have succeeded and its settlement day lasts, a reversal where its
    /// outcome is not known (reference section 8.7).
    func cancel(_ id: String, key: String, merchant: MerchantProfile) async throws -> ModificationView {
        let payment = try await payment(id, merchant: merchant)
        return try await modify(
            payment.state.isSettled ? .void : .reversal, payment, payment.amount, reason: "cancellation", key: key, merchant: merchant,
            operation: "POST /v1/payments/{id}/cancellation", parts: [Array(id.utf8)])
    }

    private func modify(
        _ kind: Modification.Kind, _ payment: Payment, _ amount: Amount, reason: String?, key: String, merchant: MerchantProfile,
        operation: String, parts: [[UInt8]]
    ) async throws -> ModificationView {
        let now = context.clock.now()
        let idempotency = try IdempotencyKey(caller: merchant.id.description, operation: operation, key: key)
        let fingerprint = RequestFingerprint(parts: [Array(operation.utf8)] + parts)
        let id = context.identifiers.next(at: now)
        let context = context
        let begun = try await context.database.write { tx -> Begun in
            switch try IdempotencyRecords.begin(idempotency, fingerprint: fingerprint, subject: id, at: now, in: tx) {
            case .unseen: break
            case .running(let subject?): return .known(subject)
            case .finished(let result): return .known(try TimeOrderedID(bytes: result))
            case .running(nil), .conflict: throw Self.idempotencyConflict
            }
            guard kind != .reversal else {
                let reversal = try Self.beginReversal(of: payment, merchant, context, by: "merchant", at: now, in: tx)
                try IdempotencyRecords.finish(idempotency, result: reversal.id.bytes, in: tx)
                return .known(reversal.id)
            }
            let message = try Self.begin(kind, id, payment.id, amount, reason, merchant, context, at: now, in: tx)
            try IdempotencyRecords.finish(idempotency, result: id.bytes, in: tx)
            return .new(message)
        }
        let subject: TimeOrderedID
        switch begun {
        case .known(let known): subject = known
        case .new(let message):
            try await send(message)
            subject = id
        }
        let stored = try await context.database.read { tx in try ModificationRecords.find(subject, merchant: merchant.id, in: tx) }
        guard let stored else { throw CardPaymentsError(code: .refundNotFound, reason: "the modification is gone") }
        return ModificationView(stored)
    }

    private static func begin(
        _ kind: Modification.Kind, _ id: TimeOrderedID, _ paymentID: TimeOrderedID, _ amount: Amount, _ reason: String?,
        _ merchant: MerchantProfile, _ context: ServiceContext, at now: Timestamp, in tx: any Transaction
    ) throws -> OutboxMessage {
        guard let payment = try PaymentRecords.find(paymentID, merchant: merchant.id, in: tx) else {
            throw CardPaymentsError(code: .paymentNotFound, reason: "the merchant has no such payment")
        }
        let key = try context.messages.key(id, merchant: merchant, at: now)
        if kind == .void, payment.state == .succeeded, let day = payment.settlementDay, day != key.time.settlementDay.description {
            throw CardPaymentsError(code: .voidTooLate, reason: "the settlement day is over; refund instead")
        }
        let modification = Modification(
            merchant: merchant.id, id: id, payment: payment.id, kind: kind, amount: amount, externalKey: key.description, reason: reason,
            at: now)
        guard let reference = payment.acquirerReference.flatMap({ try? QueryID($0) }) else {
            throw CardPaymentsError(code: .wrongState, reason: "the acquirer has not confirmed the payment")
        }
        let body =
            kind == .void
            ? try context.messages.void(modification, original: reference, merchant: merchant)
            : try context.messages.refund(modification, original: reference, merchant: merchant)
        let row = try context.messages.row(
            kind == .void ? .void : .refund, body, subject: id, version: 1, merchant: merchant, lease: context.configuration.requestLease,
            at: now)
        _ = try context.store.begin(
            modification, detail: EventDetail(actor: "merchant", reason: reason), at: now, message: { _ in row }, in: tx)
        return row
    }
}
