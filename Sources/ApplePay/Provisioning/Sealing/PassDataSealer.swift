import Crypto
public import PaymentCrypto

/// Seals payloads by ECC_V2 (provisioning.md#ecc_v2 [V]). Keep one per leaf: the leaf's point is parsed once.
public struct PassDataSealer: PassDataSealing {
    private let leaf: P256.KeyAgreement.PublicKey
    public let publicKeyHash: [UInt8]
    public var scheme: EncryptionScheme { .eccV2 }

    /// Takes the key of a leaf whose chain was accepted. Throws `leaf-key-kind` for a key that is not P-256.
    public init(leaf: PublicKey) throws(ApplePayError) {
        guard leaf.kind == .p256, let point = leaf.x963, let key = try? P256.KeyAgreement.PublicKey(x963Representation: point) else {
            throw ApplePayError(code: .leafKeyKind, reason: "ECC_V2 seals to a P-256 key")
        }
        self.leaf = key
        publicKeyHash = leaf.sha256
    }

    public func seal(
        _ plaintext: SecretBytes, using generator: inout some RandomNumberGenerator
    ) throws(ApplePayError) -> SealedPassData {
        var steps = SealingSteps.off
        return try seal(plaintext, ephemeral: Self.ephemeralKey(&generator), recording: &steps)
    }

    /// With a given key, for known answers alone: two payloads under one key are open to anybody. Throws `sealing-failed` for a scalar that
    /// is none.
    package func seal(
        _ plaintext: SecretBytes, ephemeralScalar scalar: SecretBytes, recording steps: inout SealingSteps
    ) throws(ApplePayError) -> SealedPassData {
        guard let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: scalar) else {
            throw ApplePayError(code: .sealingFailed, reason: "the ephemeral private key is no scalar of P-256")
        }
        return try seal(plaintext, ephemeral: key, recording: &steps)
    }

    /// With a key of its own, as in earnest, and with each value on the way.
    package func seal(
        _ plaintext: SecretBytes, using generator: inout some RandomNumberGenerator, recording steps: inout SealingSteps
    ) throws(ApplePayError) -> SealedPassData {
        try seal(plaintext, ephemeral: Self.ephemeralKey(&generator), recording: &steps)
    }

    private func seal(
        _ plaintext: SecretBytes, ephemeral: P256.KeyAgreement.PrivateKey, recording steps: inout SealingSteps
    ) throws(ApplePayError) -> SealedPassData {
        do {
            let point = Array(ephemeral.publicKey.x963Representation)
            steps.record(.ephemeralPrivateKey, SecretBytes(ephemeral.rawRepresentation))
            steps.record(.ephemeralPublicKey, SecretBytes(point))
            steps.record(.leafPublicKey, SecretBytes(leaf.x963Representation))
            let secret = try ephemeral.sharedSecretFromKeyAgreement(with: leaf)
            let key = try PassDataKeyDerivation.key(sharedSecret: secret, ephemeralPublicKey: point, recording: &steps)
            steps.record(.plaintext, plaintext)
            let sealed = try AESGCM(key: key).seal(plaintext, nonce: PassDataKeyDerivation.nonce)
            steps.record(sealed: sealed)
            return SealedPassData(encryptedPassData: sealed, key: .ephemeralPublicKey(point), publicKeyHash: publicKeyHash)
        } catch {
            throw ApplePayError(code: .sealingFailed, reason: "the payload could not be sealed")
        }
    }

    /// A fresh key. One draw in 2^32 is not below the curve's order; eight such draws in a row mean a broken generator.
    private static func ephemeralKey(_ generator: inout some RandomNumberGenerator) throws(ApplePayError) -> P256.KeyAgreement.PrivateKey {
        for _ in 0..<8 {
            var scalar = [UInt8](repeating: 0, count: 32)
            defer { scalar.wipe() }
            generator.fill(&scalar)
            if let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: scalar) { return key }
        }
        throw ApplePayError(code: .sealingFailed, reason: "the generator gives no usable scalar")
    }
}

extension RandomNumberGenerator {
    /// Overwrites the bytes with random ones.
    package mutating func fill(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { target in
            for start in stride(from: 0, to: target.count, by: 8) {
                withUnsafeBytes(of: next()) { draw in
                    for (index, byte) in draw.prefix(target.count - start).enumerated() { target[start + index] = byte }
                }
            }
        }
    }
}
