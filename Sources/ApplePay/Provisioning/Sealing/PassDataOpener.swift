public import PaymentCrypto

/// Opens what ``PassDataSealer`` sealed: the broker's side (provisioning.md#ecc_v2). Issuers have no use for it.
public struct PassDataOpener: Sendable {
    private let key: P256PrivateKey

    public init(key: P256PrivateKey) { self.key = key }

    public var publicKeyHash: [UInt8] { key.publicKey.sha256 }

    /// Throws `ephemeral-public-key-form` for a key that is not 65 bytes, does not begin with 04 or lies off the curve, and
    /// `decryption-refused` without saying why.
    public func open(encryptedPassData: [UInt8], ephemeralPublicKey point: [UInt8]) throws(ApplePayError) -> SecretBytes {
        var steps = SealingSteps.off
        return try open(encryptedPassData: encryptedPassData, ephemeralPublicKey: point, recording: &steps)
    }

    /// The same, with each value on the way; those up to what is refused are kept.
    package func open(
        encryptedPassData: [UInt8], ephemeralPublicKey point: [UInt8], recording steps: inout SealingSteps
    ) throws(ApplePayError) -> SecretBytes {
        steps.record(.ephemeralPublicKey, SecretBytes(point))
        steps.record(.leafPublicKey, SecretBytes(key.publicKey.x963 ?? []))
        var secret: [UInt8]
        do throws(PaymentCryptoError) {
            secret = try key.sharedSecret(x963: point)
        } catch {
            throw ApplePayError(
                code: .ephemeralPublicKeyForm, reason: "the ephemeral key of \(point.count) bytes is no uncompressed point on the curve")
        }
        defer { secret.wipe() }
        do throws(PaymentCryptoError) {
            let key = try PassDataKeyDerivation.key(sharedSecret: secret, ephemeralPublicKey: point, recording: &steps)
            steps.record(sealed: encryptedPassData)
            var opened = try AESGCM(key: key).open(encryptedPassData, nonce: PassDataKeyDerivation.nonce)
            let plaintext = SecretBytes(taking: &opened)
            steps.record(.plaintext, plaintext)
            return plaintext
        } catch {
            throw ApplePayError(code: .decryptionRefused, reason: "the pass data could not be opened")
        }
    }
}
