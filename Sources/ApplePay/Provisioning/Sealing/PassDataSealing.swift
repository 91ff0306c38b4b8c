public import PaymentCrypto

/// Seals payloads to the broker's leaf, whatever the scheme.
public protocol PassDataSealing: Sendable {
    /// How it seals, as the wallet's side names it: `EV_ECC_v2` or `EV_RSA_v2`.
    var scheme: EncryptionScheme { get }

    /// Seals one payload with keys of its own. Pass the system's generator for real cards: a repeated draw repeats the key, and the
    /// fixed nonce then gives both payloads away.
    func seal(_ plaintext: SecretBytes, using generator: inout some RandomNumberGenerator) throws(ApplePayError) -> SealedPassData
}

extension EncryptionScheme {
    /// A sealer to a leaf's key, which ``ProvisioningChainReport`` hands out when the chain holds. Throws `leaf-key-kind`.
    public func sealer(leaf: PublicKey) throws(ApplePayError) -> any PassDataSealing {
        switch self {
        case .eccV2: try PassDataSealer(leaf: leaf)
        case .rsaV2: try RSAPassDataSealer(leaf: leaf)
        }
    }
}
