import BillfoldJSON
import Foundation
import MiniPrograms
import PaymentCrypto
import Testing

/// A generator with a seed: the same keys in every run.
struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

enum TestKeys {
    static func p256(_ seed: UInt64) throws -> P256PrivateKey {
        var generator = Seeded(state: seed)
        return try P256PrivateKey(using: &generator)
    }

    static let rsa = Result { try RSAPrivateKey(bits: 2_048) }
}

@Suite struct PackageTests {
    private let files: [String: [UInt8]] = ["app.json": Array(#"{"pages":["a"]}"#.utf8), "a.js": Array("Page({})".utf8), "ä.txt": [1, 2]]
    private let version = MiniProgramVersion(1, 0, 2)

    private func packed(by signer: (any MessageSigner)? = nil, algorithm: SignatureAlgorithm = .ecdsaSHA256) throws -> MiniProgramPackage {
        try MiniProgramPackage(
            appID: "2026112200000001", version: version, files: files, signedBy: signer ?? TestKeys.p256(1), keyID: "platform-1",
            algorithm: algorithm)
    }

    private func contents(_ package: MiniProgramPackage) -> [String: [UInt8]] {
        Dictionary(package.entries.map { ($0.path, $0.bytes) }, uniquingKeysWith: { first, _ in first })
    }

    private func refusal(
        _ change: (inout [String: [UInt8]]) throws -> Void, app: String = "2026112200000001", atLeast: MiniProgramVersion? = nil
    ) throws -> MiniProgramError.Code? {
        var contents = contents(try packed())
        try change(&contents)
        do {
            _ = try UnverifiedMiniProgramPackage(contents: contents).verified(
                by: KeyRing(active: "platform-1", TestKeys.p256(1).publicKey), appID: app, atLeast: atLeast)
            return nil
        } catch { return (error as? MiniProgramError)?.code }
    }

    @Test func signedPackageIsVerifiedByECDSA() throws {
        #expect(try refusal { _ in } == nil)
        #expect(try packed().entries.map(\.path) == ["manifest.json", "manifest.sig", "a.js", "app.json", "ä.txt"])
    }

    @Test func signedPackageIsVerifiedByRSA() throws {
        let key = try TestKeys.rsa.get()
        let contents = contents(try packed(by: key, algorithm: .rsaPKCS1SHA256))
        let verified = try UnverifiedMiniProgramPackage(contents: contents).verified(
            by: KeyRing(active: "platform-1", key.publicKey), appID: "2026112200000001")
        #expect(verified.files == files && verified.manifest.version == version)
        #expect(throws: MiniProgramError(code: .unusableKey, reason: "")) { try packed(by: key, algorithm: .ecdsaSHA256) }
    }

    @Test func manifestHasOneForm() throws {
        let manifest = try packed().manifest
        #expect(try PackageManifest(manifest.bytes) == manifest)
        let text = String(decoding: manifest.bytes, as: UTF8.self)
        #expect(
            text.hasPrefix(
                #"{"format":1,"appId":"2026112200000001","version":"1.0.2","minimumContainer":"1.0.0","files":[{"path":"a.js","size":8,"sha256":""#
            ))
        for other in [
            text + "\n", text.replacing(",", with: ", "), text.replacing(#""format":1"#, with: #""format":1.0"#),
            text.replacing("1.0.2", with: "1.0"),
            String(text.dropLast()) + #","more":1}"#,
        ] {
            #expect(throws: MiniProgramError(code: .malformedManifest, reason: "")) { try PackageManifest(Array(other.utf8)) }
        }
    }

    @Test func everyChangeHasItsCode() throws {
        #expect(try refusal { $0["a.js"] = Array("Page({ })".utf8) } == .hashMismatch)
        #expect(try refusal { $0["a.js"]?[0] ^= 1 } == .hashMismatch)
        #expect(try refusal { $0["a.js"] = nil } == .missingFile)
        #expect(try refusal { $0["b.js"] = [1] } == .unlistedFile)
        #expect(try refusal { $0["manifest.sig"] = nil } == .unsigned)
        #expect(try refusal { $0["manifest.json"] = nil } == .malformedManifest)
        #expect(try refusal { $0["manifest.sig"] = Array("{}".utf8) } == .malformedSignature)
        #expect(try refusal({ _ in }, app: "another") == .wrongPackage)
        #expect(try refusal({ _ in }, atLeast: .init(1, 0, 3)) == .wrongPackage)
        #expect(try refusal({ _ in }, atLeast: version) == nil)
        #expect(try refusal { $0["../evil.js"] = [1] } == .unsafePath)
        #expect(try refusal { $0["A.JS"] = [1] } == .duplicateEntry)
    }

    @Test func everyByteOfTheManifestIsSigned() throws {
        let count = try packed().manifest.bytes.count
        for index in stride(from: 0, to: count, by: 17) {
            #expect(try refusal { $0["manifest.json"]?[index] ^= 1 } == .signatureMismatch)
        }
    }

    @Test func signatureOfAnotherKeyOrPurposeIsRefused() throws {
        let manifest = try packed().manifest
        func file(_ id: String, _ signature: [UInt8]) -> [UInt8] {
            Array(#"{"keyId":"\#(id)","algorithm":"ecdsa-with-SHA256","signature":"\#(StrictBase64.encode(signature))"}"#.utf8)
        }
        let key = try TestKeys.p256(1)
        let foreign = try PackageSignature(over: manifest, by: TestKeys.p256(2), keyID: "platform-1", algorithm: .ecdsaSHA256)
        #expect(try refusal { $0["manifest.sig"] = foreign.bytes } == .signatureMismatch)
        #expect(try refusal { $0["manifest.sig"] = file("platform-9", foreign.signature) } == .untrustedKey)
        // The same key's signature over the manifest alone, as another protocol might make it.
        let bare = try key.signature(over: manifest.bytes, algorithm: .ecdsaSHA256)
        #expect(try refusal { $0["manifest.sig"] = file("platform-1", bare) } == .signatureMismatch)
    }

    @Test func retiredKeyIsNotTrusted() throws {
        var ring = KeyRing(active: "platform-1", try TestKeys.p256(1).publicKey)
        try ring.retire("platform-1", at: .distantPast)
        #expect(throws: MiniProgramError(code: .untrustedKey, reason: "")) {
            try UnverifiedMiniProgramPackage(contents: contents(packed())).verified(by: ring, appID: "2026112200000001")
        }
    }

    @Test func packageKeepsItsOwnNames() {
        #expect(throws: MiniProgramError(code: .unsafePath, reason: "")) {
            try PackageManifest(appID: "a", version: version, files: ["manifest.json": [1]])
        }
        #expect(throws: MiniProgramError(code: .malformedField, reason: "")) {
            try PackageManifest(appID: "a b", version: version, files: [:])
        }
    }
}

@Suite struct PackageLimitTests {
    private let limits = PackageLimits(entries: 3, fileBytes: 10_000, totalBytes: 15_000, ratio: 10)

    private func code(_ entries: [PackageEntry]) -> MiniProgramError.Code? {
        do {
            try limits.check(entries)
            return nil
        } catch { return error.code }
    }

    @Test(arguments: [
        "../a", "a/../../b", "/etc/passwd", "a//b", "./a", "a/.", "C:\\x", "C:/x", "a\\..\\b", "a\u{0}b", "a\nb", "", "a./b", "a /b", "a?b",
        "a/", "\u{202E}sj.a",
        "a\u{200B}b", "a|b",
    ])
    func unsafePathIsRefused(path: String) { #expect(code([PackageEntry(path: path, size: 1)]) == .unsafePath) }

    @Test(arguments: ["a.js", "pages/你好/index.axml", ".well-known/x", "a..b/c", "node_modules/@scope/x.js"])
    func plainPathIsTaken(path: String) { #expect(code([PackageEntry(path: path, size: 1)]) == nil) }

    @Test func linksAndDevicesAreRefused() { #expect(code([PackageEntry(path: "a", kind: .other, size: 0)]) == .unsafePath) }

    @Test func bombsAreRefused() {
        #expect(code([PackageEntry(path: "a", size: 10_001)]) == .tooLarge)
        #expect(code([PackageEntry(path: "a", size: 9_000), PackageEntry(path: "b", size: 9_000)]) == .tooLarge)
        #expect(code([PackageEntry(path: "a", size: 9_000, packedSize: 10)]) == .tooLarge)
        #expect(code([PackageEntry(path: "a", size: 9_000, packedSize: 0)]) == .tooLarge)
        #expect(code([PackageEntry(path: "a", size: 9_000, packedSize: 900)]) == nil)
        #expect(code((0..<4).map { PackageEntry(path: "\($0)", size: 0) }) == .tooLarge)
        #expect(code([PackageEntry(path: "a", size: -1)]) == .tooLarge)
        #expect(code([PackageEntry(path: "a", size: .max), PackageEntry(path: "b", size: .max)]) == .tooLarge)
    }

    @Test func pathsThatSomeSystemsConfuseAreDuplicates() {
        #expect(code([PackageEntry(path: "A/b", size: 1), PackageEntry(path: "a/B", size: 1)]) == .duplicateEntry)
        #expect(code([PackageEntry(path: "\u{e9}", size: 1), PackageEntry(path: "e\u{301}", size: 1)]) == .duplicateEntry)
        #expect(code([PackageEntry(path: "a/", kind: .folder, size: 0), PackageEntry(path: "a", size: 1)]) == .duplicateEntry)
    }
}
