import Alipay
import BillfoldDiagnosis
import BillfoldJSON
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
import PaymentCrypto
import Synchronization
import Testing

@testable import AlipayServer

/// A clock that a test moves.
final class HandClock: WallClock {
    private let instant = Mutex(Timestamp(secondsSince1970: 1_795_204_800))  // 2026-11-21 04:00:00 in China
    func now() -> Timestamp { instant.withLock { $0 } }
    func advance(by duration: Duration) { instant.withLock { $0 = $0.advanced(by: duration) } }
}

/// Everything that was traced, to be looked at and searched.
final class Recorder: TraceSink {
    private let held = Mutex<[TraceEntry]>([])
    func record(_ entry: TraceEntry) { held.withLock { $0.append(entry) } }
    var entries: [TraceEntry] { held.withLock { $0 } }
}

/// The merchants' servers and the wallet in one: keeps what arrives, and answers by script.
final class Outside: HTTPSender {
    struct Received: Sendable {
        var url: String
        var form: [UInt8]
        var headers: HTTPFields
        var destination: OutgoingRequest.Destination
    }

    private struct State {
        var notifications: [Received] = []
        /// The wallet's credits by request id.
        var credits: [String: String] = [:]
        var reply: (status: Int, body: String) = (200, "success")
        var walletFails = 0
        var isUnreachable = false
        /// Why nothing is sent.
        var hindrance: SendFailure.Code?
        /// A wallet that answers itself.
        var wallet: (any HTTPSender)?
        /// The wallet's books by day.
        var books: [String: String] = [:]
    }
    private let state = Mutex(State())

    var notifications: [Received] { state.withLock { $0.notifications } }
    var credits: [String: String] { state.withLock { $0.credits } }
    func reply(_ status: Int, _ body: String) { state.withLock { $0.reply = (status, body) } }
    func failRefunds(_ times: Int) { state.withLock { $0.walletFails = times } }
    func connect(_ wallet: any HTTPSender) { state.withLock { $0.wallet = wallet } }
    func keep(books: String, of day: String) { state.withLock { $0.books[day] = books } }
    func beUnreachable(_ value: Bool = true) { state.withLock { $0.isUnreachable = value } }

    func hinder(_ code: SendFailure.Code?) { state.withLock { $0.hindrance = code } }

    func send(_ request: OutgoingRequest) async throws(SendFailure) -> OutgoingAnswer {
        if let code = state.withLock({ $0.hindrance }) { throw SendFailure(code: code, reason: "hindered", mayHaveArrived: false) }
        guard !state.withLock({ $0.isUnreachable }) else {
            throw SendFailure(code: .notConnected, reason: "nobody listens", mayHaveArrived: false)
        }
        if let place = request.url.range(of: "/wallet/link/v1/books?day=") {
            let isOurs = request.method == .get && request.headers[.authorization] == "Bearer gk_test_0123456789abcdef0123456789"
            let text = state.withLock { $0.books[String(request.url[place.upperBound...])] } ?? #"{"entries":[]}"#
            return OutgoingAnswer(status: isOurs ? .ok : .unauthorized, headers: [:], body: Array(text.utf8))
        }
        if request.url.hasSuffix("/wallet/link/v1/refunds") {
            if let wallet = state.withLock({ $0.wallet }) { return try await wallet.send(request) }
            guard let json = try? AlipayJSON.read(request.body), let id = json["requestId"]?.string,
                let amount = json["amount"]?["value"]?.string
            else { return OutgoingAnswer(status: .badRequest, headers: [:], body: []) }
            return state.withLock { state in
                // The wallet books it whether or not its answer arrives.
                state.credits[id] = amount
                if state.walletFails > 0 {
                    state.walletFails -= 1
                    return OutgoingAnswer(status: .serviceUnavailable, headers: [:], body: [])
                }
                return OutgoingAnswer(status: .ok, headers: [:], body: Array(#"{"state":"done"}"#.utf8))
            }
        }
        return state.withLock { state in
            state.notifications.append(
                Received(url: request.url, form: request.body, headers: request.headers, destination: request.destination))
            return OutgoingAnswer(
                status: HTTPResponse.Status(code: state.reply.status), headers: [:], body: Array(state.reply.body.utf8))
        }
    }
}

/// RSA keys take long to make, so all tests share them.
struct TestKeys: Sendable {
    static let shared = Result { try TestKeys() }

    let partner, application, stranger, gatewayPartners, gatewayPlatform: LegacyRSAPrivateKey
    let authority: OrderGatewayAuthority
    let certified: RSAPrivateKey

    private init() throws {
        partner = try LegacyRSAPrivateKey(bits: 2048)
        application = try LegacyRSAPrivateKey(bits: 2048)
        stranger = try LegacyRSAPrivateKey(bits: 2048)
        gatewayPartners = try LegacyRSAPrivateKey(bits: 1024)
        gatewayPlatform = try LegacyRSAPrivateKey(bits: 1024)
        certified = try RSAPrivateKey(bits: 2048)
        let now = Date(timeIntervalSince1970: 1_795_204_800)
        authority = try OrderGatewayAuthority.make(
            key: RSAPrivateKey(bits: 2048), serialNumber: [1, 2, 3], from: now.addingTimeInterval(-86_400),
            to: now.addingTimeInterval(86_400 * 3_650))
    }
}

/// A gateway in this process with three merchants: a domestic one, a cross-border one, and one that works with certificates.
struct OrderGatewayHarness: Sendable {
    static let domestic = "2088000000000101"
    static let crossBorder = "2088000000000202"
    static let certified = "2088000000000303"
    static let appID = "2021000000000101"
    static let certifiedAppID = "2021000000000303"
    static let md5 = "two-leaves-and-a-bud-0123456789ab"
    static let walletKey = "wk_test_0123456789abcdef0123456789"
    static let gatewayKey = "gk_test_0123456789abcdef0123456789"
    static let onboardingKey = "ok_test_0123456789abcdef0123456789"
    static let notify = "http://127.0.0.1:9100/alipay-merchant/notify"
    static let buyer = "2088000000000017"

    let store: TestStore
    let server: AlipayServer
    let client: any TestClientProtocol
    let clock: HandClock
    /// The gateway's clock, where merchants may be ahead of everybody.
    let ownTime: SpaceClock?
    let recorder: Recorder
    let outside: Outside
    let keys: TestKeys

    struct Answer: Sendable {
        var status: Int
        var headers: HTTPFields
        var bytes: [UInt8]

        var body: String { String(decoding: bytes, as: UTF8.self) }
        var json: JSONValue? { try? AlipayJSON.read(bytes) }
        var errorCode: String? { json?["error"]?["code"]?.string }
        subscript(key: String) -> String? { json?[key]?.scalar }
    }

    static func open(
        _ engine: StoreEngine = .sqlite, faults: FaultyDatabase.Faults? = nil, spaces: MemorySpaces? = nil,
        change: @Sendable @escaping (inout AlipayServerConfiguration) -> Void = { _ in },
        body: @Sendable @escaping (OrderGatewayHarness) async throws -> Void
    ) async throws {
        let keys = try TestKeys.shared.get()
        try await engine.withStore { store in
            let (clock, recorder, outside) = (HandClock(), Recorder(), Outside())
            let ownTime = if let spaces { try await SpaceClock(base: clock, book: spaces) } else { nil as SpaceClock? }
            let server = try await make(store, faults, keys, surroundings(clock, ownTime: ownTime), recorder, outside, change)
            for merchant in try merchants(keys) { _ = try await server.onboarding.register(Array(merchant.utf8)) }
            try await server.rates.publish(RateFile("20261121|010000|HKD|0.9123\n20261121|010000|JPY|0.0479\n"))
            try await serve(server, clock, OrderGatewayHarness.surroundings(clock, ownTime: ownTime)) { client in
                try await body(
                    OrderGatewayHarness(
                        store: store, server: server, client: client, clock: clock, ownTime: ownTime, recorder: recorder, outside: outside,
                        keys: keys))
            }
        }
    }

    static func surroundings(_ clock: HandClock, ownTime: SpaceClock? = nil) -> ServerSurroundings {
        ServerSurroundings(
            logger: TestStore.logger, clock: ownTime ?? clock, uptime: { .microseconds(clock.now().microseconds) },
            errors: ErrorMapping().withAlipay())
    }

    private static func make(
        _ store: TestStore, _ faults: FaultyDatabase.Faults?, _ keys: TestKeys, _ surroundings: ServerSurroundings, _ recorder: Recorder,
        _ outside: Outside,
        _ change: (inout AlipayServerConfiguration) -> Void
    ) async throws -> AlipayServer {
        let random = Mutex(SeededGenerator(seed: StoreEngine.seed, label: "gateway"))
        var configuration = AlipayServerConfiguration(
            mode: .test,
            keys: OrderGatewayKeys(
                audit: SymmetricKey(data: [UInt8](repeating: 1, count: 32)),
                hashing: SymmetricKey(data: [UInt8](repeating: 2, count: 32)),
                sealer: EnvelopeSealer(ring: KeyRing(active: "k1", try SealingKey(bytes: [UInt8](repeating: 3, count: 32)))),
                partners: keys.gatewayPartners, platform: keys.gatewayPlatform, authority: keys.authority,
                signer: { algorithm, key in algorithm == .rsa ? AlipayRSASigner.rsa(key) : AlipayRSASigner.rsa2(key) }),
            wallets: [
                .init(
                    id: "ALIPAY_CN", origin: "http://wallet.test", bearer: Secret(walletKey),
                    credential: Secret(gatewayKey))
            ], origin: "http://gateway.test")
        configuration.onboardingKey = Secret(onboardingKey)
        configuration.passwordCost = .init(logRounds: 4, blockSize: 1)
        configuration.callRate = RateLimit(perSecond: 100_000, burst: 100_000)
        change(&configuration)
        try await MigrationRunner(AlipayServer.migrations, clock: surroundings.clock, logger: TestStore.logger).run(on: store.database)
        return try AlipayServer(
            configuration: configuration,
            database: faults.map { FaultyDatabase(store.database, seed: StoreEngine.seed, faults: $0) } ?? store.database, http: outside,
            addresses: try AddressPolicy(mode: configuration.mode), trace: recorder,
            identifiers: IdentifierSource { random.withLock { $0.next() } }, surroundings: surroundings)
    }

    private static func serve(
        _ server: AlipayServer, _ clock: HandClock, _ surroundings: ServerSurroundings,
        _ body: @Sendable @escaping (any TestClientProtocol) async throws -> Void
    ) async throws {
        var limits = ServerLimits()
        limits.rate = nil
        let router = surroundings.router(
            for: ListenerConfiguration(name: "public", address: ListenAddress(port: 0), limits: limits, hosts: ["localhost"]))
        server.addRoutes(to: router)
        try await Application(responder: router.buildResponder(), logger: surroundings.logger).test(.router) { try await body($0) }
    }

    static func merchants(_ keys: TestKeys) throws -> [String] {
        let partner = StrictBase64.encode(keys.partner.publicKey.subjectPublicKeyInfo)
        let application = StrictBase64.encode(keys.application.publicKey.subjectPublicKeyInfo)
        let request = StrictBase64.encode(
            try CertificateRequest(subject: CertificateName([.init(type: .commonName, value: "shop")]), signer: keys.certified).der)
        let origins = #""notifyOrigins":["http://127.0.0.1:9100"]"#
        return [
            """
            {"partner":"\(domestic)","name":"Two Leaves Tea","email":"shop@example.test","rsa":"\(partner)","rsa2":"\(partner)",\(origins),
            "charsetMode":"documented","reading":"strict",
            "md5":"\(md5)","applications":[{"appID":"\(appID)","rsa":"\(application)","rsa2":"\(application)"}]}
            """,
            """
            {"partner":"\(crossBorder)","name":"Tea Abroad","currency":"HKD","rsa":"\(partner)","md5":"\(md5)","charsetMode":"lenient",
            "reading":"strict",
            "feePercent":"0",\(origins)}
            """,
            """
            {"partner":"\(certified)","name":"Certified Tea",\(origins),"charsetMode":"documented","reading":"strict",
            "applications":[{"appID":"\(certifiedAppID)","certificateRequest":"\(request)"}]}
            """,
        ]
    }

    // MARK: HTTP

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, type: String = "application/json", bearer: String? = nil
    ) async throws -> Answer {
        var headers: HTTPFields = [:]
        headers[.authorization] = bearer.map { "Bearer \($0)" }
        if body != nil { headers[.contentType] = type }
        return try await client.execute(uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) }) {
            response in
            Answer(status: Int(response.status.code), headers: response.headers, body: response.body)
        }
    }

    func link(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil) async throws -> Answer {
        try await send(method, "/link/v1/\(path)", body, bearer: Self.walletKey)
    }

    // MARK: Orders

    /// A legacy order; `nil` takes a parameter out.
    func legacyOrder(
        _ number: String, partner: String = domestic, key: LegacyRSAPrivateKey? = nil, signer: (any AlipaySigner)? = nil,
        with extra: [(String, String?)] = []
    ) async throws -> String {
        var pairs: [(name: String, value: String)] = [
            ("service", "mobile.securitypay.pay"), ("partner", partner), ("_input_charset", "utf-8"), ("notify_url", Self.notify),
            ("out_trade_no", number), ("subject", "测试 tea"), ("payment_type", "1"), ("seller_id", partner), ("total_fee", "10.00"),
            ("body", "green tea"), ("it_b_pay", "30m"),
        ]
        if partner == Self.crossBorder { pairs += [("currency", "HKD"), ("forex_biz", "FP"), ("product_code", "NEW_WAP_OVERSEAS_SELLER")] }
        for (name, value) in extra {
            pairs.removeAll { $0.name == name }
            if let value { pairs.append((name, value)) }
        }
        let order = try await LegacyOrder.signed(pairs, by: AnySigner(signer ?? AlipayRSASigner.rsa(key ?? keys.partner)))
        return String(decoding: order.bytes, as: UTF8.self)
    }

    func modernOrder(_ number: String, amount: String = "10.00", extra: String = "") async throws -> String {
        try await modernText(
            "alipay.trade.app.pay",
            #"{"out_trade_no":"\#(number)","total_amount":"\#(amount)","subject":"测试 tea","product_code":"QUICK_MSECURITY_PAY"\#(extra)}"#,
            added: [("notify_url", Self.notify)])
    }

    func modernText(
        _ method: String, _ content: String, app: String = appID, signer: (any AlipaySigner)? = nil, added: [(String, String)] = []
    ) async throws -> String {
        let parameters: [(name: String, value: String)] =
            [
                ("app_id", app), ("method", method), ("format", "JSON"), ("timestamp", ChinaTime.text(clock.now())), ("version", "1.0"),
                ("biz_content", content),
            ] + added.map { (name: $0.0, value: $0.1) }
        let signer = AnySigner(signer ?? AlipayRSASigner.rsa2(keys.application))
        return try await ModernRequest.signed(parameters, by: signer).text
    }

    // MARK: The wallet's part

    func show(_ order: String, request: String = UUID().uuidString) async throws -> Answer {
        try await link(.post, "orders", Self.json([("requestId", request), ("order", order), ("channel", "app")]))
    }

    func openTrade(_ reference: String, buyer: String = buyer, request: String = UUID().uuidString) async throws -> Answer {
        try await link(
            .post, "trades",
            #"{"requestId":"\#(request)","ref":"\#(reference)","buyer":{"id":"\#(buyer)","logonID":"mei***@example.test"}}"#)
    }

    func pay(_ tradeNo: String, _ value: String, request: String, buyer: String = buyer) async throws -> Answer {
        try await link(
            .post, "payments",
            """
            {"requestId":"\(request)","tradeNo":"\(tradeNo)","buyerID":"\(buyer)","amount":{"value":"\(value)","currency":"CNY"},
            "funds":[{"channel":"ALIPAYACCOUNT","amount":{"value":"\(value)","currency":"CNY"}}]}
            """)
    }

    /// Shows an order and opens its trade; returns reference, trade number and what it costs.
    func begin(_ order: String) async throws -> (ref: String, tradeNo: String, payable: String) {
        let shown = try await show(order)
        let ref = try #require(shown["ref"], "\(shown.body)")
        let opened = try await openTrade(ref)
        return (ref, try #require(opened["tradeNo"], "\(opened.body)"), try #require(opened.json?["payable"]?["value"]?.string))
    }

    /// Pays a whole order and returns its trade number.
    @discardableResult
    func paid(_ order: String) async throws -> String {
        let begun = try await begin(order)
        let answer = try await pay(begun.tradeNo, begun.payable, request: "pay-\(begun.tradeNo)")
        #expect(answer.status == 200, "\(answer.body)")
        return begun.tradeNo
    }

    // MARK: The merchant's part

    /// Calls a method of the open platform and verifies what has to be signed.
    func modern(_ method: String, _ content: String) async throws -> JSONValue {
        let text = try await modernText(method, content)
        let answer = try await send(
            .post, "/gateway.do?charset=utf-8", text.replacing("charset=utf-8&", with: "").replacing("&charset=utf-8", with: ""),
            type: "application/x-www-form-urlencoded;charset=utf-8")
        #expect(answer.status == 200)
        return try #require(answer.json?[ModernAnswer.nodeName(method)] ?? answer.json?["error_response"], "\(answer.body)")
    }

    /// Uploads a file with a signed call of the cross-border partner.
    func upload(_ service: String, _ parameters: [(String, String)], file: String) async throws -> String {
        let request = try await LegacyServiceRequest.signed(
            [("service", service), ("partner", Self.crossBorder), ("_input_charset", "utf-8")] + parameters,
            by: AlipayMD5Signer(key: Secret(Self.md5)))
        let body =
            try request.parameters.texts().map { "--cut\r\nContent-Disposition: form-data; name=\"\($0.name)\"\r\n\r\n\($0.value)\r\n" }
            .joined()
            + "--cut\r\nContent-Disposition: form-data; name=\"file\"; filename=\"refunds.txt\"\r\nContent-Type: text/plain\r\n\r\n\(file)\r\n--cut--\r\n"
        return try await send(
            .post, "/gateway.do?_input_charset=utf-8",
            body.replacing(
                "--cut\r\nContent-Disposition: form-data; name=\"_input_charset\"\r\n\r\nutf-8\r\n", with: ""),
            type: "multipart/form-data; boundary=cut"
        ).body
    }

    func legacy(_ service: String, partner: String = domestic, _ parameters: [(String, String)]) async throws -> String {
        let request = try await LegacyServiceRequest.signed(
            [("service", service), ("partner", partner), ("_input_charset", "utf-8")] + parameters,
            by: AlipayMD5Signer(key: Secret(Self.md5)))
        return try await send(.get, "/gateway.do?\(request.text)").body
    }

    /// Runs the workers until nothing is due.
    func work() async throws {
        var busy = true
        while busy {
            // A worker whose claim is lost in the store looks again.
            let sent = (try? await server.outboxWorker.runOnce()) ?? 1
            let fired = (try? await server.deadlineWorker.runOnce()) ?? 1
            busy = sent + fired > 0
        }
    }

    // MARK: Books

    func balance(_ merchant: String) async throws -> [String: String] {
        let id = try MerchantID(merchant)
        return try await store.database.read { tx in
            let trial = try LedgerRecords.trialBalance(id, in: tx)
            #expect(try trial.imbalances() == [])
            return Dictionary(
                uniqueKeysWithValues: trial.accounts.filter { !$0.balance.isZero }.map {
                    ("\($0.account) \($0.balance.currency)", $0.balance.text)
                })
        }
    }

    static func json(_ members: [(String, String)]) -> String {
        JSONValue.object(JSONObject(members.map { .init($0.0, .string($0.1)) })).text
    }
}

extension OrderGatewayHarness.Answer {
    init(status: Int, headers: HTTPFields, body: ByteBuffer) {
        self.init(status: status, headers: headers, bytes: Array(body.readableBytesView))
    }
}
