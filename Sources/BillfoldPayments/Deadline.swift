public import BillfoldStorage

/// Something that must happen at a certain time, kept in the store so that a restart does not forget it.
public struct Deadline: Sendable, Hashable {
    public var merchant: MerchantID
    public var subject: TimeOrderedID
    /// What is due, for example `payment-query`. One deadline per subject and kind.
    public var kind: String
    public var dueAt: Timestamp
    /// How often it has fired, counted from 1 in a handler: the step of a schedule. It also fences late holders.
    public var attempt: Int64

    public init(merchant: MerchantID, subject: TimeOrderedID, kind: String, dueAt: Timestamp, attempt: Int64 = 0) {
        self.merchant = merchant
        self.subject = subject
        self.kind = kind
        self.dueAt = dueAt
        self.attempt = attempt
    }

    /// What tells it from others.
    struct Key: Sendable, Hashable {
        var merchant: MerchantID
        var subject: TimeOrderedID
        var kind: String
    }

    var key: Key { Key(merchant: merchant, subject: subject, kind: kind) }

    /// Ask the acquirer what became of a payment.
    public static let paymentQuery = "payment-query"
    /// Ask the acquirer what became of a refund, void or reversal.
    public static let modificationQuery = "modification-query"
}

/// What a handler wants done with a deadline that fired.
public enum DeadlineOutcome: Sendable, Hashable {
    case done
    case again(at: Timestamp)
}

/// Acts on deadlines. It is called outside any transaction and may be called again for the same deadline after a crash.
public protocol DeadlineHandler: Sendable {
    /// Does what is due. Where it throws, the deadline fires again when its lease has ended.
    func fire(_ deadline: Deadline) async throws -> DeadlineOutcome
}
