public import Alipay

/// One payment that was begun, as it outlives the app.
public struct PendingPayment: Sendable, Hashable, Codable, Identifiable {
    /// How it ended, once that is certain.
    public enum Conclusion: Sendable, Hashable, Codable {
        case succeeded
        case cancelled
        case failed(AlipayResultStatus)
    }

    /// The number of the launch. Grows, and is never used again.
    public let id: Int
    public let orderNumber: String
    /// Nil for a payment that is known only by what came back, the list having been lost.
    public let order: OrderFacts?
    public let returnAddress: ReturnAddress
    /// Milliseconds since 1970.
    public let launchedAt: Int64
    /// What came back; kept until somebody was told of a success, because a repetition is known by it.
    public internal(set) var reply: PaymentResult?
    public internal(set) var conclusion: Conclusion?
    /// Whether somebody was told of the conclusion.
    public internal(set) var isReported: Bool
}
