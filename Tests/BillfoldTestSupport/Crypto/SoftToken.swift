import Foundation
public import PaymentCrypto
import Synchronization

/// A SoftHSM token in a folder of its own, with an RSA key and what a test puts on it.
public final class SoftToken: Sendable {
    public static let pin = "2468-token-pin"
    public static let rsaLabel = "mastercard-tav-1"

    public let label: String
    /// The RSA key that was imported.
    public let rsaKey: RSAPrivateKey

    /// The module, where the distribution puts it. Says so when there is none.
    public static let module: String? = {
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

    /// Tokens are made one after another, before the module first looks for them: one for each test that takes one, in whatever suite.
    private static let made: Result<[SoftToken], any Error> = Result {
        let key = try RSAPrivateKey(bits: 2048)
        return try (1...6).map { try SoftToken(number: $0, rsaKey: key) }
    }
    private static let next = Mutex(0)

    /// Has the tokens made. To be called before the module is used for the first time.
    public static func prepare() throws { _ = try made.get() }

    /// A token that no other test uses.
    public static func take() throws -> SoftToken {
        let tokens = try made.get()
        let index = next.withLock { next in
            defer { next += 1 }
            return next
        }
        guard tokens.indices.contains(index) else { throw Failure(description: "make more tokens") }
        return tokens[index]
    }

    public struct Failure: Error, CustomStringConvertible {
        public var description: String
    }

    private init(number: Int, rsaKey: RSAPrivateKey) throws {
        let folder = try Self.folder.get()
        label = "billfold test \(number)"
        self.rsaKey = rsaKey
        let file = folder.path("rsa-\(number).pem")
        try PEMText.Block(label: "PRIVATE KEY", bytes: rsaKey.pkcs8).text.write(toFile: file, atomically: true, encoding: .utf8)
        try initialize()
        try Self.run(["--import", file, "--token", label, "--label", Self.rsaLabel, "--id", "0a0\(number)", "--pin", Self.pin])
    }

    /// Takes the token away with all that is on it.
    public func remove() throws { try Self.run(["--delete-token", "--token", label]) }

    /// Makes it anew, with nothing on it.
    public func makeAnew() throws { try initialize() }

    private func initialize() throws {
        try Self.run(["--init-token", "--free", "--label", label, "--pin", Self.pin, "--so-pin", "1357-officer"])
    }

    private static func run(_ arguments: [String]) throws {
        guard let tool = Self.tool, ChildProcess.succeeds([tool] + arguments) else {
            throw Failure(description: "softhsm2-util \(arguments[0]) failed")
        }
    }
}
