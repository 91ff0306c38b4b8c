public import BillfoldDiagnosis
public import PaymentCrypto

/// Opens verified tokens with the merchant's processing keys (apple-pay.md#decryption).
///
/// The key is chosen by `publicKeyHash`, never by trying one after another. Every failure to open is the one refusal
/// `decryption-refused`.
public struct TokenDecryptor: Sendable {
    public var keys: KeyRing<ProcessingKey>

    public init(keys: KeyRing<ProcessingKey>) { self.keys = keys }

    /// Opens the token and reads its payload.
    ///
    /// Throws `unknown-public-key-hash`, `decryption-refused` or `malformed-payload`.
    public func open(_ token: VerifiedToken) throws(ApplePayError) -> PaymentPayload {
        try PaymentPayload(plaintext(of: token).reveal())
    }

    /// Opens the token and returns the payload's bytes as the device wrote them. Cardholder data: never log or store them.
    public func plaintext(of token: VerifiedToken) throws(ApplePayError) -> Secret<[UInt8]> {
        let token = token.token
        let key: ProcessingKey
        do throws(PaymentCryptoError) {
            key = try keys.key(KeyID(publicKeyHash: token.header.publicKeyHash))
        } catch {
            throw ApplePayError(code: .unknownPublicKeyHash, reason: error.reason)
        }
        return Secret(try Self.open(token, with: key))
    }

    /// Opens a verified token with an AES key that was unwrapped or agreed elsewhere, for example in a hardware module.
    public static func plaintext(of token: VerifiedToken, symmetricKey: Secret<[UInt8]>) throws(ApplePayError) -> Secret<[UInt8]> {
        Secret(try open(token.token, symmetricKey: symmetricKey.reveal()))
    }

    private static func open(_ token: PaymentToken, with key: ProcessingKey) throws(ApplePayError) -> [UInt8] {
        switch (token.header.key, key.backing) {
        case (.ephemeralPublicKey(let info), .ec(let key_)):
            guard let secret = try? key_.sharedSecret(subjectPublicKeyInfo: info) else { throw refused() }
            let derived = try TokenKeyDerivation.key(sharedSecret: secret, merchantIdentifierHash: key.merchantIdentifierHash)
            return try open(token, symmetricKey: derived)
        case (.wrappedKey(let wrapped), .rsa(let key)):
            let unwrapped = (try? key.openOAEPSHA256(wrapped)) ?? []
            let isKey = unwrapped.count == 16
            // A key that does not unwrap costs the same work, so that nobody can tell unwrapping from authentication; what
            // opens under the stand-in is refused nevertheless.
            let plaintext = try open(token, symmetricKey: isKey ? unwrapped : [UInt8](repeating: 0, count: 16))
            guard isKey else { throw refused() }
            return plaintext
        case (.ephemeralPublicKey, .rsa), (.wrappedKey, .ec):
            // The header's hash names a key of the other kind: nothing the wallet makes looks like this.
            throw refused()
        }
    }

    /// AES-GCM with sixteen zero bytes as nonce, no additional data, the tag last.
    package static func open(_ token: PaymentToken, symmetricKey: [UInt8]) throws(ApplePayError) -> [UInt8] {
        // EC_v1 uses AES-256 and RSA_v1 AES-128 (apple-pay.md#decryption).
        guard symmetricKey.count == (token.version == .ecV1 ? 32 : 16) else { throw refused() }
        do throws(PaymentCryptoError) {
            return try AESGCM(key: symmetricKey).open(token.data, nonce: AESGCM.walletTokenNonce)
        } catch {
            throw refused()
        }
    }

    private static func refused(line: Int = #line) -> ApplePayError {
        ApplePayError(code: .decryptionRefused, reason: "the token could not be opened", line: line)
    }
}
