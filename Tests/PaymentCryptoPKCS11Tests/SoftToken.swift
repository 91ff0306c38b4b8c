import BillfoldDiagnosis
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import PaymentCryptoPKCS11
import Synchronization
import Testing

/// A SoftHSM token in a folder of its own, with an RSA key and what a test puts on it.
final class SoftToken: Sendable {
    static let pin = "2468-token-pin"
    static let rsaLabel = "mastercard-tav-1"

    let label: String
    /// The public half of the RSA key that was imported.
    let rsaKey: RSAPrivateKey

    /// The module, where the distribution puts it. Says so when there is none.
    static let module: String? = {
        let places = ["/usr/lib/softhsm/libsofthsm2.so", "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so", "/usr/lib64/libsofthsm2.so"]
        let found = places.first { FileManager.default.fileExists(atPath: $0) }
        if found == nil || tool == nil { print("SKIPPED: SoftHSM is not installed (softhsm2); the PKCS#11 key store is NOT tested") }
        return tool == nil ? nil : found
    }()

    private static let tool = ["/usr/bin/softhsm2-util", "/usr/local/bin/softhsm2-util"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// The folder of all tokens of this process: the module reads its configuration once.
    private static let folder: Result<TemporaryFolder, any Error> = Result {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("tokens"), withIntermediateDirectories: true)
        let text = "directories.tokendir = \(folder.path("tokens"))\nobjectstore.backend = file\nlog.level = ERROR\n"
        try text.write(toFile: folder.path("softhsm2.conf"), atomically: true, encoding: .utf8)
        setenv("SOFTHSM2_CONF", folder.path("softhsm2.conf"), 1)
        return folder
    }

    /// Tokens are made one after another, before the module first looks for them.
    private static let made: Result<[SoftToken], any Error> = Result { try (1...5).map { try SoftToken(number: $0) } }
    private static let next = Mutex(0)

    /// Has the tokens made. To be called before the module is used for the first time.
    static func prepare() throws { _ = try made.get() }

    /// A token that no other test uses.
    static func take() throws -> SoftToken {
        let tokens = try made.get()
        let index = next.withLock { next in
            defer { next += 1 }
            return next
        }
        return try #require(tokens.indices.contains(index) ? tokens[index] : nil, "make more tokens")
    }

    /// softhsm2-util failed.
    struct Failure: Error {}

    private init(number: Int) throws {
        let folder = try Self.folder.get()
        label = "billfold test \(number)"
        rsaKey = try RSAPrivateKey(bits: 2048)
        let file = folder.path("rsa-\(number).pem")
        try PEMText.Block(label: "PRIVATE KEY", bytes: PrivateKey.rsa(rsaKey).pkcs8).text.write(
            toFile: file, atomically: true, encoding: .utf8)
        let tool = try #require(Self.tool)
        let made = ChildProcess.succeeds([tool, "--init-token", "--free", "--label", label, "--pin", Self.pin, "--so-pin", "1357-officer"])
        let imported = ChildProcess.succeeds([
            tool, "--import", file, "--token", label, "--label", Self.rsaLabel, "--id", "0a0\(number)", "--pin", Self.pin,
        ])
        guard made, imported else { throw Failure() }
    }

    /// Takes the token away with all that is on it.
    func remove() throws {
        guard ChildProcess.succeeds([try #require(Self.tool), "--delete-token", "--token", label]) else { throw Failure() }
    }

    /// Makes it anew, with nothing on it.
    func makeAnew() throws {
        let command = [try #require(Self.tool), "--init-token", "--free", "--label", label, "--pin", Self.pin, "--so-pin", "1357-officer"]
        guard ChildProcess.succeeds(command) else { throw Failure() }
    }

    func configuration(pin: String = SoftToken.pin) throws -> PKCS11Token.Configuration {
        var configuration = PKCS11Token.Configuration(module: try #require(Self.module), label: label, pin: SecretPIN(Secret(pin)))
        configuration.isReadWrite = true
        return configuration
    }
}
