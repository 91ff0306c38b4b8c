import AppContainer
import BillfoldArchive
import Crypto
import Foundation
import MiniPrograms
import PaymentCrypto
import Synchronization
import Testing

/// A platform that the test plays: what it offers, whether it answers, and what it was asked for.
private final class Platform: MiniProgramPlatform {
    enum Trouble: Error { case away }

    private struct State {
        var metadata: UnverifiedMiniProgramMetadata?
        var archives: [String: [UInt8]] = [:]
        var isAway = false
        var refusal: PlatformRefusal?
        var fetched: [String] = []
    }

    static let appID = "2026112300000009"
    let key: P256PrivateKey
    private let state = Mutex(State())

    init() throws { key = try Self.anyKey() }

    static func anyKey() throws -> P256PrivateKey {
        var generator = SystemRandomNumberGenerator()
        return try P256PrivateKey(using: &generator)
    }

    var keys: KeyRing<PublicKey> { KeyRing(active: KeyID("platform"), key.publicKey) }
    var fetched: [String] { state.withLock { $0.fetched } }

    func goesAway(_ isAway: Bool = true) { state.withLock { $0.isAway = isAway } }
    func refuses(_ refusal: PlatformRefusal) { state.withLock { $0.refusal = refusal } }

    /// Offers a version whose page says something. `signer` stands for whoever signs.
    func offers(
        _ version: MiniProgramVersion, says text: String = "hello", name: String = "Shelf", signer: P256PrivateKey? = nil,
        change: (inout [UInt8]) -> Void = { _ in }
    ) throws {
        let signer = signer ?? key
        let files = ["app.json": #"{"pages":["pages/a/a"]}"#, "pages/a/a.js": "Page({ onLoad() { console.log('\(text)') } })"]
        let package = try MiniProgramPackage(
            appID: Self.appID, version: version, files: files.mapValues { Array($0.utf8) }, signedBy: signer, keyID: KeyID("platform"),
            algorithm: .ecdsaSHA256)
        var archive = try ZipArchive(entries: package.entries.map { .init(name: $0.path, bytes: $0.bytes) }).packed()
        let listed = MiniProgramMetadata.Package(
            url: "https://platform.example/\(version)", sha256: Hexadecimal.encode(Array(SHA256.hash(data: archive))),
            size: Int64(archive.count))
        change(&archive)
        let body = MiniProgramMetadata(appID: Self.appID, name: name, version: version, features: ["auth"], package: listed).body
        let signature = try MetadataSignature(over: body, by: signer, keyID: KeyID("platform"), algorithm: .ecdsaSHA256)
        state.withLock { state in
            state.metadata = UnverifiedMiniProgramMetadata(bytes: body, signature: signature)
            state.archives[listed.url] = archive
        }
    }

    /// Says something else of the version that it offers.
    func renames(_ name: String) throws {
        let offered = try #require(state.withLock { $0.metadata })
        var metadata = try offered.verified(by: keys, appID: Self.appID)
        metadata.name = name
        let signature = try MetadataSignature(over: metadata.body, by: key, keyID: KeyID("platform"), algorithm: .ecdsaSHA256)
        state.withLock { [body = metadata.body] in $0.metadata = UnverifiedMiniProgramMetadata(bytes: body, signature: signature) }
    }

    func metadata(of appID: String, container: MiniProgramVersion) throws -> UnverifiedMiniProgramMetadata {
        try state.withLock { state in
            if state.isAway { throw Trouble.away }
            if let refusal = state.refusal { throw refusal }
            guard let metadata = state.metadata else { throw PlatformRefusal(code: "not-found", reason: "no version") }
            return metadata
        }
    }

    func archive(of package: MiniProgramMetadata.Package) throws -> [UInt8] {
        try state.withLock { state in
            if state.isAway { throw Trouble.away }
            state.fetched.append(package.url)
            return state.archives[package.url] ?? []
        }
    }
}

/// What a device keeps of mini programs, and what it starts (mini-programs.md#updates).
struct ProgramShelfTests {
    private struct Archives: PackageArchives {
        func contents(of archive: [UInt8], limits: PackageLimits) throws(MiniProgramError) -> [String: [UInt8]] {
            guard let zip = try? ZipArchive(archive) else {
                throw MiniProgramError(code: .malformedArchive, reason: "no archive")
            }
            return Dictionary(zip.entries.map { ($0.name, $0.bytes) }, uniquingKeysWith: { first, _ in first })
        }
    }

    private let folder = FileManager.default.temporaryDirectory.appending(path: "shelf-\(UUID().uuidString)")
    private let platform: Platform

    init() throws { platform = try Platform() }

    private var shelf: ProgramShelf {
        ProgramShelf(
            keys: platform.keys, archives: Archives(), container: MiniProgramVersion(1, 0, 0), folder: folder)
    }

    private func version(_ opened: OpenedMiniProgram) -> String { opened.metadata.version.description }

    private func code(_ body: () async throws -> some Any) async -> String? {
        do {
            _ = try await body()
            return nil
        } catch let error as MiniProgramError { return error.code.description } catch let error as AppContainerError {
            return error.code.description
        } catch let refusal as PlatformRefusal { return refusal.code } catch { return "\(error)" }
    }

    @Test func theFirstStartFetchesAndLaterOnesDoNot() async throws {
        try platform.offers(MiniProgramVersion(1, 0, 0))
        let opened = try await shelf.open(Platform.appID, from: platform)
        #expect(opened.decision == .downloadFirst(MiniProgramVersion(1, 0, 0)))
        #expect(opened.code.pages == ["pages/a/a"] && opened.metadata.features == ["auth"])
        // Another shelf on the same folder: the app was started anew.
        let again = try await shelf.open(Platform.appID, from: platform)
        #expect(again.decision == .start(MiniProgramVersion(1, 0, 0)) && again.offlineReason == nil)
        #expect(platform.fetched.count == 1)
    }

    @Test func whatIsKeptStartsWithoutANetworkAndNothingElseDoes() async throws {
        try platform.offers(MiniProgramVersion(1, 0, 0))
        _ = try await shelf.open(Platform.appID, from: platform)
        platform.goesAway()
        let opened = try await shelf.open(Platform.appID, from: platform)
        #expect(opened.offlineReason != nil && opened.code.modules["/pages/a/a.js"] != nil && opened.metadata.features == ["auth"])
        #expect(await code { try await shelf.open("2026112300000010", from: platform) } == "program-unavailable")
    }

    @Test func aNewerVersionIsFetchedBesideAndStartsNextTime() async throws {
        try platform.offers(MiniProgramVersion(1, 0, 0))
        let shelf = shelf
        _ = try await shelf.open(Platform.appID, from: platform)
        try platform.offers(MiniProgramVersion(1, 1, 0))
        let running = try await shelf.open(Platform.appID, from: platform)
        #expect(version(running) == "1.0.0")
        await shelf.finishDownloads()
        #expect(version(try await shelf.open(Platform.appID, from: platform)) == "1.1.0")
    }

    @Test func aRollbackTakesTheOlderVersionBack() async throws {
        let shelf = shelf
        for version in [MiniProgramVersion(1, 0, 0), MiniProgramVersion(1, 1, 0), MiniProgramVersion(1, 0, 0)] {
            try platform.offers(version)
            _ = try await shelf.open(Platform.appID, from: platform)
            await shelf.finishDownloads()
            #expect(self.version(try await shelf.open(Platform.appID, from: platform)) == version.description)
        }
        platform.goesAway()
        #expect(version(try await shelf.open(Platform.appID, from: platform)) == "1.0.0")
    }

    @Test func twoVersionsAreKept() async throws {
        let shelf = shelf
        for patch in 0..<4 {
            try platform.offers(MiniProgramVersion(1, 0, patch))
            _ = try await shelf.open(Platform.appID, from: platform)
            await shelf.finishDownloads()
        }
        let kept = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: Platform.appID).path).sorted()
        #expect(kept == ["1.0.2", "1.0.3", "current"])
    }

    @Test func whatIsNotThePlatformsIsNotStarted() async throws {
        try platform.offers(MiniProgramVersion(1, 0, 0), signer: Platform.anyKey())
        #expect(await code { try await shelf.open(Platform.appID, from: platform) } == "signature-mismatch")
        try platform.offers(MiniProgramVersion(1, 0, 0)) { $0[$0.count / 2] ^= 1 }
        #expect(await code { try await shelf.open(Platform.appID, from: platform) } == "hash-mismatch")
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: Platform.appID).path))
    }

    @Test func aSwindlersMetadataLeaveWhatIsKept() async throws {
        try platform.offers(MiniProgramVersion(1, 0, 0))
        _ = try await shelf.open(Platform.appID, from: platform)
        try platform.offers(MiniProgramVersion(2, 0, 0), signer: Platform.anyKey())
        let opened = try await shelf.open(Platform.appID, from: platform)
        #expect(version(opened) == "1.0.0" && opened.offlineReason?.contains("signature-mismatch") == true)
    }

    @Test func aFileThatWasChangedOnTheDeviceIsNotStarted() async throws {
        try platform.offers(MiniProgramVersion(1, 0, 0))
        _ = try await shelf.open(Platform.appID, from: platform)
        let file = folder.appending(path: "\(Platform.appID)/1.0.0/package.zip")
        var bytes = Array(try Data(contentsOf: file))
        bytes[bytes.count / 2] ^= 1
        try Data(bytes).write(to: file)
        platform.goesAway()
        #expect(await code { try await shelf.open(Platform.appID, from: platform) } == "program-unavailable")
        // Back in reach of the platform it is fetched again.
        platform.goesAway(false)
        #expect(try await shelf.open(Platform.appID, from: platform).decision == .downloadFirst(MiniProgramVersion(1, 0, 0)))
    }

    @Test func whatWasTakenDownDoesNotStart() async throws {
        try platform.offers(MiniProgramVersion(1, 0, 0))
        _ = try await shelf.open(Platform.appID, from: platform)
        platform.refuses(PlatformRefusal(code: "taken-down", reason: "by the super app"))
        #expect(await code { try await shelf.open(Platform.appID, from: platform) } == "taken-down")
    }

    @Test func aNameThatChangesIsTakenWithTheSameVersion() async throws {
        try platform.offers(MiniProgramVersion(1, 0, 0), name: "Old")
        _ = try await shelf.open(Platform.appID, from: platform)
        try platform.renames("New")
        #expect(try await shelf.open(Platform.appID, from: platform).metadata.name == "New" && platform.fetched.count == 1)
        platform.goesAway()
        #expect(try await shelf.open(Platform.appID, from: platform).metadata.name == "New")
    }

    @Test func theSameVersionWithOtherBytesIsFetchedAgain() async throws {
        try platform.offers(MiniProgramVersion(1, 0, 0), says: "one")
        _ = try await shelf.open(Platform.appID, from: platform)
        try platform.offers(MiniProgramVersion(1, 0, 0), says: "two")
        let opened = try await shelf.open(Platform.appID, from: platform)
        #expect(opened.code.modules["/pages/a/a.js"]?.text.contains("two") == true && platform.fetched.count == 2)
    }

    @Test func removingForgetsEverything() async throws {
        try platform.offers(MiniProgramVersion(1, 0, 0))
        _ = try await shelf.open(Platform.appID, from: platform)
        try await shelf.remove(Platform.appID)
        platform.goesAway()
        #expect(await code { try await shelf.open(Platform.appID, from: platform) } == "program-unavailable")
    }
}
