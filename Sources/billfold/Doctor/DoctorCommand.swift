import AppContainer
import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import MiniProgramZip
import PaymentCryptoOpenSSL
import UnionPay
import UnionPayDiagnosis

/// `billfold doctor`: says what files are, what is wrong with them, and how to mend it.
struct DoctorCommand: ReplyingCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Explain tokens, certificates, keys, requests, orders, messages, provisioning data and mini programs.",
        discussion: """
            Hand over everything that belongs together: many causes show only between two files. A simulator's token needs the \
            simulator's root certificate among the files, or it is reported as forged. Name a key's file after its owner (merchant…, app…, \
            registered…, alipay…, mapi…, openapi…), and a message of Alipay's is judged by whose key it has to fit. A message of \
            Alipay+'s names its key's version: a name such as client-v2.pem says under which one a key is registered, and so does \
            --key 2=FILE. A folder is a mini program's, or else all of its files are taken. - is standard input. A file has \(CommandFile.mostMegabytes) MB at most, a package or a run of \
            a mini program \(PackageFile.megabytes) MB. Exits with 1 when there is a defect, and when nobody knew a file.
            """)

    @Argument(help: "Files of any kind, or - for standard input; what nobody knows is listed as unknown.") var files: [String]
    @Option(help: "The day to judge certificates at (ISO 8601); default: now.") var at: String?
    @Option(help: "File whose first line is a shared secret of UnionPay's methods 11 and 12; may be repeated.")
    var secureKeyFile: [String] = []
    @Option(help: "File whose first line is a shared key of Alipay's sign_type MD5; may be repeated.")
    var md5KeyFile: [String] = []
    @Option(help: "File whose first line is a password to try on PKCS#12 files; may be repeated. UnionPay's test password is always tried.")
    var passwordFile: [String] = []
    @Option(help: "SM2 public key of UnionPay's method 21, PEM; needs --cert-id.") var sm2Key: String?
    @Option(help: "certId of that key, decimal.") var certId: String?
    @Option(help: "VERSION=FILE: an RSA key in PEM, and the version under which it is registered at Alipay+; may be repeated.")
    var key: [String] = []
    @Option(
        help:
            "The URL scheme by which wallets come back to an app, as it is passed to payOrder or startPay, to judge its Info.plist by; default: the first registered."
    )
    var appScheme: String?
    @Flag(help: "Write one JSON object.") var json = false

    func validate() throws {
        if files.isEmpty { throw ValidationError("Name at least one file.") }
    }

    /// What messages of UnionPay may have been signed with, apart from the certificates and keys among the files.
    private func unionPayKeys() throws -> DiagnosticKeys {
        var keys = DiagnosticKeys(
            secureKeys: try secureKeyFile.map(UnionPayFiles.secret), sm3: OpenSSLShangMi(), pkcs12: OpenSSLPKCS12(),
            recovery: OpenSSLRecovery())
        keys.passwords += try passwordFile.map(UnionPayFiles.secret)
        switch (sm2Key, certId) {
        case (let sm2Key?, let certId?):
            let key = OpenSSLShangMi.Verifier(key: try SM2PublicKey(pem: UnionPayFiles.text(sm2Key)))
            keys.sm2 = [.init(certificateID: try CertificateID(certId), key: key)]
        case (nil, nil): break
        default: throw CommandFailure.usage("--sm2-key and --cert-id belong together")
        }
        return keys
    }

    /// Files go by their last name; those that share one go by their paths as given.
    static func artifacts(_ files: [String]) throws -> [Artifact] {
        let names = files.map { URL(fileURLWithPath: $0).lastPathComponent }
        let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        return try zip(files, names).map { file, name in
            let shown = file == CommandFile.standardInput ? "standard input" : counts[name] == 1 ? name : file
            return Artifact(name: shown, bytes: try bytes(file))
        }
    }

    /// The files that `--key` names, with their versions. Usage errors: no `VERSION=FILE`, a file with two versions.
    static func versions(_ keys: [String]) throws -> [(file: String, version: Int)] {
        let read = try keys.map { text in
            let halves = text.split(separator: "=", maxSplits: 1)
            guard halves.count == 2, let version = Int(halves[0]), version >= 0 else {
                throw CommandFailure.usage("--key is written VERSION=FILE, such as 2=client.pem")
            }
            return (file: String(halves[1]), version: version)
        }
        guard Set(read.map(\.file)).count == read.count else { throw CommandFailure.usage("--key names one file twice") }
        return read
    }

    /// A mini program's folder as one archive, so that its files are nobody else's; a file as it is.
    private static func bytes(_ path: String) throws -> [UInt8] {
        guard MiniProgramSource.isFolder(path) else {
            // Packages and runs are larger than other artifacts.
            let bytes = try CommandFile.read(path, megabytes: PackageFile.megabytes)
            let isPackageOrRun = [UInt8(ascii: "P"), UInt8(ascii: "{")].contains(bytes.first)
            guard isPackageOrRun || bytes.count <= CommandFile.mostMegabytes << 20 else {
                throw CommandFailure(
                    .refused, code: "unreadable-file",
                    reason: "\(path) has more than \(CommandFile.mostMegabytes) MB, and is no package or run")
            }
            return bytes
        }
        let files = try MiniProgramFolder(MiniProgramSource.folder(path)).files
        return try ZipPackages().archive(files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    func reply() async throws -> CommandReply {
        let versions = try Self.versions(key)
        let named = try files.flatMap(FolderFiles.listed)
        let paths = named + versions.map(\.file).filter { !named.contains($0) }
        let artifacts = try Self.artifacts(paths)
        let names = Dictionary(zip(paths, artifacts.map(\.name))) { first, _ in first }
        let keyVersions = versions.compactMap { key in names[key.file].map { ($0, key.version) } }
        let diagnosis = Diagnosis(
            of: artifacts,
            by: Capabilities.diagnosticians(
                DoctorAids(
                    instant: try CommandInput.instant(at), unionPay: try unionPayKeys(), md5: try md5KeyFile.map(UnionPayFiles.secret),
                    keyVersions: Dictionary(keyVersions) { first, _ in first }, appScheme: appScheme)))
        let isDefective = diagnosis.findings.contains { $0.severity == .defect }
        // What nobody has judged must not read as good, to a script either.
        let unknown = diagnosis.findings.first { $0.code == "unknown-artifact" }
        var object = JSONObject([
            .init(
                "identified",
                .array(
                    diagnosis.identified.map(\.json))), .init("findings", .array(diagnosis.findings.map(\.json))),
        ])
        if let first = diagnosis.findings.first(where: { $0.severity == .defect }) ?? unknown {
            object["error"] = .object(JSONObject([.init("code", .string(first.code)), .init("reason", .string(first.cause))]))
        }
        let text = DiagnosisText(usesColour: isatty(STDOUT_FILENO) == 1).render(diagnosis)
        return CommandReply(text: text, object: object, exitCode: isDefective || unknown != nil ? 1 : 0)
    }
}
