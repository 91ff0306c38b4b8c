/// What a payment's state means for the customer.
public enum PaymentVerdict: String, Sendable, Hashable {
    /// Money moved: the goods may be promised.
    case succeeded
    /// Certainly no money moved: the customer may try again.
    case failed
    /// Not decided, or a state this version does not know. Promise nothing, and never say that it failed.
    case undecided

    public init(state: String) {
        switch state {
        case "succeeded", "partlyRefunded", "refunded": self = .succeeded
        case "failed", "reversed", "closed": self = .failed
        default: self = .undecided
        }
    }

    /// The verdict over an order's payments: one success counts, then anything undecided. Nil: there was no payment.
    public init?(of payments: [CheckoutPayment]) {
        let verdicts = payments.map(\.verdict)
        guard let last = verdicts.last else { return nil }
        self = verdicts.contains(.succeeded) ? .succeeded : verdicts.contains(.undecided) ? .undecided : last
    }
}
