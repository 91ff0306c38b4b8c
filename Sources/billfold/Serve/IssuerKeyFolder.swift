import BillfoldDiagnosis
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL

/// An issuer's network keys in a folder: one file each, sealed where there is a key-encryption key.
///
/// A key set's file holds 16 bytes, an RSA or P-256 key's its PKCS#8 form.
struct IssuerKeyFolder: IssuerKeyStore {
    let folder: DataFolder
    let encryption: KeyEncryption?

    private enum Kind: String {
        case tripleDES = "tdes"
        case rsa, p256
    }

    func tripleDESKey(_ id: KeyID) throws(PaymentCryptoError) -> any TripleDESKey {
        try OpenSSLTripleDESKey(read(id, .tripleDES).reveal())
    }

    func signer(_ id: KeyID) throws(PaymentCryptoError) -> any RemoteMessageSigner {
        LocalMessageSigner(try RSAPrivateKey(der: read(id, .rsa).reveal()))
    }

    /// The key that opens what networks send.
    func agreementKey(_ id: KeyID) throws(PaymentCryptoError) -> P256PrivateKey {
        guard case .p256(let key) = try PrivateKey(der: read(id, .p256).reveal()) else {
            throw PaymentCryptoError(code: .unsupportedKey, reason: "key \(id) is not on P-256")
        }
        return key
    }

    /// The 16 bytes of a zone key, to be handed to its network.
    func zoneKeyBytes(_ id: KeyID) throws(PaymentCryptoError) -> SecretBytes { try read(id, .tripleDES) }

    // MARK: Making

    /// Makes what is not there yet.
    func makeTripleDESKey(_ id: KeyID) throws { try make(id, .tripleDES) { SystemRandomness.bytes(16) } }

    func makeSigner(_ id: KeyID) throws { try make(id, .rsa) { try PrivateKey.rsa(RSAPrivateKey(bits: 2048)).pkcs8 } }

    func makeAgreementKey(_ id: KeyID) throws {
        try make(id, .p256) {
            var generator = SystemRandomNumberGenerator()
            return PrivateKey.p256(try P256PrivateKey(using: &generator)).pkcs8
        }
    }

    private func make(_ id: KeyID, _ kind: Kind, _ bytes: () throws -> [UInt8]) throws {
        let name = try Self.name(id, kind)
        guard folder.bytes(name) == nil, folder.bytes(name + ".sealed") == nil else { return }
        var key = try bytes()
        defer { key.wipe() }
        if let encryption {
            try folder.write(encryption.seal(key, for: name), to: name + ".sealed")
        } else {
            try folder.write(key, to: name)
        }
    }

    private func read(_ id: KeyID, _ kind: Kind) throws(PaymentCryptoError) -> SecretBytes {
        let name = try Self.name(id, kind)
        if let sealed = folder.bytes(name + ".sealed") {
            guard let encryption else {
                throw PaymentCryptoError(code: .keySealed, reason: "\(name) is sealed: name the key's file in \(KeyEncryptionKey.variable)")
            }
            var opened = try encryption.open(sealed, for: name)
            return SecretBytes(taking: &opened)
        }
        guard var plain = folder.bytes(name) else {
            throw PaymentCryptoError(code: .unknownKey, reason: "no key \(name) in \(folder.path)")
        }
        return SecretBytes(taking: &plain)
    }

    /// Ids name files: letters, digits, `.`, `_` and `-` alone.
    private static func name(_ id: KeyID, _ kind: Kind) throws(PaymentCryptoError) -> String {
        let text = id.description
        let isName = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
            default: false
            }
        }
        guard isName, (1...64).contains(text.utf8.count), !text.hasPrefix(".") else {
            throw PaymentCryptoError(code: .invalidParameter, reason: "a key of a folder is named by letters, digits, '.', '_' and '-'")
        }
        return "\(text).\(kind.rawValue)"
    }
}
