/// Which of the two worlds a message, a client or a payment belongs to. Nothing of one is known in the other.
public enum AlipayPlusEnvironment: String, Sendable, Hashable, Codable, CaseIterable {
    case production = "PROD"
    case sandbox = "SANDBOX"
}
