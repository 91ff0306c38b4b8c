public import Alipay

/// What the merchant's server knows of an order.
public enum OrderState: String, Sendable, Hashable, Codable {
    /// The money is there, by a notification or a query that the server verified; refunded later or not.
    case paid
    /// Nothing was paid so far; it may still be.
    case unpaid
    /// Certainly not paid, and never to be: closed or expired.
    case closed
}

/// The merchant's own server, as the app asks it. Only its word makes a payment a success.
public protocol OrderQuery: Sendable {
    /// Answers for an order of the customer who is logged in. `reply` is what came back to the phone, where something did: the
    /// server may verify its text for itself.
    ///
    /// Throws when no answer came or the order is not known yet: nothing is decided then.
    func state(ofOrder number: String, reply: PaymentResult?) async throws -> OrderState
}
