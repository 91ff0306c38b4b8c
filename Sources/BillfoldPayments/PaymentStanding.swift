/// A payment attempt's standing: what is known, what was captured and what went back. Pure: no clock, store or network.
public struct PaymentStanding: Sendable, Hashable {
    /// What the attempt takes, in minor units; frozen when the attempt is made.
    public let amount: Int64
    public internal(set) var evidence: PaymentEvidence
    /// Confirmed refunds, in minor units.
    public internal(set) var refunded: Int64

    public init(amount: Int64, evidence: PaymentEvidence = [], refunded: Int64 = 0) {
        self.amount = amount
        self.evidence = evidence
        self.refunded = refunded
    }

    /// The strongest statement that the evidence supports.
    public var state: PaymentState {
        if evidence.contains(.reversed), refunded == 0 { return .reversed }
        if evidence.contains(.succeeded) || refunded > 0 {
            return refunded == 0 ? .succeeded : refunded < amount ? .partlyRefunded : .refunded
        }
        if evidence.contains(.declined) { return .failed }
        if evidence.contains(.unresolved) { return .unknown }
        if evidence.contains(.accepted) { return .accepted }
        if evidence.contains(.closed) { return .closed }
        if evidence.contains(.submitted) { return .submitted }
        return evidence.contains(.authorised) ? .authorised : .created
    }

    /// True while money that was to be taken back is still taken: nothing may be delivered for it.
    public var isToBeUndone: Bool { evidence.contains(.undoWanted) && state == .succeeded }

    /// True when the acquirer has given both a decline and a success, in whatever order.
    public var isContradicted: Bool { evidence.contains([.declined, .succeeded]) }

    /// Returns what one event changes.
    ///
    /// Evidence (``PaymentEvent/accepted`` and the cases after it) commutes and may repeat. A command that does not fit is
    /// refused.
    /// - Parameters:
    ///   - event: A command of ours or evidence from the acquirer.
    ///   - books: The acquirer's templates, by which a capture, a reversal or a refund is booked.
    ///   - queryAfter: How long after the message is stored the acquirer is first asked.
    public func apply(_ event: PaymentEvent, books: PaymentBooks, queryAfter: Duration = .seconds(1)) -> PaymentTransition {
        switch event {
        case .authorised:
            guard state != .closed, state == .created || evidence.contains(.authorised) else { return transition(.refused) }
            return adding(.authorised, books: books)
        case .submitted:
            if evidence.contains(.submitted) { return transition(.unchanged) }
            guard state == .created || state == .authorised else { return transition(.refused) }
            var result = adding(.submitted, books: books)
            result.messages = [.submit]
            result.deadlines = [.armQuery(after: queryAfter)]
            return result
        case .closed:
            if evidence.contains(.closed) { return transition(.unchanged) }
            guard state == .created || state == .authorised else { return transition(.refused) }
            return adding(.closed, books: books)
        case .accepted: return adding(.accepted, books: books)
        case .unresolved: return adding(.unresolved, books: books)
        case .declined: return adding(.declined, books: books)
        case .succeeded: return adding(.succeeded, books: books)
        case .reversed: return adding(.reversed, books: books)
        case .refunded(let total): return refunding(upTo: total, books: books)
        }
    }

    private func transition(_ disposition: PaymentTransition.Disposition) -> PaymentTransition {
        PaymentTransition(standing: self, disposition: disposition)
    }

    private func adding(_ item: PaymentEvidence, books: PaymentBooks) -> PaymentTransition {
        guard !evidence.contains(item) else { return transition(.unchanged) }
        var next = self
        next.evidence.insert(item)
        var result = PaymentTransition(standing: next, disposition: .advanced)

        if item == .succeeded {
            result.postings.append(.init(template: books.capture, amount: amount, ordinal: 0))
        }
        // The undoing is booked once both halves are known, whichever came first, and whatever refunds gave back beside it.
        if item == .succeeded || item == .reversed, next.evidence.contains([.succeeded, .reversed]) {
            result.postings.append(.init(template: books.reversal, amount: amount, ordinal: 0))
        }
        result.alarm = alarm(adding: item, next: next)
        result.finish(from: state)
        return result
    }

    private func alarm(adding item: PaymentEvidence, next: PaymentStanding) -> PaymentTransition.Alarm? {
        if next.isContradicted, !isContradicted { return .contradiction }
        if item == .reversed, refunded > 0 { return .undoneTwice }
        let fromOutside: PaymentEvidence = [.accepted, .unresolved, .succeeded, .reversed]
        return fromOutside.contains(item) && !evidence.contains(.submitted) ? .unexpectedEvidence : nil
    }

    private func refunding(upTo total: Int64, books: PaymentBooks) -> PaymentTransition {
        guard total > refunded else { return transition(.unchanged) }
        var next = self
        next.refunded = total
        var result = PaymentTransition(standing: next, disposition: .advanced)
        result.postings = [.init(template: books.refund, amount: total - refunded, ordinal: total)]
        if total > amount {
            result.alarm = .overRefunded
        } else if evidence.contains(.reversed) {
            result.alarm = .undoneTwice
        } else if !evidence.contains(.succeeded) {
            result.alarm = .unexpectedEvidence
        }
        result.finish(from: state)
        return result
    }
}

extension PaymentTransition {
    fileprivate mutating func finish(from old: PaymentState) {
        let new = standing.state
        guard new != old else { return }
        if new.isSettled {
            if new != .closed { messages.append(.announce(new)) }
            if !old.isSettled { deadlines.append(.disarmQuery) }
        }
    }
}
