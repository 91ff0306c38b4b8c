public import PaymentCrypto

/// What RSA_V2 leaves open in public material: the defaults are those of Apple's RSA merchant tokens (provisioning.md#rsa_v2 [I]).
public struct RSAPassDataParameters: Sendable, Hashable {
    /// Bytes of the AES key: 16 or 32.
    public var keyLength: Int
    /// Zero bytes of the nonce: 12 or 16.
    public var nonceLength: Int

    public init(keyLength: Int = 16, nonceLength: Int = 16) {
        self.keyLength = keyLength
        self.nonceLength = nonceLength
    }

    var nonce: [UInt8] { [UInt8](repeating: 0, count: nonceLength) }
}

/// Seals payloads by RSA_V2 as inferred: a random AES key under RSA-OAEP with SHA-256, the data in AES-GCM. Unconfirmed
/// (provisioning.md#rsa_v2 [I]).
public struct RSAPassDataSealer: PassDataSealing {
    private let leaf: PublicKey
    public let parameters: RSAPassDataParameters
    public var scheme: EncryptionScheme { .rsaV2 }

    /// Throws `leaf-key-kind` for a key that is not RSA.
    public init(leaf: PublicKey, parameters: RSAPassDataParameters = .init()) throws(ApplePayError) {
        guard case .rsa = leaf.kind else { throw ApplePayError(code: .leafKeyKind, reason: "RSA_V2 seals to an RSA key") }
        self.leaf = leaf
        self.parameters = parameters
    }

    /// The AES key comes from the generator; OAEP draws its own padding.
    public func seal(
        _ plaintext: SecretBytes, using generator: inout some RandomNumberGenerator
    ) throws(ApplePayError) -> SealedPassData {
        var steps = SealingSteps.off
        return try seal(plaintext, using: &generator, recording: &steps)
    }

    /// The same, with each value on the way.
    package func seal(
        _ plaintext: SecretBytes, using generator: inout some RandomNumberGenerator, recording steps: inout SealingSteps
    ) throws(ApplePayError) -> SealedPassData {
        var key = [UInt8](repeating: 0, count: parameters.keyLength)
        generator.fill(&key)
        return try seal(plaintext, aesKey: SecretBytes(taking: &key), recording: &steps)
    }

    /// With a given key, for known answers alone: two payloads under one key are open to anybody. Throws `sealing-failed` for a key of
    /// another length than the parameters say.
    package func seal(
        _ plaintext: SecretBytes, aesKey key: SecretBytes, recording steps: inout SealingSteps
    ) throws(ApplePayError) -> SealedPassData {
        do throws(PaymentCryptoError) {
            guard key.count == parameters.keyLength else {
                throw PaymentCryptoError(code: .invalidParameter, reason: "another key length")
            }
            steps.record(.leafPublicKey, SecretBytes(leaf.subjectPublicKeyInfo))
            steps.record(.aesKey, key)
            steps.record(.nonce, SecretBytes(parameters.nonce))
            steps.record(.plaintext, plaintext)
            let sealed = try AESGCM(key: key).seal(plaintext, nonce: parameters.nonce)
            steps.record(sealed: sealed)
            let wrapped = try leaf.sealOAEPSHA256(key)
            steps.record(.wrappedKey, SecretBytes(wrapped))
            return SealedPassData(encryptedPassData: sealed, key: .wrappedKey(wrapped), publicKeyHash: leaf.sha256)
        } catch {
            throw ApplePayError(code: .sealingFailed, reason: "the payload could not be sealed")
        }
    }
}

/// Opens what ``RSAPassDataSealer`` sealed. Unconfirmed like it.
public struct RSAPassDataOpener: Sendable {
    private let key: RSAPrivateKey
    public let parameters: RSAPassDataParameters

    public init(key: RSAPrivateKey, parameters: RSAPassDataParameters = .init()) {
        self.key = key
        self.parameters = parameters
    }

    /// Throws `decryption-refused` without saying why.
    public func open(encryptedPassData: [UInt8], wrappedKey: [UInt8]) throws(ApplePayError) -> SecretBytes {
        var steps = SealingSteps.off
        return try open(encryptedPassData: encryptedPassData, wrappedKey: wrappedKey, recording: &steps)
    }

    /// The same, with each value on the way; those up to what is refused are kept.
    package func open(
        encryptedPassData: [UInt8], wrappedKey: [UInt8], recording steps: inout SealingSteps
    ) throws(ApplePayError) -> SecretBytes {
        steps.record(.leafPublicKey, SecretBytes(key.publicKey.subjectPublicKeyInfo))
        steps.record(.wrappedKey, SecretBytes(wrappedKey))
        do throws(PaymentCryptoError) {
            var unwrapped = try key.openOAEPSHA256(wrappedKey)
            defer { unwrapped.wipe() }
            steps.record(.aesKey, SecretBytes(unwrapped))
            guard unwrapped.count == parameters.keyLength else {
                throw PaymentCryptoError(code: .decryptionFailed, reason: "another key length")
            }
            steps.record(.nonce, SecretBytes(parameters.nonce))
            steps.record(sealed: encryptedPassData)
            var opened = try AESGCM(key: unwrapped).open(encryptedPassData, nonce: parameters.nonce)
            let plaintext = SecretBytes(taking: &opened)
            steps.record(.plaintext, plaintext)
            return plaintext
        } catch {
            throw ApplePayError(code: .decryptionRefused, reason: "the pass data could not be opened")
        }
    }
}
