import BillfoldJSON
import MiniPrograms
import PaymentCrypto
import Testing

struct MiniProgramsExample {
    @Test func example() throws {
        // Example
        // An author lints ...
        let files: [String: [UInt8]] = [
            "app.json": Array(#"{"pages":["pages/index/index"]}"#.utf8), "app.js": Array("App({})".utf8),
            "pages/index/index.axml": Array("<view>Tea</view>".utf8), "pages/index/index.js": Array("Page({})".utf8),
        ]
        let findings = MiniProgramLint(files: files).findings()
        // findings: none

        // ... and the platform signs what goes into an archive, in the order of the package's entries.
        var generator = SystemRandomNumberGenerator()
        let key = try P256PrivateKey(using: &generator)
        let package = try MiniProgramPackage(
            appID: "2026112200000001", version: MiniProgramVersion(1, 0, 2), files: files, signedBy: key, keyID: "platform-1",
            algorithm: .ecdsaSHA256)

        // A container runs only what it could verify.
        let contents = Dictionary(uniqueKeysWithValues: package.entries.map { ($0.path, $0.bytes) })
        let installed = try UnverifiedMiniProgramPackage(contents: contents).verified(
            by: KeyRing(active: "platform-1", key.publicKey), appID: "2026112200000001", atLeast: MiniProgramVersion(1, 0, 0))
        // installed.manifest.version: 1.0.2

        // A script calls.
        let call = try JSAPICatalogue.standard.read(
            "scan", .object([.init("scanType", "qr")]), from: .script, features: ["scan"])
        // call.arguments["scanType"]: ["qr"], a list however the script wrote it
        // End
        #expect(findings.isEmpty)
        #expect(installed.manifest.version.description == "1.0.2")
        #expect(installed.files == files)
        #expect(call.arguments["scanType"]?.text == #"["qr"]"#)
        #expect(throws: MiniProgramError(code: .hashMismatch, reason: "")) {
            var changed = contents
            changed["app.js"] = Array("App({ })".utf8)
            _ = try UnverifiedMiniProgramPackage(contents: changed).verified(
                by: KeyRing(active: "platform-1", key.publicKey), appID: "2026112200000001")
        }
    }
}
