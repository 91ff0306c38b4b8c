public import BillfoldDiagnosis
import BillfoldJSON
import Foundation
public import MiniPrograms
import PaymentCrypto

/// Explains mini programs: their packages and files, metadata, links, transcripts and traces of runs, failures of consent, pages for web
/// views, their servers' calls of applyToken, and answers that know no such client.
///
/// Files are those of one mini program, named by their paths from its root, `app.json` among them; or they lie in one archive, packed or
/// not. Public keys among the files judge a package's signature. ``MiniProgramFailure/listed`` lists what is recognised. Nothing here
/// repeats a code, a token or what a user typed.
public struct MiniProgramDiagnostician: Diagnostician {
    private let archives: (any PackageArchives)?

    /// - Parameter archives: Unpacks packages; without it they are passed over.
    public init(archives: (any PackageArchives)? = nil) { self.archives = archives }

    /// Names what it judges.
    public var subjects: String { "a mini program, its package or run" }

    public func examine(_ artifacts: [Artifact]) -> Diagnosis {
        var diagnosis = Diagnosis()
        var metadata: [MetadataArtifact] = []
        var transcripts: [TranscriptArtifact] = []
        var tokens: [ApplyTokenArtifact] = []
        var packages: [Artifact] = []
        let isProgram = artifacts.contains { $0.name == "app.json" && !Self.isOtherProjects($0, beside: artifacts) }
        for artifact in artifacts {
            if isProgram, Self.isSource(artifact.name) { continue }
            func identify(_ kind: String, _ summary: String) {
                diagnosis.identified.append(.init(artifact: artifact.name, kind: "mini-program.\(kind)", summary: summary))
            }
            if PackageExamination.isArchive(artifact.bytes) {
                packages.append(artifact)
            } else if let found = Self.link(artifact) {
                identify("link", "a link to a mini program")
                diagnosis.findings += found
            } else if let found = WebPageExamination(artifact.name, artifact.bytes) {
                identify("web-page", "a page that calls \(found.calls.count) interfaces of my")
                diagnosis.findings += found.findings()
            } else if let found = TranscriptArtifact(artifact.name, trace: artifact.bytes) {
                identify("trace", "the trace of a run, \(found.entries.count) entries")
                transcripts.append(found)
            }
            guard let object = try? JSONReader.readObject(artifact.bytes, maximumBytes: 16 << 20, maximumDepth: 160) else { continue }
            if let found = TranscriptArtifact(artifact.name, object) {
                identify("transcript", "the transcript of a run, \(found.entries.count) entries")
                transcripts.append(found)
            } else if let found = ApplyTokenArtifact(artifact.name, object) {
                identify("apply-token", "a request for tokens by an authorization code")
                tokens.append(found)
            } else if let found = RefusedClientArtifact(artifact.name, object) {
                identify("refused-client", "an answer that knows no such client")
                diagnosis.findings.append(found.finding)
            } else if let found = ConsentFailure(file: object) {
                identify("consent-failure", "what a failed getAuthCode answered: \(found.cause ?? "no word of the container's")")
                diagnosis.findings += found.findings(subject: artifact.name)
            } else if let found = MetadataArtifact(artifact.name, object) {
                identify("metadata", "the metadata of mini program \(found.appID.prefix(64))")
                metadata.append(found)
            }
        }
        if isProgram {
            let sources = artifacts.filter { Self.isSource($0.name) }
            diagnosis.identified += sources.map {
                .init(artifact: $0.name, kind: "mini-program.source", summary: "a file of a mini program")
            }
            diagnosis.findings += MiniProgramLint(
                files: Dictionary(sources.map { ($0.name, $0.bytes) }, uniquingKeysWith: { first, _ in first }),
                serverDomains: metadata.first?.domains
            ).findings()
        }
        examine(packages, beside: artifacts, metadata: metadata, into: &diagnosis)
        diagnosis.findings += metadata.flatMap(Self.findings(of:))
        diagnosis.findings += transcripts.flatMap { TranscriptExamination(transcript: $0, metadata: metadata.first).findings() }
        diagnosis.findings += Self.findings(of: tokens, metadata.first)
        return diagnosis
    }

    private func examine(
        _ packages: [Artifact], beside artifacts: [Artifact], metadata: [MetadataArtifact], into diagnosis: inout Diagnosis
    ) {
        guard let archives, !packages.isEmpty else { return }
        let keys = artifacts.compactMap { artifact -> (name: String, key: PublicKey)? in
            guard artifact.bytes.count <= 16_384, let text = String(utf8: artifact.bytes),
                text.contains("-----BEGIN PUBLIC KEY-----")
            else { return nil }
            return (try? PublicKey(pem: text)).map { (artifact.name, $0) }
        }
        for package in packages {
            let examination = PackageExamination(
                name: package.name, bytes: package.bytes, archives: archives, keys: keys, metadata: metadata)
            guard let found = examination.run() else { continue }
            diagnosis.identified.append(found.identified)
            diagnosis.findings += found.findings
            guard found.identified.kind == "mini-program.package" else { continue }
            let known = Set(diagnosis.identified.map(\.artifact))
            diagnosis.identified += keys.filter { !known.contains($0.name) }.map {
                .init(artifact: $0.name, kind: "public-key", summary: "a key that packages are checked with")
            }
        }
    }

    /// Other projects have an `app.json` too: one without anything that a mini program has, and no such file beside it.
    private static func isOtherProjects(_ artifact: Artifact, beside artifacts: [Artifact]) -> Bool {
        guard let object = try? JSONReader.readObject(artifact.bytes, maximumBytes: 1_048_576), !object.members.isEmpty else {
            return false
        }
        let known = [
            "pages", "window", "tabBar", "subPackages", "subpackages", "plugins", "useDynamicPlugins", "permission", "preloadRule",
        ]
        return !known.contains { object[$0] != nil } && !artifacts.contains { $0.name == "app.js" || $0.name.hasSuffix(".axml") }
    }

    /// What belongs to a mini program by its name. Other JSON files beside it may be metadata or a transcript.
    private static func isSource(_ name: String) -> Bool {
        let endings = [".js", ".ts", ".axml", ".acss", ".sjs", ".wxml", ".wxss", ".png", ".jpg", ".svg", ".less"]
        return ["app.json", "mini.project.json", "ext.json"].contains(name) || endings.contains { name.hasSuffix($0) }
            || (name.hasSuffix(".json") && name.contains("/"))
    }

    // MARK: One artifact

    /// Nil where the artifact is no link.
    private static func link(_ artifact: Artifact) -> [Finding]? {
        guard artifact.bytes.count <= 4_096,
            let text = String(utf8: artifact.bytes)?.trimmingCharacters(in: .whitespacesAndNewlines),
            ["alipays://", "https://ds.alipay.com/"].contains(where: text.hasPrefix), !text.contains("orderSuffix"), !text.contains("saId")
        else { return nil }
        do throws(MiniProgramError) {
            _ = try MiniProgramLink(alipay: text)
            return []
        } catch {
            // Other links of the wallet begin alike: an app's way into it is no link to a mini program.
            guard error.code != .notALink else { return nil }
            let isTruncated = error.code == .malformedField && error.reason.contains("outside of page and query")
            return [
                Finding(
                    code: isTruncated ? "mini-program.link-truncated" : "mini-program.link", subject: artifact.name,
                    cause: isTruncated
                        ? "The page's parameters were not percent-encoded: all behind the first pair is lost." : "The link cannot be used.",
                    evidence: [.init("reason", error.reason)],
                    mend: isTruncated
                        ? "Percent-encode the whole value of page, its parameters included, and the whole value of query."
                        : "Make the link anew, and do not encode it twice.")
            ]
        }
    }

    private static func findings(of metadata: MetadataArtifact) -> [Finding] {
        var result: [Finding] = []
        if metadata.authClientID?.isEmpty ?? true {
            result.append(
                Finding(
                    code: "mini-program.auth-client-unset", subject: metadata.name, cause: "The metadata has no authClientId.",
                    evidence: [.init("appId", metadata.appID)],
                    mend: "Record the client id that the super app gave the merchant on the platform."))
        } else if metadata.authClientID == metadata.appID {
            result.append(
                Finding(
                    code: "mini-program.auth-client-is-app-id", subject: metadata.name,
                    cause: "The authClientId is the mini program's own id.",
                    evidence: [.init("authClientId", metadata.appID)],
                    mend: "Record the client id that the super app gave the merchant: the two ids are unrelated."))
        }
        return result
    }

    // MARK: Several artifacts

    private static func findings(of tokens: [ApplyTokenArtifact], _ metadata: MetadataArtifact?) -> [Finding] {
        var result: [Finding] = []
        var first: [String: ApplyTokenArtifact] = [:]
        for token in tokens {
            guard let code = token.code else { continue }
            if let earlier = first[code] {
                let sameClient = earlier.authClientID == token.authClientID && earlier.appID == token.appID
                result.append(
                    Finding(
                        code: sameClient ? "mini-program.code-reused" : "mini-program.code-of-other-client", subject: token.name,
                        cause: sameClient
                            ? "The authorization code was sent before, and a code works once."
                            : "The authorization code was sent by another client too, and it is one client's alone.",
                        evidence: [.init("also in", earlier.name)],
                        mend: sameClient
                            ? "Send a code once; when the answer is lost, ask the mini program for a new one."
                            : "Send the code with the app and client for which the mini program got it."))
            } else {
                first[code] = token
                if let client = token.authClientID, client == token.appID {
                    result.append(
                        Finding(
                            code: "mini-program.auth-client-is-app-id", subject: token.name,
                            cause: "The request's authClientId is the mini program's own id.",
                            evidence: [.init("authClientId", String(client.prefix(64)))],
                            mend:
                                "Send the id of the merchant's client, the metadata's authClientId: the two ids are unrelated."
                        ))
                } else if let metadata, let client = token.authClientID, let known = metadata.authClientID, client != known {
                    result.append(
                        Finding(
                            code: "mini-program.code-of-other-client", subject: token.name,
                            cause: "The request names another client than the mini program's metadata.",
                            evidence: [.init("authClientId", String(client.prefix(64))), .init("metadata", String(known.prefix(64)))],
                            mend: "Send the client id of the metadata: the code was issued to it."))
                }
            }
        }
        return result
    }
}
