public import PaymentCrypto

/// What of a card is sealed at rest.
///
/// The bytes are overwritten when the last holder lets go of them. Copies that a caller makes are the caller's to overwrite.
public final class CardSecrets: Sendable, CustomStringConvertible {
    /// How the bank reaches a cardholder.
    public struct Contact: Sendable, Hashable, Codable {
        public var identifier: String
        /// `phone`, `email`, `call` or `app`; the processor's word.
        public var type: String
        public var value: String

        public init(identifier: String, type: String, value: String) {
            self.identifier = identifier
            self.type = type
            self.value = value
        }
    }

    /// The digits of the card number, ASCII.
    public let primaryAccountNumber: SecretBytes
    /// `MM/YY`.
    public let expiration: String
    public let contacts: [Contact]

    public init(primaryAccountNumber: SecretBytes, expiration: String, contacts: [Contact]) {
        self.primaryAccountNumber = primaryAccountNumber
        self.expiration = expiration
        self.contacts = contacts
    }

    public var description: String { "‹card secrets›" }
}
