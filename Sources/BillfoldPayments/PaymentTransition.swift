/// What must be stored, and what must be done afterwards, because of one event: values only.
public struct PaymentTransition: Sendable, Hashable {
    /// What the event did.
    public enum Disposition: Sendable, Hashable {
        /// The standing changed; store it with its postings, messages and deadlines.
        case advanced
        /// The event was known already. Nothing but an audit note is to be stored.
        case unchanged
        /// Our own command does not fit the state. Nothing was stored, nothing may be sent.
        case refused
    }

    /// Calls for a person. Money is never ignored because it arrived at the wrong time.
    public enum Alarm: String, Sendable, Hashable, Codable, CaseIterable {
        /// The acquirer has given both a decline and a success.
        case contradiction
        /// Evidence about a payment whose message we do not believe to have sent.
        case unexpectedEvidence = "unexpected-evidence"
        /// A void or reversal was confirmed although refunds had been paid, or the other way round.
        case undoneTwice = "undone-twice"
        /// Refunds add up to more than was captured.
        case overRefunded = "over-refunded"
        /// A late success while another attempt on the same order is live: the shopper may pay twice.
        case paidTwice = "paid-twice"
        /// A reversal ended without effect although money may have been taken.
        case reversalFailed = "reversal-failed"
        /// The schedule of queries has ended, and nobody could tell what became of the payment or of its refund or void.
        case outcomeUnknown = "outcome-unknown"
        /// The acquirer says that money was taken and is disputed.
        case disputed
        /// The acquirer speaks of another amount than ours.
        case amountDiffers = "amount-differs"
        /// The acquirer gives the transaction another number than before.
        case referenceDiffers = "reference-differs"
        /// A reversal was confirmed, and the settlement file says that the money was taken all the same.
        case reversedButSettled = "reversed-but-settled"
    }

    /// A message that the outbox owes someone; the protocol's service freezes its body.
    public enum Message: Sendable, Hashable {
        /// The payment message to the acquirer.
        case submit
        /// The payment's new state, to whoever asked to be told.
        case announce(PaymentState)
    }

    /// What becomes of the question to the acquirer.
    public enum DeadlineChange: Sendable, Hashable {
        /// Ask the acquirer when this much time has passed.
        case armQuery(after: Duration)
        case disarmQuery
    }

    public var standing: PaymentStanding
    public var disposition: Disposition
    public var postings: [Entry] = []
    public var messages: [Message] = []
    public var deadlines: [DeadlineChange] = []
    public var alarm: Alarm?

    /// A posting template and the amount to fill in, in minor units of the payment's currency.
    public struct Entry: Sendable, Hashable {
        public var template: PostingTemplate
        public var amount: Int64
        /// Tells repeated uses of one template on one payment apart: the running refund total; otherwise 0.
        public var ordinal: Int64
    }
}
