public import PaymentCrypto

/// What of a card is sealed at rest.
///
/// The bytes are overwritten when the last holder lets go of them. Copies that a caller makes are the caller's to overwrite.
public final class CardSecrets: Sendable, CustomStringConvertible {
    /// How the bank reaches a cardholder.
    public struct Contact: Sendable, Hashable, Codable {
        package var identifier: String
        package var type: String
        package var value: String

        /// - Parameters:
        ///   - identifier: The processor's name for the contact; where a card has two of one name, the first is used.
        ///   - type: The processor’s word, such as `TEXT_TO_CARDHOLDER_NUMBER`; a contact of an unknown one verifies nobody.
        ///   - value: Unmasked: a telephone number, an e-mail address or the name of the bank's app.
        public init(identifier: String, type: String, value: String) {
            self.identifier = identifier
            self.type = type
            self.value = value
        }
    }

    package let primaryAccountNumber: SecretBytes
    package let expiration: String
    package let contacts: [Contact]

    /// - Parameters:
    ///   - primaryAccountNumber: The digits of the card number, ASCII.
    ///   - expiration: `MM/YY`.
    ///   - contacts: How the bank reaches the cardholder.
    public init(primaryAccountNumber: SecretBytes, expiration: String, contacts: [Contact]) {
        self.primaryAccountNumber = primaryAccountNumber
        self.expiration = expiration
        self.contacts = contacts
    }

    public var description: String { "‹card secrets›" }
}
