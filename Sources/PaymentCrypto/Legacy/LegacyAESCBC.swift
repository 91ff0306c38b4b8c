import Crypto
import CryptoExtras
public import Foundation

/// AES-CBC with PKCS#7 padding, for outside parties that require it.
///
/// Nothing in it tells a changed message from a right one: verify a signature over the ciphertext before opening. With a fixed vector,
/// equal beginnings of messages show as equal beginnings of ciphertexts. Use ``AESGCM`` where there is a choice.
public struct LegacyAESCBC: Sendable {
    private let key: SymmetricKey

    /// Sixteen zero bytes, as some published kits have it.
    public static let zeroVector = [UInt8](repeating: 0, count: 16)

    /// Takes a key of 16, 24 or 32 bytes; throws `invalid-parameter` for another length.
    public init(key: some ContiguousBytes) throws(PaymentCryptoError) {
        let key = SymmetricKey(data: key)
        guard [128, 192, 256].contains(key.bitCount) else {
            throw PaymentCryptoError(code: .invalidParameter, reason: "an AES key has 16, 24 or 32 bytes")
        }
        self.key = key
    }

    /// Throws `invalid-parameter` for a vector of another length than 16 bytes.
    public func seal(_ message: [UInt8], vector: [UInt8] = Self.zeroVector) throws(PaymentCryptoError) -> [UInt8] {
        let vector = try Self.vector(vector)
        guard let sealed = try? AES._CBC.encrypt(message, using: key, iv: vector) else {
            throw PaymentCryptoError(code: .encryptionFailed, reason: "the message could not be sealed")
        }
        return Array(sealed)
    }

    /// Throws `decryption-failed` without saying why: whoever learns whether padding was right can open messages.
    public func open(_ sealed: [UInt8], vector: [UInt8] = Self.zeroVector) throws(PaymentCryptoError) -> [UInt8] {
        let vector = try Self.vector(vector)
        guard !sealed.isEmpty, sealed.count.isMultiple(of: 16), let opened = try? AES._CBC.decrypt(sealed, using: key, iv: vector) else {
            throw PaymentCryptoError(code: .decryptionFailed, reason: "the message does not open")
        }
        return Array(opened)
    }

    private static func vector(_ bytes: [UInt8]) throws(PaymentCryptoError) -> AES._CBC.IV {
        guard let vector = try? AES._CBC.IV(ivBytes: bytes) else {
            throw PaymentCryptoError(code: .invalidParameter, reason: "a vector has 16 bytes")
        }
        return vector
    }
}
