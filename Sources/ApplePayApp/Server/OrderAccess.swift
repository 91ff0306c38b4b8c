public import BillfoldDiagnosis

/// What lets the app at one order, and at nothing else.
public struct OrderAccess: Sendable {
    public var orderID: String
    public var clientSecret: Secret<String>

    public init(orderID: String, clientSecret: Secret<String>) {
        self.orderID = orderID
        self.clientSecret = clientSecret
    }
}

/// Names one attempt to pay, made before its first request and kept for every repetition.
public struct IdempotencyKey: RawRepresentable, Sendable, Hashable, Codable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}
