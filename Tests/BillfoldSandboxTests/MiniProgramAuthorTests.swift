import Alipay
import AlipayApp
import AlipayPlusValues
import ApplePayApp
import BillfoldArchive
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldStorage
import BillfoldTrace
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import MiniPrograms
import NIOCore
import PaymentCrypto
import Synchronization
import Testing

@testable import BillfoldSandbox

/// A wallet that takes what the author signs, releases what it is asked to, and signs its answers:
/// with a stranger's key where it is told to.
private final class OAuthWallet: MerchantConnection, AlipayPlusConnection {
    struct Build: Sendable {
        var version: String
        var state: String
    }

    struct Platform: Sendable {
        var builds: [String: [Build]] = [:]
        var uploads = 0
        /// In the order in which they came.
        var asked: [String] = []
        var packages: [UnverifiedMiniProgramPackage] = []
        var usedCodes: Set<String> = []
    }

    let key: RSAPrivateKey
    let stranger: RSAPrivateKey
    let clock: TestClock
    let platform = Mutex(Platform())
    let isLying = Mutex(false)
    let isSilent = Mutex(false)
    /// By the names of those who registered them.
    let callKeys = Mutex<[String: PublicKey]>([:])
    let packageKey = Mutex<PublicKey?>(nil)

    init(clock: TestClock) throws {
        self.clock = clock
        key = try RSAPrivateKey(bits: 2048)
        stranger = try RSAPrivateKey(bits: 2048)
    }

    // MARK: Onboarding

    func send(_ question: HTTPQuestion) async throws -> HTTPAnswer {
        #expect(question.path == "/onboarding/v1/super-app")
        let object = try JSONReader.readObject(Array(question.body ?? Data()))
        platform.withLock { $0.asked.append("onboarding \(object.members.map(\.key).sorted().joined(separator: " "))") }
        for (list, name) in [("authors", "authorId"), ("clients", "authClientId")] {
            for party in object[list]?.array ?? [] {
                let text = party["keys"]?.array?.first?["publicKey"]?.string ?? ""
                let parsed = try PublicKey(subjectPublicKeyInfo: StrictBase64.decode(text))
                callKeys.withLock { $0[party[name]?.string ?? ""] = parsed }
                if let text = party["packageKeys"]?.array?.first?["publicKey"]?.string {
                    let parsed = try PublicKey(subjectPublicKeyInfo: StrictBase64.decode(text))
                    packageKey.withLock { $0 = parsed }
                }
            }
        }
        for release in object["releases"]?.array ?? [] {
            let (app, version) = (release["appId"]?.string ?? "", release["releaseVersion"]?.string ?? "")
            move(app, version, to: "Full Release")
        }
        let body = JSONWriter.write(
            JSONObject([
                .init("origin", "http://wallet.test"), .init("name", "ALIPAY_CN"), .init("keyVersion", 1),
                .init("publicKey", .string(key.publicKey.pem)),
            ]))
        return HTTPAnswer(status: 200, body: Data(body))
    }

    private func move(_ app: String, _ version: String, to state: String) {
        platform.withLock { platform in
            platform.builds[app] = platform.builds[app]?.map { Build(version: $0.version, state: $0.version == version ? state : $0.state) }
        }
    }

    // MARK: Signed calls

    func get(_ path: String) async throws -> AlipayPlusReply { AlipayPlusReply(status: 404, headers: [], body: []) }

    func post(
        _ path: String, headers: [(name: String, value: String)], body: [UInt8], within limit: Duration
    ) async throws -> AlipayPlusReply {
        struct Silent: Error {}
        if isSilent.withLock({ $0 }) { throw Silent() }
        func header(_ name: String) -> String { headers.first { $0.name == name }?.value ?? "" }
        let client = header("Client-Id")
        let known = try #require(callKeys.withLock { $0[client] })
        let signature = try OpenAPISignature(header: header("Signature"))
        #expect(signature.isValid(path: path, clientID: client, time: header("Request-Time"), body: body, for: known))
        let answer = try answer(path, body)
        let time = AlipayPlusTime(millisecondsSince1970: clock.now().microseconds / 1_000).description
        let signer = isLying.withLock { $0 } ? stranger : key
        let signed = try OpenAPISignature(path: path, clientID: client, time: time, body: answer, by: signer)
        return AlipayPlusReply(
            status: 200, headers: [("Client-Id", client), ("Response-Time", time), ("Signature", signed.description)], body: answer)
    }

    private func answer(_ path: String, _ body: [UInt8]) throws -> [UInt8] {
        let parts = path.split(separator: "/").map(String.init)
        let app = parts.count > 4 ? parts[4] : ""
        platform.withLock { $0.asked.append(parts.last ?? "") }
        switch parts.last ?? "" {
        case "applyToken":
            let request = try ApplyTokenRequest(JSONReader.readObject(body), version: .v2)
            guard case .authorizationCode(let code) = request.grant else { return ApplyTokenAnswer(result: .paramIllegal).body }
            let isNew = platform.withLock { $0.usedCodes.insert(code.reveal()).inserted }
            guard code.reveal().hasPrefix("good") else { return ApplyTokenAnswer(result: .invalidCode).body }
            guard isNew else { return ApplyTokenAnswer(result: .usedCode).body }
            let tokens = ApplyTokenAnswer.Tokens(
                accessToken: Secret("access-token-1"), accessTokenExpiryTime: "2026-11-21T00:00:00Z",
                refreshToken: Secret("refresh-token-1"), refreshTokenExpiryTime: "2026-12-21T00:00:00Z", customerID: "2088000000000017")
            return ApplyTokenAnswer(result: .success, tokens: tokens).body
        case "inquiryUserInfo":
            return InquiryUserInfoAnswer(result: .success, userInfo: [.userId: "2088000000000017", .userName: "Mei"]).body
        case "versions":
            let archive = try ZipArchive(body)
            let contents = Dictionary(archive.entries.map { ($0.name, $0.bytes) }) { first, _ in first }
            let package = UnverifiedMiniProgramPackage(contents: contents)
            platform.withLock { $0.packages.append(package) }
            return upload(app, try package.manifest.version.description)
        case "pages": return upload(app, try JSONReader.readObject(body)["version"]?.string ?? "")
        case "steps":
            move(app, try JSONReader.readObject(body)["releaseVersion"]?.string ?? "", to: "Under Review")
            return Self.success()
        case "inquiry":
            let builds = platform.withLock { $0.builds[app] ?? [] }.map {
                JSONValue.texts(["releaseVersion": $0.version, "state": $0.state])
            }
            let code = JSONValue.texts([
                "codeId": "default", "deepLink": "billfoldwallet://mp/\(app)", "content": "https://mp.wallet.example/mp/\(app)",
            ])
            return Self.success([.init("builds", .array(builds)), .init("codes", .array([code]))])
        default: return Self.success()
        }
    }

    private func upload(_ app: String, _ version: String) -> [UInt8] {
        let build = Build(version: "\(version).20261120120000000", state: "New Version Created")
        platform.withLock {
            $0.uploads += 1
            $0.builds[app, default: []].append(build)
        }
        return Self.success([.init("releaseVersion", .string(build.version)), .init("state", .string(build.state))])
    }

    private static func success(_ members: [JSONObject.Member] = []) -> [UInt8] {
        JSONWriter.write(JSONObject([JSONObject.Member("result", OpenAPIResult.success.json)] + members))
    }
}

/// A tea house that makes one order, and says of it what the test tells it to.
private final class StandInTeaHouse: MerchantConnection {
    /// Nil does not answer.
    let state = Mutex<String?>("unpaid")

    func send(_ question: HTTPQuestion) async throws -> HTTPAnswer {
        struct Silent: Error {}
        guard let state = state.withLock({ $0 }) else { throw Silent() }
        if question.path == "/alipay-merchant/v1/orders",
            try JSONReader.readObject(Array(question.body ?? Data()))["offer"]?.string != "longjing"
        {
            return HTTPAnswer(status: 404, body: Data(#"{"error":{"code":"offer-unknown","reason":"the shop does not sell that"}}"#.utf8))
        }
        let order = """
            {"number":"TL1","account":"domestic","generation":"modern","subject":"Longjing","price":{"value":"128.00","currency":"CNY"},\
            "state":"\(state)","refunds":[],"notifications":0,"faults":[],"order":"app_id=1&sign=x"}
            """
        return HTTPAnswer(status: 200, body: Data(order.utf8))
    }
}

private struct StandInCashier: CashierDoor {
    func open(_ request: CashierRequest) async throws -> String {
        #expect(request.order == "app_id=1&sign=x" && request.scheme == SuperAppPhone.scheme)
        return "/cashier/token"
    }

    func close(_ path: String) async throws -> PaymentResult { throw SandboxError(code: .noAnswer, reason: "not asked for") }
}

/// The author of mini programs: what it publishes, and what its server believes.
@Suite struct MiniProgramAuthorTests {
    private struct Scene: Sendable {
        let setting: PartySetting
        let wallet: OAuthWallet
        let teaHouse: StandInTeaHouse
        let author: PlayedMiniProgramAuthor
        let client: PartyClient

        func signIn(_ code: String) async throws -> (status: Int, json: [String: Any]) {
            try await client.send(.post, "/author/v1/sessions", #"{"authCode":"\#(code)"}"#)
        }

        func refusal(signingInWith code: String) async throws -> String {
            try await client.refusal(.post, "/author/v1/sessions", #"{"authCode":"\#(code)"}"#)
        }

        /// Everything that was reported, as one text.
        var told: String {
            setting.sink.entries.map { entry in
                "\(entry.title) \(entry.fields.map { "\($0.name)=\($0.value)" }) \(entry.problem ?? "")"
            }.joined(separator: "\n")
        }
    }

    private func author(_ setting: PartySetting, _ folder: URL, _ wallet: OAuthWallet, _ teaHouse: StandInTeaHouse, port: Int = 8_082)
        throws -> PlayedMiniProgramAuthor
    {
        try PlayedMiniProgramAuthor(
            .init(
                wallet: "http://wallet.test", author: "http://127.0.0.1:\(port)", alipayMerchant: "http://tea.test",
                superApp: "http://phones.test", onboardingKey: Secret("key")),
            keys: PartyKeys(folder), surroundings: setting.surroundings, onboarding: wallet, wallet: wallet, merchant: teaHouse,
            cashier: StandInCashier())
    }

    private func scene(_ body: @escaping @Sendable (Scene, URL) async throws -> Void) async throws {
        try await PartySetting.with { setting in
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("author-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let (wallet, teaHouse) = (try OAuthWallet(clock: setting.clock), StandInTeaHouse())
            let author = try author(setting, folder, wallet, teaHouse)
            let router = Router()
            author.addRoutes(to: router)
            try await Application(router: router).test(.router) { client in
                let scene = Scene(
                    setting: setting, wallet: wallet, teaHouse: teaHouse, author: author, client: PartyClient(client: client))
                try await body(scene, folder)
            }
        }
    }

    // MARK: Publishing

    @Test func bothProgramsAreReleasedAndPackagesVerify() async throws {
        try await scene { (scene, _) async throws in
            try await scene.author.publisher.publish()
            let programs = try await scene.client.send(.get, "/author/v1/programs").json["programs"] as? [[String: Any]] ?? []
            #expect(programs.map { $0["state"] as? String } == ["Full Release", "Full Release"])
            #expect(programs.map { $0["kind"] as? String } == ["script", "web"])
            let code = (programs.first?["codes"] as? [[String: String]])?.first
            #expect(code?["deepLink"] == "billfoldwallet://mp/2026112300000001")
            let asked = scene.wallet.platform.withLock { $0.asked }
            let grants = try #require(asked.firstIndex(of: "onboarding grants"))
            let versions = try #require(asked.firstIndex(of: "versions"))
            #expect(grants < versions, "a build has the permissions of its time")
            let packages = scene.wallet.platform.withLock { $0.packages }
            let key = try #require(scene.wallet.packageKey.withLock { $0 })
            let package = try #require(packages.first).verified(
                by: KeyRing(active: AuthorKeys.packageKeyID, key), appID: "2026112300000001")
            #expect(package.files["config.js"].map { String(decoding: $0, as: UTF8.self).contains("http://127.0.0.1:8082") } == true)
            let findings = MiniProgramLint(files: package.files).findings()
            #expect(findings.isEmpty, "\(findings.map { "\($0.code) \($0.subject) \($0.cause)" })")
        }
    }

    @Test func whatIsThereIsNotUploadedAgainAndAnotherAddressIs() async throws {
        try await scene { (scene, folder) async throws in
            for _ in 0..<2 { try await scene.author.publisher.publish() }
            #expect(scene.wallet.platform.withLock { $0.uploads } == 2)
            let again = try author(scene.setting, folder, scene.wallet, scene.teaHouse)
            try await again.publisher.publish()
            #expect(scene.wallet.platform.withLock { $0.uploads } == 2)
            let moved = try author(scene.setting, folder, scene.wallet, scene.teaHouse, port: 9_082)
            try await moved.publisher.publish()
            let builds = scene.wallet.platform.withLock { $0.builds["2026112300000001"] ?? [] }
            #expect(builds.map { $0.version.split(separator: ".").prefix(3).joined(separator: ".") } == ["1.0.0", "1.0.1"])
        }
    }

    // MARK: Signing in

    @Test func aCodeBecomesASessionUnderTheWalletsSignature() async throws {
        try await scene { (scene, _) async throws in
            let answer = try await scene.signIn("good-1")
            #expect(answer.status == 201 && answer.json["name"] as? String == "Mei")
            #expect(answer.json["scopes"] as? [String] == ["USER_ID", "USER_NAME"])
            let session = try #require(answer.json["session"] as? String)
            #expect(try await scene.refusal(signingInWith: "bad-1") == "sign-in-refused")
            #expect(try await scene.client.refusal(.post, "/author/v1/sessions", #"{"authCode":"a b"}"#) == "code-malformed")
            for secret in ["good-1", "access-token-1", "refresh-token-1", session] {
                #expect(!scene.told.contains(secret), "\(secret) was reported")
            }
            let rows = try await scene.setting.surroundings.database.read {
                try $0.query("SELECT id, document FROM party_document").map { try $0.text(0) + $0.text(1) }
            }
            #expect(!rows.isEmpty && !rows.contains { $0.contains(session) || $0.contains("good-1") || $0.contains("access-token") })
        }
    }

    @Test func anAnswerThatAStrangerSignedIsNotBelieved() async throws {
        try await scene { (scene, _) async throws in
            scene.wallet.isLying.withLock { $0 = true }
            #expect(try await scene.refusal(signingInWith: "good-1") == "wallet-unavailable")
            #expect(scene.told.contains("not believed: signature-mismatch"))
            scene.wallet.isLying.withLock { $0 = false }
            scene.wallet.isSilent.withLock { $0 = true }
            #expect(try await scene.refusal(signingInWith: "good-2") == "wallet-unavailable")
            scene.wallet.isSilent.withLock { $0 = false }
            #expect(try await scene.signIn("good-3").status == 201)
        }
    }

    // MARK: Orders

    @Test func anOrderIsMadeByTheTeaHouseAndAskedFor() async throws {
        try await scene { (scene, _) async throws in
            let made = try await scene.client.send(.post, "/author/v1/orders", #"{"offer":"longjing","form":"orderStr"}"#)
            #expect(made.status == 201 && made.json["number"] as? String == "TL1" && made.json["orderStr"] as? String == "app_id=1&sign=x")
            let paged = try await scene.client.send(.post, "/author/v1/orders", #"{"offer":"longjing","form":"paymentUrl"}"#)
            #expect(paged.json["paymentUrl"] as? String == "http://wallet.test/cashier/token" && paged.json["orderStr"] == nil)
            for state in ["unpaid", "paid", "refunded", "closed"] {
                scene.teaHouse.state.withLock { $0 = state }
                let told = try await scene.client.send(.post, "/author/v1/orders/TL1/state", "{}")
                #expect(told.status == 200 && told.json["state"] as? String == state)
            }
            // What nobody knows is no failure.
            scene.teaHouse.state.withLock { $0 = nil }
            #expect(try await scene.client.refusal(.post, "/author/v1/orders/TL1/state", "{}") == "merchant-unavailable")
            scene.teaHouse.state.withLock { $0 = "unpaid" }
            #expect(try await scene.client.refusal(.post, "/author/v1/orders/TL2/state", "{}") == "order-unknown")
            for (body, code) in [
                (#"{"offer":"coffee","form":"orderStr"}"#, "offer-unknown"), (#"{"offer":"longjing","form":"cash"}"#, "body-malformed"),
                (#"{"offer":"longjing","form":"orderStr","session":"x"}"#, "session-unknown"),
                (#"{"offer":"longjing","form":"orderStr","price":"0.01"}"#, "body-malformed"),
            ] {
                #expect(try await scene.client.refusal(.post, "/author/v1/orders", body) == code, "\(body)")
            }
        }
    }

    @Test func whatIsReportedBelongsToTheRunOfTheMiniProgram() async throws {
        try await scene { (scene, _) async throws in
            let header = try #require(HTTPField.Name("X-Billfold-Run"))
            let answer = try await scene.client.client.execute(
                uri: "/author/v1/orders", method: .post, headers: [header: "run-7"],
                body: ByteBuffer(string: #"{"offer":"longjing","form":"orderStr"}"#))
            #expect(answer.status == .created)
            let entries = scene.setting.sink.entries
            #expect(!entries.isEmpty && entries.allSatisfy { $0.correlation["mini-program.run"] == "run-7" })
        }
    }

    // MARK: Faults

    @Test func theFaultPlanBefallsTheCallsOfTheWallet() async throws {
        try await scene { (scene, _) async throws in
            func set(_ fault: String) async throws {
                let answer = try await scene.client.send(.put, "/author/v1/faults/apply-token", #"{"fault":"\#(fault)"}"#)
                #expect(answer.status == 204)
            }
            for fault in ["request-lost", "request-refused", "reply-lost"] {
                try await set(fault)
                #expect(try await scene.refusal(signingInWith: "good-\(fault)") == "wallet-unavailable", "\(fault)")
            }
            // The wallet exchanged the code whose answer was lost, and does it once.
            #expect(try await scene.refusal(signingInWith: "good-reply-lost") == "sign-in-refused")
            #expect(try await scene.signIn("good-request-lost").status == 201)
            try await set("request-doubled")
            #expect(try await scene.signIn("good-request-doubled").status == 201)
            #expect(try await scene.client.refusal(.put, "/author/v1/faults/nonsense", #"{"fault":"request-lost"}"#) == "not-found")
        }
    }

    @Test func aSignInThatArrivesTwiceIsAnsweredTwice() async throws {
        try await scene { (scene, _) async throws in
            #expect(try await scene.client.send(.put, "/author/v1/faults/sign-in", #"{"fault":"request-doubled"}"#).status == 204)
            #expect(try await scene.signIn("good-1").status == 201)
            #expect(scene.wallet.platform.withLock { $0.asked.count { $0 == "applyToken" } } == 1)
            scene.setting.clock.advance(.seconds(11))
            #expect(try await scene.refusal(signingInWith: "good-1") == "sign-in-refused")
        }
    }

    // MARK: Pages

    @Test func thePagesOfPostcardsBringTheirBridge() async throws {
        try await scene { (scene, _) async throws in
            let page = try await scene.client.client.execute(uri: "/author/postcards/index.html", method: .get)
            #expect(page.status == .ok && String(buffer: page.body).contains(#"src="bridge.js""#))
            let policy = page.headers[.contentSecurityPolicy] ?? ""
            #expect(policy.contains("frame-ancestors http://phones.test") && policy.contains("script-src 'self';"))
            for file in ["postcards.js", "postcards.css", "bridge.js"] {
                #expect(try await scene.client.client.execute(uri: "/author/postcards/\(file)", method: .get).status == .ok)
            }
            #expect(try await scene.client.refusal(.get, "/author/postcards/app.json") == "not-found")
        }
    }
}
