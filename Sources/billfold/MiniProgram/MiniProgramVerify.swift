import AppContainer
import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import MiniPrograms
import PaymentCrypto

/// `mini-program verify`: checks a package as a container does before it installs it.
struct MiniProgramVerifyCommand: ReplyingCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check a package as a container does before it installs it.",
        discussion: """
            Limits and paths come first, then the signature over the manifest, then every file's hash, then the pages that app.json lists. \
            What is not in order exits with 1 and a code: unsafe-path, too-large, unsigned, untrusted-key, signature-mismatch, \
            wrong-package, missing-file, unlisted-file, hash-mismatch, missing-page. `billfold doctor` says more of what is wrong.
            """)

    @Argument(help: "The package.") var package: String
    @OptionGroup var trust: PackageTrust
    @Flag(help: "Print one JSON object.") var json = false

    func reply() async throws -> CommandReply {
        let verified = try trust.verified(try PackageFile.read(package))
        let code = try MiniProgramCode(package: verified)
        let bytes = verified.files.reduce(0) { $0 + $1.value.count }
        let (manifest, signature) = (verified.manifest, verified.signature)
        var object = PackageReply.object("verified", of: manifest, signature: signature)
        object["bytes"] = .number(String(bytes))
        object["pages"] = .array(code.pages.map(JSONValue.string))
        let lines = [
            "verified \(manifest.appID) \(manifest.version) with key \(signature.keyID)",
            "  \(manifest.files.count) files, \(bytes) bytes, for containers from \(manifest.minimumContainer)",
            "  pages: \(code.pages.count), the first \(code.pages[0])",
        ]
        return CommandReply(text: lines.map(DiagnosisText.printable).joined(separator: "\n"), object: object)
    }
}

/// Which packages are believed.
struct PackageTrust: ParsableArguments {
    @Option(help: "The signer's public key in PEM.") var key: String?
    @Option(help: "The name under which the key is trusted; default: the package's own.") var keyID: String?
    @Option(help: "The mini program that it has to be; default: the package's own.") var appID: String?
    @Option(help: "The oldest version that is taken.") var atLeast: String?

    func validate() throws {
        if let atLeast, MiniProgramVersion(text: atLeast) == nil { throw ValidationError("--at-least is a version such as 1.0.2.") }
    }

    func verified(_ package: UnverifiedMiniProgramPackage) throws -> MiniProgramPackage {
        guard let key else { throw CommandFailure.usage("a package is believed by its signer's key: give --key") }
        let trusted = try ProvisioningInput.key(key, as: "public key", by: PublicKey.init(pem:))
        let id = try keyID.map { KeyID($0) } ?? package.signature.keyID
        return try package.verified(
            by: KeyRing(active: id, trusted), appID: try appID ?? package.manifest.appID,
            atLeast: atLeast.flatMap(MiniProgramVersion.init(text:)))
    }
}

/// Where a mini program is: a folder, or a package.
struct MiniProgramSource: ParsableArguments {
    @Argument(help: "The mini program's folder (with app.json or mini.project.json), or its signed package.") var program: String
    @OptionGroup var trust: PackageTrust

    /// The code, and what a package says of itself. In a folder ES modules need esbuild; without it the folder has to be CommonJS.
    func code() throws -> (code: MiniProgramCode, manifest: PackageManifest?) {
        if Self.isFolder(program) {
            guard trust.key == nil else { throw CommandFailure.usage("--key is for packages, and \(program) is a folder") }
            return (try MiniProgramCode(folder: Self.folder(program), packer: Self.packer), nil)
        }
        let package = try trust.verified(try PackageFile.read(program))
        return (try MiniProgramCode(package: package), package.manifest)
    }
}
