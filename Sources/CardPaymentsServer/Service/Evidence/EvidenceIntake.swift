import BillfoldEvents
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Logging
import UnionPay

/// What one piece of evidence changed. Its alarms are in the store already; whoever commits tells them to the operators.
struct Taken: Sendable {
    var payment: TimeOrderedID
    var isSettled: Bool
    var alarms: [PaymentTransition.Alarm]
    /// What the requests that wait for the payment are answered, and the keys under which it was stored for them.
    var answer: PaymentAnswer?
    var answeredKeys: Set<IdempotencyKey> = []
}

/// The one way by which what the acquirer says reaches the books, whoever heard it: reply, query, notification or file.
extension ServiceContext {
    /// Applies what was heard of a payment.
    ///
    /// - Parameter known: The payment as the caller has read it; one that has changed since is read again.
    func take(
        _ event: PaymentEvent, about known: Payment, merchant: MerchantProfile, detail: EventDetail,
        alarm: PaymentTransition.Alarm? = nil, at now: Timestamp, in tx: any Transaction
    ) throws -> Taken {
        var applied = [try store.apply(event, to: known, detail: detail, at: now, in: tx)]
        if let alarm { applied.append(try store.raise(alarm, on: known.id, merchant: merchant.id, detail: detail, at: now, in: tx)) }
        let payment = applied[applied.count - 1].payment
        try replaceReversal(of: payment, merchant, at: now, in: tx)
        var taken = Taken(payment: payment.id, isSettled: payment.state.isSettled, alarms: applied.flatMap(\.alarms))
        // The keys of the requests that wait here are finished with it, so that the outcome and its answer are one commit.
        let keys = taken.isSettled ? settlements.keys(waitingFor: payment.id) : []
        guard !keys.isEmpty else { return taken }
        let answer = PaymentAnswer(to: payment, policy: pendingPolicy(of: merchant))
        let stored = try JSONDocument.encode(answer)
        taken.answer = answer
        // A key that has its answer keeps it; who waits with it reads it.
        taken.answeredKeys = try keys.filter { try IdempotencyRecords.finish($0, result: stored, in: tx) }
        return taken
    }

    func take(
        _ event: Modification.Event, aboutModification id: TimeOrderedID, merchant: MerchantProfile, detail: EventDetail,
        alarm: PaymentTransition.Alarm? = nil, at now: Timestamp, in tx: any Transaction
    ) throws -> Taken {
        let applied = try store.apply(event, toModification: id, merchant: merchant.id, detail: detail, at: now, in: tx)
        let payment = applied.modification.payment
        var alarms = applied.payment?.alarms ?? []
        if let alarm { alarms += try store.raise(alarm, on: payment, merchant: merchant.id, detail: detail, at: now, in: tx).alarms }
        if let changed = applied.payment?.payment { try replaceReversal(of: changed, merchant, at: now, in: tx) }
        return Taken(payment: payment, isSettled: applied.modification.state.isSettled, alarms: alarms)
    }

    /// Tells what was committed. Call it after the commit.
    func tell(_ taken: Taken?) {
        guard let taken else { return }
        events.ring()
        if taken.isSettled { settlements.announce(taken.payment, answer: taken.answer, storedUnder: taken.answeredKeys) }
        for kind in taken.alarms { alarm(kind.rawValue, payment: taken.payment) }
    }

    /// Stores an alarm in a write of its own and tells it.
    func raise(_ kind: PaymentTransition.Alarm, on payment: TimeOrderedID, merchant: MerchantProfile, reason: String) async throws {
        let now = clock.now()
        let applied = try await database.writeRepeatably { [store] tx in
            try store.raise(
                kind, on: payment, merchant: merchant.id, detail: EventDetail(actor: "unionpay", reason: reason), at: now, in: tx)
        }
        for kind in applied.alarms { alarm(kind.rawValue, payment: payment) }
    }

    /// A payment that was to be reversed and was taken all the same is given back: by a void while its settlement day lasts, by a
    /// refund afterwards or where the void has failed. Each is tried once; the alarm stays in any case.
    private func replaceReversal(of payment: Payment, _ merchant: MerchantProfile, at now: Timestamp, in tx: any Transaction) throws {
        guard payment.standing.isToBeUndone, payment.reserved == 0 else { return }
        let tried = Set(try ModificationRecords.find(payment: payment.id, merchant: merchant.id, in: tx).map(\.kind))
        let isOpenDay = payment.settlementDay == now.beijing.settlementDate.description
        guard let kind: Modification.Kind = !tried.contains(.void) && isOpenDay ? .void : tried.contains(.refund) ? nil : .refund else {
            return
        }
        let reason = "the reversal had no effect"
        let undo: (Modification, OutboxMessage)
        do {
            undo = try undoing(
                kind, id: undoingID("replacement \(kind.rawValue)", of: payment, merchant), of: payment, amount: payment.amount,
                reason: reason,
                merchant: merchant, lease: .zero, at: now)
        } catch {
            // What the acquirer said is stored all the same. The reversal's alarm stays open, and a person acts.
            logger.error(
                "a reversal could not be replaced",
                metadata: ["payment": "\(payment.id)", "error": "\(ErrorMapping.logDescription(of: error))"])
            return
        }
        _ = try store.begin(undo.0, detail: EventDetail(actor: "system", reason: reason), at: now, message: { _ in undo.1 }, in: tx)
    }

    /// The id of a refund or void that is made of what it is for: the same for the same intent, whatever was lost since.
    func undoingID(_ intent: String, of payment: Payment, _ merchant: MerchantProfile) throws -> TimeOrderedID {
        let sent = Timestamp(secondsSince1970: try TransactionKey(externalKey: payment.externalKey).time.secondsSince1970)
        return issued.id(ofIntent: Array("\(intent)\n\(payment.id)".utf8), at: sent, for: merchant.id)
    }

    /// A refund or void with its signed message; nothing is stored.
    func undoing(
        _ kind: Modification.Kind, id: TimeOrderedID, of payment: Payment, amount: Amount, reason: String?, merchant: MerchantProfile,
        lease: Duration, at now: Timestamp
    ) throws -> (Modification, OutboxMessage) {
        let key = try messages.key(id, merchant: merchant, at: now)
        let modification = Modification(
            merchant: merchant.id, id: id, payment: payment.id, kind: kind, amount: amount, externalKey: key.description, reason: reason,
            at: now)
        let original: OriginalReference =
            try payment.acquirerReference.map { .queryID(try QueryID($0)) } ?? .key(TransactionKey(externalKey: payment.externalKey))
        let product = try PaymentDetail(payment.detail).businessType
        let message =
            kind == .void
            ? try messages.void(modification, original: original, product: product, merchant: merchant)
            : try messages.refund(modification, original: original, product: product, merchant: merchant)
        let row = try messages.row(
            kind == .void ? .void : .refund, message, subject: id, version: 1, merchant: merchant, lease: lease, at: now)
        return (modification, row)
    }
}
