public import PaymentCrypto

/// A payment processing key: what opens tokens, with the merchant identifier's hash that the EC derivation needs.
public struct ProcessingKey: Sendable {
    enum Backing: Sendable {
        case ec(P256PrivateKey)
        case rsa(RSAPrivateKey)
    }

    let backing: Backing
    /// SHA-256 of the merchant identifier, 32 bytes: PartyVInfo of the EC derivation (apple-pay.md#merchant-identifier-hash).
    public let merchantIdentifierHash: [UInt8]
    public let publicKey: PublicKey

    /// The ring's name for this key: base64 of the token header's `publicKeyHash`.
    public var id: KeyID { KeyID(publicKey: publicKey) }

    /// Takes a key and the merchant identifier of the server's configuration. Throws `key-kind` for a key that is neither
    /// P-256 nor RSA.
    public init(_ key: PrivateKey, merchantIdentifier: String) throws(ApplePayError) {
        try self.init(key, merchantIdentifierHash: MerchantIdentifier.hash(merchantIdentifier))
    }

    /// Takes a key and the certificate it belongs to. Throws `key-mismatch` when they are not a pair.
    public init(_ key: PrivateKey, certificate: MerchantCertificate) throws(ApplePayError) {
        guard certificate.publicKey == key.publicKey else {
            throw ApplePayError(code: .keyMismatch, reason: "the private key does not belong to the certificate")
        }
        try self.init(key, merchantIdentifierHash: certificate.merchantIdentifierHash)
    }

    /// Takes a key and the 32-byte hash itself.
    public init(_ key: PrivateKey, merchantIdentifierHash: [UInt8]) throws(ApplePayError) {
        switch key {
        case .p256(let key): backing = .ec(key)
        case .rsa(let key): backing = .rsa(key)
        case .p384: throw ApplePayError(code: .keyKind, reason: "a processing key is P-256 or RSA, not P-384")
        }
        guard merchantIdentifierHash.count == 32 else {
            throw ApplePayError(code: .merchantIdentifierMissing, reason: "the merchant identifier's hash is not 32 bytes")
        }
        self.merchantIdentifierHash = merchantIdentifierHash
        publicKey = key.publicKey
    }
}

extension KeyRing where Key == ProcessingKey {
    /// A ring that opens tokens for these keys; the last one is the active one.
    public static func processing(_ keys: [ProcessingKey]) throws(ApplePayError) -> Self {
        var ring = Self()
        for key in keys {
            do throws(PaymentCryptoError) {
                try ring.add(key.id, key)
            } catch {
                throw ApplePayError(code: .keyMismatch, reason: error.reason)
            }
        }
        return ring
    }
}
