import Foundation
import PaymentCrypto

/// The folder in which a developer's party keeps its keys and what it knows of the others, for its owner alone.
final class OwnPartyFolder {
    struct Variable {
        var name: String
        var value: String
        /// What it is, for whoever reads the env file.
        var comment: String
        /// A bearer: it stands in the env file, which is for its owner alone, and in no answer of the command.
        var isSecret = false
    }

    /// A key, and the file of its private half where that is known here.
    typealias HeldKey = (publicKey: PublicKey, file: String?)

    private let url: URL
    /// The developer's own key, where one is named. It is read once: standard input has it once.
    private let key: HeldKey?
    /// Files and folders that were not there before, in the order in which they were made.
    private var made: [String] = []

    /// Makes the folder where it is missing, unless the key that is named cannot be used.
    init(_ path: String, key: String?) throws {
        let url = Self.url(path)
        self.url = url
        self.key = try key.map(Self.heldKey)
        var missing = url
        while missing.path != "/", !FileManager.default.fileExists(atPath: missing.path) {
            made.insert(missing.path, at: 0)
            missing.deleteLastPathComponent()
        }
        do throws(PaymentCryptoError) { try PrivateFolder.make(url.path) } catch {
            discard()
            throw CommandFailure(.refused, code: "unwritable-file", reason: "\(path) cannot be made: \(error.reason)")
        }
    }

    private static func url(_ path: String) -> URL { URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL }

    /// A folder's path from the root on, whether it is there or not: the same folder has the same.
    static func place(of path: String) -> String { url(path).resolvingSymlinksInPath().path }

    private static func heldKey(_ path: String) throws -> HeldKey {
        let text = try CommandFile.text(path)
        if let known = try? PublicKey(pem: text) { return (known, nil) }
        let file = path == CommandFile.standardInput ? nil : URL(fileURLWithPath: path).standardizedFileURL.path
        do throws(PaymentCryptoError) { return (try RSAPrivateKey(pem: text).publicKey, file) } catch {
            var failure = CommandFailure(error)
            failure.reason = "--key \(path) holds neither a public key nor an RSA private key in PEM: \(failure.reason)"
            throw failure
        }
    }

    /// Takes away what was made here, and nothing that was there before.
    func discard() {
        for path in made.reversed() where unlink(path) != 0 { rmdir(path) }
        made = []
    }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Writes a file, in the place of an earlier one, and returns its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        if !FileManager.default.fileExists(atPath: path(name)) { made.append(path(name)) }
        try CommandFile.replacePrivate(path(name), text)
        return path(name)
    }

    /// The party's public key, which is written beside, and where the private half is. A key that was made before is used again; the one of
    /// `--key` comes first.
    func rsaKey(_ name: String) throws -> HeldKey {
        let held = try key ?? keptKey(path(name + ".pem"))
        try write(held.publicKey.pem, to: name + ".pub")
        return held
    }

    private func keptKey(_ file: String) throws -> HeldKey {
        if FileManager.default.fileExists(atPath: file) { return (try RSAPrivateKey(pem: CommandFile.text(file)).publicKey, file) }
        let key = try RSAPrivateKey(bits: 2048)
        made.append(file)
        try CommandFile.writePrivate(file, PEMText.Block(label: "PRIVATE KEY", bytes: key.pkcs8).text)
        return (key.publicKey, file)
    }

    /// Another party's public key as a file.
    func publicKey(base64 text: String, to name: String) throws -> String {
        try write(PublicKey(subjectPublicKeyInfo: StrictBase64.decode(text)).pem, to: name + ".pub")
    }

    /// An env file that shells and the usual libraries read, and its path.
    func write(_ variables: [Variable], to name: String) throws -> String {
        let lines = variables.map { "# \($0.comment)\n\($0.name)=\(Self.quoted($0.value))" }
        return try write(lines.joined(separator: "\n") + "\n", to: name)
    }

    /// A value as a shell reads it.
    static func quoted(_ value: String) -> String {
        let isPlain = value.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || "/:._-,".utf8.contains(byte)
        }
        return isPlain ? value : "'" + value.replacing("'", with: "'\\''") + "'"
    }
}
