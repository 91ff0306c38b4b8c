import Crypto
public import Foundation

/// Sealing for one receiver with HPKE (RFC 9180, base mode, P-256, HKDF-SHA-256, AES-256-GCM): the encapsulated key, then the ciphertext.
///
/// Anybody can seal: what is opened says nothing about its sender.
@available(iOS 17, *)
public enum HybridEncryption {
    private static let suite = HPKE.Ciphersuite.P256_SHA256_AES_GCM_256
    /// An uncompressed point.
    private static let encapsulatedLength = 65

    /// Seals for the owner of a P-256 key. The library draws the ephemeral key itself.
    ///
    /// - Parameters:
    ///   - plaintext: What only the receiver is to read, of any length; the sealed bytes show how long it is.
    ///   - key: The receiver's. One that is not on P-256 is refused with `unsupported-key`.
    ///   - info: What the bytes are for; the opener must say the same.
    public static func seal(
        _ plaintext: some ContiguousBytes, to key: PublicKey, info: String
    ) throws(PaymentCryptoError) -> [UInt8] {
        guard key.kind == .p256, let point = key.x963 else {
            throw PaymentCryptoError(code: .unsupportedKey, reason: "hybrid encryption takes a P-256 key")
        }
        do {
            let receiver = try P256.KeyAgreement.PublicKey(x963Representation: point)
            var sender = try HPKE.Sender(recipientKey: receiver, ciphersuite: suite, info: Data(info.utf8))
            let ciphertext = try plaintext.withUnsafeBytes { try sender.seal(Data($0)) }
            return Array(sender.encapsulatedKey + ciphertext)
        } catch {
            throw PaymentCryptoError(code: .encryptionFailed, reason: "the message could not be sealed")
        }
    }

    /// Opens what was sealed for `key` under the same `info`. Throws `decryption-failed`, whatever is wrong.
    public static func open(_ sealed: [UInt8], with key: P256PrivateKey, info: String) throws(PaymentCryptoError) -> [UInt8] {
        do {
            var receiver = try HPKE.Recipient(
                privateKey: key.agreement, ciphersuite: suite, info: Data(info.utf8),
                encapsulatedKey: Data(sealed.prefix(encapsulatedLength)))
            var opened = try receiver.open(Data(sealed.dropFirst(encapsulatedLength)))
            defer { opened.resetBytes(in: opened.startIndex..<opened.endIndex) }
            return Array(opened)
        } catch {
            throw PaymentCryptoError(code: .decryptionFailed, reason: "the message does not open")
        }
    }
}
