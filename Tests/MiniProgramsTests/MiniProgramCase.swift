import BillfoldArchive
import BillfoldDiagnosis
import Foundation
import MiniPrograms
import MiniProgramsDiagnosis
import PaymentCrypto
import Testing

/// Unpacks with libarchive, as the program passes it in.
struct TestArchives: PackageArchives {
    func contents(of archive: [UInt8], limits: PackageLimits) throws(MiniProgramError) -> [String: [UInt8]] {
        do throws(ArchiveError) {
            let zip = try ZipArchive(archive, limits: ArchiveLimits(entryBytes: limits.fileBytes, totalBytes: limits.totalBytes))
            return Dictionary(zip.entries.map { ($0.name, $0.bytes) }, uniquingKeysWith: { first, _ in first })
        } catch {
            switch error.code {
            case .tooLarge: throw MiniProgramError(code: .tooLarge, reason: error.reason)
            case .unsafeName: throw MiniProgramError(code: .unsafePath, reason: error.reason)
            default: throw MiniProgramError(code: .malformedArchive, reason: error.reason)
            }
        }
    }
}

/// Everything that belongs to one mini program, good until a fault is put in. Names, values and keys are drawn from a seed.
struct MiniProgramCase {
    /// What is done to the package.
    struct Package {
        var appID: String
        var version: String
        var isSigned = true
        /// Whether the key beside it is not the signer's.
        var hasOtherKey = false
        var change: (@Sendable (inout [String: [UInt8]]) -> Void)?
        var damage: (@Sendable ([UInt8]) -> [UInt8])?
        var blanks = 0
    }

    /// RSA keys are made once a run, since each takes a second; every case draws one of them, or makes a key on P-256 of its own.
    private static let rsa = (0..<3).compactMap { _ in try? RSAPrivateKey(bits: 2_048) }

    var metadata: [String: String]
    var features = ["auth", "payment", "scan"]
    var domains: [String]
    var built: [String]
    var entries: [String] = []
    var trace: [String] = []
    var tokens: [String] = []
    var link: String
    var consent = #"{"error":11,"errorMessage":"user-cancelled: the person closed the page","authErrorScopes":{}}"#
    var page = "<!doctype html><script src=\"https://appx/web-view.min.js\"></script><script>my.getEnv(say)</script>"
    var files = LintTests.good
    var package: Package
    var random: Seeded
    let app: String
    let client: String
    let host: String

    init(seed: UInt64) {
        random = Seeded(state: seed)
        app = "20\(random.next() % 1_000_000_000)"
        client = "CLIENT\(random.next() % 100_000)"
        host = "api\(random.next() % 1_000).merchant.test"
        let version = "1.\(random.next() % 20).\(random.next() % 9)"
        metadata = ["appId": app, "authClientId": client, "releaseVersion": version]
        (domains, built) = ([host], [host])
        link = "alipays://platformapi/startapp?appId=\(app)&page=pages%2Fa%3Fx%3D1%26y%3D2"
        package = Package(appID: app, version: version)
        entries = [
            #"{"kind":"opened","page":"pages/a/a"}"#, call("getAuthCode", "{}"),
            answer("getAuthCode", #"{"authCode":"c\#(random.next())","authErrorScopes":{}}"#),
            call("tradePay", #"{"tradeNO":"\#(random.next())"}"#), answer("tradePay", #"{"resultCode":"9000"}"#),
            call("request", #"{"url":"https://\#(host)/x"}"#), answer("request", #"{"status":200}"#), call("scan", "{}"),
            answer("scan", #"{"code":"q\#(random.next())","qrCode":"q"}"#),
        ]
        for update in 0..<(random.next() % 20) {
            entries.append(#"{"at":\#(update * 50),"kind":"setData","page":"pages/a/a","changes":[{"path":"n","value":\#(update)}]}"#)
        }
        trace = [
            #"{"billfold-trace":1,"appId":"\#(app)","seed":"1","code":"a","custom":[]}"#,
            #"{"in":{"kind":"pages","body":{"stack":[1],"changes":[{"kind":"load","id":1,"route":"pages/a/a","query":{}}]}}}"#,
        ]
        for id in 1...(2 + random.next() % 4) {
            trace += [#"{"in":{"kind":"event","body":{"page":1,"handler":"sign"}}}"#] + traced("getAuthCode", Int(id))
        }
        tokens = [token(code: "code-\(random.next())")]
        files["pages/a/a.js"] = "Page({ onLoad() { my.request({ url: 'https://\(host)/list' }) }, onShow() { this.x = 1 } })"
    }

    func call(_ name: String, _ arguments: String) -> String { #"{"kind":"call","name":"\#(name)","arguments":\#(arguments)}"# }

    func answer(_ name: String, _ result: String, ok: Bool = true) -> String {
        #"{"kind":"answer","name":"\#(name)","ok":\#(ok),"result":\#(result)}"#
    }

    /// A call and its answer in a trace.
    func traced(_ name: String, _ id: Int, _ result: String = "{}", ok: Bool = true) -> [String] {
        [
            #"{"out":{"kind":"call","body":{"id":\#(id),"name":"\#(name)","arguments":{}}}}"#,
            #"{"in":{"kind":"answer","body":{"id":\#(id),"ok":\#(ok),"result":\#(result)}}}"#,
        ]
    }

    /// A failure of `getAuthCode`, in one of the three files that can hold it.
    mutating func fail(_ result: String) {
        switch random.next() % 3 {
        case 0: consent = result
        case 1: entries += [call("getAuthCode", "{}"), answer("getAuthCode", result, ok: false)]
        default: trace += traced("getAuthCode", 99, result, ok: false)
        }
    }

    func token(code: String, client: String? = nil) -> String {
        #"{"appId":"\#(app)","authClientId":"\#(client ?? self.client)","grantType":"AUTHORIZATION_CODE","authCode":"\#(code)"}"#
    }

    private func archive(_ signer: PrivateKey) throws -> [UInt8] {
        var files: [String: [UInt8]] = [
            "app.json": Array(#"{"pages":["a"]}"#.utf8), "a.js": Array("Page({})".utf8), "a.axml": Array("<view/>".utf8),
        ]
        if package.blanks > 0 { files["blank.txt"] = [UInt8](repeating: 0x20, count: package.blanks) }
        let version = try #require(MiniProgramVersion(text: package.version))
        let isRSA = if case .rsa = signer { true } else { false }
        let packed = try MiniProgramPackage(
            appID: package.appID, version: version, files: files, signedBy: signer.signer, keyID: "platform-1",
            algorithm: isRSA ? .rsaPKCS1SHA256 : .ecdsaSHA256)
        var contents = Dictionary(packed.entries.map { ($0.path, $0.bytes) }, uniquingKeysWith: { first, _ in first })
        if !package.isSigned { contents["manifest.sig"] = nil }
        package.change?(&contents)
        let entries = contents.sorted { $0.key < $1.key }.map { ZipArchive.Entry(name: $0.key, bytes: $0.value) }
        let bytes = try ZipArchive(entries: entries).packed()
        return package.damage?(bytes) ?? bytes
    }

    func artifacts() throws -> [Artifact] {
        func list(_ values: [String]) -> String { "[" + values.map { "\"\($0)\"" }.joined(separator: ",") + "]" }
        var random = random
        let fresh = PrivateKey.p256(try P256PrivateKey(using: &random))
        let signer = random.next() % 4 == 0 ? PrivateKey.rsa(Self.rsa[Int(random.next() % 3)]) : fresh
        let shown = package.hasOtherKey ? PrivateKey.p256(try P256PrivateKey(using: &random)) : signer
        let members = metadata.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",")
        var texts = files
        texts["metadata.json"] =
            "{\(members),\"features\":\(list(features)),\"serverDomains\":\(list(domains)),\"builtServerDomains\":\(list(built))}"
        texts["run.json"] = "{\"entries\":[\(entries.joined(separator: ","))]}"
        texts["run.trace"] = trace.joined(separator: "\n") + "\n"
        texts["link.txt"] = link
        texts["consent.json"] = consent
        texts["page.html"] = page
        texts["platform.pub"] = shown.publicKey.pem
        for (index, token) in tokens.enumerated() { texts["token-\(index).json"] = token }
        let artifacts = texts.sorted { $0.key < $1.key }.map { Artifact(name: $0.key, bytes: Array($0.value.utf8)) }
        return artifacts + [Artifact(name: "tea.zip", bytes: try archive(signer))]
    }

    func examine() throws -> Diagnosis { MiniProgramDiagnostician(archives: TestArchives()).examine(try artifacts()) }
}
