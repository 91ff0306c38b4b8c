public import BillfoldStorage

/// A message that someone is owed: stored with the change that causes it, delivered at least once, in no particular order.
public struct OutboxMessage: Sendable, Hashable {
    public var merchant: MerchantID
    /// Stable over all attempts, so that the receiver can drop duplicates.
    public var id: TimeOrderedID
    /// What shares one concurrency limit and one circuit breaker, for example `unionpay`.
    public var destination: String
    /// What the sender makes of the body, for example `consume`.
    public var kind: String
    /// The payment or modification that the message is about.
    public var subject: TimeOrderedID
    /// The subject's version when the body was frozen, so that the receiver can drop stale states.
    public var subjectVersion: Int64
    /// Frozen when the row is made: every attempt sends the same content.
    public var body: [UInt8]
    /// The name of the ``RetrySchedule``, looked up by the worker.
    public var schedule: String
    /// The first instant at which a worker may take the row. Set in the future, it leases the row from the start to the request
    /// whose caller waits; a worker takes over when the lease ends.
    public var dueAt: Timestamp
    public var createdAt: Timestamp

    public init(
        merchant: MerchantID, id: TimeOrderedID, destination: String, kind: String, subject: TimeOrderedID, subjectVersion: Int64,
        body: [UInt8], schedule: String, dueAt: Timestamp, createdAt: Timestamp
    ) {
        self.merchant = merchant
        self.id = id
        self.destination = destination
        self.kind = kind
        self.subject = subject
        self.subjectVersion = subjectVersion
        self.body = body
        self.schedule = schedule
        self.dueAt = dueAt
        self.createdAt = createdAt
    }
}

/// A row that one worker holds until its lease ends.
public struct OutboxClaim: Sendable, Hashable {
    public var message: OutboxMessage
    /// Counts the holders of the row from 1. It fences: a holder whose number has passed cannot reschedule or park the row.
    public var attempt: Int64
    public var leaseUntil: Timestamp

    /// The claim of the request that stored `message` with a lease of its own.
    public static func byRequest(_ message: OutboxMessage) -> Self {
        Self(message: message, attempt: 1, leaseUntil: message.dueAt)
    }
}

/// How an attempt to deliver ended.
public struct Delivery: Sendable {
    /// What is to become of the message.
    public enum Verdict: Sendable, Hashable {
        /// The receiver has taken it: done for ever.
        case delivered
        /// Try again by the row's schedule, or after the time that the receiver named.
        case retry(after: Duration?)
        /// Trying again cannot help: park it for an operator.
        case park
        /// Nothing was sent, and the receiver was not asked: the row is given back, to be claimed after a time, and no attempt counts.
        case notBegun(Hindrance, after: Duration)
    }

    /// What kept a delivery from being begun.
    public enum Hindrance: Sendable, Hashable {
        /// Something here: no free place, or a stop. Nothing is known of the destination.
        case ours
        /// Something about the destination: nobody says where its name leads.
        case destination
    }

    public var verdict: Verdict
    /// For operators; never a secret or a card number.
    public var note: String
    /// What the receiver answered, as evidence.
    public var receipt: [UInt8]
    /// Whether the body goes once the row is done or dead, because it holds what must not be kept.
    public var erasesBody = false
    /// Stores what the answer means in the transaction that marks the row. Runs even when the lease was lost: evidence is
    /// never thrown away, so it must be idempotent.
    public var record: (@Sendable (any Transaction) throws -> Void)?
    /// Stores what it means that nobody will try again, in the transaction that makes the row a dead letter.
    public var givenUp: (@Sendable (any Transaction) throws -> Void)?

    /// Tells what was stored, once it is committed.
    public var committed: (@Sendable () -> Void)?

    public init(
        _ verdict: Verdict, note: String = "", receipt: [UInt8] = [], record: (@Sendable (any Transaction) throws -> Void)? = nil,
        givenUp: (@Sendable (any Transaction) throws -> Void)? = nil
    ) {
        self.verdict = verdict
        self.note = EventDetail.storable(note)
        self.receipt = receipt
        self.record = record
        self.givenUp = givenUp
    }
}

/// Which of a store's messages a worker delivers.
package enum OutboxKinds: Sendable, Hashable {
    case all
    /// Those of one kind, so that nothing else waits for them.
    case only(String)
    /// Those that another worker does not deliver.
    case except(String)
}

/// Delivers claimed messages. It is called outside any transaction.
public protocol OutboxSender: Sendable {
    /// Must return within the lease; whoever takes longer may find that another worker sent the message again.
    func deliver(_ claim: OutboxClaim) async -> Delivery
}

/// A message that was given up, for the operators' list.
public struct DeadLetter: Sendable, Hashable {
    public var message: OutboxMessage
    public var attempts: Int64
    public var note: String
}
