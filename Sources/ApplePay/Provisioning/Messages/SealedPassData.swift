/// What the issuer's host hands back for one card, raw bytes: transport encodes them
/// (provisioning.md#sequence, step 7).
public struct SealedPassData: Sendable, Hashable {
    /// How the broker comes by the data's key.
    public enum Key: Sendable, Hashable {
        /// `ECC_V2`: the uncompressed point, 65 bytes.
        case ephemeralPublicKey([UInt8])
        /// `RSA_V2`: as long as the leaf's modulus.
        case wrappedKey([UInt8])
    }

    /// Ciphertext and its 16-byte tag.
    public var encryptedPassData: [UInt8]
    public var key: Key
    /// SHA-256 of the leaf's SubjectPublicKeyInfo, 32 bytes (provisioning.md#public-key-hash [V]).
    public var publicKeyHash: [UInt8]

    public init(encryptedPassData: [UInt8], key: Key, publicKeyHash: [UInt8]) {
        self.encryptedPassData = encryptedPassData
        self.key = key
        self.publicKeyHash = publicKeyHash
    }

    public var ephemeralPublicKey: [UInt8]? { if case .ephemeralPublicKey(let point) = key { point } else { nil } }
    public var wrappedKey: [UInt8]? { if case .wrappedKey(let wrapped) = key { wrapped } else { nil } }

    public var scheme: EncryptionScheme {
        switch key {
        case .ephemeralPublicKey: .eccV2
        case .wrappedKey: .rsaV2
        }
    }
}
