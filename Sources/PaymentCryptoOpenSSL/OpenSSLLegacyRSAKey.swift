public import Foundation
public import PaymentCrypto

/// An RSA private key of 1024 bits or more held by OpenSSL, for parties that still register such keys.
public struct OpenSSLLegacyRSAKey: LegacyRSASigner, CustomStringConvertible {
    private let key: OpenSSLKey
    public let publicKey: LegacyRSAPublicKey

    /// Reads PKCS#8 or PKCS#1 DER.
    public init(der: [UInt8]) throws(PaymentCryptoOpenSSLError) {
        key = try OpenSSLKey.privateKey(der: der)
        guard key.isKind("RSA"), let publicKey = try? LegacyRSAPublicKey(subjectPublicKeyInfo: key.subjectPublicKeyInfo) else {
            throw PaymentCryptoOpenSSLError(code: .malformedKey, reason: "no RSA private key of 1024 bits or more")
        }
        self.publicKey = publicKey
    }

    /// Takes a key that the other library read.
    public init(_ key: LegacyRSAPrivateKey) throws(PaymentCryptoOpenSSLError) { try self.init(der: key.pkcs8) }

    public func signature(over message: some ContiguousBytes, hash: LegacyRSAHash) throws(PaymentCryptoError) -> [UInt8] {
        guard let made = message.withUnsafeBytes({ key.sign($0, hash == .sha1 ? .sha1 : .sha256) }) else {
            throw PaymentCryptoError(code: .signingFailed, reason: "the message could not be signed")
        }
        return made
    }

    public var description: String { "RSA private key" }
}

extension OpenSSLLegacyRSAKey: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
