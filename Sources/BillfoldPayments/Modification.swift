public import BillfoldMoney
public import BillfoldStorage

/// Something that undoes a payment in part or in whole: a message of its own, with an outcome of its own.
public struct Modification: Sendable, Hashable {
    /// In which way the payment is undone.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// Gives back part or all of a captured payment; several are possible, up to what was captured.
        case refund
        /// Undoes a captured payment before it settles. Once, in full, and not after a refund.
        case void
        /// Undoes a payment whose outcome is not known.
        case reversal
    }

    /// How far it has come, as far as evidence says.
    public enum State: String, Sendable, Hashable, Codable, CaseIterable {
        /// The message is in the outbox and may have left.
        case submitted
        /// The acquirer has it; money has not necessarily moved.
        case accepted
        case unknown
        case failed
        case succeeded

        public var isSettled: Bool { self == .failed || self == .succeeded }
    }

    /// What the acquirer said of it, or did not.
    public enum Event: String, Sendable, Hashable, Codable, CaseIterable {
        case accepted
        case unresolved
        case declined
        case succeeded
    }

    public var merchant: MerchantID
    public var id: TimeOrderedID
    public var payment: TimeOrderedID
    public var kind: Kind
    public var amount: Amount
    /// What has been learned; the same set that grows as for payments.
    public internal(set) var evidence: PaymentEvidence
    public internal(set) var version: Int64
    /// How the acquirer knows this message; unique for ever.
    public var externalKey: String
    public internal(set) var acquirerReference: String?
    public internal(set) var settlementDay: String?
    /// Why it was asked for, in the words of whoever asked.
    public var reason: String?
    /// What the acquirer said of it last.
    public internal(set) var answer: String?
    public var detail: [UInt8]
    public var createdAt: Timestamp
    public internal(set) var updatedAt: Timestamp

    public init(
        merchant: MerchantID, id: TimeOrderedID, payment: TimeOrderedID, kind: Kind, amount: Amount, externalKey: String,
        reason: String? = nil, detail: [UInt8] = [], at: Timestamp
    ) {
        self.merchant = merchant
        self.id = id
        self.payment = payment
        self.kind = kind
        self.amount = amount
        self.externalKey = externalKey
        self.reason = reason
        self.detail = detail
        createdAt = at
        updatedAt = at
        evidence = .submitted
        version = 1
    }

    public var state: State { Self.state(of: evidence) }

    static func state(of evidence: PaymentEvidence) -> State {
        if evidence.contains(.succeeded) { return .succeeded }
        if evidence.contains(.declined) { return .failed }
        if evidence.contains(.unresolved) { return .unknown }
        return evidence.contains(.accepted) ? .accepted : .submitted
    }

    /// The state after an event. Commutes and tolerates repetition, as a payment's evidence does; success overrides failure.
    public func after(_ event: Event) -> Modification {
        var next = self
        switch event {
        case .accepted: next.evidence.insert(.accepted)
        case .unresolved: next.evidence.insert(.unresolved)
        case .declined: next.evidence.insert(.declined)
        case .succeeded: next.evidence.insert(.succeeded)
        }
        return next
    }
}
