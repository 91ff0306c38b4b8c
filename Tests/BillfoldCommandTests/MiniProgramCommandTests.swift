import AppContainer
import ApplePay
import ArgumentParser
import BillfoldArchive
import BillfoldJSON
import Foundation
import MiniProgramZip
import MiniPrograms
import PaymentCrypto
import Testing

@testable import billfold

/// A mini program's way from its folder to a run, and what is refused on it.
final class MiniProgramCommandTests {
    private let folder: URL
    private static let rsa = Result { try RSAPrivateKey(bits: 2048) }
    private static let other = Result { try RSAPrivateKey(bits: 2048) }

    static let sources = [
        "app.json": #"{"pages":["pages/a/a"],"subPackages":[{"root":"shop","pages":["list"]}]}"#,
        "app.js": "import { name } from '/util/name'\nApp({ onLaunch() { console.log(name) } })\n",
        "util/name.ts": "export const name: string = 'tea'\n",
        "pages/a/a.axml": "<view>{{x}}</view>",
        "pages/a/a.js": "import { name } from '../../util/name'\nPage({\n  fail() {\n    missing(name)\n  },\n})\n",
        "shop/list.axml": "<view/>", "shop/list.js": "Page({})",
    ]

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("mini-program-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    @discardableResult
    private func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file.path
    }

    /// A folder with these files.
    private func sources(_ name: String = "tea", _ change: (inout [String: String]) -> Void = { _ in }) throws -> String {
        var files = Self.sources
        change(&files)
        for (path, text) in files { try write("\(name)/\(path)", Array(text.utf8)) }
        return path(name)
    }

    private func privateKey(_ key: Result<RSAPrivateKey, any Error> = rsa) throws -> String {
        try write("key.pem", Array(PEMText.Block(label: "PRIVATE KEY", bytes: PrivateKey.rsa(key.get()).pkcs8).text.utf8))
    }

    private func publicKey(_ key: Result<RSAPrivateKey, any Error> = rsa) throws -> String {
        try write("key.pub", Array(key.get().publicKey.pem.utf8))
    }

    private func pack(_ sources: String, to name: String = "tea.zip", _ more: String...) async throws -> CommandReply {
        try await MiniProgramPackCommand.parse([sources, "--app-id", "2026112200000001", "--version", "1.0.2", "--to", path(name)] + more)
            .reply()
    }

    /// A signed package of the sources.
    private func signed(_ change: (inout [String: String]) -> Void = { _ in }) async throws -> String {
        _ = try await pack(sources("tea", change))
        _ = try await MiniProgramSignCommand.parse(
            [path("tea.zip"), "--key", privateKey(), "--key-id", "platform-1", "--to", path("signed.zip")]
        ).reply()
        return path("signed.zip")
    }

    private func refusal(_ body: () async throws -> CommandReply) async -> CommandFailure? {
        do {
            _ = try await body()
            return nil
        } catch { return CommandFailure(error) }
    }

    private func verify(_ package: String, _ more: String...) async throws -> CommandReply {
        try await MiniProgramVerifyCommand.parse([package, "--key", publicKey()] + more).reply()
    }

    /// The signed package with other entries.
    private func changed(_ package: String, _ change: (inout [String: [UInt8]]) -> Void) throws -> String {
        var contents = try PackageFile.read(package).contents
        change(&contents)
        return try write("changed.zip", ZipPackages().archive(contents.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
    }

    // MARK: The way

    @Test func packedSignedAndVerifiedPackageRunsWithPlacesOfTheSources() async throws {
        let package = try await signed()
        let verified = try await verify(package, "--app-id", "2026112200000001", "--at-least", "1.0.2").object
        #expect(verified["outcome"]?.string == "verified" && verified["keyId"]?.string == "platform-1")
        #expect(verified["algorithm"]?.string == "rsa-pkcs1-SHA256" && verified["version"]?.string == "1.0.2")
        #expect(verified["pages"]?.array?.compactMap(\.string) == ["pages/a/a", "shop/list"])
        let script = try write("script.json", Array(#"{"appId":"other","steps":[{"tap":"fail"}]}"#.utf8))
        let run = try await MiniProgramRunCommand.parse([package, "--key", publicKey(), "--script", script, "--json"]).reply()
        #expect(run.exitCode == 1)
        let entries = try #require(run.object["entries"]?.array)
        #expect(entries.contains { $0["kind"]?.string == "console" && $0["text"]?.string == "tea" })
        let error = try #require(entries.first { $0["kind"]?.string == "error" })
        #expect(error["file"]?.string == "/pages/a/a.js" && error["line"]?.integer == 4, "\(error.text)")
        let trace = path("run.trace")
        _ = try await MiniProgramRecordCommand.parse([package, "--key", publicKey(), "--script", script, "--to", trace, "--json"]).reply()
        let replay = try await MiniProgramReplayCommand.parse([package, "--key", publicKey(), "--trace", trace]).reply()
        #expect(replay.object["outcome"]?.string == "same" && replay.object["sameCode"]?.bool == true)
        let first = try CommandFile.text(trace).split(separator: "\n").first
        #expect(first?.contains(#""appId":"2026112200000001""#) == true, "the package says which mini program it is")
    }

    @Test func aStepThatNamesNoMethodIsAnErrorWithThoseThatThereAre() async throws {
        let package = try await signed()
        let script = try write("script.json", Array(#"{"steps":[{"tap":"fial"}]}"#.utf8))
        let run = try await MiniProgramRunCommand.parse([package, "--key", publicKey(), "--script", script, "--json"]).reply()
        #expect(run.exitCode == 1 && run.object["errors"]?.integer == 1)
        let error = try #require(run.object["entries"]?.array?.first { $0["kind"]?.string == "error" })
        #expect(error["code"]?.string == "unknown-handler" && error["where"]?.string == "pages/a/a", "\(error.text)")
        #expect(error["message"]?.string?.contains("a step names fial") == true && error["message"]?.string?.contains("fail") == true)
        let none = try write("none.json", Array(#"{"steps":[{"wait":1}]}"#.utf8))
        let quiet = try await MiniProgramRunCommand.parse([package, "--key", publicKey(), "--script", none, "--json"]).reply()
        #expect(quiet.exitCode == 0)
    }

    @Test func sameFolderGivesTheSameBytesWhereverItLies() async throws {
        let one = try await pack(sources("one"), to: "one.zip").object
        let two = try await pack(sources("two"), to: "two.zip").object
        #expect(try CommandFile.read(path("one.zip")) == CommandFile.read(path("two.zip")))
        #expect(one["sha256"]?.string == two["sha256"]?.string && one["sha256"]?.string?.count == 64)
        let files = try PackageFile.read(path("one.zip")).files
        #expect(
            Set(files.keys) == Set(Self.sources.keys).union(["app.js.map", "util/name.ts.map", "pages/a/a.js.map", "shop/list.js.map"]))
        #expect(
            !files.values.contains { String(decoding: $0, as: UTF8.self).contains(folder.lastPathComponent) }, "no path of this machine")
    }

    @Test func keysOfBothKindsSign() async throws {
        _ = try await pack(sources())
        var random = SystemRandomNumberGenerator()
        let key = try P256PrivateKey(using: &random)
        let file = try write("ec.pem", Array(PEMText.Block(label: "PRIVATE KEY", bytes: PrivateKey.p256(key).pkcs8).text.utf8))
        let signed = try await MiniProgramSignCommand.parse([path("tea.zip"), "--key", file, "--key-id", "k", "--to", path("ec.zip")])
            .reply()
        #expect(signed.object["algorithm"]?.string == "ecdsa-with-SHA256")
        let pub = try write("ec.pub", Array(key.publicKey.pem.utf8))
        #expect(try await MiniProgramVerifyCommand.parse([path("ec.zip"), "--key", pub]).reply().exitCode == 0)
        let again = try await MiniProgramSignCommand.parse(
            [path("ec.zip"), "--key", privateKey(), "--key-id", "platform-2", "--to", path("again.zip")]
        ).reply()
        #expect(again.object["keyId"]?.string == "platform-2")
        #expect(try await verify(path("again.zip")).object["keyId"]?.string == "platform-2")
    }

    // MARK: What is refused

    @Test func folderWithADefectIsNotPacked() async throws {
        let cases: [(code: String, change: (inout [String: String]) -> Void)] = [
            ("mini-program.page-file", { $0["pages/a/a.js"] = nil }), ("mini-program.app-json", { $0["app.json"] = nil }),
            ("mini-program.app-json", { $0["app.json"] = #"{"pages":[]}"# }),
            ("mini-program.path-case", { $0["shop/List.js"] = $0.removeValue(forKey: "shop/list.js") }),
            ("mini-program.secret", { $0["keys/merchant.pem"] = "-----BEGIN PRIVATE KEY-----" }),
            ("mini-program.secret", { $0["util/pay.js"] = "const appSecret = 'abcdefgh12345'" }),
        ]
        for (index, fault) in cases.enumerated() {
            let folder = try sources("bad\(index)", fault.change)
            let failure = await refusal { try await self.pack(folder) }
            #expect(failure?.code == fault.code && failure?.exitCode == 1, "\(fault.code): \(String(describing: failure))")
            #expect(failure?.reason.contains("abcdefgh") == false)
        }
    }

    @Test func syntaxErrorNamesFileAndLine() async throws {
        let folder = try sources { $0["pages/a/a.js"] = "Page({\n  onLoad( {\n})" }
        let failure = await refusal { try await self.pack(folder) }
        #expect(failure?.code == "syntax-error" && failure?.exitCode == 1)
        #expect(failure?.reason.contains("pages/a/a.js:3:") == true, "\(failure?.reason ?? "")")
    }

    @Test func changedPackageHasTheCodeOfWhatWasDone() async throws {
        let package = try await signed()
        let cases: [(code: String, change: (inout [String: [UInt8]]) -> Void)] = [
            ("hash-mismatch", { $0["pages/a/a.js"]?.append(0x20) }), ("missing-file", { $0["shop/list.js"] = nil }),
            ("unlisted-file", { $0["more.js"] = [] }), ("unsigned", { $0["manifest.sig"] = nil }),
            ("malformed-signature", { $0["manifest.sig"] = [0x7B, 0x7D] }), ("malformed-manifest", { $0["manifest.json"]?.append(0x20) }),
            ("malformed-manifest", { $0["manifest.json"] = nil }), ("duplicate-entry", { $0["APP.json"] = [] }),
        ]
        for fault in cases {
            let file = try changed(package, fault.change)
            let failure = await refusal { try await self.verify(file) }
            #expect(failure?.code == fault.code)
            #expect(failure?.exitCode == 1)
        }
        #expect(await refusal { try await self.verify(package, "--key-id", "platform-9") }?.code == "untrusted-key")
        #expect(await refusal { try await self.verify(package, "--app-id", "2026112200000002") }?.code == "wrong-package")
        #expect(await refusal { try await self.verify(package, "--at-least", "1.1.0") }?.code == "wrong-package")
        let stranger = try publicKey(Self.other)
        #expect(
            await refusal { try await MiniProgramVerifyCommand.parse([package, "--key", stranger]).reply() }?.code == "signature-mismatch")
        #expect(
            await refusal { try await MiniProgramRunCommand.parse([package, "--key", stranger, "--json"]).reply() }?.code
                == "signature-mismatch"
        )
    }

    @Test func signedPackageWithoutAPagesScriptIsRefused() async throws {
        let manifestFiles: [String: [UInt8]] = ["app.json": Array(#"{"pages":["a","b"]}"#.utf8), "a.js": []]
        let package = try MiniProgramPackage(
            appID: "a", version: .init(1, 0, 0), files: manifestFiles, signedBy: Self.rsa.get(), keyID: "k", algorithm: .rsaPKCS1SHA256)
        let file = try write("partial.zip", ZipPackages().archive(package.entries))
        let failure = await refusal { try await self.verify(file) }
        #expect(failure?.code == "missing-page" && failure?.reason.contains("\"b\"") == true)
    }

    @Test func archiveThatLeavesExplodesOrIsNoneIsRefused() async throws {
        let valid = try CommandFile.read(try await signed())
        // A name in an archive is changed for one of the same length.
        let escaped = try write("escape.zip", Self.replaced(valid, "shop/list.js", "../../etc/pw"))
        let damaged = try write("damaged.zip", Array(valid.prefix(300)))
        let bomb = try write(
            "bomb.zip", ZipArchive(entries: [.init(name: "app.json", bytes: [UInt8](repeating: 0x20, count: 3 << 20))]).packed())
        let none = try write("none.zip", Array("hello".utf8))
        for (file, code) in [(escaped, "unsafe-path"), (damaged, "malformed-archive"), (bomb, "too-large"), (none, "malformed-archive")] {
            let failure = await refusal { try await self.verify(file) }
            #expect(failure?.code == code && failure?.exitCode == 1, "\(file): \(String(describing: failure))")
            let signing = await refusal {
                try await MiniProgramSignCommand.parse([file, "--key", self.privateKey(), "--key-id", "k", "--to", self.path("x.zip")])
                    .reply()
            }
            #expect(signing?.code == code)
        }
    }

    private static func replaced(_ bytes: [UInt8], _ old: String, _ new: String) -> [UInt8] {
        var data = Data(bytes)
        while let range = data.range(of: Data(old.utf8)) { data.replaceSubrange(range, with: Data(new.utf8)) }
        return [UInt8](data)
    }

    @Test func lintNamesDefectsAndAddressesOffTheList() async throws {
        let folder = try sources {
            $0["pages/a/a.js"] = "my.request({ url: 'https://api.shop.example/x' }); my.request({ url: 'http://a.shop.example' })"
        }
        let plain = try await MiniProgramLintCommand.parse([folder]).reply()
        #expect(plain.exitCode == 0 && plain.object["outcome"]?.string == "accepted")
        let held = try await MiniProgramLintCommand.parse([folder, "--domain", "*.shop.example"]).reply()
        #expect(held.exitCode == 1 && held.object["error"]?["code"]?.string == "mini-program.address-not-listed")
        #expect(held.object["findings"]?.array?.map { $0["evidence"]?.array?.first?["value"]?.string } == ["http://a.shop.example"])
        let package = try await signed { $0["pages/a/a.js"] = "if (r.resultCode === 9000) {}\nPage({})" }
        let packed = try await MiniProgramLintCommand.parse([package, "--json"]).reply()
        #expect(packed.exitCode == 0 && packed.object["findings"]?.array?.first?["code"]?.string == "mini-program.result-code-number")
    }

    @Test func wrongUsageIsToldFromRefusal() async throws {
        let folder = try sources()
        let package = try await signed()
        func usage(_ body: () async throws -> CommandReply) async -> Int32? { await refusal(body)?.exitCode }
        #expect(
            await usage {
                try await MiniProgramPackCommand.parse([self.path("nowhere"), "--app-id", "a", "--version", "1.0.0", "--to", "x"]).reply()
            } == 1)
        #expect(await usage { try await self.pack(folder, to: "signed.zip") } == 1, "an existing file is not overwritten")
        #expect(await usage { try await MiniProgramVerifyCommand.parse([package]).reply() } == 64)
        #expect(await usage { try await MiniProgramRunCommand.parse([package]).reply() } == 64)
        #expect(await usage { try await MiniProgramRunCommand.parse([folder, "--key", self.publicKey()]).reply() } == 64)
        #expect(await usage { try await MiniProgramVerifyCommand.parse([folder, "--key", self.publicKey()]).reply() } == 1)
        #expect(await usage { try await MiniProgramVerifyCommand.parse([package, "--key", package]).reply() } == 1)
        #expect(await usage { try await MiniProgramLintCommand.parse([self.path("nowhere")]).reply() } == 1)
        #expect(throws: (any Error).self) { try MiniProgramPackCommand.parse([folder, "--app-id", "a", "--version", "1", "--to", "x"]) }
        #expect(throws: (any Error).self) { try MiniProgramSignCommand.parse([package, "--key", "k", "--key-id", " ", "--to", "x"]) }
        #expect(throws: (any Error).self) { try MiniProgramVerifyCommand.parse([package, "--at-least", "x"]) }
        #expect(
            await refusal {
                try await MiniProgramPackCommand.parse([folder, "--app-id", "a b", "--version", "1.0.0", "--to", self.path("z")]).reply()
            }?
            .code == "malformed-field")
    }
}
