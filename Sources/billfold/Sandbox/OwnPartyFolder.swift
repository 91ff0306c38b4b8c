import Foundation
import PaymentCrypto

/// The folder in which a developer's party keeps its keys and what it knows of the others, for its owner alone.
struct OwnPartyFolder {
    struct Variable {
        var name: String
        var value: String
        /// What it is, for whoever reads the env file.
        var comment: String
        /// A bearer: it stands in the env file, which is for its owner alone, and in no answer of the command.
        var isSecret = false
    }

    private let url: URL
    /// The developer's own key, where one is named.
    private let key: String?

    /// Makes the folder where it is missing.
    init(_ path: String, key: String?) throws {
        url = URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL
        self.key = key
        do throws(PaymentCryptoError) { try PrivateFolder.make(url.path) } catch {
            throw CommandFailure(.refused, code: "unwritable-file", reason: "\(path) cannot be made: \(error.reason)")
        }
    }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Writes a file, in the place of an earlier one, and returns its path.
    func write(_ text: String, to name: String) throws -> String {
        try CommandFile.replacePrivate(path(name), text)
        return path(name)
    }

    /// The party's public key, and where the private half is. A key that was made before is used again; the one of `--key` comes first.
    ///
    /// - Returns: The file of the private key, or `nil` where only the public half is known here.
    func rsaKey(_ name: String) throws -> (publicKey: PublicKey, file: String?) {
        if let key {
            let text = try CommandFile.text(key)
            if let known = try? PublicKey(pem: text) { return (known, nil) }
            return (try RSAPrivateKey(pem: text).publicKey, URL(fileURLWithPath: key).standardizedFileURL.path)
        }
        let file = path(name + ".pem")
        if FileManager.default.fileExists(atPath: file) { return (try RSAPrivateKey(pem: CommandFile.text(file)).publicKey, file) }
        let made = try RSAPrivateKey(bits: 2048)
        try CommandFile.writePrivate(file, PEMText.Block(label: "PRIVATE KEY", bytes: made.pkcs8).text)
        return (made.publicKey, file)
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

    private static func quoted(_ value: String) -> String {
        let isPlain = value.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || "/:._-,".utf8.contains(byte)
        }
        return isPlain ? value : "'" + value.replacing("'", with: "'\\''") + "'"
    }
}
