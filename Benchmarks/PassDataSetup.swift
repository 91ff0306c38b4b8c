import ApplePay
import BillfoldDiagnosis
import CryptoExtras
import Foundation
import PaymentCrypto

/// What the issuer host's process is told: keys and certificates, all made for one run.
struct PassDataSetup: Codable {
    /// A SoftHSM token that holds the RSA key; the process puts the zone key on it.
    struct Token: Codable {
        var module: String
        var label: String
        var pin: String
        /// What `SOFTHSM2_CONF` names.
        var configuration: String
    }

    static let apiKey = "bk_test_0123456789abcdef0123456789"
    static let customer = "c-1"
    static let zoneKeySet: KeyID = "405551.1"
    static let signingKey: KeyID = "tav-1"

    /// The broker's root, DER.
    var root: Data
    var zoneKey: Data
    /// PKCS#8 of the RSA key for Mastercard.
    var signingKey: Data
    var token: Token?
}

extension PassDataSetup.Token {
    private static let modules = [
        "/usr/lib/softhsm/libsofthsm2.so", "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so",
        "/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so",
        "/usr/lib64/libsofthsm2.so",
    ]

    /// Makes a token in a folder and puts the RSA key on it. Nil where SoftHSM is not installed.
    static func make(in folder: URL, signingKey: Data) throws -> Self? {
        guard let module = modules.first(where: { FileManager.default.fileExists(atPath: $0) }) else { return nil }
        let tokens = folder.appending(path: "tokens")
        try FileManager.default.createDirectory(at: tokens, withIntermediateDirectories: true)
        let configuration = folder.appending(path: "softhsm2.conf")
        try Data("directories.tokendir = \(tokens.path)\nobjectstore.backend = file\nlog.level = ERROR\n".utf8).write(to: configuration)
        let token = Self(module: module, label: "billfold bench", pin: "2468-token-pin", configuration: configuration.path)
        let key = folder.appending(path: "rsa.pem")
        try Data(PEMText.Block(label: "PRIVATE KEY", bytes: Array(signingKey)).text.utf8).write(to: key)
        try token.tool(["--init-token", "--free", "--label", token.label, "--pin", token.pin, "--so-pin", "1357-officer"])
        try token.tool([
            "--import", key.path, "--token", token.label, "--label", PassDataSetup.signingKey.description, "--id", "0a01", "--pin",
            token.pin,
        ])
        return token
    }

    private func tool(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["softhsm2-util"] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["SOFTHSM2_CONF": configuration]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw MeasuredProcess.Failure(reason: "softhsm2-util \(arguments[0]) ended with \(process.terminationStatus)")
        }
    }
}
