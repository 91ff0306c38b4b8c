import Crypto
public import Foundation

/// A P-384 private key for signing: the kind Apple's root has.
public struct P384PrivateKey: MessageSigner, CustomStringConvertible {
    let signing: P384.Signing.PrivateKey
    public let publicKey: PublicKey

    /// Reads PKCS#8 or SEC1 DER.
    public init(der: [UInt8]) throws(PaymentCryptoError) {
        do {
            try self.init(P384.Signing.PrivateKey(derRepresentation: der))
        } catch {
            throw PaymentCryptoError(code: .malformedKey, reason: "no P-384 private key")
        }
    }

    /// Reads the first private key of a PEM text.
    public init(pem: String) throws(PaymentCryptoError) { try self.init(der: PrivateKeyForm.block(of: pem)) }

    /// Makes a key from the generator. Pass the system's generator for real keys, a seeded one in tests.
    public init(using generator: inout some RandomNumberGenerator) throws(PaymentCryptoError) {
        for _ in 0..<8 {
            let scalar = (0..<48).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            if let key = try? P384.Signing.PrivateKey(rawRepresentation: scalar), let made = try? Self(key) {
                self = made
                return
            }
        }
        throw PaymentCryptoError(code: .malformedKey, reason: "the generator gives no usable scalar")
    }

    private init(_ signing: P384.Signing.PrivateKey) throws {
        self.signing = signing
        publicKey = try PublicKey(subjectPublicKeyInfo: Array(signing.publicKey.derRepresentation))
    }

    public func signature(
        over message: some ContiguousBytes, algorithm: SignatureAlgorithm
    ) throws(PaymentCryptoError) -> [UInt8] {
        let made = message.withUnsafeBytes { bytes -> [UInt8]? in
            switch algorithm {
            case .ecdsaSHA256: (try? signing.signature(for: SHA256.hash(data: bytes))).map { Array($0.derRepresentation) }
            case .ecdsaSHA384: (try? signing.signature(for: SHA384.hash(data: bytes))).map { Array($0.derRepresentation) }
            default: nil
            }
        }
        guard let made else {
            throw PaymentCryptoError(code: .unsupportedAlgorithm, reason: "\(algorithm.rawValue) with a P-384 key")
        }
        return made
    }

    /// PKCS#8 DER. A secret.
    public var pkcs8: [UInt8] { Array(signing.derRepresentation) }

    public var description: String { "P-384 private key" }
}

extension P384PrivateKey: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
