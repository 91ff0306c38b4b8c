import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import MiniPrograms
import PaymentCrypto

/// What an archive shows: whether it may be unpacked, whether it is whole and whose, and its files.
struct PackageExamination {
    let name: String
    let bytes: [UInt8]
    let archives: any PackageArchives
    /// Public keys among the files, by their names.
    let keys: [(name: String, key: PublicKey)]
    let metadata: [MetadataArtifact]

    /// Whether bytes begin as a zip archive does.
    static func isArchive(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) }

    /// Nil where the archive is none of a mini program.
    func run() -> (identified: Diagnosis.Identification, findings: [Finding])? {
        let contents: [String: [UInt8]]
        do throws(MiniProgramError) {
            contents = try archives.contents(of: bytes, limits: PackageLimits())
            try PackageLimits().check(contents.map { PackageEntry(path: $0.key, size: $0.value.count) })
        } catch {
            // An archive has its entries' names in clear.
            let data = Data(bytes)
            guard ["app.json", PackageManifest.path].contains(where: { data.range(of: Data($0.utf8)) != nil }) else { return nil }
            return (identification("a package that may not be unpacked"), [refusal(error)])
        }
        guard contents["app.json"] != nil || contents[PackageManifest.path] != nil else { return nil }
        let package = UnverifiedMiniProgramPackage(contents: contents)
        let lint = MiniProgramLint(files: package.files, serverDomains: metadata.first?.domains).findings().map { finding in
            var finding = finding
            finding.subject = "\(name)/\(finding.subject)"
            return finding
        }
        guard contents[PackageManifest.path] != nil else {
            return (identification("a mini program of \(contents.count) files", kind: "sources"), lint)
        }
        do throws(MiniProgramError) {
            let manifest = try package.manifest
            let summary = "a package of \(manifest.appID) \(manifest.version), \(manifest.files.count) files"
            let isUnjudged = keys.isEmpty && (try? package.signature) != nil
            let unjudged = Diagnosis.Unjudged("whose signature it carries", need: "the platform's public key that containers trust, as PEM")
            return (
                identification(summary, unjudged: isUnjudged ? unjudged : nil),
                whole(package, manifest) + signature(package) + context(manifest) + lint
            )
        } catch {
            return (
                identification("a package that cannot be read"),
                [
                    finding(
                        "package-changed", cause: "The package's manifest is not as it was packed.", evidence: [("reason", error.reason)],
                        mend: "Pack and sign anew, and leave the archive as it is.")
                ] + lint
            )
        }
    }

    private func identification(
        _ summary: String, kind: String = "package", unjudged: Diagnosis.Unjudged? = nil
    ) -> Diagnosis.Identification {
        .init(artifact: name, kind: "mini-program.\(kind)", summary: summary, unjudged: unjudged)
    }

    private func finding(_ code: String, cause: String, evidence: [(String, String)], mend: String) -> Finding {
        Finding(
            code: "mini-program.\(code)", subject: name, cause: cause, evidence: evidence.map { .init($0.0, String($0.1.prefix(128))) },
            mend: mend)
    }

    private func refusal(_ error: MiniProgramError) -> Finding {
        switch error.code {
        case .tooLarge:
            finding(
                "package-too-large", cause: "The package unpacks to more than a container takes.", evidence: [("reason", error.reason)],
                mend: "Take out what a mini program does not need, or load it from a server.")
        case .unsafePath, .duplicateEntry:
            finding(
                "package-unsafe-path", cause: "The package has a path that leaves it, or that two systems read differently.",
                evidence: [("reason", error.reason)], mend: "Pack with a tool that writes plain relative paths, each once.")
        default:
            finding(
                "package-damaged", cause: "The archive is damaged or cut short.", evidence: [("bytes", String(bytes.count))],
                mend: "Fetch it again, and compare its SHA-256 with the metadata's.")
        }
    }

    /// Every file held against the manifest.
    private func whole(_ package: UnverifiedMiniProgramPackage, _ manifest: PackageManifest) -> [Finding] {
        do throws(MiniProgramError) {
            try manifest.check(package.files)
            return []
        } catch {
            return [
                finding(
                    "package-changed",
                    cause: "A file of the package was changed, added or taken out after packing: containers keep the old version.",
                    evidence: [("refused as", error.code.description), ("reason", error.reason)],
                    mend: "Pack and sign anew, and leave the archive as it is.")
            ]
        }
    }

    private func signature(_ package: UnverifiedMiniProgramPackage) -> [Finding] {
        let signature: PackageSignature
        do throws(MiniProgramError) {
            signature = try package.signature
        } catch {
            let isThere = error.code == .malformedSignature
            return [
                finding(
                    isThere ? "package-signature" : "package-unsigned",
                    cause: isThere ? "The package's signature cannot be read." : "The package is not signed: no container runs it.",
                    evidence: [("reason", error.reason)], mend: "Sign it with the platform's key: billfold mini-program sign.")
            ]
        }
        let manifest = package.contents[PackageManifest.path] ?? []
        guard !keys.isEmpty, !keys.contains(where: { signature.isValid(over: manifest, for: $0.key) }) else { return [] }
        return [
            finding(
                "package-signature",
                cause: "No key among the files made the package's signature: containers keep the old version and show no error.",
                evidence: [
                    ("keyId", signature.keyID.description), ("algorithm", signature.algorithm.rawValue),
                    ("keys tried", keys.map(\.name).joined(separator: ", ")),
                ], mend: "Sign with the key that the containers trust under this keyId, or hand out the new key first.")
        ]
    }

    /// What shows between a package and metadata.
    private func context(_ manifest: PackageManifest) -> [Finding] {
        metadata.flatMap { metadata -> [Finding] in
            guard ExactText.equal(metadata.appID, manifest.appID) else {
                return [
                    finding(
                        "package-of-other-app", cause: "The package is another mini program's than the metadata.",
                        evidence: [("package", manifest.appID), ("metadata", metadata.appID)],
                        mend: "Upload the package to its own mini program.")
                ]
            }
            guard let version = metadata.version, version != manifest.version else { return [] }
            return [
                finding(
                    "old-version", cause: "The package is another version than the metadata delivers.",
                    evidence: [("package", manifest.version.description), ("metadata", version.description)],
                    mend: "Release the version that should run; a container takes what the metadata names, at its next cold start.")
            ]
        }
    }
}
