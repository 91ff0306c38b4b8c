import BillfoldMoney
public import BillfoldStorage
public import Crypto

/// Turns events into rows: the pure transition, its postings, messages, deadlines and audit row, all in one transaction.
///
/// Every method takes the caller's transaction, so that the idempotency key and the protocol's own rows join it. Closures may
/// run several times with the transaction, and must not send or count.
public struct PaymentStore: Sendable {
    /// Freezes the body of a message that a transition owes, or returns `nil` where nobody asked to be told.
    public typealias MessageMaker = (PaymentTransition.Message, Payment) throws -> OutboxMessage?

    public let books: PaymentBooks
    public let audit: AuditChain
    /// How long after a message is stored the acquirer is first asked what became of it.
    public let queryAfter: Duration
    /// Hears of every change; nobody where there is none.
    package var follower: (any PaymentFollower)?

    public init(books: PaymentBooks, auditKey: SymmetricKey, queryAfter: Duration = .seconds(1)) {
        self.books = books
        audit = AuditChain(key: auditKey)
        self.queryAfter = queryAfter
    }

    /// A payment after an event, and what the event changed.
    public struct Applied: Sendable, Hashable {
        public var payment: Payment
        public var transition: PaymentTransition
        /// The alarms that this raised. Those that were open already are not repeated.
        public var alarms: [PaymentTransition.Alarm]
    }

    /// A refund, void or reversal after an event.
    public struct AppliedToModification: Sendable, Hashable {
        public var modification: Modification
        /// What became of its payment, where the event changed that.
        public var payment: Applied?
    }

    /// What is to be done to a payment in one write.
    private struct Change {
        var event: PaymentEvent?
        var reserving: Int64 = 0
        var alarm: PaymentTransition.Alarm?
    }

    /// Stores a new attempt together with the events it begins with.
    ///
    /// Refuses it while an earlier attempt is neither failed nor reversed (``PaymentsError/Code/attemptInProgress``), and when
    /// the order is expired or closed (``PaymentsError/Code/orderClosed``). With another kind of question than
    /// ``Deadline/paymentQuery`` the handler ends it: nothing here disarms it when the payment settles.
    public func begin(
        _ draft: Payment, events: [PaymentEvent] = [.authorised, .submitted], detail: EventDetail, query: String = Deadline.paymentQuery,
        at now: Timestamp, messages: MessageMaker = { _, _ in nil }, in tx: any Transaction
    ) throws -> Payment {
        var payment = draft
        try OrderRecords.claimAttempt(payment, at: now, in: tx)
        var following: [Statement] = []
        var rows: [Statement] = []
        for event in events {
            let old = payment.state
            let transition = payment.standing.apply(event, books: books, queryAfter: queryAfter)
            guard transition.disposition == .advanced else {
                throw PaymentsError(code: .wrongState, reason: "a new payment cannot begin with \(event.name) while \(old.rawValue)")
            }
            payment.standing = transition.standing
            rows.append(link(event.name, from: old, payment: &payment, detail: detail, at: now))
            following += try statements(for: transition, payment: payment, query: query, at: now, messages: messages)
        }
        payment.reason = detail.reason
        try PaymentRecords.insert(payment, in: tx)
        try tx.executeBatch(following + rows)
        return payment
    }

    /// Applies one event to a stored payment.
    ///
    /// Evidence is taken in every state and any number of times; a command that does not fit throws
    /// ``PaymentsError/Code/wrongState``. A known event leaves a note in the audit trail and changes nothing else.
    public func apply(
        _ event: PaymentEvent, to id: TimeOrderedID, merchant: MerchantID, detail: EventDetail, at now: Timestamp,
        messages: MessageMaker = { _, _ in nil }, in tx: any Transaction
    ) throws -> Applied {
        try change(id, merchant: merchant, detail: detail, at: now, messages: messages, in: tx) { _ in Change(event: event) }
    }

    /// As ``apply(_:to:merchant:detail:at:messages:in:)``, for a caller that has just read the payment. One that has changed since is
    /// read again.
    public func apply(
        _ event: PaymentEvent, to payment: Payment, detail: EventDetail, at now: Timestamp, messages: MessageMaker = { _, _ in nil },
        in tx: any Transaction
    ) throws -> Applied {
        // What lays hands on the order again is decided by the row alone.
        let known = payment.state.allowsAnotherAttempt ? nil : payment
        return try change(
            payment.id, known: known, merchant: payment.merchant, detail: detail, at: now, messages: messages, in: tx
        ) { _ in Change(event: event) }
    }

    /// Calls a person to a payment. An alarm that is open already is not raised again.
    public func raise(
        _ alarm: PaymentTransition.Alarm, on id: TimeOrderedID, merchant: MerchantID, detail: EventDetail, at now: Timestamp,
        in tx: any Transaction
    ) throws -> Applied {
        var note = detail
        note.acquirerReference = nil
        note.settlementDay = nil
        return try change(id, merchant: merchant, detail: note, at: now, messages: { _, _ in nil }, in: tx) { _ in Change(alarm: alarm) }
    }

    /// Stores a refund, void or reversal, and lays hands on the money that it gives back.
    ///
    /// A refund needs a captured payment and at most what is left of it; a void a captured payment that nothing was given back
    /// of; a reversal a payment that was sent and is not settled. The limit is part of the conditional update.
    public func begin(
        _ modification: Modification, detail: EventDetail, queryAfter: Duration? = nil, at now: Timestamp,
        message: (Modification) throws -> OutboxMessage?, in tx: any Transaction
    ) throws -> Modification {
        try tx.changing("the payment") { _ in
            guard var payment = try PaymentRecords.find(modification.payment, merchant: modification.merchant, in: tx) else {
                throw PaymentsError(code: .paymentNotFound, reason: "the merchant has no such payment")
            }
            try Self.check(modification, against: payment)
            let row = link(
                "\(modification.kind.rawValue)-submitted", from: payment.state, payment: &payment, detail: detail, at: now)
            payment.updatedAt = now
            if modification.kind == .reversal { payment.standing.evidence.insert(.undoWanted) }
            guard try PaymentRecords.reserve(modification.amount.minorUnits, on: payment, in: tx) else { return nil }
            try ModificationRecords.insert(modification, in: tx)
            var following = [row]
            if let message = try message(modification) { following.append(OutboxRecords.insertion(message)) }
            following.append(
                DeadlineRecords.arming(
                    Deadline(
                        merchant: modification.merchant, subject: modification.id, kind: Deadline.modificationQuery,
                        dueAt: now.advanced(by: queryAfter ?? self.queryAfter))))
            try tx.executeBatch(following)
            return modification
        }
    }

    /// Applies one event to a refund, void or reversal, and to its payment where the outcome changes that.
    public func apply(
        _ event: Modification.Event, toModification id: TimeOrderedID, merchant: MerchantID, detail: EventDetail, at now: Timestamp,
        messages: MessageMaker = { _, _ in nil }, in tx: any Transaction
    ) throws -> AppliedToModification {
        try tx.changing("the modification") { _ in
            guard let found = try ModificationRecords.find(id, merchant: merchant, in: tx) else {
                throw PaymentsError(code: .modificationNotFound, reason: "the merchant has no such modification")
            }
            var next = found.after(event)
            next.acquirerReference = found.acquirerReference ?? detail.acquirerReference
            next.settlementDay = found.settlementDay ?? detail.settlementDay
            if next.evidence != found.evidence, let answer = detail.reason { next.answer = answer }
            guard next != found else { return AppliedToModification(modification: found) }
            next.version += 1
            next.updatedAt = now
            guard try ModificationRecords.update(next, in: tx) else { return nil }
            if next.state != found.state { try follower?.changed(next, at: now, in: tx) }
            let payment =
                next.state == found.state
                ? nil : try settle(next, from: found.state, detail: detail, at: now, messages: messages, in: tx)
            return AppliedToModification(modification: next, payment: payment)
        }
    }

    private static func check(_ modification: Modification, against payment: Payment) throws(PaymentsError) {
        guard modification.amount.currency == payment.currency, modification.amount.isPositive else {
            throw PaymentsError(code: .invalidAmount, reason: "the amount must be above zero and in \(payment.currency)")
        }
        let fits =
            switch modification.kind {
            case .refund: payment.state == .succeeded || payment.state == .partlyRefunded
            case .void: payment.state == .succeeded
            case .reversal: payment.state == .submitted || payment.state == .accepted || payment.state == .unknown
            }
        guard fits else {
            throw PaymentsError(
                code: .wrongState, reason: "no \(modification.kind.rawValue) while the payment is \(payment.state.rawValue)")
        }
        if modification.kind != .refund {
            guard modification.amount == payment.amount, payment.reserved == 0 else {
                throw PaymentsError(
                    code: payment.reserved == 0 ? .invalidAmount : .wrongState,
                    reason: "a \(modification.kind.rawValue) undoes the whole payment, once, and not beside a refund")
            }
        }
        guard modification.amount.minorUnits <= payment.standing.amount - payment.reserved else {
            throw PaymentsError(code: .exceedsCaptured, reason: "more would be given back than is left of the payment")
        }
    }

    private func settle(
        _ modification: Modification, from old: Modification.State, detail: EventDetail, at now: Timestamp, messages: MessageMaker,
        in tx: any Transaction
    ) throws -> Applied? {
        guard modification.state.isSettled else { return nil }
        let amount = modification.amount.minorUnits
        let disarming = DeadlineRecords.disarming(Deadline.modificationQuery, subject: modification.id, merchant: modification.merchant)
        try tx.execute(disarming.sql, disarming.bindings)
        var note = detail
        // The payment's own references are not the modification's.
        note.acquirerReference = nil
        note.settlementDay = nil
        return try change(modification.payment, merchant: modification.merchant, detail: note, at: now, messages: messages, in: tx) {
            payment in
            if modification.state == .failed {
                // Where nothing was taken, nothing had to be taken back.
                let mayBeTaken = modification.kind == .reversal && !payment.state.allowsAnotherAttempt
                return Change(reserving: -amount, alarm: mayBeTaken ? .reversalFailed : nil)
            }
            return Change(
                event: modification.kind == .refund ? .refunded(total: payment.standing.refunded + amount) : .reversed,
                // A late success after a failure takes hold again of what the failure had let go.
                reserving: old == .failed ? amount : 0)
        }
    }

    /// Applies what is decided by the payment as it is when it is changed.
    ///
    /// - Parameter known: The payment as it was read a moment ago: tried first, and never a reason to refuse.
    private func change(
        _ id: TimeOrderedID, known: Payment? = nil, merchant: MerchantID, detail: EventDetail, at now: Timestamp, messages: MessageMaker,
        in tx: any Transaction, decide: (Payment) -> Change
    ) throws -> Applied {
        try tx.changing("the payment") { isFirst in
            let held = isFirst ? known : nil
            guard var payment = try held ?? PaymentRecords.find(id, merchant: merchant, in: tx) else {
                throw PaymentsError(code: .paymentNotFound, reason: "the merchant has no such payment")
            }
            let (old, before) = (payment.state, payment.standing)
            let wanted = decide(payment)
            let transition =
                wanted.event.map { payment.standing.apply($0, books: books, queryAfter: queryAfter) }
                ?? PaymentTransition(standing: payment.standing, disposition: .unchanged)
            guard transition.disposition != .refused else {
                guard held == nil else { return nil }
                throw PaymentsError(
                    code: .wrongState, reason: "\(wanted.event?.name ?? "release") does not fit a payment that is \(old.rawValue)")
            }
            var alarms = [wanted.alarm, transition.alarm].compactMap(\.self)
            payment.standing = transition.standing
            let new = payment.state
            if old.allowsAnotherAttempt, !new.allowsAnotherAttempt,
                try !OrderRecords.reclaim(id, order: payment.order, merchant: merchant, in: tx)
            {
                alarms.append(.paidTwice)
            }
            payment.reserved = max(0, payment.reserved + wanted.reserving)
            if let known = payment.acquirerReference, let told = detail.acquirerReference, known != told {
                alarms.append(.referenceDiffers)
            }
            alarms = try alarms.filter { try !AlarmRecords.isOpen($0, payment: id, merchant: merchant, in: tx) }
            if wanted.event == nil, wanted.reserving == 0, alarms.isEmpty {
                return Applied(payment: payment, transition: transition, alarms: [])
            }
            payment.acquirerReference = payment.acquirerReference ?? detail.acquirerReference
            payment.settlementDay = payment.settlementDay ?? detail.settlementDay
            if transition.disposition == .advanced, let reason = detail.reason { payment.reason = reason }
            payment.alarm = alarms.last ?? payment.alarm
            payment.version += 1
            payment.updatedAt = now
            let action = wanted.event?.name ?? wanted.alarm.map { "alarm-\($0.rawValue)" } ?? "modification-failed"
            let row = link(action, from: old, payment: &payment, detail: detail, at: now)
            guard try PaymentRecords.update(payment, in: tx) else { return nil }
            var following = try statements(for: transition, payment: payment, at: now, messages: messages)
            if !old.allowsAnotherAttempt, new.allowsAnotherAttempt {
                following += OrderRecords.release(id, order: payment.order, merchant: merchant)
            }
            for alarm in alarms {
                following.append(AlarmRecords.raising(alarm, payment: payment, note: detail.reason ?? action, at: now))
            }
            following.append(row)
            try tx.executeBatch(following)
            try follower?.changed(payment, from: before, raising: alarms, at: now, in: tx)
            return Applied(payment: payment, transition: transition, alarms: alarms)
        }
    }

    private func statements(
        for transition: PaymentTransition, payment: Payment, query: String = Deadline.paymentQuery, at now: Timestamp,
        messages: MessageMaker
    ) throws -> [Statement] {
        var result: [Statement] = []
        for entry in transition.postings {
            result.append(
                try LedgerRecords.booking(
                    entry.template, merchant: payment.merchant, source: payment.id, ordinal: entry.ordinal, amount: entry.amount,
                    currency: payment.currency, at: now))
        }
        for message in transition.messages {
            if let message = try messages(message, payment) { result.append(OutboxRecords.insertion(message)) }
        }
        for deadline in transition.deadlines {
            switch deadline {
            case .armQuery(let after):
                result.append(
                    DeadlineRecords.arming(
                        Deadline(merchant: payment.merchant, subject: payment.id, kind: query, dueAt: now.advanced(by: after))))
            case .disarmQuery:
                result.append(
                    DeadlineRecords.disarming(Deadline.paymentQuery, subject: payment.id, merchant: payment.merchant))
            }
        }
        return result
    }

    func link(
        _ action: String, from old: PaymentState, payment: inout Payment, detail: EventDetail, at now: Timestamp
    ) -> Statement {
        let row = audit.extend(
            payment.auditChain, from: &payment.auditHead, at: now, actor: detail.actor, action: action,
            object: payment.order.description, result: "\(old.rawValue) > \(payment.state.rawValue) \(detail.reason ?? "")")
        return AuditRecords.insertion(row, merchant: payment.merchant)
    }
}
