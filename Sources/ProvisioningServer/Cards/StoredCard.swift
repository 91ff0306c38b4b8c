public import BillfoldStorage

/// One of the bank's cards, without its number: that is sealed, and opened by `CardVault` alone.
public struct StoredCard: Sendable, Hashable {
    public enum Status: String, Sendable, Hashable, CaseIterable {
        case active, blocked, closed
    }

    /// The processor's name for the card. It stays when the number changes.
    public var id: String
    public var customer: String
    public var network: CardScheme
    /// The ``Programme`` that the card belongs to.
    public var programme: String
    public var status: Status
    /// The bank's remote switch for this card.
    public var isEnabled: Bool
    /// The last four digits.
    public var suffix: String
    public var displayName: String
    public var cardholderName: String
    /// The network's reference for the card number, opaque and no number itself (provisioning.md#identifiers); `nil` before the
    /// first token.
    public var primaryAccountIdentifier: String?
    /// Counts the numbers that the card has had, from 1.
    public var numberVersion: Int64
    /// Number, expiry and contacts, sealed.
    var sealed: [UInt8]
    /// Finds the card by its number without opening any.
    var numberHash: [UInt8]
    public var updatedAt: Timestamp
    /// When the processor was asked for what is stored here.
    public var fetchedAt: Timestamp
}

/// A card network that a programme runs on.
public enum CardScheme: String, Sendable, Hashable, Codable, CaseIterable {
    case visa, mastercard, unionPay

    /// PassKit's raw value of the network (`PKPaymentNetwork`).
    public var passKitName: String {
        switch self {
        case .visa: "Visa"
        case .mastercard: "MasterCard"
        case .unionPay: "ChinaUnionPay"
        }
    }
}
