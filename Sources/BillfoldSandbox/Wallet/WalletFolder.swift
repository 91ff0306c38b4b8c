package import ApplePayForging
import BillfoldJSON
package import Foundation
import PaymentCrypto

/// A wallet authority on disk: PEM files that survive a restart, and that other commands can be pointed at.
///
/// `root.pem`, `intermediate.pem`, `leaf.pem`, `rsa-leaf.pem`, their keys beside them (mode 0600), and `issued.json`, the register of the
/// merchants' certificates. These are test keys: nothing here may ever be a production key.
package struct WalletFolder: Sendable {
    package let url: URL

    package init(_ url: URL) { self.url = url }

    /// Loads the authority, or makes one when the folder holds none.
    package func authority(at instant: Date, using generator: inout some RandomNumberGenerator) throws -> WalletAuthority {
        if FileManager.default.fileExists(atPath: file("root.pem").path) { return try load() }
        let authority: WalletAuthority
        do {
            authority = try WalletAuthority(at: instant, rsaLeafKey: RSAPrivateKey(bits: 2048), using: &generator)
        } catch {
            throw WalletSimulatorError(code: .issuingFailed, reason: "\(error)")
        }
        try save(authority)
        return authority
    }

    package func load() throws(WalletSimulatorError) -> WalletAuthority {
        do {
            let key = try PrivateKey(pem: read("leaf.key.pem"))
            let intermediateKey = try PrivateKey(pem: read("intermediate.key.pem"))
            guard case .p256(let leafKey) = key, case .p256(let intermediateKey) = intermediateKey else {
                throw WalletSimulatorError(code: .folderUnusable, reason: "the leaf's and the intermediate's keys are P-256 here")
            }
            // Only certificates that are wrong on purpose need the root's key; a folder without it works otherwise.
            var rootKey: P384PrivateKey?
            if FileManager.default.fileExists(atPath: file("root.key.pem").path) {
                rootKey = try P384PrivateKey(pem: read("root.key.pem"))
            }
            var rsaLeaf: ParsedCertificate?
            var rsaLeafKey: RSAPrivateKey?
            if FileManager.default.fileExists(atPath: file("rsa-leaf.pem").path) {
                rsaLeaf = try ParsedCertificate(pem: read("rsa-leaf.pem"))
                rsaLeafKey = try RSAPrivateKey(pem: read("rsa-leaf.key.pem"))
            }
            return WalletAuthority(
                root: try ParsedCertificate(pem: read("root.pem")), rootKey: rootKey,
                intermediate: try ParsedCertificate(pem: read("intermediate.pem")),
                intermediateKey: intermediateKey, leaf: try ParsedCertificate(pem: read("leaf.pem")), leafKey: leafKey, rsaLeaf: rsaLeaf,
                rsaLeafKey: rsaLeafKey)
        } catch let error as WalletSimulatorError {
            throw error
        } catch {
            throw WalletSimulatorError(
                code: .folderUnusable, reason: "\(url.lastPathComponent) holds no whole wallet authority: a file is missing or unreadable")
        }
    }

    package func save(_ authority: WalletAuthority) throws(WalletSimulatorError) {
        try write("root.pem", authority.root.pem)
        if let key = authority.rootKey { try write("root.key.pem", Self.pem(key.pkcs8)) }
        try write("intermediate.pem", authority.intermediate.pem)
        try write("intermediate.key.pem", Self.pem(authority.intermediateKey.pkcs8))
        try write("leaf.pem", authority.leaf.pem)
        try write("leaf.key.pem", Self.pem(authority.leafKey.pkcs8))
        if let leaf = authority.rsaLeaf, let key = authority.rsaLeafKey {
            try write("rsa-leaf.pem", leaf.pem)
            try write("rsa-leaf.key.pem", Self.pem(key.pkcs8))
        }
    }

    /// The merchants' certificates, oldest first.
    package func issued() throws(WalletSimulatorError) -> [IssuedCertificate] {
        let register = file("issued.json")
        guard FileManager.default.fileExists(atPath: register.path) else { return [] }
        do {
            let object = try JSONReader.readObject([UInt8](Data(contentsOf: register)), maximumBytes: 16_777_216)
            return try (object["certificates"]?.array ?? []).map { value in
                guard let entry = value.object, let pem = entry["pem"]?.string, let identifier = entry["merchantIdentifier"]?.string,
                    let kind = entry["kind"]?.string.flatMap({ WalletAuthority.MerchantCertificateKind(rawValue: $0) })
                else { throw WalletSimulatorError(code: .folderUnusable, reason: "issued.json is not the register of this program") }
                return IssuedCertificate(
                    certificate: try ParsedCertificate(pem: pem), kind: kind, merchantIdentifier: identifier,
                    isActive: entry["active"]?.bool ?? false)
            }
        } catch let error as WalletSimulatorError {
            throw error
        } catch {
            throw WalletSimulatorError(code: .folderUnusable, reason: "issued.json cannot be read: \(error)")
        }
    }

    package func save(_ issued: [IssuedCertificate]) throws(WalletSimulatorError) {
        let object = JSONObject([.init("certificates", .array(issued.map { .object($0.json) }))])
        try write("issued.json", String(decoding: JSONWriter.write(object), as: UTF8.self))
    }

    /// A directory that keeps itself in this folder.
    package func directory(
        at instant: Date, clock: @escaping @Sendable () -> Date, generator: any RandomNumberGenerator & Sendable
    ) throws -> MerchantDirectory {
        var generator = generator
        let authority = try authority(at: instant, using: &generator)
        return MerchantDirectory(
            authority: authority, issued: try issued(), clock: clock, generator: generator, changed: { try self.save($0) },
            reread: { try self.issued() })
    }

    private func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    private func read(_ name: String) throws -> String { String(decoding: try Data(contentsOf: file(name)), as: UTF8.self) }

    private func write(_ name: String, _ text: String) throws(WalletSimulatorError) {
        do {
            try PrivateFolder.make(url.path)
            try PrivateFile.replace(file(name).path, with: text.utf8)
        } catch {
            throw WalletSimulatorError(code: .folderUnusable, reason: "\(name) cannot be written")
        }
    }

    private static func pem(_ pkcs8: [UInt8]) -> String { PEMText.Block(label: "PRIVATE KEY", bytes: pkcs8).text }
}
