package import BillfoldDiagnosis
import Foundation
import HTTPTypes
package import PaymentCrypto

/// The folder a server keeps its store and its keys in. Only its owner can read it.
package struct DataFolder: Sendable {
    package let path: String
    /// Seals our own symmetric keys, where there is one.
    private let encryption: KeyEncryption?
    private let random: RandomBytes

    /// The environment's variable that names the file of the key that seals the others.
    package static let encryptionVariable = "BILLFOLD_KEY_ENCRYPTION_KEY_FILE"
    /// Keys of our own that a server needs, in files of 32 bytes or their sealed form.
    private static let symmetricNames = ["audit", "hashing", "sealing"]

    /// Makes the folder where it is missing. Refuses with `data-folder-unusable` what cannot be made or is readable by others.
    ///
    /// - Parameters:
    ///   - path: Where it is, or is to be.
    ///   - encryption: Seals our own symmetric keys.
    ///   - random: Where new keys come from.
    package init(_ path: String, encryption: KeyEncryption? = nil, random: RandomBytes) throws(ServerError) {
        self.path = path
        self.encryption = encryption
        self.random = random
        do throws(PaymentCryptoError) { try PrivateFolder.make(path) } catch {
            throw Self.unusable("\(path) cannot be made: \(error.reason)")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let permissions = attributes?[.posixPermissions] as? NSNumber, permissions.intValue & 0o077 == 0 else {
            throw Self.unusable("\(path) can be read by others, and it holds keys: chmod 700 \(path)")
        }
    }

    package func path(_ name: String) -> String { (path as NSString).appendingPathComponent(name) }

    package func bytes(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: path(name)).map(Array.init) }

    /// The file's bytes, or those that `make` makes when there is no such file yet. Two processes that start at once agree:
    /// the file appears whole or not at all, and whoever comes second reads the first one's.
    package func secret(_ name: String, make: () throws -> [UInt8]) throws -> Secret<[UInt8]> {
        if let known = bytes(name) { return Secret(known) }
        let made = try make()
        try write(made, to: name)
        guard let kept = bytes(name) else {
            throw Self.unusable("\(path(name)) cannot be read back")
        }
        return Secret(kept)
    }

    /// 256 bits of our own, such as the key of the audit trail; made when it is first asked for.
    package func symmetric(_ name: String) throws -> Secret<[UInt8]> {
        let file = "\(name).key"
        let held = try secret(file) {
            let key = random.bytes(32)
            return try encryption?.seal(key, for: file) ?? key
        }
        return try opened(held, file)
    }

    /// Seals every key of our own that is here, and returns how many.
    package func sealSymmetricKeys() throws -> Int {
        guard let encryption else { return 0 }
        var count = 0
        for file in Self.symmetricNames.map({ "\($0).key" }) {
            guard let held = bytes(file) else { continue }
            let sealed = try encryption.seal(opened(Secret(held), file).reveal(), for: file)
            try replace(sealed, file)
            count += 1
        }
        return count
    }

    private func opened(_ held: Secret<[UInt8]>, _ file: String) throws -> Secret<[UInt8]> {
        if held.reveal().count == 32 { return held }
        guard let encryption else {
            throw Self.refusal(.keySealed, "\(path(file)) is sealed: name the key's file in \(Self.encryptionVariable)")
        }
        guard let key = try? encryption.open(held.reveal(), for: file), key.count == 32 else {
            throw Self.refusal(.keyUnusable, "\(path(file)) does not open with the key-encryption key")
        }
        return Secret(key)
    }

    /// The names of the files, in their order.
    package func names() throws -> [String] {
        do { return try FileManager.default.contentsOfDirectory(atPath: path).sorted() } catch {
            throw Self.unusable("\(path) cannot be read")
        }
    }

    /// Writes a file that is not there yet; leaves one that is.
    package func write(_ bytes: [UInt8], to name: String) throws { _ = try create(bytes, name) }

    /// Writes a file unless there is one. Returns false when there is.
    package func create(_ bytes: [UInt8], _ name: String) throws -> Bool {
        try writing(name) { path throws(PaymentCryptoError) in try PrivateFile.create(path, with: bytes) }
    }

    /// Writes a file, in the place of an earlier one.
    package func replace(_ bytes: [UInt8], _ name: String) throws {
        try writing(name) { path throws(PaymentCryptoError) in try PrivateFile.replace(path, with: bytes) }
    }

    package func remove(_ name: String) throws {
        do { try FileManager.default.removeItem(atPath: path(name)) } catch {
            throw Self.unusable("\(path(name)) cannot be removed")
        }
    }

    private func writing<Result>(_ name: String, _ body: (String) throws(PaymentCryptoError) -> Result) throws(ServerError) -> Result {
        do throws(PaymentCryptoError) {
            return try body(path(name))
        } catch {
            throw Self.unusable("\(path(name)) cannot be written")
        }
    }

    private static func unusable(_ reason: String) -> ServerError { refusal(.dataFolderUnusable, reason) }

    private static func refusal(_ code: ServerError.Code, _ reason: String) -> ServerError {
        ServerError(code: code, reason: reason, status: .internalServerError)
    }
}
