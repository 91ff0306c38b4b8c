import AlipayPlus
import AlipayPlusValues
import BillfoldDiagnosis
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import Crypto
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import PaymentCrypto
import Synchronization
import Testing

@testable import AlipayPlusServer

/// A clock that a test moves.
final class HandClock: WallClock {
    private let instant = Mutex(Timestamp(secondsSince1970: 1_795_204_800))  // 2026-11-21 04:00:00 in UTC+8
    func now() -> Timestamp { instant.withLock { $0 } }
    func advance(by duration: Duration) { instant.withLock { $0 = $0.advanced(by: duration) } }
}

/// Everything that was traced, to be looked at and searched.
final class Recorder: TraceSink {
    private let held = Mutex<[TraceEntry]>([])
    func record(_ entry: TraceEntry) { held.withLock { $0.append(entry) } }
    var entries: [TraceEntry] { held.withLock { $0 } }
}

/// RSA keys take long to make, so all tests share them.
struct PlusTestKeys: Sendable {
    static let shared = Result { try PlusTestKeys() }
    let acquirer, wallet, gateway, gatewayWallets, stranger: RSAPrivateKey

    private init() throws {
        acquirer = try RSAPrivateKey(bits: 2048)
        wallet = try RSAPrivateKey(bits: 2048)
        gateway = try RSAPrivateKey(bits: 2048)
        gatewayWallets = try RSAPrivateKey(bits: 2048)
        stranger = try RSAPrivateKey(bits: 2048)
    }
}

/// A gateway in this process with one acquirer and four wallets that a fake plays.
struct PlusHarness: Sendable {
    static let acquirerID = "1022188000000001"
    static let client = "SANDBOX_ACQUIRER1"
    static let merchant = "MER-0001"
    static let notify = "http://127.0.0.1:9300/acquirer/notify"
    static let onboardingKey = "ok_test_0123456789abcdef0123456789"

    let store: TestStore
    let server: AlipayPlusServer
    let http: any TestClientProtocol
    let clock: HandClock
    /// The gateway's clock, where acquirers may be ahead of everybody.
    let ownTime: SpaceClock?
    let recorder: Recorder
    let outside: PlusOutside
    let keys: PlusTestKeys

    static func open(
        _ engine: StoreEngine = .sqlite, faults: FaultyDatabase.Faults? = nil, spaces: MemorySpaces? = nil,
        change: @Sendable @escaping (inout AlipayPlusServerConfiguration) -> Void = { _ in },
        body: @Sendable @escaping (PlusHarness) async throws -> Void
    ) async throws {
        try await engine.withStore { store in try await open(on: store, faults: faults, spaces: spaces, change: change, body: body) }
    }

    /// As ``open(_:faults:spaces:change:body:)``, on a store of the caller's.
    static func open(
        on store: TestStore, faults: FaultyDatabase.Faults? = nil, spaces: MemorySpaces? = nil,
        change: @Sendable (inout AlipayPlusServerConfiguration) -> Void = { _ in },
        body: @Sendable @escaping (PlusHarness) async throws -> Void
    ) async throws {
        let keys = try PlusTestKeys.shared.get()
        let (clock, recorder) = (HandClock(), Recorder())
        let outside = PlusOutside(keys: keys, clock: clock)
        let ownTime = if let spaces { try await SpaceClock(base: clock, book: spaces) } else { nil as SpaceClock? }
        let surroundings = surroundings(clock, ownTime: ownTime)
        let server = try await make(store, faults, keys, surroundings, recorder, outside, change)
        try await register(server, keys, clock)
        var limits = ServerLimits()
        limits.rate = nil
        let router = surroundings.router(
            for: ListenerConfiguration(name: "public", address: ListenAddress(port: 0), limits: limits, hosts: ["localhost"]))
        server.addRoutes(to: router)
        try await Application(responder: router.buildResponder(), logger: surroundings.logger).test(.router) { http in
            try await body(
                PlusHarness(
                    store: store, server: server, http: http, clock: clock, ownTime: ownTime, recorder: recorder, outside: outside,
                    keys: keys))
        }
    }

    static func surroundings(_ clock: HandClock, ownTime: SpaceClock? = nil) -> ServerSurroundings {
        ServerSurroundings(
            logger: TestStore.logger, clock: ownTime ?? clock, uptime: { .microseconds(clock.now().microseconds) },
            errors: ErrorMapping().withAlipayPlus())
    }

    private static func make(
        _ store: TestStore, _ faults: FaultyDatabase.Faults?, _ keys: PlusTestKeys, _ surroundings: ServerSurroundings,
        _ recorder: Recorder, _ outside: PlusOutside, _ change: (inout AlipayPlusServerConfiguration) -> Void
    ) async throws -> AlipayPlusServer {
        let random = Mutex(SeededGenerator(seed: StoreEngine.seed, label: "gateway"))
        var configuration = AlipayPlusServerConfiguration(
            mode: .test,
            keys: AlipayPlusGatewayKeys(
                audit: SymmetricKey(data: [UInt8](repeating: 1, count: 32)),
                hashing: SymmetricKey(data: [UInt8](repeating: 2, count: 32)),
                sealer: EnvelopeSealer(ring: KeyRing(active: "k1", try SealingKey(bytes: [UInt8](repeating: 3, count: 32)))),
                acquirerSide: keys.gateway, walletSide: keys.gatewayWallets), origin: "http://gateway.test")
        configuration.onboardingKey = Secret(onboardingKey)
        configuration.callRate = RateLimit(perSecond: 100_000, burst: 100_000)
        change(&configuration)
        try await MigrationRunner(AlipayPlusServer.migrations, clock: surroundings.clock, logger: TestStore.logger).run(on: store.database)
        return try AlipayPlusServer(
            configuration: configuration,
            database: faults.map { FaultyDatabase(store.database, seed: StoreEngine.seed, faults: $0) } ?? store.database, http: outside,
            addresses: try AddressPolicy(mode: configuration.mode), trace: recorder,
            identifiers: IdentifierSource { random.withLock { $0.next() } }, surroundings: surroundings)
    }

    private static func register(_ server: AlipayPlusServer, _ keys: PlusTestKeys, _ clock: HandClock) async throws {
        _ = try await server.onboarding.registerAcquirer(registration(keys))
        for wallet in FakeWallet.all { _ = try await server.onboarding.registerWallet(Array(wallet.registration(keys).utf8)) }
        try await server.quotes.publish(
            [.sgd: "1.3475", .hkd: "7.7812", .php: "58.71", .krw: "1385.5", .idr: "15925", .cny: "7.1234", .jpy: "151.2"],
            at: clock.now())
    }

    /// - Parameter more: Further members.
    static func registration(_ keys: PlusTestKeys, more: String = "") -> [UInt8] {
        let acquirer = StrictBase64.encode(keys.acquirer.publicKey.subjectPublicKeyInfo)
        return Array(
            """
            {"clientId":"\(client)","acquirerId":"\(acquirerID)","name":"Corner Acquiring",
            "keys":[{"version":1,"publicKey":"\(acquirer)"}],"notifyUrl":"\(notify)","origins":["http://127.0.0.1:9300"],
            "settlementCurrency":"SGD","agreementId":"AG-1","feePercent":"0.8",
            "merchants":[{"id":"\(merchant)","name":"Corner Tea","mcc":"5411"}]\(more)}
            """.utf8)
    }

    // MARK: The signed API

    struct Answer: Sendable {
        var status: Int
        var headers: HTTPFields
        var bytes: [UInt8]
        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// Sends bytes as they are.
    func send(
        _ path: String, _ body: [UInt8], client: String, key: RSAPrivateKey, time: AlipayPlusTime? = nil, version: Int = 1,
        type: String = AlipayPlusHeaders.contentType, signedPath: String? = nil
    ) async throws -> Answer {
        let signed = try SignedAlipayPlusMessage(
            .request, target: signedPath ?? path, clientID: client, time: time ?? clock.now().alipayPlusTime, body: body, by: key,
            keyVersion: version)
        var headers: HTTPFields = [:]
        for field in signed.headers {
            if let name = HTTPField.Name(field.name) { headers[name] = field.value }
        }
        headers[.contentType] = type
        return try await http.execute(uri: path, method: .post, headers: headers, body: ByteBuffer(bytes: body)) { response in
            Answer(status: Int(response.status.code), headers: response.headers, bytes: Array(response.body.readableBytesView))
        }
    }

    private func call<Call: AlipayPlusRequest>(_ request: Call, client: String, key: RSAPrivateKey, gateway: RSAPrivateKey) async throws
        -> Call.Answer
    {
        let answer = try await send(Call.path, request.body, client: client, key: key)
        #expect(answer.status == 200)
        let unverified = try UnverifiedAlipayPlusMessage(.answer, target: Call.path, body: answer.bytes) { name in
            HTTPField.Name(name).flatMap { answer.headers[$0] }
        }
        return try unverified.verified(by: AlipayPlusKeyVersions([1: gateway.publicKey])).read()
    }

    func acquirer<Call: AlipayPlusRequest>(_ request: Call) async throws -> Call.Answer {
        try await call(request, client: Self.client, key: keys.acquirer, gateway: keys.gateway)
    }

    func wallet<Call: AlipayPlusRequest>(_ wallet: FakeWallet, _ request: Call) async throws -> Call.Answer {
        try await call(request, client: wallet.client, key: keys.wallet, gateway: keys.gatewayWallets)
    }

    // MARK: Payments

    func payRequest(
        _ id: String, _ value: String = "1999", _ currency: String = "SGD", scenario: PaymentScenario = .cashier, code: String? = nil
    ) -> PayRequest {
        let amount = WireAmount(currency: currency, value: value)
        let inStore = scenario != .cashier
        return PayRequest(
            paymentRequestId: id, paymentAmount: amount,
            order: WireOrder(
                referenceOrderId: "order-\(id)", orderDescription: "green tea", orderAmount: amount,
                merchant: WireMerchant(
                    referenceMerchantId: Self.merchant, merchantMCC: "5411", merchantName: "Corner Tea",
                    store: inStore ? WireStore(referenceStoreId: "S-1", storeName: "Corner", storeMCC: "5411", storeTerminalId: "T-1") : nil
                ),
                buyer: WireBuyer(referenceBuyerId: "buyer-1"),
                env: WireEnv(terminalType: .app, osType: .ios, userAgent: scenario == .entryCode ? "AlipayConnect" : nil)),
            paymentMethod: WirePaymentMethod(paymentMethodType: .connectWallet, paymentMethodId: code),
            paymentFactor: inStore
                ? WirePaymentFactor(
                    isInStorePayment: true,
                    inStorePaymentScenario: scenario == .paymentCode ? .paymentCode : scenario == .orderCode ? .orderCode : .entryCode)
                : WirePaymentFactor(isCashierPayment: true, presentmentMode: .unified),
            paymentNotifyUrl: Self.notify,
            paymentRedirectUrl: scenario == .cashier || scenario == .entryCode ? "http://127.0.0.1:9300/return" : nil)
    }

    /// Begins a cashier payment and returns its order code.
    func begin(_ id: String, _ value: String = "1999", _ currency: String = "SGD") async throws -> String {
        let answer = try await acquirer(payRequest(id, value, currency))
        #expect(answer.result.resultCode == "PAYMENT_IN_PROCESS", "\(answer.result)")
        return try await orderCode(id)
    }

    func payment(_ id: String) async throws -> AcquirerPayment {
        let acquirer = try MerchantID(Self.acquirerID)
        return try #require(
            try await store.database.read { try AcquirerPaymentRecords.find(requestID: id, acquirer: acquirer, in: $0) })
    }

    func orderCode(_ id: String) async throws -> String { try server.cashier.orderCode(of: try await payment(id)) }

    func scan(_ code: String, _ wallet: FakeWallet, customer: String = "c-1") async throws -> WalletUserInitiatedPayAnswer {
        try await self.wallet(wallet, WalletUserInitiatedPayRequest(codeValue: code, customerId: customer))
    }

    /// The wallet's customer confirms or does not, and the wallet tells.
    func tell(
        _ wallet: FakeWallet, _ requestID: String, _ result: AlipayPlusResult = .success, amount: WireAmount? = nil
    ) async throws -> PlainAnswer {
        let number = result.isSuccess ? outside.confirm(requestID) : nil
        let asked = outside.payments[requestID]
        return try await self.wallet(
            wallet,
            WalletNotifyPaymentRequest(
                paymentResult: result, paymentRequestId: requestID, paymentId: number, paymentAmount: amount ?? asked?.price,
                payToAmount: asked?.payable, customerId: "c-1"))
    }

    /// A whole cashier payment with one wallet.
    @discardableResult
    func paid(_ id: String, _ value: String = "1999", _ currency: String = "SGD", by wallet: FakeWallet = .gcash) async throws
        -> AcquirerPayment
    {
        let scanned = try await scan(try await begin(id, value, currency), wallet)
        #expect(scanned.result.isSuccess, "\(scanned.result)")
        try await work()
        #expect(try await tell(wallet, try #require(scanned.paymentRequestId)).result.isSuccess)
        let payment = try await payment(id)
        #expect(payment.state == .success)
        return payment
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

    /// Lets time pass in steps, with the workers at work.
    func pass(_ duration: Duration, step: Duration = .seconds(60)) async throws {
        var left = duration
        while left > .zero {
            clock.advance(by: min(step, left))
            left -= step
            try await work()
        }
    }

    func balance() async throws -> [String: String] {
        let id = try MerchantID(Self.acquirerID)
        return try await store.database.read { tx in
            let trial = try LedgerRecords.trialBalance(id, in: tx)
            #expect(try trial.imbalances() == [])
            return Dictionary(
                uniqueKeysWithValues: trial.accounts.filter { !$0.balance.isZero }.map {
                    ("\($0.account) \($0.balance.currency)", $0.balance.text)
                })
        }
    }

    func notifications(of payment: AcquirerPayment) async throws -> [NotificationRow] {
        try await store.database.read { try NotificationRecords.all(of: payment.id, acquirer: payment.acquirer, in: $0) }
    }

    func alarms() async throws -> [AcquirerPaymentAlarm] {
        let id = try MerchantID(Self.acquirerID)
        return try await store.database.read { try AcquirerPaymentAlarmRecords.open(id, limit: 100, in: $0) }
    }
}
