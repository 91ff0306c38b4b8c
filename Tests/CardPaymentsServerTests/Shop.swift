import ApplePay
import ApplePayForging
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import CardPaymentsServer
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import PaymentCrypto
import Synchronization
import Testing
import UnionPay

final class HandClock: WallClock {
    private let instant = Mutex(Timestamp(secondsSince1970: 1_795_204_800))
    func now() -> Timestamp { instant.withLock { $0 } }
    func advance(by duration: Duration) { instant.withLock { $0 = $0.advanced(by: duration) } }
    var date: Date { Date(timeIntervalSince1970: TimeInterval(now().microseconds) / 1_000_000) }
}

final class MemoryTrace: TraceSink {
    private let held = Mutex<[TraceEntry]>([])
    func record(_ entry: TraceEntry) { held.withLock { $0.append(entry) } }
    var entries: [TraceEntry] { held.withLock { $0 } }
}

/// A merchant's server in this process, with a wallet that makes tokens and an acquirer that answers by script.
struct Shop: Sendable {
    static let apiKey = "sk_test_0123456789abcdef0123456789"
    static let cardNumber = "6250940099999998"

    let database: any Database
    /// The faults of the store, where some were asked for.
    let faults: FaultyDatabase?
    let server: CardPaymentsServer
    /// As it was when the shop opened.
    let merchant: MerchantProfile
    let client: any TestClientProtocol
    let acquirer: AcquirerStub
    let clock: HandClock
    /// The server's clock, where merchants may be ahead of everybody.
    let ownTime: SpaceClock?
    let trace: MemoryTrace
    let wallet: WalletAuthority
    let merchantCertificate: MerchantCertificate
    private let random: SharedGenerator

    final class SharedGenerator: Sendable {
        private let generator = Mutex(SeededGenerator(seed: 5, label: "shop"))
        func next() -> UInt64 { generator.withLock { $0.next() } }
    }

    struct Draw: RandomNumberGenerator {
        let shared: SharedGenerator
        mutating func next() -> UInt64 { shared.next() }
    }

    struct Answer: Sendable {
        var status: Int
        var body: String
        /// Whether the answer says that it is the first one to its key, given again.
        var isReplayed = false
        var json: [String: JSONValue] {
            guard let object = try? JSONReader.readObject(Array(body.utf8), maximumBytes: 10_000_000) else { return [:] }
            return Dictionary(object.members.map { ($0.key, $0.value) }) { first, _ in first }
        }
        var errorCode: String? { json["error"]?.object?["code"]?.string }
        var paymentState: String? { json["payment"]?.object?["state"]?.string }
        var paymentID: String { json["payment"]?.object?["id"]?.string ?? "" }
        var sheet: String? { json["sheet"]?.string }
    }

    struct PlacedOrder: Sendable {
        var id: String
        var secret: String
        var total: String
        var applicationData: [UInt8]
    }

    /// Opens a shop on an engine, and runs `body` against its routes.
    static func open(
        _ engine: StoreEngine = .sqlite, pending: CardPaymentsConfiguration.PendingPolicy = .acceptPending,
        sheetWait: Duration = .seconds(30), feeRate: String? = nil, lostReplies: Int = 0, mode: ServerMode = .test,
        spaces: MemorySpaces? = nil, change: @Sendable @escaping (inout CardPaymentsConfiguration) -> Void = { _ in },
        body: @Sendable @escaping (Shop) async throws -> Void
    ) async throws {
        try await engine.withStore { store in
            try await open(
                on: store.database, pending: pending, sheetWait: sheetWait, feeRate: feeRate, lostReplies: lostReplies, mode: mode,
                spaces: spaces, change: change, body: body)
        }
    }

    /// As ``open(_:pending:sheetWait:feeRate:lostReplies:mode:spaces:change:body:)``, on a store of the caller's.
    static func open(
        on base: any InspectableDatabase, pending: CardPaymentsConfiguration.PendingPolicy = .acceptPending,
        sheetWait: Duration = .seconds(30), feeRate: String? = nil, lostReplies: Int = 0, mode: ServerMode = .test,
        spaces: MemorySpaces? = nil, change: @Sendable (inout CardPaymentsConfiguration) -> Void = { _ in },
        body: @Sendable @escaping (Shop) async throws -> Void
    ) async throws {
        let faults = lostReplies > 0 ? FaultyDatabase(base, seed: StoreEngine.seed, faults: .init(lostReplies: lostReplies)) : nil
        let database: any Database = faults ?? base
        let clock = HandClock()
        let random = SharedGenerator()
        var draw = Draw(shared: random)
        let keys = try AcquirerKeys.shared.get()
        let wallet = try WalletAuthority(at: clock.date, using: &draw)
        let key = try P256PrivateKey(using: &draw)
        let identifier = "merchant.example.shop"
        let certificate = try MerchantCertificate(
            wallet.merchantCertificate(
                for: key.publicKey, merchantIdentifier: identifier, notBefore: clock.date.addingTimeInterval(-86_400), using: &draw))
        let merchant = MerchantProfile(
            id: try BillfoldPayments.MerchantID("shop"), applePayIdentifier: identifier,
            processingKeys: try .processing([ProcessingKey(.p256(key), certificate: certificate)]),
            acquirerID: try UnionPay.MerchantID("777290058167151"), signer: keys.merchantSigner,
            verifier: UnionPayVerifier(trust: UnionPayTrust(anchors: [keys.root])),
            expectedFeeRate: try feeRate.map { try Rational(decimal: $0) })
        var configuration = CardPaymentsConfiguration(
            mode: mode, merchants: [merchant], tokenTrust: mode == .test ? wallet.trust : .production,
            endpoints: .init(
                transaction: "https://127.0.0.1:8082/back", query: "https://127.0.0.1:8082/query",
                file: "https://127.0.0.1:8082/file", notification: "https://127.0.0.1:8080/unionpay/notify"),
            keys: .init(
                audit: SymmetricKey(data: [UInt8](repeating: 1, count: 32)),
                hashing: SymmetricKey(data: [UInt8](repeating: 2, count: 32)),
                sealer: EnvelopeSealer(ring: KeyRing(active: "k1", try SealingKey(bytes: [UInt8](repeating: 3, count: 32))))),
            pendingPolicy: pending)
        configuration.sheetWait = sheetWait
        change(&configuration)
        let served = configuration.merchants[0]
        let (acquirer, trace) = (AcquirerStub(keys), MemoryTrace())
        let ownTime = if let spaces { try await SpaceClock(base: clock, book: spaces) } else { nil as SpaceClock? }
        let started = ContinuousClock.now
        let surroundings = ServerSurroundings(
            logger: Logger(label: "shop") { _ in SwiftLogNoOpLogHandler() }, clock: ownTime ?? clock,
            uptime: { ContinuousClock.now - started },
            errors: ErrorMapping().withCardPayments())
        try await MigrationRunner(CardPaymentsServer.migrations, clock: clock, logger: surroundings.logger).run(on: base)
        let server = try CardPaymentsServer(
            configuration: configuration, database: database, http: acquirer, trace: trace,
            identifiers: IdentifierSource { random.next() }, surroundings: surroundings)
        // The key is made by an operator, who can ask again.
        while (try? await server.service.register(apiKey: Secret(apiKey), merchant: merchant.id, label: "test")) == nil {}
        var limits = ServerLimits()
        limits.rate = nil
        let router = surroundings.router(
            for: ListenerConfiguration(
                name: "public", address: ListenAddress(port: 0), limits: limits, hosts: ["localhost"]))
        server.addRoutes(to: router)
        try await Application(responder: router.buildResponder()).test(.router) { client in
            try await body(
                Shop(
                    database: database, faults: faults, server: server, merchant: served, client: client,
                    acquirer: acquirer, clock: clock, ownTime: ownTime, trace: trace,
                    wallet: wallet,
                    merchantCertificate: certificate, random: random))
        }
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: [UInt8]? = nil, bearer: String? = nil, key: String? = nil,
        exchange: String? = nil
    ) async throws -> Answer {
        var headers: HTTPFields = [:]
        if let exchange, let name = HTTPField.Name(Exchange.headerName) { headers[name] = exchange }
        headers[.authorization] = bearer.map { "Bearer \($0)" }
        if body != nil {
            headers[.contentType] = path.hasPrefix("/v1") ? "application/json" : "application/x-www-form-urlencoded;charset=UTF-8"
        }
        if let key, let name = HTTPField.Name("Idempotency-Key") { headers[name] = key }
        return try await client.execute(uri: path, method: method, headers: headers, body: body.map { ByteBuffer(bytes: $0) }) { response in
            Answer(
                status: Int(response.status.code), body: String(buffer: response.body),
                isReplayed: HTTPField.Name("Idempotent-Replayed").flatMap { response.headers[$0] } == "true")
        }
    }

    static let electronicOrder = """
        {"reference":"R","goods":"electronic","currency":"CNY","country":"CN","merchantName":"Shop",
         "lines":[{"label":"Song","unitAmount":"16.50","quantity":2,"taxRate":"0"}]}
        """

    func place(_ json: String = electronicOrder, reference: String = "A-1", exchange: String? = nil) async throws -> PlacedOrder {
        let text = json.replacingOccurrences(of: "\"reference\":\"R\"", with: "\"reference\":\"\(reference)\"")
        let answer = try await send(
            .post, "/v1/orders", Array(text.utf8), bearer: Self.apiKey, key: "order-\(reference)", exchange: exchange)
        #expect(answer.status == 201, "\(answer.body)")
        let data = Data(base64Encoded: answer.json["applicationData"]?.string ?? "") ?? Data()
        return PlacedOrder(
            id: try #require(answer.json["id"]?.string), secret: try #require(answer.json["clientSecret"]?.string),
            total: try #require(answer.json["total"]?.string), applicationData: Array(data))
    }

    /// What a phone's wallet hands over for an order.
    func token(
        for order: PlacedOrder, minorUnits: Int64? = nil, age: Duration = .zero, flaws: Set<TokenFlaw> = [], wallet: WalletAuthority? = nil,
        change: (inout TokenPlan) -> Void = { _ in }
    ) throws -> ComposedToken {
        let amount = try Amount(order.total, currency: Currency("CNY")).minorUnits
        let payload = PaymentPayload(
            applicationPrimaryAccountNumber: Secret(Self.cardNumber), applicationExpirationDate: "301231", currencyCode: "156",
            transactionAmount: minorUnits ?? amount,
            paymentData: .emv(.init(emvData: Secret("nyYIAQIDBAUGBwg="), encryptedPINData: Secret("0123456789abcdef"))))
        var plan = TokenPlan(
            version: .ecV1, payload: payload, merchant: merchantCertificate, applicationData: order.applicationData,
            signingTime: clock.date.addingTimeInterval(-TimeInterval(age.components.seconds)),
            paymentMethod: ApplePay.PaymentMethod(displayName: "UnionPay 9998", network: "ChinaUnionPay", type: "debit"), flaws: flaws)
        change(&plan)
        var draw = Draw(shared: random)
        return try TokenComposer(authority: wallet ?? self.wallet).compose(plan, using: &draw)
    }

    static func paymentBody(_ token: ComposedToken, extra: String = "") -> [UInt8] {
        Array(
            """
            {"token":{"paymentData":"\(Data(token.paymentData).base64EncodedString())",\
            "paymentMethod":{"displayName":"UnionPay 9998","network":"ChinaUnionPay","type":"debit"},\
            "transactionIdentifier":"\(token.transactionIdentifier)"}\(extra)}
            """.utf8)
    }

    func pay(
        _ order: PlacedOrder, _ token: ComposedToken, key: String = "pay-1", extra: String = "", exchange: String? = nil
    ) async throws -> Answer {
        try await send(
            .post, "/v1/orders/\(order.id)/payments", Self.paymentBody(token, extra: extra), bearer: order.secret, key: key,
            exchange: exchange)
    }

    func pay(_ order: PlacedOrder, key: String = "pay-1", exchange: String? = nil) async throws -> Answer {
        try await pay(order, token(for: order), key: key, exchange: exchange)
    }

    func notify(_ body: [UInt8], exchange: String? = nil) async throws -> Answer {
        try await send(.post, "/unionpay/notify", body, exchange: exchange)
    }

    /// Posts the notification for the newest message of a type.
    func notify(about type: TransactionType, amount: String? = nil, forged: Bool = false, exchange: String? = nil) async throws -> Answer {
        let fields = try #require(acquirer.received(type).last)
        return try await notify(acquirer.notification(of: fields, amount: amount, forged: forged), exchange: exchange)
    }

    func order(_ placed: PlacedOrder) async throws -> Answer { try await send(.get, "/v1/orders/\(placed.id)", bearer: placed.secret) }
    func payment(_ id: String) async throws -> Answer { try await send(.get, "/v1/payments/\(id)", bearer: Self.apiKey) }

    /// Lets time pass in steps, with the workers working, as they do beside a running server.
    func pass(_ total: Duration, step: Duration = .seconds(1)) async throws {
        var left = total
        while left > .zero {
            clock.advance(by: step)
            // A claim whose commit was lost leaves its rows leased; the next step sees to the others.
            if faults == nil { try await server.outboxWorker.runOnce() } else { _ = try? await server.outboxWorker.runOnce() }
            if faults == nil { try await server.deadlineWorker.runOnce() } else { _ = try? await server.deadlineWorker.runOnce() }
            left -= step
        }
    }

    /// Runs an operation while the workers work and time passes a second at a time.
    func whileTimePasses<Value: Sendable>(_ operation: @Sendable @escaping () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await operation() }
            group.addTask {
                while !Task.isCancelled {
                    try await pass(.seconds(1))
                    try await Task.sleep(for: .milliseconds(150))
                }
                return nil
            }
            while let value = try await group.next() {
                guard let value else { continue }
                group.cancelAll()
                return value
            }
            throw CancellationError()
        }
    }

    /// The alarms that wait for a person, oldest first.
    func alarms() async throws -> [PaymentTransition.Alarm] {
        let merchant = try BillfoldPayments.MerchantID("shop")
        return try await database.read { tx in try AlarmRecords.open(merchant, in: tx).map(\.kind) }
    }

    func refund(_ payment: String, _ amount: String, key: String) async throws -> Answer {
        try await send(
            .post, "/v1/payments/\(payment)/refunds", Array(#"{"amount":"\#(amount)","reason":"returned"}"#.utf8), bearer: Self.apiKey,
            key: key)
    }

    func cancel(_ payment: String, key: String = "c") async throws -> Answer {
        try await send(.post, "/v1/payments/\(payment)/cancellation", bearer: Self.apiKey, key: key)
    }

    func balance(_ account: LedgerAccount) async throws -> Int64 {
        let merchant = try BillfoldPayments.MerchantID("shop")
        let currency = try Currency("CNY")
        return try await database.read { tx in
            try LedgerRecords.balance(of: account, currency, merchant: merchant, in: tx).minorUnits
        }
    }
}
