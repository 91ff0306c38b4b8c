import Crypto
import CryptoExtras
public import Foundation

/// The hashes that RSA keys of the legacy kind sign with.
public enum LegacyRSAHash: Sendable, Hashable, CaseIterable {
    /// Collisions can be made; nothing that a stranger chooses may be trusted for such a signature alone.
    case sha1
    case sha256
}

/// Signs by RSASSA-PKCS1-v1_5 with an RSA key of 1024 bits or more, whatever library holds it.
///
/// Only for parties that still register such keys (Alipay's `RSA` and `RSA2`); everything else takes ``MessageSigner``.
public protocol LegacyRSASigner: Sendable {
    /// The key that the signatures verify under.
    var publicKey: LegacyRSAPublicKey { get }

    /// The signature over the message, as long as the modulus and the same each time. Throws `signing-failed`.
    func signature(over message: some ContiguousBytes, hash: LegacyRSAHash) throws(PaymentCryptoError) -> [UInt8]
}

/// An RSA public key of 1024 to 8192 bits; below 2048 bits it is weaker than anything else here.
public struct LegacyRSAPublicKey: Sendable, Hashable {
    let backing: _RSA.Signing.PublicKey
    /// DER of the SubjectPublicKeyInfo.
    public let subjectPublicKeyInfo: [UInt8]

    /// Reads a SubjectPublicKeyInfo.
    public init(subjectPublicKeyInfo der: [UInt8]) throws(PaymentCryptoError) {
        do {
            var outer = BERReader(der, rules: .der)
            var info = try outer.enter(0x30, "SubjectPublicKeyInfo")
            try outer.requireEnd("SubjectPublicKeyInfo")
            var algorithm = try info.enter(0x30, "key algorithm")
            guard try algorithm.nextOID("key algorithm") == .rsaEncryption else {
                throw PaymentCryptoError(code: .unsupportedKey, reason: "the key is not an RSA key")
            }
            try self.init(_RSA.Signing.PublicKey(unsafeDERRepresentation: der))
        } catch let error as PaymentCryptoError where error.code == .unsupportedKey {
            throw error
        } catch {
            throw PaymentCryptoError(code: .malformedKey, reason: "no RSA public key of 1024 bits or more")
        }
    }

    /// Reads a `PUBLIC KEY` block.
    public init(pem: String) throws(PaymentCryptoError) { try self.init(subjectPublicKeyInfo: PEMText(pem).first("PUBLIC KEY")) }

    init(_ backing: _RSA.Signing.PublicKey) throws(PaymentCryptoError) {
        guard backing.keySizeInBits <= 8192 else {
            throw PaymentCryptoError(code: .unsupportedKey, reason: "an RSA modulus of \(backing.keySizeInBits) bits")
        }
        self.backing = backing
        subjectPublicKeyInfo = Array(backing.derRepresentation)
    }

    /// Bits of the modulus.
    public var bits: Int { backing.keySizeInBits }

    public var pem: String { PEMText.Block(label: "PUBLIC KEY", bytes: subjectPublicKeyInfo).text }

    /// Whether the signature is this key's over the message, by RSASSA-PKCS1-v1_5. It says nothing of who holds the key.
    public func isValidSignature(_ signature: some ContiguousBytes, over message: some ContiguousBytes, hash: LegacyRSAHash) -> Bool {
        message.withUnsafeBytes { message in
            signature.withUnsafeBytes { signature in
                let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
                return switch hash {
                case .sha1:
                    backing.isValidSignature(signature, for: Insecure.SHA1.hash(data: message), padding: .insecurePKCS1v1_5)
                case .sha256: backing.isValidSignature(signature, for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
                }
            }
        }
    }

    public static func == (left: Self, right: Self) -> Bool { left.subjectPublicKeyInfo == right.subjectPublicKeyInfo }
    public func hash(into hasher: inout Hasher) { hasher.combine(subjectPublicKeyInfo) }
}

/// An RSA private key of 1024 bits or more. It prints as its kind alone.
public struct LegacyRSAPrivateKey: LegacyRSASigner, CustomStringConvertible {
    private let backing: _RSA.Signing.PrivateKey
    public let publicKey: LegacyRSAPublicKey

    /// Reads PKCS#8 or PKCS#1 DER.
    public init(der: [UInt8]) throws(PaymentCryptoError) {
        do {
            try self.init(_RSA.Signing.PrivateKey(unsafeDERRepresentation: der))
        } catch {
            throw PaymentCryptoError(code: .malformedKey, reason: "no RSA private key of 1024 bits or more")
        }
    }

    /// Reads the first private key of a PEM text.
    public init(pem: String) throws(PaymentCryptoError) { try self.init(der: PrivateKeyForm.block(of: pem)) }

    /// Makes a key of 1024 or 2048 bits. The library draws the primes from the system's generator itself.
    public init(bits: Int) throws(PaymentCryptoError) {
        guard bits == 1024 || bits == 2048 else {
            throw PaymentCryptoError(code: .unsupportedKey, reason: "legacy RSA keys are made with 1024 or 2048 bits")
        }
        do {
            try self.init(_RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: bits)))
        } catch {
            throw PaymentCryptoError(code: .malformedKey, reason: "the RSA key could not be made")
        }
    }

    private init(_ backing: _RSA.Signing.PrivateKey) throws {
        self.backing = backing
        publicKey = try LegacyRSAPublicKey(backing.publicKey)
    }

    public func signature(over message: some ContiguousBytes, hash: LegacyRSAHash) throws(PaymentCryptoError) -> [UInt8] {
        let made = message.withUnsafeBytes { message in
            switch hash {
            case .sha1: try? backing.signature(for: Insecure.SHA1.hash(data: message), padding: .insecurePKCS1v1_5)
            case .sha256: try? backing.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
            }
        }
        guard let made else { throw PaymentCryptoError(code: .signingFailed, reason: "the message could not be signed") }
        return Array(made.rawRepresentation)
    }

    /// PKCS#8 DER. A secret.
    public var pkcs8: [UInt8] { Array(backing.pkcs8DERRepresentation) }

    public var description: String { "RSA private key" }
}

extension LegacyRSAPrivateKey: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
