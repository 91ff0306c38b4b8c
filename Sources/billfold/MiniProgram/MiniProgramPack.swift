import AppContainer
import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import Crypto
import Foundation
import MiniProgramZip
import MiniPrograms
import PaymentCrypto

/// `mini-program pack`: makes a package of a mini program's folder.
struct MiniProgramPackCommand: ReplyingCommand {
    static let configuration = CommandConfiguration(
        commandName: "pack", abstract: "Make a package of a mini program's folder.",
        discussion: """
            Scripts become CommonJS, each with its source map, by esbuild, which has to be in the search path. A folder with a defect \
            that lint names is not packed. The package is a zip archive whose manifest lists every file with its hash; the same folder \
            gives the same bytes. Sign it before it is handed out: nothing runs a package that is not signed. An existing file is not \
            overwritten.
            """)

    @Argument(help: "The mini program's folder: the one with app.json, or with mini.project.json.") var folder: String
    @Option(help: "The mini program's id: 1 to 32 letters, digits, - and _.") var appID: String
    @Option(help: "The version, such as 1.0.2.") var version: String
    @Option(help: "The oldest container that can run it.") var minimumContainer = "1.0.0"
    @Option(help: "The package to write.") var to: String
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        for (name, text) in [("--version", version), ("--minimum-container", minimumContainer)]
        where MiniProgramVersion(text: text) == nil {
            throw ValidationError("\(name) is a version such as 1.0.2.")
        }
    }

    func reply() async throws -> CommandReply {
        guard let version = MiniProgramVersion(text: version), let container = MiniProgramVersion(text: minimumContainer) else {
            throw CommandFailure.usage("a version is such as 1.0.2")
        }
        let folder = try MiniProgramFolder(MiniProgramSource.folder(folder))
        let findings = MiniProgramLint(files: folder.files).findings()
        let defects = findings.filter { $0.severity == .defect }
        if let first = defects.first {
            let more = defects.count > 1 ? ", and \(defects.count - 1) more that lint lists" : ""
            throw CommandFailure(.refused, code: first.code, reason: "\(first.subject): \(first.cause) \(first.mend)\(more)")
        }
        guard let packer = MiniProgramSource.packer else {
            throw AppContainerError(code: .packingFailed, reason: "esbuild is not in the search path")
        }
        let files = try folder.packed(by: packer)
        let manifest = try PackageManifest(appID: appID, version: version, minimumContainer: container, files: files)
        let package = UnverifiedMiniProgramPackage(manifest: manifest, files: files)
        let bytes = try ZipPackages().archive(package.entries)
        try CommandFile.writePrivate(to, bytes)
        var object = PackageReply.object("packed", of: manifest)
        object["size"] = .number(String(bytes.count))
        object["sha256"] = .string(PackageReply.hash(bytes))
        object["findings"] = .array(findings.map(\.json))
        let lines =
            ["packed \(manifest.appID) \(manifest.version): \(manifest.files.count) files in \(to)"]
            + findings.map { "  warning \($0.code) in \($0.subject): \($0.cause)" }
        return CommandReply(text: lines.map(DiagnosisText.printable).joined(separator: "\n"), object: object)
    }
}

/// `mini-program sign`: signs a package.
struct MiniProgramSignCommand: ReplyingCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign a package.",
        discussion: """
            Every file is held against the manifest first: whoever signs vouches for all of them. A signature that is there is replaced. \
            RSA keys sign with SHA-256, keys on P-256 and P-384 with the hash of their curve. An existing file is not overwritten.
            """)

    @Argument(help: "The package that pack wrote.") var package: String
    @Option(help: "The signer's private key in PEM.") var key: String
    @Option(help: "The name under which containers know the key, such as platform-1.") var keyID: String
    @Option(help: "The signed package to write.") var to: String
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        guard (1...128).contains(keyID.utf8.count), keyID.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw ValidationError("--key-id is a name of 1 to 128 visible characters.")
        }
    }

    func reply() async throws -> CommandReply {
        let unsigned = try PackageFile.read(package)
        let key = try ProvisioningInput.key(key, as: "private key", by: PrivateKey.init(pem:))
        let algorithm: SignatureAlgorithm =
            switch key {
            case .rsa: .rsaPKCS1SHA256
            case .p256: .ecdsaSHA256
            case .p384: .ecdsaSHA384
            }
        let signed = try unsigned.signed(by: key.signer, keyID: KeyID(keyID), algorithm: algorithm)
        let bytes = try ZipPackages().archive(signed.entries)
        try CommandFile.writePrivate(to, bytes)
        var object = PackageReply.object("signed", of: signed.manifest, signature: signed.signature)
        object["size"] = .number(String(bytes.count))
        object["sha256"] = .string(PackageReply.hash(bytes))
        let text = "signed \(signed.manifest.appID) \(signed.manifest.version) with key \(keyID) in \(to)"
        return CommandReply(text: DiagnosisText.printable(text), object: object)
    }
}

/// What the commands say of a package.
enum PackageReply {
    static func object(_ outcome: String, of manifest: PackageManifest, signature: PackageSignature? = nil) -> JSONObject {
        var object = JSONObject([
            .init("outcome", .string(outcome)), .init("appId", .string(manifest.appID)),
            .init("version", .string(manifest.version.description)),
            .init("minimumContainer", .string(manifest.minimumContainer.description)),
            .init("files", .number(String(manifest.files.count))),
        ])
        if let signature {
            object["keyId"] = .string(signature.keyID.description)
            object["algorithm"] = .string(signature.algorithm.rawValue)
        }
        return object
    }

    /// In hexadecimal, as metadata names a package.
    static func hash(_ bytes: [UInt8]) -> String { Hexadecimal.encode(Array(SHA256.hash(data: bytes))) }
}
