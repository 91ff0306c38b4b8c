import CLibcrypto
public import Foundation
import PaymentCrypto

/// An SM2 public key (GB/T 32918) for verifying signatures, parsed once.
public struct SM2PublicKey: Sendable, Equatable {
    let key: OpenSSLKey
    /// DER of the SubjectPublicKeyInfo.
    public let subjectPublicKeyInfo: [UInt8]

    /// Reads a SubjectPublicKeyInfo on the SM2 curve.
    public init(subjectPublicKeyInfo der: [UInt8]) throws(PaymentCryptoOpenSSLError) {
        try self.init(OpenSSLKey.publicKey(der: der))
    }

    /// Reads a `PUBLIC KEY` block.
    public init(pem: String) throws(PaymentCryptoOpenSSLError) {
        guard let der = try? PEMText(pem).first("PUBLIC KEY") else {
            throw PaymentCryptoOpenSSLError(code: .malformedKey, reason: "no public key in PEM")
        }
        try self.init(subjectPublicKeyInfo: der)
    }

    /// Reads the uncompressed point in hexadecimal: 128 digits, or 130 with the leading 04.
    public init(hex: String) throws(PaymentCryptoOpenSSLError) {
        guard let bytes = try? Hexadecimal.decode(hex), bytes.count == 64 || (bytes.count == 65 && bytes[0] == 4) else {
            throw PaymentCryptoOpenSSLError(code: .malformedKey, reason: "an SM2 point has 64 bytes after its 04")
        }
        try self.init(subjectPublicKeyInfo: Self.prefix + (bytes.count == 64 ? [4] + bytes : bytes))
    }

    init(_ key: OpenSSLKey) throws(PaymentCryptoOpenSSLError) {
        guard key.isKind("SM2") else {
            throw PaymentCryptoOpenSSLError(code: .malformedKey, reason: "the key is not on the SM2 curve")
        }
        self.key = key
        subjectPublicKeyInfo = key.subjectPublicKeyInfo
    }

    /// Says whether the signature is this key's over the message, hashed by SM3 together with the signer's id. Takes
    /// both forms: 64 bytes are the plain pair, everything else must be DER.
    public func isValidSignature(
        _ signature: some ContiguousBytes, over message: some ContiguousBytes, userID: some ContiguousBytes
    ) -> Bool {
        let given = signature.withUnsafeBytes { [UInt8]($0) }
        let der: [UInt8]
        if given.count == 64, let made = ECDSASignaturePair.der(raw: given) {
            der = made
        } else if ECDSASignaturePair.raw(der: given, coordinateSize: 32) != nil {
            der = given
        } else {
            return false
        }
        return SM2Operation.run(key, userID: userID, message: message) { context, bytes in
            guard EVP_DigestVerifyInit(context, nil, EVP_sm3(), nil, key.pointer) == 1,
                EVP_DigestVerify(context, der, der.count, bytes.baseAddress, bytes.count) == 1
            else { return nil }
            return true
        } ?? false
    }

    public static func == (left: SM2PublicKey, right: SM2PublicKey) -> Bool {
        left.subjectPublicKeyInfo == right.subjectPublicKeyInfo
    }

    /// The fixed start of every SubjectPublicKeyInfo on curve 1.2.156.10197.1.301; 65 bytes follow it.
    private static let prefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x81, 0x1C, 0xCF,
        0x55, 0x01, 0x82, 0x2D, 0x03, 0x42, 0x00,
    ]
}
