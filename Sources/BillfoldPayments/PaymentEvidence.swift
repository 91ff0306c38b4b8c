/// Everything that has been learned about a payment, as a set that only grows.
///
/// A set union does not care about order or repetition. That is why a notification may overtake the synchronous reply, arrive
/// twice, or contradict an earlier answer, and the payment still ends in the same state.
public struct PaymentEvidence: OptionSet, Sendable, Hashable {
    public let rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The shopper's authorisation was verified and bound to the order.
    public static let authorised = Self(rawValue: 1)
    /// The message to the acquirer is stored and may have left.
    public static let submitted = Self(rawValue: 2)
    /// Cancelled or expired before anything could have left.
    public static let closed = Self(rawValue: 4)
    /// The acquirer says that it has the message; not that money moved.
    public static let accepted = Self(rawValue: 8)
    /// Sent, and no answer that settles it: only the acquirer knows.
    public static let unresolved = Self(rawValue: 16)
    /// Final evidence that no money moved: a decline code, or a clear query past the payment's time limit.
    public static let declined = Self(rawValue: 32)
    /// Final evidence that money moved: a notification, a query's answer or the settlement file.
    public static let succeeded = Self(rawValue: 64)
    /// The acquirer confirmed a void or a reversal.
    public static let reversed = Self(rawValue: 128)
    /// We asked for the payment to be taken back before its outcome was known. The goods stay here, whatever is learned later.
    public static let undoWanted = Self(rawValue: 256)
}
