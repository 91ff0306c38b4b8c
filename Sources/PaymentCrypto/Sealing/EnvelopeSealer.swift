import Crypto
public import Foundation

/// Seals small secrets for storage with AES-256-GCM. The id of the key stands in the sealed bytes and is authenticated.
///
/// Layout: version 1, length of the key id, key id (UTF-8), nonce (12 bytes), ciphertext, tag (16 bytes). A random nonce
/// is safe for 2^32 messages under one key (NIST SP 800-38D section 8.3); rotate the key well before.
public struct EnvelopeSealer: Sendable {
    public var ring: KeyRing<SealingKey>

    public init(ring: KeyRing<SealingKey>) { self.ring = ring }

    /// Seals with the ring's active key. `context` is not stored: the opener must give the same, such as the row's id, so
    /// that a sealed value cannot be moved to another row.
    public func seal(
        _ secret: some ContiguousBytes, context: [UInt8] = [], using generator: inout some RandomNumberGenerator
    ) throws(PaymentCryptoError) -> [UInt8] {
        let (id, key) = try ring.active
        let name = Array(id.description.utf8)
        guard name.count < 256 else {
            throw PaymentCryptoError(code: .invalidParameter, reason: "a key id has at most 255 bytes")
        }
        let header = [1, UInt8(name.count)] + name
        // Two words: a generator that asks the system pays for each call.
        let nonce = [generator.next(), generator.next()].flatMap { word in withUnsafeBytes(of: word) { Array($0) } }.prefix(12)
        let box = secret.withUnsafeBytes { bytes in
            (try? AES.GCM.Nonce(data: nonce)).flatMap {
                try? AES.GCM.seal(bytes, using: key.key, nonce: $0, authenticating: header + context)
            }
        }
        guard let box else { throw PaymentCryptoError(code: .encryptionFailed, reason: "the secret could not be sealed") }
        return header + nonce + box.ciphertext + box.tag
    }

    /// Opens with the key that the bytes name. Throws `unknown-key`, `key-retired` or `decryption-failed`.
    public func open(_ sealed: [UInt8], context: [UInt8] = []) throws(PaymentCryptoError) -> [UInt8] {
        try openSecret(sealed, context: context).reveal()
    }

    /// As ``open(_:context:)``, into memory that is overwritten when its last holder lets go; no copy stays behind.
    public func openSecret(_ sealed: [UInt8], context: [UInt8] = []) throws(PaymentCryptoError) -> SecretBytes {
        let (id, header) = try Self.header(of: sealed)
        let key = try ring.key(id)
        // Nonce, ciphertext and tag, as the layout has them.
        guard let box = try? AES.GCM.SealedBox(combined: sealed[header.count...]),
            var opened = try? AES.GCM.open(box, using: key.key, authenticating: header + context)
        else { throw PaymentCryptoError(code: .decryptionFailed, reason: "the sealed value does not open") }
        defer { opened.resetBytes(in: opened.startIndex..<opened.endIndex) }
        return SecretBytes(opened)
    }

    /// The id of the key that sealed the bytes, for jobs that seal again under a newer key.
    public static func keyID(of sealed: [UInt8]) throws(PaymentCryptoError) -> KeyID { try header(of: sealed).id }

    private static func header(of sealed: [UInt8]) throws(PaymentCryptoError) -> (id: KeyID, bytes: [UInt8]) {
        guard sealed.count > 2, sealed[0] == 1, sealed.count >= 2 + Int(sealed[1]),
            let name = String(utf8: sealed[2..<2 + Int(sealed[1])])
        else { throw PaymentCryptoError(code: .decryptionFailed, reason: "the sealed value does not open") }
        return (KeyID(name), Array(sealed[..<(2 + Int(sealed[1]))]))
    }
}
