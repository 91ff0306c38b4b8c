import ApplePay
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import UnionPay

extension CardPaymentsService {
    private enum Begun: Sendable {
        case new(OutboxMessage)
        case known(TimeOrderedID)
        case refused(StoredRefusal)
    }

    func known(_ id: String, merchant: MerchantProfile) async throws -> Payment? {
        guard let id = try? TimeOrderedID(text: id) else { return nil }
        return try await context.database.read { tx in try PaymentRecords.find(id, merchant: merchant.id, in: tx) }
    }

    func payment(_ id: String, merchant: MerchantProfile) async throws -> Payment {
        guard let found = try await known(id, merchant: merchant) else {
            throw missing(id, merchant: merchant, as: "payment", code: .paymentNotFound)
        }
        return found
    }

    /// What is said of an id without a row: one that was given out may stand for money, and its absence says nothing.
    private func missing(_ id: String, merchant: MerchantProfile, as thing: String, code: CardPaymentsError.Code) -> CardPaymentsError {
        if let id = try? TimeOrderedID(text: id), context.issued.haveIssued(id, to: merchant.id) { return .lost(thing) }
        return CardPaymentsError(code: code, reason: "the merchant has no such \(thing)")
    }

    func modifications(of payment: Payment) async throws -> [Modification] {
        try await context.database.read { tx in
            try ModificationRecords.find(payment: payment.id, merchant: payment.merchant, in: tx)
        }
    }

    func refund(_ id: String, merchant: MerchantProfile) async throws -> Modification {
        let found = try await context.database.read { tx -> Modification? in
            guard let id = try? TimeOrderedID(text: id) else { return nil }
            return try ModificationRecords.find(id, merchant: merchant.id, in: tx)
        }
        guard let found else { throw missing(id, merchant: merchant, as: "refund", code: .refundNotFound) }
        guard found.kind == .refund else {
            throw CardPaymentsError(code: .refundNotFound, reason: "the merchant has no such refund")
        }
        return found
    }

    /// Gives back part or all of a payment. The answer tells the state after the acquirer's synchronous reply, which is
    /// "accepted" at best; a repeated request reports progress.
    func refund(_ id: String, _ body: RefundRequestBody, key: String, merchant: MerchantProfile) async throws -> Modification {
        let payment = try await payment(id, merchant: merchant)
        let amount: Amount
        do throws(MoneyError) { amount = try Amount(body.amount, currency: payment.currency, fraction: .exact) } catch {
            throw CardPaymentsError(code: .invalidAmount, reason: error.reason)
        }
        guard amount.isPositive else { throw CardPaymentsError(code: .invalidAmount, reason: "a refund gives back more than nothing") }
        return try await modify(
            .refund, of: payment, amount: amount, reason: body.reason, key: key, merchant: merchant,
            operation: "POST /v1/payments/{id}/refunds",
            parts: [Array(id.utf8), Array(amount.minorUnitText.utf8), Array((body.reason ?? "").utf8)])
    }

    /// Undoes a whole payment: a void where it is known to have succeeded and its settlement day lasts, a reversal where its
    /// outcome is not known (apple-pay.md#undoing).
    func cancel(_ id: String, key: String, merchant: MerchantProfile) async throws -> Modification {
        let payment = try await payment(id, merchant: merchant)
        return try await modify(
            payment.state.isSettled ? .void : .reversal, of: payment, amount: payment.amount, reason: "cancellation", key: key,
            merchant: merchant,
            operation: "POST /v1/payments/{id}/cancellation", parts: [Array(id.utf8)])
    }

    private func modify(
        _ kind: Modification.Kind, of payment: Payment, amount: Amount, reason: String?, key: String, merchant: MerchantProfile,
        operation: String, parts: [[UInt8]]
    ) async throws -> Modification {
        let now = context.clock.now()
        let idempotency = try IdempotencyKey(caller: merchant.id.description, operation: operation, key: key)
        let fingerprint = RequestFingerprint(parts: [Array(operation.utf8)] + parts)
        // Made of the request: where a failover loses the row and the caller asks again, the acquirer is sent the same number again.
        let id = try context.undoingID("\(operation)\n\(key)", of: payment, merchant)
        let context = context
        let made = Latest<OutboxMessage>()
        let begun: Begun
        do {
            begun = try await context.database.writeRepeatably { tx -> Begun in
                if let earlier = try Self.earlier(
                    idempotency, fingerprint: fingerprint, id: id, made: made.value, merchant: merchant, at: now, in: tx)
                {
                    return earlier
                }
                if let known = try ModificationRecords.find(id, merchant: merchant.id, in: tx) {
                    // Its key is lost and it is not: people have booked it, or another request with the key has.
                    guard known.payment == payment.id, known.amount == amount else { throw Self.idempotencyConflict }
                    try IdempotencyRecords.finish(idempotency, result: id.bytes, in: tx)
                    return .known(id)
                }
                guard kind != .reversal else {
                    let reversal = try context.beginReversal(of: payment, merchant: merchant, id: id, by: "merchant", at: now, in: tx)
                    try IdempotencyRecords.finish(idempotency, result: reversal.id.bytes, in: tx)
                    return .known(reversal.id)
                }
                let message = try Self.begin(
                    kind, id: id, of: payment.id, amount: amount, reason: reason, merchant: merchant, context: context, at: now, in: tx)
                try IdempotencyRecords.finish(idempotency, result: id.bytes, in: tx)
                made.set(message)
                return .new(message)
            }
        } catch {
            // A refusal is a final answer too: a late copy of the request must not move money once the state allows it.
            guard let refusal = StoredRefusal(error) else { throw error }
            begun = try await context.database.writeRepeatably { tx -> Begun in
                if let earlier = try Self.earlier(
                    idempotency, fingerprint: fingerprint, id: id, made: made.value, merchant: merchant, at: now, in: tx)
                {
                    return earlier
                }
                try IdempotencyRecords.finish(idempotency, result: JSONDocument.encode(refusal), in: tx)
                return .refused(refusal)
            }
        }
        do {
            let subject: TimeOrderedID
            switch begun {
            case .refused(let refusal): throw refusal.error
            case .known(let known): subject = known
            case .new(let message):
                try await send(message)
                subject = id
            }
            let stored = try await context.database.read { tx in try ModificationRecords.find(subject, merchant: merchant.id, in: tx) }
            guard let stored else { throw CardPaymentsError(code: .refundNotFound, reason: "the modification is gone") }
            return stored
        } catch {
            throw afterSending(error)
        }
    }

    /// Takes the key, or says what became of the request that took it.
    ///
    /// - `made`: The message of this very request, where it has made one.
    private static func earlier(
        _ key: IdempotencyKey, fingerprint: RequestFingerprint, id: TimeOrderedID, made: OutboxMessage?, merchant: MerchantProfile,
        at now: Timestamp, in tx: any Transaction
    ) throws -> Begun? {
        switch try IdempotencyRecords.begin(key, fingerprint: fingerprint, subject: id, at: now, in: tx) {
        case .unseen: return nil
        case .finished(let result):
            if let refusal = try? JSONDocument.decode(StoredRefusal.self, result) { return .refused(refusal) }
            // Our own message: this write was done already, and its commit's answer was lost.
            if let made, try OutboxRecords.find(id, merchant: merchant.id, in: tx)?.body == made.body { return .new(made) }
            return .known(try TimeOrderedID(bytes: result))
        case .running(let subject?): return .known(subject)
        case .running(nil), .conflict: throw idempotencyConflict
        }
    }

    private static func begin(
        _ kind: Modification.Kind, id: TimeOrderedID, of paymentID: TimeOrderedID, amount: Amount, reason: String?,
        merchant: MerchantProfile, context: ServiceContext, at now: Timestamp, in tx: any Transaction
    ) throws -> OutboxMessage {
        guard let payment = try PaymentRecords.find(paymentID, merchant: merchant.id, in: tx) else {
            throw CardPaymentsError(code: .paymentNotFound, reason: "the merchant has no such payment")
        }
        if kind == .void, payment.state == .succeeded, let day = payment.settlementDay, day != now.beijing.settlementDate.description {
            throw CardPaymentsError(code: .voidTooLate, reason: "the settlement day is over; refund instead")
        }
        let (modification, row) = try context.undoing(
            kind, id: id, of: payment, amount: amount, reason: reason, merchant: merchant, lease: context.configuration.requestLease,
            at: now)
        _ = try context.store.begin(
            modification, detail: EventDetail(actor: "merchant", reason: reason), at: now, message: { _ in row }, in: tx)
        return row
    }
}
