import AlipayPlus
import AlipayPlusValues
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import PaymentCrypto
import Synchronization
import Testing

@testable import WalletServer

/// Alipay+ by script: it knows what a code leads to, hears what became of payments, and loses what it is told to lose.
final class ScriptedAlipayPlus: HTTPSender {
    static let keys = Result { (gateway: try RSAPrivateKey(bits: 2048), wallet: try RSAPrivateKey(bits: 2048)) }
    static let client = "SANDBOX_MPP_ALIPAY_CN"

    struct Books: Sendable {
        var told: [WalletNotifyPaymentRequest] = []
        var isSilent = false
    }

    private let books = Mutex(Books())
    private let clock: HandClock
    private let keys: (gateway: RSAPrivateKey, wallet: RSAPrivateKey)

    init(clock: HandClock) throws {
        self.clock = clock
        keys = try Self.keys.get()
    }

    var told: [WalletNotifyPaymentRequest] { books.withLock { $0.told } }
    func fallSilent(_ isSilent: Bool) { books.withLock { $0.isSilent = isSilent } }

    static func order() -> WireOrder {
        WireOrder(
            referenceOrderId: "o-1", orderDescription: "Kaya <b>box</b>", orderAmount: WireAmount(currency: "SGD", value: "1000"),
            merchant: WireMerchant(referenceMerchantId: "M-1", merchantMCC: "5411", merchantName: "Pier Nine"))
    }

    func send(_ request: OutgoingRequest) async throws(SendFailure) -> OutgoingAnswer {
        guard !books.withLock({ $0.isSilent }) else { throw SendFailure(code: .timedOut, reason: "silent", mayHaveArrived: true) }
        do { return try answer(request) } catch { throw SendFailure(code: .timedOut, reason: "\(error)", mayHaveArrived: true) }
    }

    private func answer(_ request: OutgoingRequest) throws -> OutgoingAnswer {
        let path = String(request.url.dropFirst("http://alipay-plus.test".count))
        let message = try UnverifiedAlipayPlusMessage(.request, target: path, body: request.body) { name in
            HTTPField.Name(name).flatMap { request.headers[$0] }
        }.verified(by: AlipayPlusKeyVersions([1: keys.wallet.publicKey]))
        let body: [UInt8]
        if path == WalletUserInitiatedPayRequest.path {
            let asked: WalletUserInitiatedPayRequest = try message.read()
            body =
                asked.codeValue == "unknown"
                ? WalletUserInitiatedPayAnswer(result: .invalidCode).body
                : WalletUserInitiatedPayAnswer(
                    result: .success, codeType: .orderCode, acquirerId: "A", paymentRequestId: asked.codeValue, order: Self.order(),
                    paymentAmount: WireAmount(currency: "SGD", value: "1000"), payToAmount: WireAmount(currency: "CNY", value: "5300"),
                    paymentRedirectUrl: "https://shop.example/return"
                ).body
        } else {
            let told: WalletNotifyPaymentRequest = try message.read()
            books.withLock { $0.told.append(told) }
            body = PlainAnswer(result: .success).body
        }
        let signed = try SignedAlipayPlusMessage(
            .answer, target: path, clientID: Self.client, time: clock.now().alipayPlusTime, body: body, by: keys.gateway)
        return OutgoingAnswer(status: .ok, headers: HTTPFields(signed.headers), body: body)
    }
}

extension HTTPFields {
    fileprivate init(_ headers: [(name: String, value: String)]) {
        self.init()
        for header in headers {
            if let name = HTTPField.Name(header.name) { self[name] = header.value }
        }
    }
}

/// The wallet as `ALIPAY_CN`: Alipay+ asks it to collect, and customers confirm on its pages.
struct AlipayPlusTests {
    /// A wallet in this process, with Alipay+ by script.
    private struct Scene: Sendable {
        let server: WalletServer
        let client: any TestClientProtocol
        let outside: ScriptedAlipayPlus
        let clock: HandClock

        static func open(_ engine: StoreEngine = .sqlite, _ body: @Sendable @escaping (Scene) async throws -> Void) async throws {
            let keys = try ScriptedAlipayPlus.keys.get()
            try await engine.withStore { store in
                let (clock, recorder) = (HandClock(), Recorder())
                let outside = try ScriptedAlipayPlus(clock: clock)
                try await MigrationRunner(WalletServer.migrations, clock: clock, logger: TestStore.logger).run(on: store.database)
                let (server, surroundings) = try TestWallet.server(
                    on: store.database, gateway: outside, clock: clock, recorder: recorder
                ) { configuration in
                    configuration.alipayPlus = WalletConfiguration.AlipayPlus(
                        clientID: ScriptedAlipayPlus.client, pspID: "psp", key: keys.wallet, gateway: "http://alipay-plus.test",
                        gatewayKeys: [1: keys.gateway.publicKey], origin: "http://wallet.test")
                }
                try await server.backOffice.openDemoAccounts()
                var limits = ServerLimits()
                limits.rate = nil
                let router = surroundings.router(
                    for: ListenerConfiguration(name: "public", address: ListenAddress(port: 0), limits: limits, hosts: ["localhost"]))
                server.addRoutes(to: router)
                try await Application(responder: router.buildResponder(), logger: surroundings.logger).test(.router) { client in
                    try await body(Scene(server: server, client: client, outside: outside, clock: clock))
                }
            }
        }

        /// Alipay+ calls the wallet.
        func call<Call: AlipayPlusRequest>(_ request: Call, key: RSAPrivateKey? = nil) async throws -> Call.Answer {
            let keys = try ScriptedAlipayPlus.keys.get()
            let path = WalletConfiguration.AlipayPlus.path + Call.path
            let signed = try SignedAlipayPlusMessage(
                .request, target: path, clientID: ScriptedAlipayPlus.client, time: clock.now().alipayPlusTime, body: request.body,
                by: key ?? keys.gateway)
            return try await client.execute(
                uri: path, method: .post, headers: HTTPFields(signed.headers), body: ByteBuffer(bytes: signed.body)
            ) { response in
                #expect(response.status == .ok)
                let message = try UnverifiedAlipayPlusMessage(.answer, target: path, body: Array(response.body.readableBytesView)) { name in
                    HTTPField.Name(name).flatMap { response.headers[$0] }
                }
                return try message.verified(by: AlipayPlusKeyVersions([1: keys.wallet.publicKey])).read()
            }
        }

        /// A stranger calls the wallet, which signs nothing for it.
        func refusal<Call: AlipayPlusRequest>(_ request: Call, key: RSAPrivateKey) async throws -> String {
            let path = WalletConfiguration.AlipayPlus.path + Call.path
            let signed = try SignedAlipayPlusMessage(
                .request, target: path, clientID: ScriptedAlipayPlus.client, time: clock.now().alipayPlusTime, body: request.body, by: key)
            return try await client.execute(
                uri: path, method: .post, headers: HTTPFields(signed.headers), body: ByteBuffer(bytes: signed.body)
            ) { response in
                #expect(response.status == .ok)
                #expect(HTTPField.Name(AlipayPlusHeaders.signature).flatMap { response.headers[$0] } == nil)
                return try PlainAnswer(body: Array(response.body.readableBytesView)).result.resultCode
            }
        }

        func pay(_ id: String, units: String = "5300", expires seconds: Int64 = 900) async throws -> WalletPayAnswer {
            try await call(
                WalletPayRequest(
                    acquirerId: "A", pspId: "psp", paymentRequestId: id, order: ScriptedAlipayPlus.order(),
                    paymentAmount: WireAmount(currency: "SGD", value: "1000"), payToAmount: WireAmount(currency: "CNY", value: units),
                    paymentFactor: WirePaymentFactor(isCashierPayment: true),
                    paymentExpiryTime: clock.now().alipayPlusTime.adding(seconds: seconds),
                    paymentRedirectUrl: "https://shop.example/return", promoAmount: WireAmount(currency: "CNY", value: "300")))
        }

        func inquire(_ id: String) async throws -> String? {
            try await call(WalletInquiryRequest(paymentRequestId: id)).paymentResult?.resultCode
        }

        func refund(_ id: String, _ refund: String, _ units: String) async throws -> String {
            try await call(
                WalletRefundRequest(
                    paymentRequestId: id, refundRequestId: refund, refundAmount: WireAmount(currency: "SGD", value: "100"),
                    refundFromAmount: WireAmount(currency: "CNY", value: units))
            ).result.resultCode
        }

        /// A customer who has scanned a code, and the payment's page.
        func scan(_ code: String, _ customer: DemoCustomer = TestWallet.mei) async throws -> (Browser, String) {
            let browser = Browser(client: client, language: "en")
            let open = "/wallet/alipay-plus/open?codeValue=\(code)"
            let page = try await browser.get(open)
            #expect(page.status == 200 && page.body.contains("Log in"), "\(page.body)")
            let answer = try await browser.submit(
                open, ["name": customer.email, "password": customer.loginPassword], to: "/wallet/alipay-plus/login?codeValue=\(code)")
            #expect(answer.headers[.location] == open, "\(answer.body)")
            let opened = try await browser.get(open)
            return (browser, opened.headers[.location] ?? "")
        }

        func confirm(_ browser: Browser, _ path: String, _ password: String) async throws -> Browser.Answer {
            try await browser.submit(path, ["password": password], to: path + "/confirm")
        }

        func balance(_ customer: DemoCustomer = TestWallet.mei) async throws -> Int64 {
            try await server.backOffice.balance(account: customer.number).minorUnits
        }
    }

    @Test(arguments: StoreEngine.available) func aCustomerConfirmsAndIsGivenBackInParts(_ engine: StoreEngine) async throws {
        try await Scene.open(engine) { scene async throws in
            let (browser, path) = try await scene.scan("r-1")
            // Alipay+ has not asked yet: nothing can be confirmed.
            let early = try await browser.get(path)
            #expect(early.headers[Browser.refresh] == "1" && early.field("amount") == nil)
            let asked = try await scene.pay("r-1")
            #expect(asked.result.resultCode == "PAYMENT_IN_PROCESS" && asked.customerId == TestWallet.mei.number)
            #expect(try await scene.pay("r-1").paymentId == asked.paymentId)
            #expect(try await scene.pay("r-1", units: "5301").result.resultCode == "REPEAT_REQ_INCONSISTENT")
            #expect(try await scene.confirm(browser, path, "000000").status == 422)
            #expect(try await scene.inquire("r-1") == "PAYMENT_IN_PROCESS")
            #expect(try await scene.confirm(browser, path, "246810").headers[.location] == path)
            let paid = try await browser.get(path)
            #expect(paid.body.contains("Paid") && paid.body.contains("https://shop.example/return") && !paid.body.contains("<b>box"))
            #expect(try await scene.balance() == 1_000_000 - 5_000)
            try await scene.server.deliverOnce()
            #expect(scene.outside.told.map(\.paymentResult.resultCode) == ["SUCCESS"])
            #expect(try await scene.inquire("r-1") == "SUCCESS")
            #expect(try await scene.refund("r-1", "b-1", "2000") == "SUCCESS")
            #expect(try await scene.refund("r-1", "b-1", "2000") == "SUCCESS")
            #expect(try await scene.refund("r-1", "b-1", "2001") == "REPEAT_REQ_INCONSISTENT")
            #expect(try await scene.refund("r-1", "b-2", "3001") == "REFUND_AMOUNT_EXCEED")
            #expect(try await scene.balance() == 1_000_000 - 3_000)
            let bills = try await browser.get("/wallet/bills").body
            #expect(bills.contains("Payment to Pier Nine") && bills.contains("Refund from Pier Nine"))
            // What is left goes back with a cancel, once.
            for _ in 0..<2 { #expect(try await scene.call(WalletCancelRequest(paymentRequestId: "r-1")).result.isSuccess) }
            #expect(try await scene.balance() == 1_000_000)
            #expect(try await scene.server.backOffice.standing().isBalanced)
        }
    }

    @Test(arguments: StoreEngine.available) func aRefundThatWasKeptIsEndedByItsCredit(_ engine: StoreEngine) async throws {
        try await Scene.open(engine) { scene async throws in
            #expect(try await scene.refund("r-1", "b-1", "2000") == "UNKNOWN_EXCEPTION")
            #expect(try await scene.server.notices.unmatchedNotices().count == 1)
            _ = try await scene.pay("r-1")
            let (browser, path) = try await scene.scan("r-1")
            _ = try await scene.confirm(browser, path, "246810")
            #expect(try await scene.refund("r-1", "b-1", "2000") == "SUCCESS")
            #expect(try await scene.server.notices.unmatchedNotices().isEmpty)
        }
    }

    @Test func aNoticeIsSentUntilItIsHeard() async throws {
        try await Scene.open { scene async throws in
            _ = try await scene.pay("r-1")
            let (browser, path) = try await scene.scan("r-1")
            scene.outside.fallSilent(true)
            _ = try await scene.confirm(browser, path, "246810")
            try await scene.server.deliverOnce()
            scene.outside.fallSilent(false)
            scene.clock.advance(by: .seconds(600))
            try await scene.server.deliverOnce()
            #expect(scene.outside.told.count == 1 && scene.outside.told.first?.customerId == TestWallet.mei.number)
        }
    }

    @Test func whatIsDeclinedShortLateOrCancelledTakesNothing() async throws {
        try await Scene.open { scene async throws in
            for id in ["declined", "short", "late", "cancelled"] { _ = try await scene.pay(id) }
            let (mei, declined) = try await scene.scan("declined")
            #expect(try await mei.submit(declined, [:], to: declined + "/decline").status == 303)
            #expect(try await scene.inquire("declined") == "USER_PAYMENT_VERIFICATION_FAILED")
            let (wei, short) = try await scene.scan("short", TestWallet.wei)
            let refused = try await scene.confirm(wei, short, TestWallet.wei.paymentPassword)
            #expect(refused.status == 422 && refused.body.contains("too small"))
            // Another customer's payment is nobody's business.
            #expect(try await mei.get(short).status == 404)
            let (_, cancelled) = try await scene.scan("cancelled")
            #expect(try await scene.call(WalletCancelRequest(paymentRequestId: "cancelled")).result.isSuccess)
            #expect(try await mei.get(cancelled).body.contains("Not paid"))
            let (late, path) = try await scene.scan("late")
            let page = try await late.get(path)
            scene.clock.advance(by: .seconds(901))
            let form = ["csrf": page.field("csrf") ?? "", "amount": page.field("amount") ?? "", "password": "246810"]
            _ = try await late.send(.post, path + "/confirm", form: form)
            #expect(try await scene.balance() == 1_000_000)
            #expect(try await scene.inquire("short") == "PAYMENT_IN_PROCESS")
        }
    }

    @Test func whatWasCancelledBeforeItCameStaysSoAndForeignSignaturesAreRefused() async throws {
        try await Scene.open { scene async throws in
            #expect(try await scene.call(WalletCancelRequest(paymentRequestId: "r-9")).result.isSuccess)
            #expect(try await scene.pay("r-9").result.resultCode == "ORDER_IS_CLOSED")
            let stranger = try RSAPrivateKey(bits: 2048)
            #expect(try await scene.refusal(WalletInquiryRequest(paymentRequestId: "r-9"), key: stranger) == "INVALID_SIGNATURE")
            #expect(try await scene.call(GetPaymentCodeRequest(customerId: "c", env: WireEnv())).result.resultCode == "NO_INTERFACE_DEF")
            #expect(try await scene.pay("limits", units: "99999999").result.resultCode == "PAYMENT_AMOUNT_EXCEED_LIMIT")
            // Nobody knows whether it was paid: an F would be final, so people decide first.
            #expect(try await scene.refund("nothing", "b", "1") == "UNKNOWN_EXCEPTION")
            let browser = Browser(client: scene.client, language: "en")
            try await browser.logIn(TestWallet.mei)
            let unknown = try await browser.get("/wallet/alipay-plus/open?codeValue=unknown")
            #expect(unknown.status == 422 && unknown.body.contains("INVALID_CODE"))
        }
    }
}
