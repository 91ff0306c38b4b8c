import ApplePay
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import UnionPay

extension CardPaymentsService {
    /// A modification that stands, with the message that is left to this request.
    private struct Begun: Sendable {
        var id: TimeOrderedID
        var message: OutboxMessage?
        /// What was answered under the key before.
        var answer: [UInt8]?
        var isReplayed = false
    }

    func known(_ id: String, merchant: MerchantProfile) async throws -> Payment? {
        guard let id = try? TimeOrderedID(text: id) else { return nil }
        return try await context.database.read { tx in try PaymentRecords.find(id, merchant: merchant.id, in: tx) }
    }

    func payment(_ id: String, merchant: MerchantProfile) async throws -> Payment {
        guard let found = try await known(id, merchant: merchant) else {
            throw try await missing(id, as: .payment, merchant: merchant)
        }
        return found
    }

    func refund(_ id: String, merchant: MerchantProfile) async throws -> ModificationView {
        let found = try await context.database.read { tx -> ListedModification? in
            guard let id = try? TimeOrderedID(text: id) else { return nil }
            return try ModificationRecords.find(id, merchant: merchant.id, in: tx).map {
                ListedModification(modification: $0, view: try Self.view(of: $0, in: tx))
            }
        }
        guard let found, found.modification.kind == .refund else { throw try await missing(id, as: .refund, merchant: merchant) }
        return found.view
    }

    /// Gives back part or all of a payment. The answer tells the state after the acquirer's synchronous reply, which is
    /// "accepted" at best; a repeated request gets it again, and the refund's own page tells how it went on.
    ///
    /// - Parameters:
    ///   - id: The payment's.
    ///   - body: How much, and why.
    ///   - key: The caller's name for the request.
    ///   - merchant: Who asks.
    func refund(_ id: String, _ body: RefundRequestBody, key: String, merchant: MerchantProfile) async throws -> GivenAnswer {
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
    func cancel(_ id: String, key: String, merchant: MerchantProfile) async throws -> GivenAnswer {
        let payment = try await payment(id, merchant: merchant)
        return try await modify(
            payment.state.isSettled ? .void : .reversal, of: payment, amount: payment.amount, reason: "cancellation", key: key,
            merchant: merchant,
            operation: "POST /v1/payments/{id}/cancellation", parts: [Array(id.utf8)])
    }

    private func modify(
        _ kind: Modification.Kind, of payment: Payment, amount: Amount, reason: String?, key: String, merchant: MerchantProfile,
        operation: String, parts: [[UInt8]]
    ) async throws -> GivenAnswer {
        let now = context.clock.now()
        let idempotency = try IdempotencyKey(caller: merchant.id.description, operation: operation, key: key)
        let fingerprint = RequestFingerprint(parts: [Array(operation.utf8)] + parts)
        // Made of the request: where a failover loses the row and the caller asks again, the acquirer is sent the same number again.
        let id = try context.undoingID("\(operation)\n\(key)", of: payment, merchant)
        let keyed = KeyedRequest(idempotency, fingerprint: fingerprint, subject: id, at: now)
        let (context, made) = (context, Latest<OutboxMessage>())
        // A refusal is a final answer too: a late copy of the request must not move money once the state allows it.
        let decided = try await context.database.decideOnce(
            keyed, keeping: { error in try StoredRefusal(error).map { try JSONDocument.encode($0) } }
        ) { tx -> ([UInt8], Begun) in
            if let known = try ModificationRecords.find(id, merchant: merchant.id, in: tx) {
                // Its key is lost and it is not: people have booked it, or another request with the key has.
                guard known.payment == payment.id, known.amount == amount else { throw Self.idempotencyConflict }
                return (id.bytes, Begun(id: id))
            }
            guard kind != .reversal else {
                let reversal = try context.beginReversal(of: payment, merchant: merchant, id: id, by: "merchant", at: now, in: tx)
                return (reversal.id.bytes, Begun(id: reversal.id))
            }
            let message = try Self.begin(
                kind, id: id, of: payment.id, amount: amount, reason: reason, merchant: merchant, context: context, at: now, in: tx)
            made.set(message)
            return (id.bytes, Begun(id: id, message: message))
        }
        do {
            let begun: Begun
            switch decided {
            case .now(let new): begun = new
            case .before(let outcome): begun = try await earlier(outcome, made: made.value)
            }
            if let message = begun.message { try await send(message) }
            return try await give(begun, under: idempotency, merchant: merchant)
        } catch {
            throw afterSending(error)
        }
    }

    /// The first answer that was given under the key, or the one that is given now and kept there.
    private func give(_ begun: Begun, under key: IdempotencyKey, merchant: MerchantProfile) async throws -> GivenAnswer {
        let stored = try await context.database.read { tx in
            try ModificationRecords.find(begun.id, merchant: merchant.id, in: tx).map {
                ListedModification(modification: $0, view: try Self.view(of: $0, in: tx))
            }
        }
        guard let stored else { throw CardPaymentsError(code: .refundNotFound, reason: "the modification is gone") }
        let about = [stored.modification.kind.rawValue: stored.modification.id.description]
        if let first = begun.answer { return GivenAnswer(body: first, isReplayed: true, about: about) }
        let given = try JSONDocument.encode(stored.view)
        let first = try await context.database.writeRepeatably { tx in
            try IdempotencyRecords.keep(KeptAnswer(begun.id, answer: given), under: key, in: tx)
        }
        return GivenAnswer(body: first ?? given, isReplayed: begun.isReplayed, about: about)
    }

    /// What became of the request that has the key.
    ///
    /// - Parameter made: The message of this very request, where a run of its write has made one.
    private func earlier(_ outcome: IdempotencyOutcome, made: OutboxMessage?) async throws -> Begun {
        if case .finished(let result) = outcome, let refusal = try? JSONDocument.decode(StoredRefusal.self, result) {
            throw refusal.error.replayed
        }
        guard let id = outcome.object else { throw Self.idempotencyConflict }
        var known = Begun(id: id, isReplayed: true)
        if case .finished(let result) = outcome { known.answer = KeptAnswer(stored: result)?.answer }
        guard let made else { return known }
        let stored = try await context.database.lookup { tx in try OutboxRecords.find(made.id, merchant: made.merchant, in: tx) }
        // Our own message: the write was done already, and its commit's answer was lost.
        if stored?.body == made.body { (known.message, known.isReplayed) = (made, false) }
        return known
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
