import BillfoldArchive
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import Crypto
import HTTPTypes
import HummingbirdTesting
import MiniPrograms
import PaymentCrypto
import Testing

@testable import WalletServer

/// The platform: uploads, reviews, releases, and what containers are told.
struct MiniProgramPlatformTests {
    private static let mei = TestWallet.mei.number

    // MARK: From upload to release

    @Test(arguments: StoreEngine.available)
    func aBuildGoesFromUploadToEveryUser(engine: StoreEngine) async throws {
        try await SuperAppScene.open(engine) { scene in
            let (mei, wei) = (try await scene.signIn(), try await scene.signIn(TestWallet.wei))
            let first = try await scene.released(.init(1, 0, 0))
            #expect(first.stamp == 20_261_120_200_000_005)
            #expect(try await scene.delivered().version == first)
            let second = try await scene.build(.init(1, 1, 0))
            #expect(try await scene.delivered(mei).version == first)
            // Whoever wants to skip the review cannot.
            #expect(try await scene.step(second, "pilot").resultCode == "WRONG_STATE")
            #expect(try await scene.step(second, "submit").resultCode == "SUCCESS")
            try await scene.take(.approve, second)
            #expect(try await scene.step(second, "pilot", users: [Self.mei]).resultCode == "SUCCESS")
            #expect(try await scene.delivered(mei).version == second)
            #expect(try await scene.delivered(wei).version == first)
            try await scene.take(.startGrayscale(percent: 100), second)
            #expect(try await scene.delivered(wei).version == second)
            // Who is not signed in has no share.
            #expect(try await scene.delivered().version == first)
            try await scene.take(.release, second)
            #expect(try await scene.delivered().version == second)
            #expect(try await scene.office.builds(of: SuperAppScene.app).map(\.state) == [.released, .archived])
            let audit = try await scene.wallet.store.database.read { try $0.query("SELECT action FROM audit_rows ORDER BY sequence") }
            let actions = try audit.map { try $0.text(0) }
            for action in ["make", "submit", "approve", "pilot", "gray", "release"] {
                #expect(actions.contains("mini-program.\(action)"), "\(action)")
            }
        }
    }

    @Test func whatIsDeliveredIsVerifiedByThePlatformsKeysAlone() async throws {
        try await SuperAppScene.open { scene in
            let version = try await scene.released(.init(1, 0, 0))
            let metadata = try await scene.delivered()
            let package = try #require(metadata.package)
            #expect(metadata.authClientID == SuperAppScene.client && metadata.workspace == .local)
            #expect(package.url == "http://wallet.test/mini-programs/v1/packages/\(package.sha256)")
            let path = String(package.url.dropFirst("http://wallet.test".count))
            let raw = try await scene.asUser(nil, .get, path)
            #expect(raw.status == 200 && raw.body.count == Int(package.size))
            #expect(Hexadecimal.encode(Array(SHA256.hash(data: raw.body))) == package.sha256)
            let contents = Dictionary(try ZipArchive(raw.body).entries.map { ($0.name, $0.bytes) }) { first, _ in first }
            let unverified = UnverifiedMiniProgramPackage(contents: contents)
            let installed = try unverified.verified(
                by: KeyRing(active: "platform-1", scene.keys.platform.publicKey), appID: SuperAppScene.app, atLeast: version)
            #expect(installed.manifest.version == version && installed.files["pages/start/index.js"] != nil)
            #expect(throws: MiniProgramError(code: .untrustedKey, reason: "")) {
                try unverified.verified(by: KeyRing(active: "author-key", scene.keys.packages.publicKey), appID: SuperAppScene.app)
            }
            let keys = try JSONReader.readObject(try await scene.asUser(nil, .get, "/mini-programs/v1/keys").body)
            #expect(keys["keys"]?.array?.first?["publicKey"]?.string == scene.keys.platform.publicKey.pem)
            var known = HTTPFields()
            known[.ifNoneMatch] = raw.headers[.eTag]
            #expect(try await scene.asUser(nil, .get, path, headers: known).status == 304)
        }
    }

    @Test func metadataThatSomebodyChangedAreRefused() async throws {
        try await SuperAppScene.open { scene in
            _ = try await scene.released(.init(1, 0, 0))
            let raw = try await scene.metadata()
            let header = try #require(HTTPField.Name(MetadataSignature.headerName).flatMap { raw.headers[$0] })
            let signature = try MetadataSignature(header: header)
            let keys = KeyRing(active: "platform-1", scene.keys.platform.publicKey)
            func refusal(_ bytes: [UInt8], app: String = SuperAppScene.app, keys: KeyRing<PublicKey> = keys) -> MiniProgramError.Code? {
                do throws(MiniProgramError) {
                    _ = try UnverifiedMiniProgramMetadata(bytes: bytes, signature: signature).verified(by: keys, appID: app)
                    return nil
                } catch { return error.code }
            }
            #expect(refusal(raw.body) == nil)
            let widened = String(decoding: raw.body, as: UTF8.self).replacing("api.tea.example", with: "api.bad.example")
            #expect(refusal(Array(widened.utf8)) == .signatureMismatch)
            #expect(refusal(raw.body, app: SuperAppScene.otherApp) == .wrongPackage)
            #expect(refusal(raw.body, keys: KeyRing(active: "platform-2", scene.keys.platform.publicKey)) == .untrustedKey)
            for broken in [
                "", "keyId=a", header.replacing("keyId", with: "key"), header + ", x=y",
                header.replacing("signature=", with: "signature=!"),
            ] {
                #expect(throws: MiniProgramError(code: .malformedSignature, reason: "")) { try MetadataSignature(header: broken) }
            }
        }
    }

    @Test func anUnchangedAnswerIsNotSentAgain() async throws {
        try await SuperAppScene.open { scene in
            _ = try await scene.released(.init(1, 0, 0))
            let first = try await scene.metadata()
            let tag = try #require(first.headers[.eTag])
            let again = try await scene.metadata(known: tag)
            #expect(again.status == 304 && again.body.isEmpty && again.headers[.eTag] == tag)
            _ = try await scene.released(.init(1, 0, 1))
            let next = try await scene.metadata(known: tag)
            #expect(next.status == 200 && next.headers[.eTag] != tag)
            #expect(first.headers[.cacheControl] == "private, no-cache")
        }
    }

    // MARK: Shares

    @Test func aShareOnlyGrows() async throws {
        try await SuperAppScene.open { scene in
            let first = try await scene.released(.init(1, 0, 0))
            let second = try await scene.approved(.init(1, 1, 0))
            let users = (0..<400).map { "2088\(String(repeating: "0", count: 9))\(100 + $0)" }
            func lucky() async throws -> Set<String> {
                var lucky: Set<String> = []
                for user in users {
                    let choice = try await scene.office.choice(of: SuperAppScene.app, user: user, container: .init(1, 0, 0))
                    if choice.version == second { lucky.insert(user) } else { #expect(choice.version == first) }
                }
                return lucky
            }
            var known: Set<String> = []
            for percent in [10, 50, 90] {
                try await scene.take(.startGrayscale(percent: percent), second)
                let now = try await lucky()
                #expect(now.isSuperset(of: known) && abs(now.count - 4 * percent) < 40, "\(now.count) at \(percent) %")
                known = now
            }
            await #expect(throws: WalletError.self) { try await scene.take(.startGrayscale(percent: 80), second) }
            let why = try await scene.office.choice(of: SuperAppScene.app, user: users[0], container: .init(1, 0, 0))
            #expect(why.steps.first?.version == second)
        }
    }

    @Test func anOlderContainerGetsWhatItCanRun() async throws {
        try await SuperAppScene.open { scene in
            _ = try await scene.released(.init(1, 0, 0))
            let second = try await scene.approved(.init(2, 0, 0), container: .init(2, 5, 0))
            try await scene.take(.startGrayscale(percent: 100), second)
            let session = try await scene.signIn()
            #expect(try await scene.delivered(session, container: "2.5.0").version == second)
            #expect(try await scene.delivered(session, container: "2.4.9").version.major == 1)
            #expect(try await scene.metadata(session, container: "2.5.0", version: "3.*").status == 404)
            #expect(try await scene.metadata(session, container: "2.5.0", version: "1.*").status == 200)
            for query in ["container=x", "container=1.0.0&version=*.1", "container=1.0.0.7", "", "container=1.0.0&a=b"] {
                let answer = try await scene.asUser(nil, .get, "/mini-programs/v1/apps/\(SuperAppScene.app)/metadata?\(query)")
                #expect(answer.status == 400, "\(query)")
            }
        }
    }

    // MARK: Back

    @Test(arguments: StoreEngine.available)
    func aRollbackReleasesWhatWasReplacedAndNoMore(engine: StoreEngine) async throws {
        try await SuperAppScene.open(engine) { scene in
            let first = try await scene.released(.init(1, 0, 0))
            let second = try await scene.released(.init(1, 1, 0))
            #expect(try await scene.delivered().version == second)
            await #expect(throws: WalletError.self) { try await scene.take(.rollBack, first) }
            try await scene.take(.rollBack, second)
            #expect(try await scene.delivered().version == first)
            await #expect(throws: WalletError.self) { try await scene.take(.rollBack, second) }
            await #expect(throws: WalletError.self) { try await scene.take(.rollBack, first) }
            // An update after it is found again.
            let third = try await scene.released(.init(1, 1, 1))
            #expect(try await scene.delivered().version == third)
            #expect(try await scene.office.builds(of: SuperAppScene.app).filter { $0.state == .released }.count == 1)
        }
    }

    @Test func releasesAtTheSameTimeLeaveOneReleased() async throws {
        try await SuperAppScene.open { scene in
            let versions = try await [scene.approved(.init(1, 0, 0)), scene.approved(.init(1, 0, 1)), scene.approved(.init(1, 0, 2))]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for version in versions { group.addTask { try await scene.take(.release, version) } }
                try await group.waitForAll()
            }
            #expect(try await scene.office.builds(of: SuperAppScene.app).filter { $0.state == .released }.count == 1)
        }
    }

    @Test(arguments: StoreEngine.available)
    func lostCommitsTakeEachStepOnce(engine: StoreEngine) async throws {
        try await SuperAppScene.open(engine, faults: .init(serializationFailures: 200, lostReplies: 400)) { scene in
            for patch in 0..<4 { _ = try await scene.released(.init(1, 0, patch)) }
            let last = try await scene.delivered().version
            #expect(last.patch == 3)
            try await scene.take(.rollBack, last)
            #expect(try await scene.delivered().version.patch == 2)
            #expect(try await scene.office.builds(of: SuperAppScene.app).map(\.state) == [.archived, .released, .archived, .archived])
        }
    }

    @Test func whatIsWithdrawnRejectedOrCancelledIsNotReleased() async throws {
        try await SuperAppScene.open { scene in
            let version = try await scene.build()
            #expect(try await scene.step(version, "submit").resultCode == "SUCCESS")
            #expect(try await scene.step(version, "withdraw").resultCode == "SUCCESS")
            await #expect(throws: WalletError.self) { try await scene.take(.approve, version) }
            #expect(try await scene.step(version, "submit").resultCode == "SUCCESS")
            try await scene.take(.reject, version)
            #expect(try await scene.step(version, "cancel").resultCode == "WRONG_STATE")
            #expect(try await scene.step(version, "submit").resultCode == "SUCCESS")
            try await scene.take(.approve, version)
            #expect(try await scene.step(version, "release").resultCode == "PARAM_ILLEGAL")
            #expect(try await scene.step(version, "cancel").resultCode == "SUCCESS")
            await #expect(throws: WalletError.self) { try await scene.take(.release, version) }
            #expect(try await scene.metadata().status == 404)
        }
    }

    @Test func whatIsTakenDownIsGoneUntilItIsRestored() async throws {
        try await SuperAppScene.open { scene in
            _ = try await scene.released(.init(1, 0, 0))
            let package = try #require(try await scene.delivered().package)
            let session = try await scene.signIn()
            try await scene.office.setOpen(false, appID: SuperAppScene.app, by: "ada", reason: "malware")
            #expect(try await scene.metadata().status == 410)
            #expect(try await scene.asUser(nil, .get, "/mini-programs/v1/packages/\(package.sha256)").status == 404)
            #expect(try await scene.applyAuthCode(session, ["auth_base"]).result.resultCode == "PARAM_ILLEGAL")
            #expect(try await scene.upload(SuperAppScene.zip(scene.package(.init(1, 0, 9)))).0.resultCode == "TAKEN_DOWN")
            try await scene.office.setOpen(true, appID: SuperAppScene.app, by: "ada", reason: "mended")
            #expect(try await scene.metadata().status == 200)
        }
    }

    // MARK: Uploads

    @Test func theSameUploadIsTheSameBuild() async throws {
        try await SuperAppScene.open { scene in
            let archive = try SuperAppScene.zip(scene.package())
            let answers = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<8 { group.addTask { try await scene.upload(archive).1["releaseVersion"]?.string } }
                return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            #expect(answers.count == 1 && answers.first != .some(nil))
            scene.wallet.clock.advance(by: .seconds(60))
            #expect(try await scene.upload(archive).1["releaseVersion"]?.string == answers.first)
            #expect(try await scene.office.builds(of: SuperAppScene.app).count == 1)
        }
    }

    static let attacks: [String] = [
        "UNTRUSTED_KEY", "SIGNATURE_MISMATCH", "HASH_MISMATCH", "UNLISTED_FILE", "MISSING_FILE", "UNSIGNED", "WRONG_PACKAGE", "UNSAFE_PATH",
        "TOO_LARGE", "MALFORMED_ARCHIVE", "MALFORMED_VERSION", "DEFECTIVE_PACKAGE", "MALFORMED_MANIFEST",
    ]

    @Test(arguments: attacks)
    func aBadPackageIsRefusedAndNothingOfItStays(code: String) async throws {
        try await SuperAppScene.open { scene in
            let good = try scene.package()
            let archive: [UInt8]
            switch code {
            case "UNTRUSTED_KEY": archive = try SuperAppScene.zip(scene.package(keyID: "unknown"))
            case "SIGNATURE_MISMATCH": archive = try SuperAppScene.zip(scene.package(key: scene.keys.platform))
            case "HASH_MISMATCH":
                archive = try SuperAppScene.zip(good) { entries in
                    for index in entries.indices where entries[index].path == "app.js" { entries[index].bytes = Array("evil()".utf8) }
                }
            case "UNLISTED_FILE": archive = try SuperAppScene.zip(good) { $0.append(("evil.js", [1])) }
            case "MISSING_FILE": archive = try SuperAppScene.zip(good) { $0.removeAll { $0.path == "app.js" } }
            case "UNSIGNED": archive = try SuperAppScene.zip(good) { $0.removeAll { $0.path == "manifest.sig" } }
            case "WRONG_PACKAGE": archive = try SuperAppScene.zip(scene.package(app: SuperAppScene.otherApp))
            case "UNSAFE_PATH":
                // A name of the same length, in the archive's own bytes.
                let bytes = try SuperAppScene.zip(good) { $0.append(("aa/evil.js", [1])) }
                archive = Self.replacing(Array("aa/evil.js".utf8), with: Array("../evil.js".utf8), in: bytes)
            case "TOO_LARGE": archive = try SuperAppScene.zip(good) { $0.append(("zeros", [UInt8](repeating: 0, count: 5 << 20))) }
            case "MALFORMED_ARCHIVE": archive = Array("no archive".utf8)
            case "MALFORMED_VERSION": archive = try SuperAppScene.zip(scene.package(.init(1, 0, 0, stamp: 7)))
            case "DEFECTIVE_PACKAGE":
                archive = try SuperAppScene.zip(scene.package(files: ["app.json": Array(#"{"pages":["pages/gone/index"]}"#.utf8)]))
            default: archive = try SuperAppScene.zip(good) { $0.removeAll { $0.path == "manifest.json" } }
            }
            let (result, _) = try await scene.upload(archive)
            #expect(result.resultCode == code && result.resultStatus == .failure, "\(result.resultMessage)")
            let kept = try await scene.wallet.store.database.read { tx in
                try ["wallet_builds", "wallet_packages"].map { try tx.query("SELECT COUNT(*) FROM \($0)")[0].integer(0) }
            }
            #expect(kept == [0, 0])
            #expect(try await scene.upload(SuperAppScene.zip(good)).0.resultCode == "SUCCESS")
        }
    }

    private static func replacing(_ old: [UInt8], with new: [UInt8], in bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        var index = 0
        while index + old.count <= bytes.count {
            if bytes[index..<(index + old.count)].elementsEqual(old) { bytes.replaceSubrange(index..<(index + old.count), with: new) }
            index += 1
        }
        return bytes
    }

    @Test func anAuthorsMiniProgramsAreItsOwn() async throws {
        try await SuperAppScene.open { scene in
            let version = try await scene.build()
            let (author, key) = (SuperAppScene.otherAuthor, scene.keys.other)
            #expect(try await scene.upload(SuperAppScene.zip(scene.package()), from: author, key: key).0.resultCode == "NOT_FOUND")
            #expect(try await scene.step(version, "submit", from: author, key: key).resultCode == "NOT_FOUND")
            #expect(
                try await scene.put(
                    SuperAppScene.app, client: SuperAppScene.otherClient, workspace: "connect", by: author, key: key
                ).resultCode == "IDENTITY_TAKEN")
            #expect(
                try await scene.put("2026112200000003", client: nil, workspace: "own", by: author, key: key).resultCode == "ACCESS_DENIED")
            let (result, _) = try await scene.call(
                "/mini-programs/v1/author/apps/\(SuperAppScene.app)/inquiry", Array("{}".utf8), from: author, key: key)
            #expect(result.resultCode == "NOT_FOUND")
        }
    }

    @Test func buildsThatNobodyReviewedAreLimited() async throws {
        try await SuperAppScene.open {
            $0.openBuilds = 3
        } body: { scene in
            for patch in 0..<3 { _ = try await scene.build(.init(1, 0, patch)) }
            scene.wallet.clock.advance(by: .seconds(1))
            #expect(try await scene.upload(SuperAppScene.zip(scene.package(.init(1, 0, 3)))).0.resultCode == "TOO_MANY_BUILDS")
        }
    }

    // MARK: Permissions

    @Test func permissionsAreThoseOfTheTimeOfTheBuild() async throws {
        try await SuperAppScene.open { scene in
            _ = try await scene.released(.init(1, 0, 0))
            #expect(try await scene.delivered().serverDomains == ["api.tea.example"])
            #expect(
                try await scene.put(SuperAppScene.app, client: SuperAppScene.client, domains: ["new.tea.example"]).resultCode == "SUCCESS")
            try await scene.office.grant(
                .init(features: ["scan"], customInterfaces: ["loyalty"], scenes: ["SCAN"]), to: SuperAppScene.app, by: "ada",
                reason: "asked")
            let before = try await scene.delivered()
            #expect(before.serverDomains == ["api.tea.example"] && before.features.isEmpty && before.scenes.isEmpty)
            _ = try await scene.released(.init(1, 0, 1))
            let after = try await scene.delivered()
            #expect(after.serverDomains == ["new.tea.example"] && after.features == ["scan"] && after.scenes == ["SCAN"])
            #expect(after.customInterfaces == ["loyalty"])
        }
    }

    @Test(arguments: ["https://api.example", "API.example", "a b", "*.*.example", "-a.example", "host:0", ""])
    func aDomainThatIsNoHostIsRefused(domain: String) async throws {
        try await SuperAppScene.open { scene in
            let result = try await scene.put(SuperAppScene.app, client: SuperAppScene.client, domains: [domain])
            #expect(result.resultCode == "PARAM_ILLEGAL")
        }
    }

    @Test func aWebMiniProgramHasAPageInPlaceOfAPackage() async throws {
        try await SuperAppScene.open { scene in
            func build(_ page: String) async throws -> (OpenAPIResult, JSONObject) {
                try await scene.call(
                    "/mini-programs/v1/author/apps/\(SuperAppScene.app)/pages",
                    JSONWriter.write(.texts(["version": "2.0.0", "webPage": page])), from: SuperAppScene.author)
            }
            #expect(try await build("https://h5.tea.example/start").0.resultCode == "PARAM_ILLEGAL")
            var object = JSONObject([
                .init("appId", .string(SuperAppScene.app)), .init("workspaceId", "own"), .init("name", "Tea"),
                .init("webPageDomains", ["h5.tea.example"]),
            ])
            object["authClientId"] = .string(SuperAppScene.client)
            #expect(
                try await scene.call("/mini-programs/v1/author/apps", JSONWriter.write(object), from: SuperAppScene.author).0.resultCode
                    == "SUCCESS")
            for page in ["https://user@h5.tea.example/", "https://h5.tea.example.bad.example/", "javascript:alert(1)"] {
                #expect(try await build(page).0.resultCode == "PARAM_ILLEGAL")
            }
            let (result, answer) = try await build("https://h5.tea.example/start")
            #expect(result.resultCode == "SUCCESS" && answer["sha256"] == nil)
            let version = try #require(answer["releaseVersion"]?.string.flatMap { MiniProgramVersion(text: $0) })
            #expect(try await scene.step(version, "submit").resultCode == "SUCCESS")
            try await scene.take(.approve, version)
            try await scene.take(.release, version)
            let metadata = try await scene.delivered()
            #expect(metadata.webPage == "https://h5.tea.example/start" && metadata.package == nil)
        }
    }

    // MARK: Lists and codes

    @Test func listsHoldWhatAUserCanOpen() async throws {
        try await SuperAppScene.open { scene in
            func list(_ session: String? = nil, _ query: String = "") async throws -> [String] {
                let raw = try await scene.asUser(session, .get, "/mini-programs/v1/apps?container=1.0.0\(query)")
                #expect(raw.status == 200)
                return try JSONReader.readObject(raw.body)["apps"]?.array?.compactMap { $0["releaseVersion"]?.string } ?? []
            }
            #expect(try await list().isEmpty)
            let first = try await scene.released(.init(1, 0, 0))
            let second = try await scene.approved(.init(1, 1, 0))
            try await scene.take(.startPilot, second, users: [Self.mei])
            #expect(try await list() == [first.description])
            #expect(try await list(scene.signIn()) == [second.description])
            #expect(try await list(nil, "&ids=\(SuperAppScene.otherApp)").isEmpty)
            #expect(try await list(nil, "&ids=\(SuperAppScene.otherApp),\(SuperAppScene.app)") == [first.description])
            #expect(try await list(nil, "&after=\(SuperAppScene.app)").isEmpty)
            let many = (0..<51).map { "app-\($0)" }.joined(separator: ",")
            #expect(try await scene.asUser(nil, .get, "/mini-programs/v1/apps?container=1.0.0&ids=\(many)").status == 400)
        }
    }

    @Test func codesOpenAMiniProgramWhereTheySay() async throws {
        try await SuperAppScene.open { scene in
            let path = "/mini-programs/v1/author/apps/\(SuperAppScene.app)"
            let (result, answer) = try await scene.call(
                "\(path)/codes",
                JSONWriter.write(.texts(["codeId": "table-7", "page": "pages/order/index", "pageQuery": "table=7&x=%26"])),
                from: SuperAppScene.author)
            #expect(result.resultCode == "SUCCESS")
            let content = try #require(answer["code"]?["content"]?.string)
            let link = try MiniProgramLink(content, schemes: [], hosts: ["mp.wallet.example"])
            let deepLink = try #require(answer["code"]?["deepLink"]?.string)
            #expect(try link == MiniProgramLink(deepLink, schemes: ["billfoldwallet"]))
            #expect(
                link.page == "pages/order/index" && link.pageQuery == [.init("table", "7"), .init("x", "&")] && link.source == "table-7")
            let codes = try await scene.office.codes(of: SuperAppScene.app)
            #expect(codes.map(\.id) == ["default", "table-7"])
            #expect(codes[0].deepLink == "billfoldwallet://mp/\(SuperAppScene.app)?src=default")
            for wish in [["codeId": "default"], ["codeId": "a b"], ["codeId": "c", "page": "../x"], ["codeId": "c", "query": "a=%"]] {
                let object = JSONObject(wish.map { .init($0.key, .string($0.value)) })
                let refused = try await scene.call("\(path)/codes", JSONWriter.write(object), from: SuperAppScene.author).0
                #expect(refused.resultStatus == .failure, "\(wish)")
            }
        }
    }

    @Test func promotionCodesAreDecoded() async throws {
        try await SuperAppScene.open { scene in
            func decode(_ url: String) async throws -> JSONObject {
                let raw = try await scene.asUser(nil, .get, "/mini-programs/v1/promotion-codes?url=\(Browser.encoded(url))")
                #expect(raw.status == 200)
                return try JSONReader.readObject(raw.body)
            }
            let target = "billfoldwallet://mp/\(SuperAppScene.app)?src=poster"
            let code = try scene.office.promotionCode(for: target)
            let decoded = try await decode(code)
            #expect(decoded["success"]?.bool == true && decoded["decodedURL"]?.string == target)
            #expect(try await decode("https://elsewhere.example/p/x.y")["errorCode"]?.string == "NOT_A_PROMOTION_CODE")
            #expect(try await decode(code + "0")["errorCode"]?.string == "DAMAGED_CODE")
            #expect(try await scene.asUser(nil, .get, "/mini-programs/v1/promotion-codes").status == 400)
        }
    }

    // MARK: Two persons

    @Test func whatMovesTrustTakesTwoPersons() async throws {
        try await SuperAppScene.open { scene in
            let wallet = scene.wallet
            let database = wallet.store.database
            try await MigrationRunner(OperatorRecords.migrations, clock: wallet.clock, logger: TestStore.logger).run(on: database)
            let queue = try ApprovalQueue(
                database: database, clock: wallet.clock, random: wallet.server.context.random,
                audit: ChainedOperatorAudit(
                    links: AuditChain(key: wallet.server.context.configuration.keys.audit), owner: MerchantID("installation")),
                mode: .test, policy: .twoPersons, actions: wallet.server.actions.all, logger: TestStore.logger)
            let ada = OperatorIdentity(name: "ada", roles: [.operator, .approver], isSignedIn: true)
            let bo = OperatorIdentity(name: "bo", roles: [.approver], isSignedIn: true)
            func run(_ kind: String, _ subject: String, _ detail: String) async throws -> ApprovalRequest.State {
                let asked = try await queue.request(kind: kind, subject: subject, detail: detail, by: ada)
                await #expect(throws: ServerError.self) { try await queue.approve(asked.id, by: ada) }
                return try await queue.approve(asked.id, by: bo).state
            }
            func refused(_ kind: String, _ subject: String, _ detail: String) async {
                let refusal = await #expect(throws: ServerError.self) {
                    try await queue.request(kind: kind, subject: subject, detail: detail, by: ada)
                }
                #expect(refusal?.code.description == "malformed-request")
            }
            let version = try await scene.build()
            let subject = "\(SuperAppScene.app)@\(version)"
            #expect(try await run("mini-program-approve", subject, #"{"reason":"reviewed"}"#) == .failed)
            #expect(try await scene.step(version, "submit").resultCode == "SUCCESS")
            #expect(try await run("mini-program-approve", subject, #"{"reason":"reviewed"}"#) == .done)
            #expect(try await run("mini-program-pilot", subject, #"{"reason":"test","users":["\#(Self.mei)"]}"#) == .done)
            await refused("mini-program-gray", subject, #"{"reason":"slowly","percent":101}"#)
            #expect(try await run("mini-program-gray", subject, #"{"reason":"slowly","percent":20}"#) == .done)
            #expect(try await run("mini-program-release", subject, #"{"reason":"good"}"#) == .done)
            #expect(try await scene.delivered().version == version)
            let grant = #"{"reason":"asked","grant":{"features":["scan"],"scopes":[{"scope":"CARD_LIST","rule":"ask"}]}}"#
            #expect(try await run("mini-program-grant", SuperAppScene.app, grant) == .done)
            #expect(
                try await scene.applyAuthCode(try await scene.signIn(), ["CARD_LIST"]).result == ApplyAuthCodeAnswer.pendingAgreement)
            let key = StrictBase64.encode(scene.keys.other.publicKey.subjectPublicKeyInfo)
            let client = #"{"authClientId":"merchant-3","name":"New","keys":[{"version":1,"publicKey":"\#(key)"}],"apps":[]}"#
            await refused("oauth-client", "merchant-9", client)
            #expect(try await run("oauth-client", "merchant-3", client) == .done)
            #expect(try await scene.office.clients().map(\.id) == ["merchant-1", "merchant-2", "merchant-3"])
            #expect(try await run("mini-program-take-down", SuperAppScene.app, #"{"reason":"abuse"}"#) == .done)
            #expect(try await scene.metadata().status == 410)
        }
    }

    @Test func aStepUnderTheSameApprovalIsTakenOnce() async throws {
        try await SuperAppScene.open { scene in
            let version = try await scene.approved(.init(1, 0, 0))
            for _ in 0..<2 {
                let build = try await scene.office.take(
                    .release, appID: SuperAppScene.app, version: version, request: "approval-1", by: "ada", reason: "good")
                #expect(build.state == .released)
            }
            await #expect(throws: WalletError.self) {
                try await scene.office.take(
                    .release, appID: SuperAppScene.app, version: version, request: "approval-2", by: "ada", reason: "good")
            }
        }
    }

    // MARK: Onboarding

    @Test func inTestModePartiesRegisterThemselves() async throws {
        try await SuperAppScene.open { scene in
            let rsa = StrictBase64.encode(scene.keys.other.publicKey.subjectPublicKeyInfo)
            let p256 = StrictBase64.encode(scene.keys.packages.publicKey.subjectPublicKeyInfo)
            let body = """
                {"workspaces":[{"workspaceId":"shop","kind":"LOCAL_MINI_PROGRAM","name":"Shop"}],
                 "authors":[{"authorId":"author-9","name":"Nine","keys":[{"version":1,"publicKey":"\(rsa)"}],
                             "packageKeys":[{"keyId":"k","publicKey":"\(p256)"}],"workspaces":["shop"]}],
                 "clients":[{"authClientId":"merchant-9","name":"Nine","keys":[{"version":1,"publicKey":"\(rsa)"}],"apps":["2026112200000009"]}]}
                """
            func register(_ key: String, _ body: String = body) async throws -> SuperAppScene.Raw {
                try await scene.asUser(nil, .post, "/onboarding/v1/super-app", Array(body.utf8), headers: [.authorization: "Bearer \(key)"])
            }
            #expect(try await register("wrong").status == 401)
            let answer = try await register(SuperAppScene.onboardingKey)
            #expect(answer.status == 200)
            #expect(try JSONReader.readObject(answer.body)["publicKey"]?.string == scene.keys.server.publicKey.pem)
            #expect(try await scene.office.authors().map(\.id) == ["author-1", "author-2", "author-9"])
            #expect(
                try await scene.put("2026112200000009", client: "merchant-9", workspace: "shop", by: "author-9", key: scene.keys.other)
                    .resultCode == "SUCCESS")
            for broken in ["{", #"{"clients":[{"authClientId":"a.b","name":"x","keys":[],"apps":[]}]}"#, #"{"nonsense":1}"#] {
                #expect(try await register(SuperAppScene.onboardingKey, broken).status == 400, "\(broken)")
            }
        }
    }

    @Test func onboardingGivesGrantsAndReleasesWhatWasSubmitted() async throws {
        try await SuperAppScene.open { scene in
            func onboard(_ body: String) async throws -> Int {
                try await scene.asUser(
                    nil, .post, "/onboarding/v1/super-app", Array(body.utf8),
                    headers: [.authorization: "Bearer \(SuperAppScene.onboardingKey)"]
                ).status
            }
            let grants = """
                {"grants":[{"appId":"\(SuperAppScene.app)","grant":{"features":["scan"],"scenes":["SCAN"],\
                "scopes":[{"scope":"USER_NAME","rule":"silent"}]}}]}
                """
            // Before there is a version: a build has the permissions of the time when it was made.
            for _ in 0..<2 { #expect(try await onboard(grants) == 200) }
            let version = try await scene.build()
            let release = #"{"releases":[{"appId":"\#(SuperAppScene.app)","releaseVersion":"\#(version)"}]}"#
            #expect(try await onboard(release) == 409, "nobody submitted it")
            #expect(try await scene.step(version, "submit").resultCode == "SUCCESS")
            for _ in 0..<2 { #expect(try await onboard(release) == 200) }
            let metadata = try await scene.delivered()
            #expect(metadata.version == version && metadata.features == ["scan"] && metadata.scenes == ["SCAN"])
            for (broken, status) in [
                (#"{"grants":[{"appId":"none","grant":{}}]}"#, 404), (#"{"grants":[{"appId":"none"}]}"#, 400),
                (#"{"grants":[{"appId":"none","grant":{"colour":"red"}}]}"#, 400),
                (#"{"releases":[{"appId":"none","releaseVersion":"1.0.0"}]}"#, 404),
                (#"{"releases":[{"appId":"none","releaseVersion":"newest"}]}"#, 400),
            ] {
                #expect(try await onboard(broken) == status, "\(broken)")
            }
            let bogus = #"{"grants":[{"appId":"\#(SuperAppScene.app)","grant":{"features":["auth","bogus"]}}]}"#
            let refusal = try await scene.asUser(
                nil, .post, "/onboarding/v1/super-app", Array(bogus.utf8),
                headers: [.authorization: "Bearer \(SuperAppScene.onboardingKey)"])
            let reason = try JSONReader.read(refusal.body)["error"]?["reason"]?.string ?? ""
            #expect(refusal.status == 400 && reason.contains("features[1] is no feature; there are agreement-pay, auth, "), "\(reason)")
            let rows = try await scene.wallet.store.database.read {
                try $0.query("SELECT action, actor FROM audit_rows ORDER BY sequence").map { (try $0.text(0), try $0.text(1)) }
            }
            for action in ["grant", "approve", "release"] {
                let lines = rows.filter { $0.0 == "mini-program.\(action)" }
                #expect(lines.count == 1 && lines.first?.1 == "onboarding", "\(action)")
            }
        }
    }
}
