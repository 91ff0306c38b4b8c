/// Where a payment attempt stands, as ``PaymentStanding/state`` derives it from the evidence.
public enum PaymentState: String, Sendable, Hashable, Codable, CaseIterable {
    /// The attempt exists and its amount is frozen. Nothing has left.
    case created
    /// The shopper's authorisation is verified and bound to the order. Nothing has left.
    case authorised
    /// The message is in the outbox and may have left. Promise nothing.
    case submitted
    /// The acquirer has the message. Not paid: do not ship.
    case accepted
    /// Only the acquirer knows. Never retried as new and never turned into ``failed`` by a timeout.
    case unknown
    /// Final by evidence that no money moved. A new attempt is allowed. Late success still overrides it, with an alarm.
    case failed
    /// Money was taken. Ship.
    case succeeded
    case partlyRefunded
    /// Everything that was captured has gone back by refunds.
    case refunded
    /// A void or reversal undid the whole payment. A new attempt is allowed.
    case reversed
    /// Cancelled or expired before anything was sent.
    case closed

    /// True when no message about the payment is awaited any more.
    public var isSettled: Bool {
        switch self {
        case .created, .authorised, .submitted, .accepted, .unknown: false
        case .failed, .succeeded, .partlyRefunded, .refunded, .reversed, .closed: true
        }
    }

    /// True when the shopper may try again on the same order.
    public var allowsAnotherAttempt: Bool {
        switch self {
        case .failed, .reversed, .closed: true
        default: false
        }
    }
}
