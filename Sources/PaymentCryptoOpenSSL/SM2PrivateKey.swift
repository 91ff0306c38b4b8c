import CLibcrypto
public import Foundation
import PaymentCrypto

/// An SM2 private key for signing. It prints as its kind alone.
public struct SM2PrivateKey: Sendable, CustomStringConvertible {
    let key: OpenSSLKey
    public let publicKey: SM2PublicKey

    /// Reads PKCS#8 or SEC1 DER on the SM2 curve.
    public init(der: [UInt8]) throws(PaymentCryptoOpenSSLError) {
        key = try OpenSSLKey.privateKey(der: der)
        guard key.isKind("SM2") else {
            throw PaymentCryptoOpenSSLError(code: .malformedKey, reason: "the key is not on the SM2 curve")
        }
        publicKey = try SM2PublicKey(subjectPublicKeyInfo: key.subjectPublicKeyInfo)
    }

    /// Reads a `PRIVATE KEY` or `EC PRIVATE KEY` block.
    public init(pem: String) throws(PaymentCryptoOpenSSLError) {
        guard let der = try? PEMText(pem).first("PRIVATE KEY", "EC PRIVATE KEY") else {
            throw PaymentCryptoOpenSSLError(code: .malformedKey, reason: "no private key in PEM")
        }
        try self.init(der: der)
    }

    /// Reads the 32-byte scalar in hexadecimal.
    public init(hex: String) throws(PaymentCryptoOpenSSLError) {
        guard let scalar = try? Hexadecimal.decode(hex) else {
            throw PaymentCryptoOpenSSLError(code: .malformedKey, reason: "an SM2 scalar has 32 bytes")
        }
        try self.init(scalar: scalar)
    }

    /// Takes the 32-byte big-endian scalar.
    public init(scalar: [UInt8]) throws(PaymentCryptoOpenSSLError) {
        guard scalar.count == 32, scalar.contains(where: { $0 != 0 }), scalar.lexicographicallyPrecedes(Self.largest) else {
            throw PaymentCryptoOpenSSLError(code: .malformedKey, reason: "an SM2 scalar has 32 bytes and is below the order")
        }
        try self.init(der: Self.prefix + scalar)
    }

    /// Makes a key from the generator. Pass the system's generator for real keys, a seeded one in tests.
    public init(using generator: inout some RandomNumberGenerator) throws(PaymentCryptoOpenSSLError) {
        // One draw in 2^32 is not below the order; eight such draws in a row mean a broken generator.
        for _ in 0..<8 {
            let scalar = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            if let key = try? Self(scalar: scalar) {
                self = key
                return
            }
        }
        throw PaymentCryptoOpenSSLError(code: .malformedKey, reason: "the generator gives no usable scalar")
    }

    /// Signs a message with SM3 and the signer's id. UnionPay's id is the decimal `certId`, not the default of the
    /// standard (apple-pay.md#sm2). [V with own keys]
    public func signature(
        over message: some ContiguousBytes, userID: some ContiguousBytes, form: SM2SignatureForm
    ) throws(PaymentCryptoOpenSSLError) -> [UInt8] {
        let der = SM2Operation.run(key, userID: userID, message: message) { context, bytes -> [UInt8]? in
            guard EVP_DigestSignInit(context, nil, EVP_sm3(), nil, key.pointer) == 1 else { return nil }
            var count = 0
            guard EVP_DigestSign(context, nil, &count, bytes.baseAddress, bytes.count) == 1 else { return nil }
            var signature = [UInt8](repeating: 0, count: count)
            guard EVP_DigestSign(context, &signature, &count, bytes.baseAddress, bytes.count) == 1 else { return nil }
            return Array(signature[..<count])
        }
        guard let der, let raw = ECDSASignaturePair.raw(der: der, coordinateSize: 32) else {
            throw PaymentCryptoOpenSSLError(code: .signingFailed, reason: "the message could not be signed")
        }
        return form == .der ? der : raw
    }

    /// PKCS#8 DER. A secret.
    public var pkcs8: [UInt8] { key.pkcs8 }

    public var description: String { "SM2 private key" }

    /// One less than the curve's order: the first scalar that is refused (GB/T 32918.2 section 5.1).
    private static let largest: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0x72, 0x03, 0xDF, 0x6B, 0x21, 0xC6, 0x05, 0x2B, 0x53, 0xBB, 0xF4, 0x09, 0x39, 0xD5, 0x41, 0x22,
    ]

    /// PKCS#8 around a SEC1 key without its public half, which OpenSSL computes; the 32-byte scalar follows.
    private static let prefix: [UInt8] = [
        0x30, 0x41, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A,
        0x81, 0x1C, 0xCF, 0x55, 0x01, 0x82, 0x2D, 0x04, 0x27, 0x30, 0x25, 0x02, 0x01, 0x01, 0x04, 0x20,
    ]
}

extension SM2PrivateKey: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
