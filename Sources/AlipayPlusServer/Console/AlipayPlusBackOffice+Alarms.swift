import AlipayPlus
import BillfoldPayments
import BillfoldServer
import BillfoldStorage

/// What a person does about an alarm. Each answers false, and changes nothing, where the alarm is not open any more.
extension AlipayPlusBackOffice {
    /// Has the wallet asked once more for what it refused or did not answer. If it does so again, the alarm comes back.
    package func retry(_ alarm: AcquiringAlarm, because reason: String, by person: String) async throws -> Bool {
        try await dealing(with: alarm, by: person) { open, acquirer, now, tx in
            let given = try given(up: open.subject, acquirer, in: tx)
            guard !given.isEmpty else { return false }
            for letter in given {
                guard
                    try OutboxRecords.resolve(
                        letter.message.id, merchant: acquirer, action: .retry, by: person, because: reason, at: now, linking: links, in: tx)
                else { return false }
            }
            if open.kind == .legStuck {
                let isGivingBack = given.contains { $0.message.kind == WalletErrand.Kind.giveBack.rawValue }
                try apply(.retried(leg: open.subject, isGivingBack: isGivingBack), to: open, by: person, at: now, in: tx)
            }
            return true
        }
    }

    /// Marks as dealt with what moves nothing: a wallet's word about another amount.
    package func clear(_ alarm: AcquiringAlarm, because reason: String, by person: String) async throws -> Bool {
        guard alarm.kind == AcquirerPaymentAlarm.Kind.amountDiffers.rawValue else { return false }
        return try await dealing(with: alarm, by: person) { open, acquirer, now, tx in
            try AuditRecords.append(
                to: "operators", by: person, action: "alarm.clear", object: open.subject.description, result: reason, at: now,
                merchant: acquirer, linking: links, in: tx)
            return true
        }
    }

    /// Books what the wallet's operators have done by hand: what it had collected in vain went back, or the refund was paid. A payment that
    /// waited for it goes on.
    func settle(_ alarm: AcquiringAlarm, because reason: String, by people: String) async throws -> Bool {
        guard alarm.kind != AcquirerPaymentAlarm.Kind.amountDiffers.rawValue else { return false }
        return try await dealing(with: alarm, by: people) { open, acquirer, now, tx in
            for letter in try given(up: open.subject, acquirer, in: tx) {
                _ = try OutboxRecords.resolve(
                    letter.message.id, merchant: acquirer, action: .discard, by: people, because: reason, at: now, linking: links, in: tx)
            }
            switch open.kind {
            case .legStuck: try apply(.legReturned(leg: open.subject), to: open, by: people, at: now, in: tx)
            case .refundRefused: try context.store.finish(open.subject, acquirer: acquirer, failure: nil, at: now, in: tx)
            case .amountDiffers: break
            }
            try AuditRecords.append(
                to: "operators", by: people, action: "alarm.settle", object: open.subject.description, result: reason, at: now,
                merchant: acquirer, linking: links, in: tx)
            return true
        }
    }

    private var links: AuditChain { AuditChain(key: context.configuration.keys.audit) }

    private func dealing(
        with alarm: AcquiringAlarm, by person: String,
        _ body: @escaping @Sendable (AcquirerPaymentAlarm, MerchantID, Timestamp, any Transaction) throws -> Bool
    ) async throws -> Bool {
        guard let acquirer = try? MerchantID(alarm.acquirer), let subject = try? TimeOrderedID(text: alarm.subject),
            let kind = AcquirerPaymentAlarm.Kind(rawValue: alarm.kind)
        else { return false }
        let now = context.clock.now()
        return try await context.database.writeRepeatably { tx in
            guard let open = try AcquirerPaymentAlarmRecords.find(kind, of: subject, acquirer: acquirer, in: tx) else { return false }
            guard try body(open, acquirer, now, tx) else { return false }
            return try AcquirerPaymentAlarmRecords.clear(kind, of: subject, acquirer: acquirer, by: person, at: now, in: tx)
        }
    }

    /// The errands about a leg or a refund that nobody tries any more.
    private func given(up subject: TimeOrderedID, _ acquirer: MerchantID, in tx: any Transaction) throws -> [DeadLetter] {
        try OutboxRecords.deadLetters(acquirer, in: tx).filter { $0.message.subject == subject }
    }

    private func apply(
        _ event: CollectionEvent, to alarm: AcquirerPaymentAlarm, by person: String, at now: Timestamp, in tx: any Transaction
    ) throws {
        _ = try context.store.apply(
            .init(event: event, actor: "operator:\(person)"), to: alarm.payment, acquirer: alarm.acquirer, at: now, in: tx)
    }
}
