import BillfoldPayments

/// An answer to a request with an idempotency key. Whoever sends the request again gets the same bytes.
struct GivenAnswer: Sendable, Hashable {
    /// JSON.
    var body: [UInt8]
    /// Whether the key's request was answered, or begun, before this one.
    var isReplayed: Bool
    /// What the answer is about, for the trace: the word for it, and its id.
    var about: [String: String]
}

/// An order that a request made or found.
struct MadeOrder: Sendable {
    var order: Order
    /// By which a phone proves that it may pay the order.
    var clientSecret: String
    /// The first answer without the secret, which is kept nowhere; `nil` where its key was forgotten.
    var answer: [UInt8]?
    var isReplayed: Bool
}
