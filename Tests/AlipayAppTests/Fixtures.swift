import Alipay
import BillfoldJSON
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import Synchronization
import Testing

@testable import AlipayApp

/// The keys of everybody in these tests.
struct TestKeys: Sendable {
    let merchant: LegacyRSAPrivateKey
    /// Alipay's for legacy results, and for modern ones.
    let legacy: LegacyRSAPrivateKey
    let modern: LegacyRSAPrivateKey
    let stranger: LegacyRSAPrivateKey

    static let shared: Result<TestKeys, any Error> = Result {
        TestKeys(
            merchant: try LegacyRSAPrivateKey(bits: 1024), legacy: try LegacyRSAPrivateKey(bits: 1024),
            modern: try LegacyRSAPrivateKey(bits: 1024), stranger: try LegacyRSAPrivateKey(bits: 1024))
    }
}

/// An order as the merchant's server signs it, and the results that the wallet may bring back for it.
struct TestOrder: Sendable {
    let number: String
    let generation: AlipayGeneration
    let text: String
    private let keys: TestKeys

    init(
        _ number: String, _ generation: AlipayGeneration = .legacy, amount: String = "10.00", partner: String = "2088000000000001"
    ) async throws {
        keys = try TestKeys.shared.get()
        self.number = number
        self.generation = generation
        switch generation {
        case .legacy:
            let order = try await LegacyOrder.signed(
                [
                    ("partner", partner), ("seller_id", partner), ("out_trade_no", number), ("subject", "测试 1+1"), ("total_fee", amount),
                    ("notify_url", "http://notify.example.test/a/b"), ("service", "mobile.securitypay.pay"), ("payment_type", "1"),
                    ("_input_charset", "utf-8"),
                ], by: AlipayRSASigner.rsa(keys.merchant))
            text = String(decoding: order.bytes, as: UTF8.self)
        case .modern:
            text = try await ModernOrder.signed(
                [
                    ("app_id", partner), ("method", "alipay.trade.app.pay"), ("format", "JSON"), ("charset", "utf-8"),
                    ("timestamp", "2026-01-02 03:04:05"), ("version", "1.0"),
                    ("biz_content", #"{"out_trade_no":"\#(number)","total_amount":"\#(amount)","subject":"测试 1+1"}"#),
                ], by: AlipayRSASigner.rsa2(keys.merchant)
            ).text
        }
    }

    /// The result of a payment, signed by Alipay or, to be refused, by somebody else.
    func paid(by signer: LegacyRSAPrivateKey? = nil) async throws -> PaymentResult {
        switch generation {
        case .legacy:
            let order = try LegacyOrder(Array(text.utf8)).verified(by: AlipayVerificationKeys(rsa: keys.merchant.publicKey))
            return try await .legacy(paying: order, by: AlipayRSASigner.rsa(signer ?? keys.legacy))
        case .modern:
            let order = try ModernOrder(Array(text.utf8)).verified(by: AlipayVerificationKeys(rsa2: keys.merchant.publicKey))
            let content = try order.bizContent()
            return try await .modern(
                [
                    "code": "10000", "msg": "Success", "app_id": order.appID, "out_trade_no": number,
                    "total_amount": content["total_amount"]?.scalar, "trade_no": "2026010222001400000000000001",
                ], by: AlipayRSASigner.rsa2(signer ?? keys.modern))
        }
    }
}

/// The merchant's server, with a script for each order; the last answer is repeated.
final class ScriptedServer: OrderQuery {
    struct Question: Equatable {
        var number: String
        var status: AlipayResultStatus?
    }

    struct Silence: Error {}

    private struct State {
        var scripts: [String: [OrderState?]] = [:]
        var questions: [Question] = []
    }

    private let state = Mutex(State())

    var questions: [Question] { state.withLock { $0.questions } }

    /// Nil is no answer.
    func answer(_ number: String, _ answers: OrderState?...) { state.withLock { $0.scripts[number] = answers } }

    func state(ofOrder number: String, reply: PaymentResult?) async throws -> OrderState {
        let answer = state.withLock { state -> OrderState? in
            state.questions.append(Question(number: number, status: reply?.status))
            guard let script = state.scripts[number], let first = script.first else { return nil }
            if script.count > 1 { state.scripts[number] = Array(script.dropFirst()) }
            return first
        }
        guard let answer else { throw Silence() }
        return answer
    }
}

/// A phone with the shop's app, the wallet or none, and the shop's server.
@MainActor
final class TestPhone {
    let surroundings: SimulatedSurroundings
    let server = ScriptedServer()
    let time = TestTime()
    let store: any PendingPaymentStore
    private(set) var client: PaymentClient
    private var configuration: PaymentClientConfiguration
    private let hasServer: Bool
    /// What nobody waited for.
    private(set) var heard: [PaymentReport] = []

    static let scheme = "shopapp"

    init(
        wallet: Bool = true, store: any PendingPaymentStore = VolatilePendingPaymentStore(), hasKeys: Bool = true, hasServer: Bool = true
    ) throws {
        let keys = try TestKeys.shared.get()
        let environment = try #require(PaymentEnvironment(origin: "https://wallet.example.test"))
        surroundings = SimulatedSurroundings(installedSchemes: wallet ? ["alipay"] : [])
        self.store = store
        self.hasServer = hasServer
        let time = time
        configuration = PaymentClientConfiguration(
            environment: environment, legacyResultKeys: hasKeys ? .init(rsa: keys.legacy.publicKey) : .init(),
            modernResultKeys: hasKeys ? .init(rsa2: keys.modern.publicKey) : .init(), now: { 1_700_000_000_000 }, wait: time.wait)
        client = PaymentClient(
            configuration: configuration, surroundings: surroundings, store: store, query: hasServer ? server : nil)
    }

    /// The system kills the app, and starts it again with what it stored.
    func restart() {
        client.stop()
        client = PaymentClient(
            configuration: configuration, surroundings: surroundings, store: store, query: hasServer ? server : nil)
    }

    func listen() { client.standby = { [weak self] in self?.heard.append($0) } }

    /// Begins a payment and returns once the wallet, or the cashier, has the order.
    func begin(_ order: TestOrder, scheme: String = scheme, link: String? = nil) async -> Task<PaymentOutcome, any Error> {
        let shown = { [surroundings] in surroundings.openedURLs.count + (surroundings.cashier?.order == order.text ? 1 : 0) }
        let before = surroundings.openedURLs.count
        let payment = Task { [client] in try await client.pay(order: order.text, returnTo: .init(scheme: scheme, universalLink: link)) }
        await until { shown() > before }
        return payment
    }

    /// The wallet opens the app with a result.
    @discardableResult
    func comeBack(_ result: PaymentResult, scheme: String = scheme) throws -> Bool {
        client.handle(try #require(URL(string: SafepayURL(scheme: scheme, result: result).description)))
    }

    func kept(_ order: TestOrder) -> PendingPayment? { client.pending.payment(ofOrder: order.number) }
}

let cancelled = PaymentResult(status: .cancelled, memo: "用户中途取消")
