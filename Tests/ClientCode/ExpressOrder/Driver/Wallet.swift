import Alipay
import AlipayApp
import PaymentCrypto
import UIKitSimulator

/// The shop's server, the wallet and their keys, on one phone in software.
@MainActor
final class Wallet: PaymentSurroundings {
    struct Keys {
        let merchant: LegacyRSAPrivateKey
        let alipay: LegacyRSAPrivateKey
        let stranger: LegacyRSAPrivateKey
    }

    let keys: Keys
    let store = VolatilePendingPaymentStore()
    let server = Server()
    private(set) var client: PaymentClient!
    private(set) var lastOrder: String?
    var isInstalled = true
    /// What the web cashier ends with.
    var cashierResult: PaymentResult?

    init() throws {
        keys = Keys(
            merchant: try LegacyRSAPrivateKey(bits: 1024), alipay: try LegacyRSAPrivateKey(bits: 1024),
            stranger: try LegacyRSAPrivateKey(bits: 1024))
        start()
    }

    /// The app starts: once more, with what it stored.
    func start() {
        client?.stop()
        var configuration = PaymentClientConfiguration(
            environment: PaymentEnvironment(cashier: URL(string: "https://wallet.example.test/cashier")!),
            legacyResultKeys: AlipayVerificationKeys(rsa: keys.alipay.publicKey), now: { 1_700_000_000_000 },
            wait: { _ in await Task.yield() })
        configuration.questionPauses = [.zero, .seconds(1)]
        client = PaymentClient(configuration: configuration, surroundings: self, store: store, query: server)
        AlipaySDK.defaultService().client = client
        AlipaySDK.defaultService().standbyCallback = nil
    }

    // MARK: The phone

    func canOpen(_ url: URL) -> Bool { isInstalled && url.scheme == "alipay" }

    func open(_ url: URL) async -> Bool {
        lastOrder = try? AppSwitchURL(url.absoluteString).order
        SimulatedScreen.current.goToBackground()
        return true
    }

    func showCashier(_ request: CashierRequest) async -> PaymentResult? {
        lastOrder = request.order
        return cashierResult
    }

    // MARK: Its results

    func order(_ number: String) async throws -> String {
        let order = try await LegacyOrder.signed(
            [
                ("partner", "2088000000000001"), ("seller_id", "2088000000000001"), ("out_trade_no", number), ("subject", "Tea"),
                ("total_fee", "10.00"), ("notify_url", "https://shop.example/notify"), ("service", "mobile.securitypay.pay"),
                ("payment_type", "1"), ("_input_charset", "utf-8"),
            ], by: AlipayRSASigner.rsa(keys.merchant))
        return String(decoding: order.bytes, as: UTF8.self)
    }

    func paid(_ order: String, by signer: LegacyRSAPrivateKey? = nil) async throws -> PaymentResult {
        let order = try LegacyOrder(Array(order.utf8)).verified(by: AlipayVerificationKeys(rsa: keys.merchant.publicKey))
        return try await .legacy(paying: order, by: AlipayRSASigner.rsa(signer ?? keys.alipay))
    }

    func url(_ scheme: String, _ result: PaymentResult) -> URL { URL(string: SafepayURL(scheme: scheme, result: result).description)! }
}

/// What the shop's server knows; nil is no answer.
final class Server: OrderQuery, @unchecked Sendable {
    // Safe: the driver sets it while nobody asks.
    var state: OrderState?

    struct Silence: Error {}

    func state(ofOrder number: String, reply: PaymentResult?) async throws -> OrderState {
        guard let state else { throw Silence() }
        return state
    }
}
