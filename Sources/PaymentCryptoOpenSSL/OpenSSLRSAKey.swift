import CLibcrypto
public import Foundation
public import PaymentCrypto

/// An RSA private key held by OpenSSL: signs behind the same protocol as the other library's keys, and opens OAEP with
/// any pair of hashes, which the doctor needs to name the wrong one.
public struct OpenSSLRSAKey: MessageSigner, CustomStringConvertible {
    private let key: OpenSSLKey
    public let publicKey: PublicKey

    /// Reads PKCS#8 or PKCS#1 DER.
    public init(der: [UInt8]) throws(PaymentCryptoOpenSSLError) {
        key = try OpenSSLKey.privateKey(der: der)
        guard key.isKind("RSA"), let publicKey = try? PublicKey(subjectPublicKeyInfo: key.subjectPublicKeyInfo) else {
            throw PaymentCryptoOpenSSLError(code: .malformedKey, reason: "no RSA private key of 2048 bits or more")
        }
        self.publicKey = publicKey
    }

    /// Takes a key that the other library read.
    public init(_ key: RSAPrivateKey) throws(PaymentCryptoOpenSSLError) { try self.init(der: key.pkcs8) }

    public func signature(
        over message: some ContiguousBytes, algorithm: SignatureAlgorithm
    ) throws(PaymentCryptoError) -> [UInt8] {
        let hash: OpenSSLHash
        switch algorithm {
        case .rsaPKCS1SHA256: hash = .sha256
        case .rsaPKCS1SHA384: hash = .sha384
        case .rsaPKCS1SHA512: hash = .sha512
        default:
            throw PaymentCryptoError(code: .unsupportedAlgorithm, reason: "\(algorithm.rawValue) with an RSA key")
        }
        guard let made = message.withUnsafeBytes({ key.sign($0, hash) }) else {
            throw PaymentCryptoError(code: .signingFailed, reason: "the message could not be signed")
        }
        return made
    }

    /// Opens what was wrapped by RSA-OAEP with the given hash and mask hash and an empty label. Throws
    /// `decryption-failed` without saying why.
    public func openOAEP(
        _ wrapped: some ContiguousBytes, hash: OpenSSLHash, maskHash: OpenSSLHash
    ) throws(PaymentCryptoOpenSSLError) -> [UInt8] {
        let opened = wrapped.withUnsafeBytes { bytes in
            key.withContext { context -> [UInt8]? in
                guard EVP_PKEY_decrypt_init(context) == 1,
                    OAEPParameters.set(context, hash: hash, maskHash: maskHash)
                else { return nil }
                var count = Int(EVP_PKEY_get_size(key.pointer))
                var plain = [UInt8](repeating: 0, count: count)
                let source = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
                guard EVP_PKEY_decrypt(context, &plain, &count, source, bytes.count) == 1 else { return nil }
                return Array(plain[..<count])
            }
        }
        guard let opened else {
            throw PaymentCryptoOpenSSLError(code: .decryptionFailed, reason: "the wrapped secret does not open")
        }
        return opened
    }

    public var description: String { "RSA private key" }
}

extension OpenSSLRSAKey: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
