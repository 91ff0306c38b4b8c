/// A card network that a programme runs on.
public enum CardScheme: String, Sendable, Hashable, Codable, CaseIterable {
    case visa, mastercard, unionPay

    /// PassKit's raw value of the network (`PKPaymentNetwork`).
    package var passKitName: String {
        switch self {
        case .visa: "Visa"
        case .mastercard: "MasterCard"
        case .unionPay: "ChinaUnionPay"
        }
    }
}
