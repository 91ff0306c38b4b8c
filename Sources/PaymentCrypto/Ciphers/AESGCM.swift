import Crypto
public import Foundation

/// AES-GCM with 128 or 256 bit keys and nonces of twelve bytes or more; the wallet token uses sixteen zero bytes.
///
/// Where the nonce is fixed, the key must be used once: that is how the wallet token's key is made.
public struct AESGCM: Sendable {
    private let key: SymmetricKey

    /// Takes a key of 16 or 32 bytes; throws `invalid-parameter` for another length.
    public init(key: some ContiguousBytes) throws(PaymentCryptoError) {
        let key = SymmetricKey(data: key)
        guard key.bitCount == 128 || key.bitCount == 256 else {
            throw PaymentCryptoError(code: .invalidParameter, reason: "an AES key has 16 or 32 bytes here")
        }
        self.key = key
    }

    /// The nonce of every wallet token: sixteen zero bytes (apple-pay.md#decryption). [V]
    public static let walletTokenNonce = [UInt8](repeating: 0, count: 16)

    /// Opens ciphertext followed by its 16-byte tag. Throws `decryption-failed` without saying why, and
    /// `invalid-parameter` for a nonce under twelve bytes.
    public func open(
        _ sealed: some ContiguousBytes, nonce: some ContiguousBytes, authenticating extra: [UInt8] = []
    ) throws(PaymentCryptoError) -> [UInt8] {
        let nonce = try Self.nonce(nonce)
        let opened = sealed.withUnsafeBytes { bytes -> Data? in
            guard bytes.count >= 16 else { return nil }
            let split = bytes.count - 16
            guard
                let box = try? AES.GCM.SealedBox(
                    nonce: nonce, ciphertext: UnsafeRawBufferPointer(rebasing: bytes[..<split]),
                    tag: UnsafeRawBufferPointer(rebasing: bytes[split...]))
            else { return nil }
            return try? AES.GCM.open(box, using: key, authenticating: extra)
        }
        guard let opened else { throw PaymentCryptoError(code: .decryptionFailed, reason: "the message does not open") }
        return Array(opened)
    }

    /// Seals a message; returns the ciphertext followed by its 16-byte tag.
    public func seal(
        _ message: some ContiguousBytes, nonce: some ContiguousBytes, authenticating extra: [UInt8] = []
    ) throws(PaymentCryptoError) -> [UInt8] {
        let nonce = try Self.nonce(nonce)
        let box = message.withUnsafeBytes { try? AES.GCM.seal($0, using: key, nonce: nonce, authenticating: extra) }
        guard let box else { throw PaymentCryptoError(code: .encryptionFailed, reason: "the message could not be sealed") }
        return Array(box.ciphertext) + box.tag
    }

    private static func nonce(_ bytes: some ContiguousBytes) throws(PaymentCryptoError) -> AES.GCM.Nonce {
        guard let nonce = bytes.withUnsafeBytes({ try? AES.GCM.Nonce(data: $0) }) else {
            throw PaymentCryptoError(code: .invalidParameter, reason: "a nonce has twelve bytes or more")
        }
        return nonce
    }
}
