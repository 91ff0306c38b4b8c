import BillfoldDiagnosis
import BillfoldServer
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL

/// An issuer's keys in a folder: one file each, sealed where there is a key-encryption key.
///
/// A zone key's file holds 16 bytes, an RSA or P-256 key's its PKCS#8 form. A sealed file's name ends with `.sealed`.
struct IssuerKeyFolder: IssuerKeyStore {
    let folder: DataFolder
    let encryption: KeyEncryption?
    /// Whether a key that is not sealed is used. Otherwise one that lies here, used or not, is refused with `keys-not-sealed`.
    var takesPlain = true

    /// What a key is for, by the ending of its file's name.
    enum Kind: String, CaseIterable, Sendable {
        case tripleDES = "tdes"
        case rsa, p256
    }

    /// A key that lies here.
    struct Held: Hashable {
        var id: KeyID
        var kind: Kind
        var isSealed: Bool
    }

    private static let sealedEnding = ".sealed"

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

    // MARK: What is here

    /// Every key, in the order of the names. One that lies here plain and sealed is listed as plain.
    var held: [Held] {
        get throws {
            var found: [String: Held] = [:]
            for name in try folder.names() {
                let isSealed = name.hasSuffix(Self.sealedEnding)
                let plain = isSealed ? String(name.dropLast(Self.sealedEnding.count)) : name
                guard let dot = plain.lastIndex(of: "."), let kind = Kind(rawValue: String(plain[plain.index(after: dot)...])),
                    dot > plain.startIndex
                else { continue }
                let isWhollySealed = isSealed && found[plain]?.isSealed != false
                found[plain] = Held(id: KeyID(String(plain[..<dot])), kind: kind, isSealed: isWhollySealed)
            }
            return found.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// Refuses with `keys-not-sealed` a folder in which keys lie that anybody can use who reads the disk, where that is not taken.
    func validate() throws {
        guard !takesPlain, let plain = try held.first(where: { !$0.isSealed }) else { return }
        throw CommandFailure(
            .usage, code: "keys-not-sealed",
            reason: "key \(plain.id) in \(folder.path) is not sealed: billfold keys seal --issuer FILE, or say --plain-keys")
    }

    // MARK: Making

    /// Makes what is not there yet.
    func makeTripleDESKey(_ id: KeyID) throws { try makeMissing(id, kind: .tripleDES) { ZoneKey.make(using: &$0).bytes.reveal() } }

    func makeSigner(_ id: KeyID) throws { try makeMissing(id, kind: .rsa) { _ in try PrivateKey.rsa(RSAPrivateKey(bits: 2048)).pkcs8 } }

    func makeAgreementKey(_ id: KeyID) throws {
        try makeMissing(id, kind: .p256) { PrivateKey.p256(try P256PrivateKey(using: &$0)).pkcs8 }
    }

    private func makeMissing(_ id: KeyID, kind: Kind, _ bytes: (inout SystemRandomNumberGenerator) throws -> [UInt8]) throws {
        let name = try Self.name(id, kind)
        guard folder.bytes(name) == nil, folder.bytes(name + Self.sealedEnding) == nil else { return }
        var generator = SystemRandomNumberGenerator()
        var key = try bytes(&generator)
        defer { key.wipe() }
        _ = try create(name, key)
    }

    /// Puts a key here, sealed where there is a key-encryption key. Throws `duplicate-key` for a name that is taken.
    func add(_ id: KeyID, kind: Kind, key: SecretBytes) throws {
        let name = try Self.name(id, kind)
        let taken = PaymentCryptoError(code: .duplicateKey, reason: "the folder has a key \(name) already")
        guard folder.bytes(name) == nil, folder.bytes(name + Self.sealedEnding) == nil else { throw taken }
        var copy = key.reveal()
        defer { copy.wipe() }
        guard try create(name, copy) else { throw taken }
    }

    private func create(_ name: String, _ key: [UInt8]) throws -> Bool {
        guard let encryption else { return try folder.create(key, name) }
        return try folder.create(encryption.seal(key, for: name), name + Self.sealedEnding)
    }

    /// Takes a key away. Throws `unknown-key`.
    func remove(_ id: KeyID, _ kind: Kind) throws {
        let name = try Self.name(id, kind)
        let present = [name, name + Self.sealedEnding].filter { folder.bytes($0) != nil }
        guard !present.isEmpty else { throw Self.unknown(name, in: folder) }
        for file in present { try folder.remove(file) }
    }

    /// Seals every key under the present key-encryption key, and returns how many. A crash leaves some sealed and some not yet; running
    /// it again finishes. Throws `key-mismatch` where a key lies here plain and sealed and the two differ.
    func seal() throws -> Int {
        guard let encryption else { return 0 }
        let held = try held
        for key in held {
            let name = try Self.name(key.id, key.kind)
            let sealed = try folder.bytes(name + Self.sealedEnding).map { try encryption.open($0, for: name) }
            let plain = folder.bytes(name)
            guard var bytes = sealed ?? plain else { continue }
            defer { bytes.wipe() }
            guard plain == nil || plain == bytes else {
                throw PaymentCryptoError(code: .keyMismatch, reason: "\(name) lies in \(folder.path) twice, and the two differ")
            }
            try folder.replace(encryption.seal(bytes, for: name), name + Self.sealedEnding)
            if plain != nil { try folder.remove(name) }
        }
        return held.count
    }

    private func read(_ id: KeyID, _ kind: Kind) throws(PaymentCryptoError) -> SecretBytes {
        let name = try Self.name(id, kind)
        if let sealed = folder.bytes(name + Self.sealedEnding) {
            guard let encryption else {
                throw PaymentCryptoError(code: .keySealed, reason: "\(name) is sealed: name the key's file in \(KeyEncryptionKey.variable)")
            }
            var opened = try encryption.open(sealed, for: name)
            return SecretBytes(taking: &opened)
        }
        guard var plain = folder.bytes(name) else { throw Self.unknown(name, in: folder) }
        return SecretBytes(taking: &plain)
    }

    private static func unknown(_ name: String, in folder: DataFolder) -> PaymentCryptoError {
        PaymentCryptoError(code: .unknownKey, reason: "no key \(name) in \(folder.path)")
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
