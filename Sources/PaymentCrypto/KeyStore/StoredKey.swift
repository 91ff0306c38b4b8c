public import Foundation

/// One key of a ``KeyStore``, without the key.
public struct StoredKey: Sendable, Hashable, Codable {
    /// What kind of key it is.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// P-256.
        case ec
        case rsa
        /// Held as bytes; read by `PaymentCryptoOpenSSL`.
        case sm2
    }

    /// What the key is for. Each purpose and kind has one active key at most.
    public enum Purpose: String, Sendable, Codable, CaseIterable {
        /// Wallet tokens are encrypted to it (apple-pay.md#merchant-certificates).
        case processing
        /// TLS client authentication when a web session is asked for (apple-pay.md#web-session).
        case identity
        /// Messages to an acquirer are signed with it.
        case signing
    }

    /// The first 16 hexadecimal digits of the public key's SHA-256: short enough to type, and a file name.
    public var id: String
    public var kind: Kind
    public var purpose: Purpose
    public var state: KeyState
    /// Base64 of SHA-256 over the SubjectPublicKeyInfo, as a token's header has it.
    public var publicKeyHash: String
    public var addedAt: Date
    /// Nil without a certificate.
    public var notBefore: Date?
    /// Nil without a certificate.
    public var notAfter: Date?
    public var retiredAt: Date?

    /// The id that a ``KeyRing`` knows the key by.
    public var keyID: KeyID { KeyID(publicKeyHash) }
}
