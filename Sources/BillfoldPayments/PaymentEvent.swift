/// Something that happened to a payment attempt.
public enum PaymentEvent: Sendable, Hashable {
    // Our own decisions. They are refused where they do not fit.

    /// The shopper's authorisation was verified and bound to the order.
    case authorised
    /// The message to the acquirer is being stored in the outbox, in the same transaction.
    case submitted
    /// The shopper cancelled, or the order expired, before anything was sent.
    case closed

    // Evidence from outside. It is never refused, whatever the state.

    /// The acquirer has the message (a synchronous `00`).
    case accepted
    /// Timeout, unreadable or badly signed answer, or an answer that says "ask later".
    case unresolved
    /// A hard decline, or past the time limit with a clear query. Never a local timeout.
    case declined
    /// A verified notification, query answer or settlement row says that money moved.
    case succeeded
    /// A void or reversal was confirmed.
    case reversed
    /// Refunds confirmed so far, in minor units: a running total, so that order and repetition do not matter.
    case refunded(total: Int64)

    /// The name used in audit rows.
    public var name: String {
        switch self {
        case .authorised: "authorised"
        case .submitted: "submitted"
        case .closed: "closed"
        case .accepted: "accepted"
        case .unresolved: "unresolved"
        case .declined: "declined"
        case .succeeded: "succeeded"
        case .reversed: "reversed"
        case .refunded: "refunded"
        }
    }
}
