import Crypto
import CryptoExtras
import Foundation

/// A P-256, P-384 or RSA public key: parsed once, used often, equal by its SubjectPublicKeyInfo.
public struct PublicKey: Sendable, Hashable {
    /// The curve, or RSA.
    public enum Kind: Sendable, Hashable {
        case p256
        case p384
        /// With the modulus size in bits.
        case rsa(bits: Int)
    }

    enum Backing: Sendable {
        case p256(P256.Signing.PublicKey)
        case p384(P384.Signing.PublicKey)
        case rsa(_RSA.Signing.PublicKey)
    }

    /// DER of the SubjectPublicKeyInfo, as it was read.
    public let subjectPublicKeyInfo: [UInt8]
    public let kind: Kind
    let backing: Backing

    /// Reads a SubjectPublicKeyInfo. Points must be uncompressed and on their curve, RSA moduli 2048 to 8192 bits.
    public init(subjectPublicKeyInfo der: [UInt8]) throws(PaymentCryptoError) {
        subjectPublicKeyInfo = der
        backing = try Self.parse(der)
        kind =
            switch backing {
            case .p256: .p256
            case .p384: .p384
            case .rsa(let key): .rsa(bits: key.keySizeInBits)
            }
    }

    /// Reads a `PUBLIC KEY` block.
    public init(pem: String) throws(PaymentCryptoError) {
        try self.init(subjectPublicKeyInfo: PEMText(pem).first("PUBLIC KEY"))
    }

    /// SHA-256 of the SubjectPublicKeyInfo: `publicKeyHash` in a wallet token's header.
    public var sha256: [UInt8] { Array(SHA256.hash(data: subjectPublicKeyInfo)) }

    /// The uncompressed point of an elliptic-curve key (0x04, X, Y); nil for RSA.
    public var x963: [UInt8]? {
        switch backing {
        case .p256(let key): Array(key.x963Representation)
        case .p384(let key): Array(key.x963Representation)
        case .rsa: nil
        }
    }

    public var pem: String { PEMText.Block(label: "PUBLIC KEY", bytes: subjectPublicKeyInfo).text }

    public static func == (left: PublicKey, right: PublicKey) -> Bool {
        left.subjectPublicKeyInfo == right.subjectPublicKeyInfo
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(subjectPublicKeyInfo) }

    /// The fixed start of every P-256 SubjectPublicKeyInfo with an uncompressed point; 65 bytes follow it.
    package static let p256Prefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE,
        0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    private static func parse(_ der: [UInt8]) throws(PaymentCryptoError) -> Backing {
        var outer = BERReader(der, rules: .der)
        var info = try outer.enter(0x30, "SubjectPublicKeyInfo")
        try outer.requireEnd("SubjectPublicKeyInfo")
        var algorithm = try info.enter(0x30, "key algorithm")
        let oid = try algorithm.nextOID("key algorithm")
        switch oid {
        case .ecPublicKey:
            guard algorithm.peek == 0x06 else {
                throw PaymentCryptoError(code: .unsupportedKey, reason: "the curve is not given by its name")
            }
            let curve = try algorithm.nextOID("curve")
            try algorithm.requireEnd("key algorithm")
            let point = try info.nextBitString("point")
            try info.requireEnd("SubjectPublicKeyInfo")
            guard point.first == 0x04 else {
                throw PaymentCryptoError(code: .malformedKey, reason: "the point is not in its uncompressed form")
            }
            return try elliptic(curve: curve, point: point)
        case .rsaEncryption:
            do {
                let key = try _RSA.Signing.PublicKey(derRepresentation: der)
                guard key.keySizeInBits <= 8192 else {
                    throw PaymentCryptoError(code: .unsupportedKey, reason: "an RSA modulus of \(key.keySizeInBits) bits")
                }
                return .rsa(key)
            } catch let error as PaymentCryptoError {
                throw error
            } catch {
                throw PaymentCryptoError(code: .malformedKey, reason: "no RSA public key of 2048 bits or more")
            }
        default:
            throw PaymentCryptoError(code: .unsupportedKey, reason: "key algorithm \(oid)")
        }
    }

    private static func elliptic(curve: OID, point: ArraySlice<UInt8>) throws(PaymentCryptoError) -> Backing {
        do {
            switch curve {
            case .curveP256: return .p256(try P256.Signing.PublicKey(x963Representation: point))
            case .curveP384: return .p384(try P384.Signing.PublicKey(x963Representation: point))
            default: break
            }
        } catch {
            throw PaymentCryptoError(code: .malformedKey, reason: "the point is not on its curve")
        }
        throw PaymentCryptoError(code: .unsupportedKey, reason: "curve \(curve)")
    }
}
