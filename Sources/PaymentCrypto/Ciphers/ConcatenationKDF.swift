import Crypto
public import Foundation

/// The single-step key derivation of NIST SP 800-56A section 5.8.1 with SHA-256: hash of counter ‖ Z ‖ other information.
public enum ConcatenationKDF {
    /// Derives `length` bytes. The counter is four bytes, big-endian, starts at one, and stands before Z.
    ///
    /// X9.63's derivation puts the counter after Z and gives other keys.
    public static func derive(
        sharedSecret: some ContiguousBytes, otherInfo: some ContiguousBytes, length: Int = 32
    ) throws(PaymentCryptoError) -> [UInt8] {
        guard length > 0, length <= 255 * SHA256.byteCount else {
            throw PaymentCryptoError(code: .invalidParameter, reason: "a derived key has 1 to 8160 bytes")
        }
        var key = [UInt8]()
        key.reserveCapacity((length + 31) / 32 * 32)
        var counter: UInt32 = 1
        while key.count < length {
            var hash = SHA256()
            input(counter: counter, sharedSecret: sharedSecret, otherInfo: otherInfo).withUnsafeBytes { hash.update(bufferPointer: $0) }
            key.append(contentsOf: hash.finalize())
            counter += 1
        }
        key.removeLast(key.count - length)
        return key
    }

    /// What is hashed for one block of the key: counter ‖ Z ‖ other information.
    package static func input(
        counter: UInt32 = 1, sharedSecret: some ContiguousBytes, otherInfo: some ContiguousBytes
    ) -> SecretBytes {
        SecretBytes(joining: [withUnsafeBytes(of: counter.bigEndian) { [UInt8]($0) }, sharedSecret, otherInfo])
    }
}
