package import BillfoldStorage

/// One of the bank's cards, without its number: that is sealed, and opened by `CardVault` alone.
public struct StoredCard: Sendable, Hashable {
    /// How the card stands at the processor.
    public enum Status: String, Sendable, Hashable, CaseIterable {
        case active, blocked, closed
    }

    /// The processor's name for the card. It stays when the number changes.
    package var id: String
    package var customer: String
    package var network: CardScheme
    /// The ``Programme`` that the card belongs to.
    package var programme: String
    package var status: Status
    /// The bank's remote switch for this card.
    package var isEnabled: Bool
    /// The last four digits.
    package var suffix: String
    package var displayName: String
    package var cardholderName: String
    /// The network's reference for the card number, opaque and no number itself (provisioning.md#identifiers); `nil` before the
    /// first token.
    package var primaryAccountIdentifier: String?
    /// Counts the numbers that the card has had, from 1.
    package var numberVersion: Int64
    /// Number, expiry and contacts, sealed.
    var sealed: [UInt8]
    /// Finds the card by its number without opening any.
    var numberHash: [UInt8]
    package var updatedAt: Timestamp
    /// When the processor was asked for what is stored here.
    package var fetchedAt: Timestamp
    /// Whether the bank's own back end brought the card in and the processor never told of it.
    package var isImported = false
}
