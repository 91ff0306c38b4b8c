import Crypto
import CryptoExtras
public import Foundation

/// RSA PKCS#1 v1.5 over SHA-1: only for UnionPay messages of version 5.0.0 (reference section 8.3).
///
/// SHA-1 collisions can be made; nothing that a stranger chooses may be trusted for such a signature alone.
public enum LegacySHA1Signature {
    public static func make(
        over message: some ContiguousBytes, key: RSAPrivateKey
    ) throws(PaymentCryptoError) -> [UInt8] {
        let made = message.withUnsafeBytes {
            try? key.signing.signature(for: Insecure.SHA1.hash(data: $0), padding: .insecurePKCS1v1_5)
        }
        guard let made else { throw PaymentCryptoError(code: .signingFailed, reason: "the message could not be signed") }
        return Array(made.rawRepresentation)
    }

    public static func isValid(
        _ signature: some ContiguousBytes, over message: some ContiguousBytes, key: PublicKey
    ) -> Bool {
        guard case .rsa(let key) = key.backing else { return false }
        return message.withUnsafeBytes { message in
            signature.withUnsafeBytes { signature in
                key.isValidSignature(
                    .init(rawRepresentation: signature), for: Insecure.SHA1.hash(data: message), padding: .insecurePKCS1v1_5)
            }
        }
    }
}
