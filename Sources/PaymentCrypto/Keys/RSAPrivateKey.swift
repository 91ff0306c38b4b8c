import Crypto
import CryptoExtras
public import Foundation

/// An RSA private key of 2048 bits or more for signing and for opening wrapped keys, parsed once.
public struct RSAPrivateKey: MessageSigner, CustomStringConvertible {
    let signing: _RSA.Signing.PrivateKey
    private let encryption: RSADecryptionKey
    public let publicKey: PublicKey

    /// Reads PKCS#8 or PKCS#1 DER.
    public init(der: [UInt8]) throws(PaymentCryptoError) {
        do {
            try self.init(_RSA.Signing.PrivateKey(derRepresentation: der))
        } catch {
            throw PaymentCryptoError(code: .malformedKey, reason: "no RSA private key of 2048 bits or more")
        }
    }

    /// Reads the first private key of a PEM text.
    public init(pem: String) throws(PaymentCryptoError) { try self.init(der: PrivateKeyForm.block(of: pem)) }

    /// Makes a key of 2048, 3072 or 4096 bits. The library draws the primes from the system's generator itself: it
    /// takes no other, so this one call cannot be seeded.
    public init(bits: Int) throws(PaymentCryptoError) {
        guard [2048, 3072, 4096].contains(bits) else {
            throw PaymentCryptoError(code: .unsupportedKey, reason: "RSA keys are made with 2048, 3072 or 4096 bits")
        }
        do {
            try self.init(_RSA.Signing.PrivateKey(keySize: .init(bitCount: bits)))
        } catch {
            throw PaymentCryptoError(code: .malformedKey, reason: "the RSA key could not be made")
        }
    }

    private init(_ signing: _RSA.Signing.PrivateKey) throws {
        self.signing = signing
        encryption = RSADecryptionKey(try .init(derRepresentation: signing.derRepresentation))
        publicKey = try PublicKey(subjectPublicKeyInfo: Array(signing.publicKey.derRepresentation))
    }

    /// Signs by PKCS#1 v1.5. The result is the same each time.
    public func signature(
        over message: some ContiguousBytes, algorithm: SignatureAlgorithm
    ) throws(PaymentCryptoError) -> [UInt8] {
        let made = message.withUnsafeBytes { bytes -> _RSA.Signing.RSASignature? in
            switch algorithm {
            case .rsaPKCS1SHA256: try? signing.signature(for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5)
            case .rsaPKCS1SHA384: try? signing.signature(for: SHA384.hash(data: bytes), padding: .insecurePKCS1v1_5)
            case .rsaPKCS1SHA512: try? signing.signature(for: SHA512.hash(data: bytes), padding: .insecurePKCS1v1_5)
            default: nil
            }
        }
        guard let made else {
            throw PaymentCryptoError(code: .unsupportedAlgorithm, reason: "\(algorithm.rawValue) with an RSA key")
        }
        return Array(made.rawRepresentation)
    }

    /// Opens what was wrapped by RSA-OAEP with SHA-256 for both the hash and MGF1 and an empty label
    /// (apple-pay.md#rsa_v1). Throws `decryption-failed` without saying why.
    public func openOAEPSHA256(_ wrapped: some ContiguousBytes) throws(PaymentCryptoError) -> [UInt8] {
        guard let opened = wrapped.withUnsafeBytes({ encryption.openOAEPSHA256($0) }) else {
            throw PaymentCryptoError(code: .decryptionFailed, reason: "the wrapped key does not open")
        }
        return opened
    }

    /// PKCS#8 DER. A secret.
    public var pkcs8: [UInt8] { Array(signing.pkcs8DERRepresentation) }

    public var description: String { "RSA private key" }
}

extension RSAPrivateKey: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension PublicKey {
    /// Wraps a short secret by RSA-OAEP with SHA-256 for both the hash and MGF1. Throws `unsupported-algorithm` for a
    /// key that is not RSA.
    public func sealOAEPSHA256(_ secret: some ContiguousBytes) throws(PaymentCryptoError) -> [UInt8] {
        guard case .rsa = kind else {
            throw PaymentCryptoError(code: .unsupportedAlgorithm, reason: "OAEP needs an RSA key")
        }
        do {
            let key = try _RSA.Encryption.PublicKey(derRepresentation: subjectPublicKeyInfo)
            return try secret.withUnsafeBytes { Array(try key.encrypt($0, padding: .PKCS1_OAEP_SHA256)) }
        } catch {
            throw PaymentCryptoError(code: .encryptionFailed, reason: "the secret could not be wrapped")
        }
    }
}
