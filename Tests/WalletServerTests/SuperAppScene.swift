import BillfoldArchive
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import MiniPrograms
import NIOCore
import PaymentCrypto
import Testing

@testable import WalletServer

/// A wallet in this process that hosts mini programs, with an author, a merchant's client and a second one of each.
struct SuperAppScene: Sendable {
    static let app = "2026112200000001"
    static let otherApp = "2026112200000002"
    static let client = "merchant-1"
    static let otherClient = "merchant-2"
    static let author = "author-1"
    static let otherAuthor = "author-2"
    static let onboardingKey = "sk_test_onboarding_0123456789"

    struct Keys: Sendable {
        let server: RSAPrivateKey
        let client: RSAPrivateKey
        let other: RSAPrivateKey
        let packages: P256PrivateKey
        let platform: P256PrivateKey
    }

    static let keys = Result {
        var generator = SeededGenerator(seed: 6, label: "super app keys")
        return Keys(
            server: try RSAPrivateKey(bits: 2048), client: try RSAPrivateKey(bits: 2048), other: try RSAPrivateKey(bits: 2048),
            packages: try P256PrivateKey(using: &generator), platform: try P256PrivateKey(using: &generator))
    }

    let wallet: TestWallet
    let keys: Keys

    var office: MiniProgramOffice {
        get throws { try #require(wallet.server.backOffice.miniPrograms) }
    }

    static func open(
        _ engine: StoreEngine = .sqlite, faults: FaultyDatabase.Faults? = nil,
        change: @Sendable @escaping (inout WalletConfiguration.SuperApp) -> Void = { _ in },
        body: @Sendable @escaping (SuperAppScene) async throws -> Void
    ) async throws {
        let keys = try keys.get()
        try await TestWallet.open(engine, faults: faults) { configuration in
            var side = WalletConfiguration.SuperApp(
                origin: "http://wallet.test", name: "ALIPAY_CN", scheme: "billfoldwallet", codeHost: "mp.wallet.example", key: keys.server,
                packageKey: keys.platform, packageKeyID: "platform-1", packageAlgorithm: .ecdsaSHA256)
            side.userRate = RateLimit(perSecond: 1_000, burst: 1_000)
            side.onboardingKey = Secret(onboardingKey)
            change(&side)
            configuration.superApp = side
        } body: { wallet in
            let scene = SuperAppScene(wallet: wallet, keys: keys)
            try await scene.register()
            try await body(scene)
        }
    }

    private func register() async throws {
        let office = try office
        try await office.register(MiniProgramWorkspace(id: "own", kind: .local, name: "Own"), by: "ada")
        try await office.register(MiniProgramWorkspace(id: "connect", kind: .connect, name: "Connect"), by: "ada")
        let client = CallKey(version: 1, subjectPublicKeyInfo: keys.client.publicKey.subjectPublicKeyInfo)
        let other = CallKey(version: 1, subjectPublicKeyInfo: keys.other.publicKey.subjectPublicKeyInfo)
        try await office.register(OAuthClient(id: Self.client, name: "Tea house", keys: [client], apps: [Self.app]), by: "ada")
        try await office.register(OAuthClient(id: Self.otherClient, name: "Bakery", keys: [other], apps: [Self.otherApp]), by: "ada")
        let packages = MiniProgramAuthor.PackageKey(id: "author-key", subjectPublicKeyInfo: keys.packages.publicKey.subjectPublicKeyInfo)
        try await office.register(
            MiniProgramAuthor(id: Self.author, name: "Tea", keys: [client], packageKeys: [packages], workspaces: ["own"]), by: "ada")
        try await office.register(
            MiniProgramAuthor(id: Self.otherAuthor, name: "Bread", keys: [other], packageKeys: [packages], workspaces: ["connect"]),
            by: "ada")
        #expect(try await put(Self.app, client: Self.client).resultCode == "SUCCESS")
        #expect(
            try await put(Self.otherApp, client: Self.otherClient, workspace: "connect", by: Self.otherAuthor, key: keys.other).resultCode
                == "SUCCESS")
    }

    func put(
        _ app: String, client: String?, domains: [String] = ["api.tea.example"], workspace: String = "own", by author: String = author,
        key: RSAPrivateKey? = nil
    ) async throws -> OpenAPIResult {
        var object = JSONValue.texts(["appId": app, "workspaceId": workspace, "name": "Tea", "authClientId": client]).object
        object?["serverDomains"] = .array(domains.map { .string($0) })
        return try await call("/mini-programs/v1/author/apps", JSONWriter.write(try #require(object)), from: author, key: key).0
    }

    // MARK: Signed calls

    struct Raw: Sendable {
        var status: Int
        var headers: HTTPFields
        var body: [UInt8]
    }

    /// Sends a signed call; the answer is not looked at.
    func send(
        _ path: String, _ body: [UInt8], from caller: String, key: RSAPrivateKey? = nil, version: Int = 1, time: String? = nil,
        type: String = "application/json", sent: [UInt8]? = nil
    ) async throws -> Raw {
        let time = time ?? wallet.clock.now().openAPITime
        let signature = try OpenAPISignature(
            path: path, clientID: caller, time: time, body: body, by: key ?? keys.client, keyVersion: version)
        var headers: HTTPFields = [.contentType: type]
        headers[.clientID] = caller
        headers[.requestTime] = time
        headers[.callSignature] = signature.description
        return try await wallet.client.execute(uri: path, method: .post, headers: headers, body: ByteBuffer(bytes: sent ?? body)) {
            Raw(status: Int($0.status.code), headers: $0.headers, body: Array($0.body.readableBytesView))
        }
    }

    /// Sends a call that nobody can verify: it is refused without a signature.
    func refusal(
        _ path: String, _ body: [UInt8], from caller: String = client, key: RSAPrivateKey? = nil, version: Int = 1, sent: [UInt8]? = nil,
        _ place: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let raw = try await send(path, body, from: caller, key: key, version: version, sent: sent)
        #expect(raw.status == 200, sourceLocation: place)
        #expect(raw.headers[.callSignature] == nil && raw.headers[.responseTime] == nil, sourceLocation: place)
        return try OpenAPIResult(JSONReader.readObject(raw.body)).resultCode
    }

    /// Sends a signed call and holds the answer to its signature.
    func call(
        _ path: String, _ body: [UInt8], from caller: String = client, key: RSAPrivateKey? = nil, version: Int = 1, time: String? = nil,
        type: String = "application/json", sent: [UInt8]? = nil, _ place: SourceLocation = #_sourceLocation
    ) async throws -> (OpenAPIResult, JSONObject) {
        let raw = try await send(path, body, from: caller, key: key, version: version, time: time, type: type, sent: sent)
        #expect(raw.status == 200, sourceLocation: place)
        let answer = UnverifiedOpenAPIMessage(
            path: path, clientID: raw.headers[.clientID] ?? "", time: raw.headers[.responseTime] ?? "", body: raw.body,
            signature: try OpenAPISignature(header: raw.headers[.callSignature] ?? ""))
        let object = try answer.verified(by: [1: keys.server.publicKey]).object
        return (try OpenAPIResult(object), object)
    }

    func applyToken(
        _ grant: ApplyTokenRequest.Grant, _ version: ApplyTokenRequest.Version = .v2, app: String = app, client: String = client,
        key: RSAPrivateKey? = nil, wallet name: String? = nil
    ) async throws -> ApplyTokenAnswer {
        let request = ApplyTokenRequest(
            version: version, appID: version == .v2 ? app : nil, authClientID: version == .v2 ? client : nil,
            referenceClientID: version == .v1 ? app : nil, grant: grant, customerBelongsTo: name)
        return try ApplyTokenAnswer(try await call(version.path, request.body, from: client, key: key).1)
    }

    func inquire(
        _ token: Secret<String>, app: String = app, client: String = client, key: RSAPrivateKey? = nil
    ) async throws -> InquiryUserInfoAnswer {
        let request = InquiryUserInfoRequest(appID: app, authClientID: client, accessToken: token)
        return try InquiryUserInfoAnswer(try await call(InquiryUserInfoRequest.path, request.body, from: client, key: key).1)
    }

    // MARK: The super app

    /// A session of a user, as the super app keeps it.
    func signIn(_ customer: DemoCustomer = TestWallet.mei) async throws -> String {
        let browser = wallet.browser()
        try await browser.logIn(customer)
        return try #require(browser.cookies[Visitor.cookieName])
    }

    func asUser(
        _ session: String?, _ method: HTTPRequest.Method, _ path: String, _ body: [UInt8]? = nil, headers added: HTTPFields = [:]
    ) async throws -> Raw {
        var headers = added
        if let session { headers[.authorization] = "Bearer \(session)" }
        if body != nil { headers[.contentType] = "application/json" }
        return try await wallet.client.execute(uri: path, method: method, headers: headers, body: body.map { ByteBuffer(bytes: $0) }) {
            Raw(status: Int($0.status.code), headers: $0.headers, body: Array($0.body.readableBytesView))
        }
    }

    func applyAuthCode(
        _ session: String, _ scopes: [String], app: String = app, client: String = client, agreement: String? = nil
    ) async throws -> ApplyAuthCodeAnswer {
        let request = ApplyAuthCodeRequest(appID: app, authClientID: client, scopes: scopes, referenceAgreementID: agreement)
        let raw = try await asUser(session, .post, ApplyAuthCodeRequest.path, request.body)
        #expect(raw.status == 200)
        return try ApplyAuthCodeAnswer(JSONReader.readObject(raw.body))
    }

    func agree(_ session: String, _ scopes: [String], app: String = app, client: String = client) async throws -> JSONObject {
        let request = ApplyAuthCodeRequest(appID: app, authClientID: client, scopes: scopes)
        return try JSONReader.readObject(try await asUser(session, .post, "/v1/authorizations/agreements", request.body).body)
    }

    /// A code for scopes that the user agrees to where that is needed.
    func code(_ session: String, _ scopes: [String], app: String = app, client: String = client) async throws -> Secret<String> {
        let first = try await applyAuthCode(session, scopes, app: app, client: client)
        if let code = first.authCode { return code }
        #expect(first.result == ApplyAuthCodeAnswer.pendingAgreement)
        let agreement = try await agree(session, first.pendingScopes, app: app, client: client)["referenceAgreementId"]?.string
        let second = try await applyAuthCode(session, scopes, app: app, client: client, agreement: agreement)
        return try #require(second.authCode)
    }

    func tokens(_ session: String, _ scopes: [String]) async throws -> ApplyTokenAnswer.Tokens {
        try #require(try await applyToken(.authorizationCode(code(session, scopes))).tokens)
    }

    // MARK: Packages

    static let files: [String: [UInt8]] = [
        "app.json": Array(#"{"pages":["pages/start/index"]}"#.utf8), "app.js": Array("App({})".utf8),
        "pages/start/index.axml": Array("<view>Tea</view>".utf8), "pages/start/index.js": Array("Page({})".utf8),
    ]

    func package(
        _ version: MiniProgramVersion = .init(1, 0, 0), app: String = app, files: [String: [UInt8]] = files, keyID: KeyID = "author-key",
        key: P256PrivateKey? = nil, container: MiniProgramVersion = .init(1, 0, 0)
    ) throws -> MiniProgramPackage {
        try MiniProgramPackage(
            appID: app, version: version, minimumContainer: container, files: files, signedBy: key ?? keys.packages, keyID: keyID,
            algorithm: .ecdsaSHA256)
    }

    static func zip(_ package: MiniProgramPackage, change: (inout [(path: String, bytes: [UInt8])]) -> Void = { _ in }) throws -> [UInt8] {
        var entries = package.entries
        change(&entries)
        return try ZipArchive(entries: entries.map { .init(name: $0.path, bytes: $0.bytes) }).packed()
    }

    func upload(_ archive: [UInt8], app: String = app, from author: String = author, key: RSAPrivateKey? = nil) async throws -> (
        OpenAPIResult, JSONObject
    ) {
        try await call("/mini-programs/v1/author/apps/\(app)/versions", archive, from: author, key: key, type: "application/zip")
    }

    /// Uploads a version, and returns it with its stamp.
    func build(
        _ version: MiniProgramVersion = .init(1, 0, 0), container: MiniProgramVersion = .init(1, 0, 0), marker: String = ""
    ) async throws -> MiniProgramVersion {
        wallet.clock.advance(by: .milliseconds(5))
        var files = Self.files
        files["app.js"] = Array("App({marker:'\(marker)\(version)'})".utf8)
        let (result, object) = try await upload(Self.zip(package(version, files: files, container: container)))
        #expect(result.resultCode == "SUCCESS", "\(result.resultMessage)")
        return try #require(object["releaseVersion"]?.string.flatMap { MiniProgramVersion(text: $0) })
    }

    func step(
        _ version: MiniProgramVersion, _ step: String, users: [String] = [], from author: String = author, key: RSAPrivateKey? = nil
    ) async throws -> OpenAPIResult {
        var object = JSONValue.texts(["releaseVersion": version.description, "step": step]).object ?? JSONObject()
        if !users.isEmpty { object["users"] = .array(users.map { .string($0) }) }
        return try await call(
            "/mini-programs/v1/author/apps/\(Self.app)/steps", JSONWriter.write(object), from: author, key: key
        ).0
    }

    /// Uploads a version and brings it through its review.
    func approved(_ version: MiniProgramVersion, container: MiniProgramVersion = .init(1, 0, 0)) async throws -> MiniProgramVersion {
        let built = try await build(version, container: container)
        #expect(try await step(built, "submit").resultCode == "SUCCESS")
        try await take(.approve, built)
        return built
    }

    func released(_ version: MiniProgramVersion, container: MiniProgramVersion = .init(1, 0, 0)) async throws -> MiniProgramVersion {
        let built = try await approved(version, container: container)
        try await take(.release, built)
        return built
    }

    func take(_ event: ReleaseState.Event, _ version: MiniProgramVersion, users: [String]? = nil) async throws {
        try await office.take(event, appID: Self.app, version: version, users: users, by: "ada", reason: "test")
    }

    func metadata(
        _ session: String? = nil, container: String = "1.0.0", version: String? = nil, app: String = app, known: String? = nil
    ) async throws -> Raw {
        var headers = HTTPFields()
        headers[.ifNoneMatch] = known
        let query = "container=\(container)" + (version.map { "&version=\($0)" } ?? "")
        return try await asUser(session, .get, "/mini-programs/v1/apps/\(app)/metadata?\(query)", headers: headers)
    }

    /// The version that somebody gets, verified as a container does.
    func delivered(_ session: String? = nil, container: String = "1.0.0") async throws -> MiniProgramMetadata {
        let raw = try await metadata(session, container: container)
        #expect(raw.status == 200, "\(String(decoding: raw.body, as: UTF8.self))")
        let header = try #require(HTTPField.Name(MetadataSignature.headerName).flatMap { raw.headers[$0] })
        return try UnverifiedMiniProgramMetadata(bytes: raw.body, signature: MetadataSignature(header: header))
            .verified(by: KeyRing(active: "platform-1", keys.platform.publicKey), appID: Self.app)
    }
}
