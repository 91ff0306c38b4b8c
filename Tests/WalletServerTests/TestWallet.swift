import BillfoldDiagnosis
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Synchronization
import Testing

@testable import WalletServer

/// A clock that a test moves.
final class HandClock: WallClock {
    private let instant = Mutex(Timestamp(secondsSince1970: 1_795_204_800))
    func now() -> Timestamp { instant.withLock { $0 } }
    func advance(by duration: Duration) { instant.withLock { $0 = $0.advanced(by: duration) } }
}

/// Everything that was traced or logged, to be looked at and searched.
final class Recorder: TraceSink {
    private let held = Mutex<[TraceEntry]>([])
    private let text = Mutex("")
    func record(_ entry: TraceEntry) { held.withLock { $0.append(entry) } }
    func log(_ line: String) { text.withLock { $0 += line + "\n" } }
    var entries: [TraceEntry] { held.withLock { $0 } }
    var log: String { text.withLock { $0 } }
}

struct RecordingLogHandler: LogHandler {
    let recorder: Recorder
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .trace
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }
    func log(event: LogEvent) { recorder.log("\(event.level) \(event.message) \(event.metadata ?? [:])") }
}

/// A wallet in this process, with two customers and a gateway by script.
struct TestWallet: Sendable {
    let store: TestStore
    let server: WalletServer
    let client: any TestClientProtocol
    let gateway: ScriptedGateway
    let clock: HandClock
    let recorder: Recorder

    static let mei = DemoCustomer.all[0]
    static let wei = DemoCustomer.all[1]
    static let cny: BillfoldMoney.Currency = {
        guard let currency = try? BillfoldMoney.Currency("CNY") else { fatalError("CNY is a currency") }
        return currency
    }()

    static func configuration() throws -> WalletConfiguration {
        var configuration = WalletConfiguration(
            mode: .test, owner: try MerchantID("wallet"), currency: cny,
            keys: .init(
                audit: SymmetricKey(data: [UInt8](repeating: 1, count: 32)), hashing: SymmetricKey(data: [UInt8](repeating: 2, count: 32))),
            gateway: .init(
                origin: "http://gateway.test", credential: Secret(ScriptedGateway.credential), callerKey: Secret(ScriptedGateway.callerKey))
        )
        configuration.passwordCost = PasswordHash.Cost(logRounds: 4)
        configuration.demoCustomers = DemoCustomer.all
        configuration.loginScale = 100
        configuration.checkoutRate = RateLimit(perSecond: 1000, burst: 1000)
        return configuration
    }

    /// Makes a server over a store, as another process would.
    static func server(
        on database: any Database, gateway: any HTTPSender, clock: HandClock, recorder: Recorder, label: String = "wallet",
        change: (inout WalletConfiguration) -> Void = { _ in }
    ) throws -> (WalletServer, ServerSurroundings) {
        let random = Mutex(SeededGenerator(seed: StoreEngine.seed &+ (label == "wallet" ? 0 : 1), label: label))
        var configuration = try configuration()
        change(&configuration)
        let surroundings = ServerSurroundings(
            logger: Logger(label: "wallet") { _ in RecordingLogHandler(recorder: recorder) }, clock: clock,
            uptime: { .microseconds(clock.now().microseconds) }, errors: ErrorMapping().withWallet())
        let server = try WalletServer(
            configuration: configuration, database: database, http: gateway, trace: recorder,
            identifiers: IdentifierSource { random.withLock { $0.next() } },
            random: RandomBytes { count in random.withLock { random in (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
            },
            surroundings: surroundings)
        return (server, surroundings)
    }

    static func open(
        _ engine: StoreEngine = .sqlite, faults: FaultyDatabase.Faults? = nil,
        change: @Sendable @escaping (inout WalletConfiguration) -> Void = { _ in },
        body: @Sendable @escaping (TestWallet) async throws -> Void
    ) async throws {
        try await engine.withStore { store in try await open(on: store, faults: faults, change: change, body: body) }
    }

    /// As ``open(_:faults:change:body:)``, on a store of the caller's.
    static func open(
        on store: TestStore, faults: FaultyDatabase.Faults? = nil, change: @Sendable (inout WalletConfiguration) -> Void = { _ in },
        body: @Sendable @escaping (TestWallet) async throws -> Void
    ) async throws {
        let (clock, recorder) = (HandClock(), Recorder())
        let gateway = ScriptedGateway(clock: clock)
        try await MigrationRunner(WalletServer.migrations, clock: clock, logger: TestStore.logger).run(on: store.database)
        let (server, surroundings) = try server(
            on: faults.map { FaultyDatabase(store.database, seed: StoreEngine.seed, faults: $0) } ?? store.database, gateway: gateway,
            clock: clock, recorder: recorder, change: change)
        try await server.backOffice.openDemoAccounts()
        var limits = ServerLimits()
        limits.rate = nil
        var listener = ListenerConfiguration(name: "public", address: ListenAddress(port: 0), limits: limits, hosts: ["localhost"])
        listener.foreignForms = WalletServer.foreignForms
        let router = surroundings.router(for: listener)
        server.addRoutes(to: router)
        try await Application(responder: router.buildResponder(), logger: surroundings.logger).test(.router) { client in
            try await body(
                TestWallet(store: store, server: server, client: client, gateway: gateway, clock: clock, recorder: recorder))
        }
    }

    func browser(language: String = "en") -> Browser { Browser(client: client, language: language) }

    /// Opens a checkout as a client without the wallet does, and returns its path.
    func checkout(scheme: String? = "billfoldshop", language: String? = nil) async throws -> String {
        var form = ["order": #"partner="2088101122136241"&sign="x""#]
        form["scheme"] = scheme
        form["language"] = language
        let answer = try await browser().send(.post, "/cashier", form: form)
        #expect(answer.status == 303, "\(answer.body)")
        return try #require(answer.headers[.location])
    }

    /// A customer's browser at the password of a new checkout.
    func atPassword(
        _ customer: DemoCustomer = mei, scheme: String? = "billfoldshop", language: String? = nil
    ) async throws -> (Browser, String) {
        let path = try await checkout(scheme: scheme, language: language)
        let browser = browser()
        try await browser.logIn(customer, at: "\(path)/login")
        let means = try await browser.submit(path + "/means", ["means": "balance"])
        #expect(means.status == 303, "\(means.body)")
        #expect(means.headers[.location] == "\(path)/password")
        return (browser, path)
    }

    func balance(_ customer: DemoCustomer = mei) async throws -> Int64 {
        try await server.backOffice.balance(account: customer.number).minorUnits
    }

    func link(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, key: String = ScriptedGateway.callerKey
    ) async throws -> Browser.Answer {
        var headers: HTTPFields = [.authorization: "Bearer \(key)"]
        if body != nil { headers[.contentType] = "application/json" }
        return try await client.execute(
            uri: "/wallet/link/v1/\(path)", method: method, headers: headers, body: body.map { ByteBuffer(string: $0) }
        ) { Browser.Answer($0) }
    }

    func expectBalanced(_ place: SourceLocation = #_sourceLocation) async throws {
        let standing = try await server.backOffice.standing()
        #expect(standing.isBalanced, "\(standing)", sourceLocation: place)
    }
}

/// A browser without script: cookies, forms, and the pages that it was shown.
final class Browser: Sendable {
    struct Answer: Sendable {
        var status: Int
        var headers: HTTPFields
        var body: String

        init(_ response: TestResponse) {
            status = Int(response.status.code)
            headers = response.headers
            body = String(buffer: response.body)
        }

        var json: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] ?? [:] }
        var errorCode: String? { (json["error"] as? [String: Any])?["code"] as? String }

        /// A hidden field's value.
        func field(_ name: String) -> String? {
            guard let start = body.range(of: "name=\"\(name)\" value=\"") else { return nil }
            return String(body[start.upperBound...].prefix { $0 != "\"" })
        }
    }

    static let refresh = HTTPField.Name("Refresh")!  // swift-format-ignore: NeverForceUnwrap

    private let client: any TestClientProtocol
    private let language: String
    private let jar = Mutex<[String: String]>([:])

    init(client: any TestClientProtocol, language: String) {
        self.client = client
        self.language = language
    }

    var cookies: [String: String] {
        get { jar.withLock { $0 } }
        set { jar.withLock { $0 = newValue } }
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, form: [String: String]? = nil, accept: String = "text/html",
        headers added: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = added
        headers[.accept] = accept
        headers[.acceptLanguage] = language
        let cookies = cookies
        if !cookies.isEmpty { headers[.cookie] = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ") }
        if form != nil { headers[.contentType] = "application/x-www-form-urlencoded" }
        let body = form.map { form in
            form.map { "\(Self.encoded($0.key))=\(Self.encoded($0.value))" }.joined(separator: "&")
        }
        let answer = try await client.execute(uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) }) {
            Answer($0)
        }
        for cookie in answer.headers[values: .setCookie] {
            let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            jar.withLock { $0[String(pair[0])] = String(pair.count > 1 ? pair[1] : "") }
        }
        return answer
    }

    func get(_ path: String) async throws -> Answer { try await send(.get, path) }

    /// Loads a page and sends its form.
    func submit(_ path: String, _ values: [String: String], to action: String? = nil) async throws -> Answer {
        let page = try await get(path)
        var form = values
        let csrf = try #require(page.field("csrf"), "\(path): \(page.status) \(page.headers[.location] ?? "") \(page.body)")
        form["csrf"] = csrf
        for name in ["amount", "scopes"] where form[name] == nil { form[name] = page.field(name) }
        return try await send(.post, action ?? path, form: form)
    }

    func logIn(_ customer: DemoCustomer, at path: String = "/wallet/login") async throws {
        let answer = try await submit(path, ["name": customer.email, "password": customer.loginPassword])
        #expect(answer.status == 303, "\(answer.body)")
    }

    func pay(_ path: String, _ password: String) async throws -> Answer { try await submit(path + "/password", ["password": password]) }

    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
