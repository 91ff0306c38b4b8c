import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldTestSupport
import Foundation
import MiniProgramZip
import MiniPrograms
import MiniProgramsDiagnosis
import PaymentCrypto
import Testing
import UnionPayDiagnosis

@testable import billfold

/// The doctor of mini programs beside those of the other protocols.
final class MiniProgramDoctorTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("mini-program-doctor-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file.path
    }

    private static let files = [
        "app.json": #"{"pages":["a"]}"#, "a.axml": "<view/>",
        "a.js":
            "Page({ pay() { my.tradePay({ orderStr: 'alipay_sdk=x&sign_type=RSA2' }); my.openURL({ url: 'alipays://platformapi/startapp?appId=2021' }) } })",
    ]

    private static let loose: [(name: String, text: String)] = [
        ("link.txt", "alipays://platformapi/startapp?appId=2021001&page=pages%2Fa"),
        (
            "metadata.json",
            #"{"appId":"2021001","authClientId":"C1","releaseVersion":"1.0.0","features":["auth"],"serverDomains":["api.shop.example"]}"#
        ),
        (
            "run.json",
            #"{"entries":[{"kind":"call","name":"tradePay","arguments":{"orderStr":"alipay_sdk=x&sign=y"}},{"kind":"answer","name":"tradePay","ok":true,"result":{"resultCode":"9000"}}],"errors":0}"#
        ),
        ("run.trace", "{\"billfold-trace\":1,\"appId\":\"a\",\"seed\":\"1\",\"code\":\"0\",\"custom\":[]}\n{\"now\":1}\n"),
        ("consent.json", #"{"error":11,"errorMessage":"user-cancelled: left","authErrorScopes":{}}"#),
        ("token.json", #"{"appId":"2021001","authClientId":"C1","grantType":"AUTHORIZATION_CODE","authCode":"x"}"#),
        ("page.html", "<!doctype html><script src=https://appx/web-view.min.js></script><script>my.tradePay({})</script>"),
    ]

    private static let diagnosticians = Capabilities.diagnosticians(
        DoctorAids(instant: Date(timeIntervalSince1970: 1_780_000_000), unionPay: DiagnosticKeys()))

    @Test func folderAndPackageAreExplainedAndJudged() async throws {
        for (path, text) in Self.files { _ = try file("shop/\(path)", Array(text.utf8)) }
        let sound = try await DoctorCommand.parse([folder.appendingPathComponent("shop").path, "--json"]).reply()
        #expect(sound.exitCode == 0 && sound.object["findings"]?.array?.isEmpty == true, "\(sound.object["findings"]?.text ?? "")")
        #expect(sound.object["identified"]?.array?.map { $0["kind"]?.string } == ["mini-program.sources"])
        _ = try file("shop/a.js", Array("Page({ onShow() { my.getAuthCode({}) } })".utf8))
        let loop = try await DoctorCommand.parse([folder.appendingPathComponent("shop").path]).reply()
        #expect(loop.exitCode == 0 && loop.text.contains("mini-program.auth-in-on-show in shop/a.js"))

        var random = SystemRandomNumberGenerator()
        let key = try P256PrivateKey(using: &random)
        let package = try MiniProgramPackage(
            appID: "2021001", version: .init(1, 0, 0), files: Self.files.mapValues { Array($0.utf8) }, signedBy: key, keyID: "k",
            algorithm: .ecdsaSHA256)
        let archive = try file("shop.zip", ZipPackages().archive(package.entries))
        let own = try file("own.pub", Array(key.publicKey.pem.utf8))
        let other = try file("other.pub", Array(P256PrivateKey(using: &random).publicKey.pem.utf8))
        #expect(try await DoctorCommand.parse([archive, own]).reply().exitCode == 0)
        let forged = try await DoctorCommand.parse([archive, other, "--json"]).reply()
        #expect(forged.exitCode == 1 && forged.object["error"]?["code"]?.string == "mini-program.package-signature")
    }

    @Test func otherDoctorsLeaveMiniProgramsAlone() throws {
        let artifacts = Self.loose.map { Artifact(name: $0.name, bytes: Array($0.text.utf8)) }
        let archive = try ZipPackages().archive(Self.files.sorted { $0.key < $1.key }.map { ($0.key, Array($0.value.utf8)) })
        let all = artifacts + [Artifact(name: "shop.zip", bytes: archive)]
        for diagnostician in Self.diagnosticians where !(diagnostician is MiniProgramDiagnostician) {
            let diagnosis = diagnostician.examine(all)
            #expect(diagnosis.identified.isEmpty && diagnosis.findings.isEmpty, "\(type(of: diagnostician)): \(diagnosis)")
        }
        let whole = Diagnosis(of: all, by: Self.diagnosticians)
        #expect(whole.findings.isEmpty, "\(whole.findings)")
        #expect(
            Set(whole.identified.map(\.artifact)) == Set(all.map(\.name))
                && whole.identified.allSatisfy { $0.kind.hasPrefix("mini-program.") })
    }

    /// Every known answer of the other protocols, each alone and all of them together.
    @Test(.enabled(if: Vectors.available("apple-pay-acceptance"))) func itLeavesOtherProtocolsArtifactsAlone() throws {
        let root = try #require(ProcessInfo.processInfo.environment["BILLFOLD_VECTORS"])
        var artifacts: [Artifact] = []
        for case let file as URL in try #require(FileManager.default.enumerator(at: URL(filePath: root), includingPropertiesForKeys: nil)) {
            guard let bytes = FileManager.default.contents(atPath: file.path), bytes.count < 1 << 20 else { continue }
            artifacts.append(Artifact(name: file.lastPathComponent, bytes: [UInt8](bytes)))
        }
        #expect(artifacts.count > 20)
        let diagnosis = MiniProgramDiagnostician(archives: ZipPackages()).examine(artifacts)
        #expect(diagnosis.identified.isEmpty && diagnosis.findings.isEmpty, "\(diagnosis)")
    }
}
