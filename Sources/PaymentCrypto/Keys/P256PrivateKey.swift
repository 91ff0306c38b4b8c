import Crypto
public import Foundation

/// A P-256 private key for signing and key agreement, parsed once.
public struct P256PrivateKey: MessageSigner, CustomStringConvertible {
    let signing: P256.Signing.PrivateKey
    let agreement: P256.KeyAgreement.PrivateKey
    public let publicKey: PublicKey

    /// Reads PKCS#8 or SEC1 DER.
    public init(der: [UInt8]) throws(PaymentCryptoError) {
        do {
            try self.init(P256.Signing.PrivateKey(derRepresentation: der))
        } catch let error as PaymentCryptoError {
            throw error
        } catch {
            throw PaymentCryptoError(code: .malformedKey, reason: "no P-256 private key")
        }
    }

    /// Reads the first private key of a PEM text.
    public init(pem: String) throws(PaymentCryptoError) { try self.init(der: PrivateKeyForm.block(of: pem)) }

    /// Takes the 32-byte big-endian scalar; throws `malformed-key` when it is zero or not below the curve's order.
    public init(scalar: [UInt8]) throws(PaymentCryptoError) {
        do {
            try self.init(P256.Signing.PrivateKey(rawRepresentation: scalar))
        } catch let error as PaymentCryptoError {
            throw error
        } catch {
            throw PaymentCryptoError(code: .malformedKey, reason: "no P-256 scalar")
        }
    }

    /// Makes a key from the generator. Pass the system's generator for real keys, a seeded one in tests.
    public init(using generator: inout some RandomNumberGenerator) throws(PaymentCryptoError) {
        // One draw in 2^32 is not below the order; eight such draws in a row mean a broken generator.
        for _ in 0..<8 {
            let scalar = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            if let key = try? Self(scalar: scalar) {
                self = key
                return
            }
        }
        throw PaymentCryptoError(code: .malformedKey, reason: "the generator gives no usable scalar")
    }

    init(_ signing: P256.Signing.PrivateKey) throws {
        self.signing = signing
        agreement = try P256.KeyAgreement.PrivateKey(rawRepresentation: signing.rawRepresentation)
        publicKey = try PublicKey(subjectPublicKeyInfo: PublicKey.p256Prefix + signing.publicKey.x963Representation)
    }

    /// Agrees on a secret with the owner of an uncompressed public point and returns the X coordinate, big-endian and
    /// always 32 bytes: leading zeros are kept (apple-pay.md#ec_v1). [V]
    ///
    /// Throws `malformed-key` for a point off the curve or in another form.
    public func sharedSecret(x963 point: some ContiguousBytes) throws(PaymentCryptoError) -> [UInt8] {
        do {
            let key = try point.withUnsafeBytes { bytes in
                guard bytes.count == 65, bytes[0] == 0x04 else {
                    throw PaymentCryptoError(code: .malformedKey, reason: "no uncompressed P-256 point")
                }
                return try P256.KeyAgreement.PublicKey(x963Representation: bytes)
            }
            let secret = try agreement.sharedSecretFromKeyAgreement(with: key)
            return secret.withUnsafeBytes { [UInt8]($0) }
        } catch {
            throw PaymentCryptoError(code: .malformedKey, reason: "no P-256 point to agree with")
        }
    }

    /// The same for a 91-byte SubjectPublicKeyInfo, as the token header's `ephemeralPublicKey` holds it.
    public func sharedSecret(subjectPublicKeyInfo der: some ContiguousBytes) throws(PaymentCryptoError) -> [UInt8] {
        let point = der.withUnsafeBytes { bytes -> [UInt8]? in
            guard bytes.count == 91, bytes.prefix(26).elementsEqual(PublicKey.p256Prefix) else { return nil }
            return [UInt8](bytes.dropFirst(26))
        }
        guard let point else {
            throw PaymentCryptoError(code: .malformedKey, reason: "no P-256 SubjectPublicKeyInfo of 91 bytes")
        }
        return try sharedSecret(x963: point)
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
            throw PaymentCryptoError(code: .unsupportedAlgorithm, reason: "\(algorithm.rawValue) with a P-256 key")
        }
        return made
    }

    /// PKCS#8 DER. A secret.
    public var pkcs8: [UInt8] { Array(signing.derRepresentation) }

    public var description: String { "P-256 private key" }
}

extension P256PrivateKey: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
