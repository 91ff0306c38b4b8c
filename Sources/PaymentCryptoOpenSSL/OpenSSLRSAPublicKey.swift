import CLibcrypto
public import Foundation
public import PaymentCrypto

/// An RSA public key held by OpenSSL: wraps by OAEP with any pair of hashes, and shows what a signature really signed.
public struct OpenSSLRSAPublicKey: Sendable {
    private let key: OpenSSLKey

    /// Reads a SubjectPublicKeyInfo.
    public init(subjectPublicKeyInfo der: [UInt8]) throws(PaymentCryptoOpenSSLError) {
        key = try OpenSSLKey.publicKey(der: der)
        guard key.isKind("RSA") else {
            throw PaymentCryptoOpenSSLError(code: .malformedKey, reason: "the key is not an RSA key")
        }
    }

    public init(_ key: PublicKey) throws(PaymentCryptoOpenSSLError) {
        try self.init(subjectPublicKeyInfo: key.subjectPublicKeyInfo)
    }

    /// Wraps a short secret by RSA-OAEP with the given hash and mask hash and an empty label.
    public func sealOAEP(
        _ secret: some ContiguousBytes, hash: OpenSSLHash, maskHash: OpenSSLHash
    ) throws(PaymentCryptoOpenSSLError) -> [UInt8] {
        let sealed = secret.withUnsafeBytes { bytes in
            key.withContext { context -> [UInt8]? in
                guard EVP_PKEY_encrypt_init(context) == 1,
                    OAEPParameters.set(context, hash: hash, maskHash: maskHash)
                else { return nil }
                var count = Int(EVP_PKEY_get_size(key.pointer))
                var wrapped = [UInt8](repeating: 0, count: count)
                let source = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
                guard EVP_PKEY_encrypt(context, &wrapped, &count, source, bytes.count) == 1 else { return nil }
                return Array(wrapped[..<count])
            }
        }
        guard let sealed else {
            throw PaymentCryptoOpenSSLError(code: .encryptionFailed, reason: "the secret could not be wrapped")
        }
        return sealed
    }

    /// Applies the public-key operation to a signature and reads what comes out. Nothing is verified: it answers "what
    /// was signed" when a signature does not fit. Throws `invalid-parameter` when the length does not fit the key.
    public func recover(_ signature: some ContiguousBytes) throws(PaymentCryptoOpenSSLError) -> RecoveredSignature {
        let encoded = signature.withUnsafeBytes { bytes in
            key.withContext { context -> [UInt8]? in
                guard EVP_PKEY_verify_recover_init(context) == 1,
                    EVP_PKEY_CTX_set_rsa_padding(context, RSA_NO_PADDING) == 1
                else { return nil }
                var count = Int(EVP_PKEY_get_size(key.pointer))
                var block = [UInt8](repeating: 0, count: count)
                let source = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
                guard EVP_PKEY_verify_recover(context, &block, &count, source, bytes.count) == 1 else { return nil }
                return Array(block[..<count])
            }
        }
        guard let encoded else {
            throw PaymentCryptoOpenSSLError(code: .invalidParameter, reason: "the signature does not have the key's size")
        }
        return RecoveredSignature(encodedMessage: encoded)
    }
}
