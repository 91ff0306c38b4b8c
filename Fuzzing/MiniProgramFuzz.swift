import BillfoldArchive
import BillfoldDiagnosis
import BillfoldJSON
import MiniPrograms
import MiniProgramsDiagnosis
import PaymentCrypto

private struct Archives: PackageArchives {
    func contents(of archive: [UInt8], limits: PackageLimits) throws(MiniProgramError) -> [String: [UInt8]] {
        do throws(ArchiveError) {
            let zip = try ZipArchive(archive, limits: ArchiveLimits(entryBytes: limits.fileBytes, totalBytes: limits.totalBytes))
            return Dictionary(zip.entries.map { ($0.name, $0.bytes) }, uniquingKeysWith: { first, _ in first })
        } catch { throw MiniProgramError(code: .malformedArchive, reason: error.reason) }
    }
}

/// A link may grow when it is written, since every sign but letters is escaped, and long ones are not read.
private func isTooLong(_ text: String) -> Bool { text.utf8.count > 2_048 }

/// The entry point that libFuzzer calls: packages, manifests, links, codes, configuration, servers' messages, sealed data, and the doctor's
/// files (transcripts and traces among them) as strangers send them. The first byte chooses, so that a mutation stays with its format.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMiniPrograms(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let kind = bytes.first else { return 0 }
    let body = Array(bytes.dropFirst())
    let text = String(decoding: body, as: UTF8.self)
    switch kind % 9 {
    case 0:
        if let contents = try? Archives().contents(of: body, limits: PackageLimits()) {
            let package = UnverifiedMiniProgramPackage(contents: contents)
            precondition((try? package.verified(by: KeyRing(), appID: "a")) == nil)
            _ = try? package.signature
        }
    case 1:
        if let manifest = try? PackageManifest(body) { precondition(manifest.bytes == body) }
        if let signature = try? PackageSignature(body) { precondition((try? PackageSignature(signature.bytes)) == signature) }
        try? PackageLimits().checkPath(text)
    case 2:
        if let link = try? MiniProgramLink(text, schemes: ["billfold"], hosts: ["open.example"]) {
            let written = link.text(scheme: "billfold")
            precondition(isTooLong(written) || (try? MiniProgramLink(written, schemes: ["billfold"])) == link)
        }
        if let link = try? MiniProgramLink(alipay: text) {
            precondition(isTooLong(link.alipayText) || (try? MiniProgramLink(alipay: link.alipayText)) == link)
        }
        _ = try? MiniProgramLink(ariver: text)
        _ = try? MiniProgramLink.items(of: text)
        _ = PromotionCode(host: "code.example").decodeURLContent(text)
    case 3:
        _ = try? AppConfiguration.read(body)
        _ = try? PageConfiguration.read(body, path: "a.json")
        _ = try? ProjectConfiguration.read(body)
    case 4:
        let names = ["app.json", "a.js", "a.axml", "a.json", "mini.project.json"]
        let files = zip(names, body.split(separator: 0, maxSplits: 4, omittingEmptySubsequences: false)).map { ($0, Array($1)) }
        _ = MiniProgramLint(files: Dictionary(uniqueKeysWithValues: files), serverDomains: ["api.example"]).findings()
    case 5:
        guard let object = try? JSONReader.readObject(body) else { return 0 }
        _ = try? MiniProgramMetadata(object)
        _ = try? ApplyAuthCodeRequest(object)
        _ = try? ApplyTokenRequest(object, version: .v2)
        _ = try? ApplyTokenAnswer(object)
        _ = try? InquiryUserInfoRequest(object)
        _ = try? InquiryUserInfoAnswer(object)
        _ = try? PrepareRequest(object)
        for name in ["request", "scan", "tradePay", "login", "showToast"] {
            _ = try? JSAPICatalogue.standard.read(name, .object(object), from: .script, features: ["scan", "payment", "auth"])
        }
    case 6: _ = try? OpenAPISignature(header: text)
    case 7: _ = try? UnverifiedSealedData(body)
    default:
        let files = body.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        let artifacts = files.enumerated().map { Artifact(name: "file\($0)", bytes: Array($1)) }
        _ = DiagnosisText(usesColour: false).render(MiniProgramDiagnostician(archives: Archives()).examine(artifacts))
    }
    return 0
}
