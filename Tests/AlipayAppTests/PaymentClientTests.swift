import Alipay
import BillfoldTestSupport
import Foundation
import Testing

@testable import AlipayApp

@MainActor @Suite struct PaymentClientTests {
    private static let everyPause = 7

    @Test(arguments: AlipayGeneration.allCases)
    func paymentSucceedsWhenTheServerConfirms(generation: AlipayGeneration) async throws {
        let phone = try TestPhone()
        let order = try await TestOrder("A-1", generation)
        phone.server.answer("A-1", .unpaid, nil, .paid)
        let payment = await phone.begin(order)
        #expect(phone.kept(order)?.conclusion == nil && phone.kept(order)?.launchedAt == 1_700_000_000_000)
        try phone.comeBack(try await order.paid())
        #expect(try await payment.value == .succeeded(ConfirmedPayment(orderNumber: "A-1", resultIsVerified: true)))
        #expect(phone.server.questions == Array(repeating: .init(number: "A-1", status: .paid), count: 3))
        #expect(phone.kept(order)?.conclusion == .succeeded && phone.client.faults.isEmpty)
        #expect(phone.client.pending.hasPaid)
    }

    @Test func theWalletGetsTheOrderAsItIs() async throws {
        let phone = try TestPhone()
        let order = try await TestOrder("A-1")
        let payment = await phone.begin(order)
        let opened = try AppSwitchURL(try #require(phone.surroundings.openedURLs.first).absoluteString)
        #expect(opened.order == order.text && opened.returnScheme == TestPhone.scheme)
        try phone.comeBack(cancelled)
        #expect(try await payment.value == .cancelled)
    }

    @Test func aWalletsSuccessThatTheServerDoesNotConfirmIsUndecided() async throws {
        let phone = try TestPhone()
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", .unpaid)
        let payment = await phone.begin(order)
        try phone.comeBack(try await order.paid())
        #expect(try await payment.value == .undecided)
        #expect(phone.server.questions.count == Self.everyPause)
        #expect(phone.time.slept == [1, 2, 4, 8, 15, 30].map(Duration.seconds))
        #expect(phone.kept(order)?.conclusion == nil)
        // Even a server that says "closed" does not turn a signature into a failure.
        phone.server.answer("A-1", .closed)
        #expect(await phone.client.recover().map(\.outcome) == [.undecided])
    }

    /// What each code and each answer of the server make of a payment.
    @Test(arguments: [
        ("8000", OrderState.paid, "succeeded"), ("8000", .unpaid, "undecided"), ("8000", .closed, "failed 4000"),
        ("8000", nil, "undecided"),
        ("5000", .paid, "succeeded"), ("5000", .unpaid, "undecided"), ("5000", nil, "undecided"),
        ("6002", .paid, "succeeded"), ("6002", .unpaid, "undecided"), ("6002", nil, "undecided"),
        ("6004", .paid, "succeeded"), ("6004", .unpaid, "undecided"), ("6004", nil, "undecided"),
        ("7777", .paid, "succeeded"), ("7777", .unpaid, "undecided"), ("", nil, "undecided"),
        ("4000", .paid, "succeeded"), ("4000", .unpaid, "failed 4000"), ("4000", .closed, "failed 4000"), ("4000", nil, "undecided"),
        ("4006", .unpaid, "failed 4006"), ("6000", nil, "undecided"), ("7001", .paid, "succeeded"),
        ("6001", .paid, "succeeded"), ("6001", .unpaid, "cancelled"), ("6001", .closed, "cancelled"), ("6001", nil, "cancelled"),
        ("9000", .paid, "succeeded"), ("9000", .unpaid, "undecided"), ("9000", nil, "undecided"),
    ])
    func codesWithoutAResult(code: String, state: OrderState?, expected: String) async throws {
        let phone = try TestPhone()
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", state)
        let payment = await phone.begin(order)
        try phone.comeBack(PaymentResult(status: .init(rawValue: code)))
        let outcome = try await payment.value
        switch outcome {
        case .succeeded(let confirmed): #expect(expected == "succeeded" && !confirmed.resultIsVerified)
        case .cancelled: #expect(expected == "cancelled")
        case .failed(let status): #expect(expected == "failed \(status)")
        case .undecided: #expect(expected == "undecided")
        }
        #expect(phone.server.questions.count == (expected == "undecided" ? Self.everyPause : 1))
    }

    // MARK: The cashier

    @Test func withoutAWalletTheCashierOpens() async throws {
        let phone = try TestPhone(wallet: false)
        let order = try await TestOrder("A-1", .modern)
        phone.server.answer("A-1", .paid)
        let payment = await phone.begin(order)
        let request = try #require(phone.surroundings.cashier)
        #expect(request.address.absoluteString == "https://wallet.example.test/cashier")
        let form = try AlipayParameters(form: Array(request.body))
        #expect(form["order"] == order.text && form["scheme"] == TestPhone.scheme)
        phone.surroundings.endCashier(try await order.paid())
        #expect(try await payment.value == .succeeded(ConfirmedPayment(orderNumber: "A-1", resultIsVerified: true)))
        #expect(phone.surroundings.openedURLs.isEmpty && phone.surroundings.cashier == nil)
    }

    @Test func closedCashierIsWhatItSaidAndOtherwiseAQuestion() async throws {
        let phone = try TestPhone(wallet: false)
        let (first, second) = (try await TestOrder("A-1"), try await TestOrder("A-2"))
        phone.server.answer("A-1", .unpaid)
        phone.server.answer("A-2", .unpaid, .paid)
        let closed = await phone.begin(first)
        phone.surroundings.endCashier(cancelled)
        #expect(try await closed.value == .cancelled)
        let lost = await phone.begin(second)
        phone.surroundings.endCashier(nil)
        #expect(try await lost.value == .succeeded(ConfirmedPayment(orderNumber: "A-2", resultIsVerified: false)))
    }

    @Test func walletThatDoesNotOpenLeavesTheCashier() async throws {
        let phone = try TestPhone()
        phone.surroundings.opens = false
        let order = try await TestOrder("A-1")
        let payment = await phone.begin(order)
        #expect(phone.surroundings.cashier?.order == order.text)
        #expect(phone.client.faults == [PaymentFault(.walletNotOpened, orderNumber: "A-1")])
        phone.surroundings.endCashier(cancelled)
        #expect(try await payment.value == .cancelled)
    }

    @Test(arguments: [
        ("https://wallet.example.test/cashier/s-1/password", "https://wallet.example.test/cashier/s-1/closing"),
        ("https://wallet.example.test/cashier/s-1", "https://wallet.example.test/cashier/s-1/closing"),
        ("https://wallet.example.test/cashier", nil), ("https://wallet.example.test/other/s-1", nil),
        ("https://elsewhere.example.test/cashier/s-1", nil), ("http://wallet.example.test/cashier/s-1", nil),
    ])
    func onlyTheCashiersOwnPagesAreClosed(page: String, closing: String?) throws {
        let address = try #require(URL(string: "https://wallet.example.test/cashier"))
        let request = CashierRequest(address: address, order: "o", scheme: "shopapp")
        #expect(request.closing(try #require(URL(string: page)))?.absoluteString == closing)
    }

    // MARK: Coming back without a word

    @Test func appThatComesBackWithoutAURLAsksAfterAMoment() async throws {
        let phone = try TestPhone()
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", .unpaid, .paid)
        let payment = await phone.begin(order)
        phone.client.appBecameActive()
        #expect(try await payment.value == .succeeded(ConfirmedPayment(orderNumber: "A-1", resultIsVerified: false)))
        #expect(phone.time.slept.first == .seconds(1))
    }

    @Test func lateURLTakesOverFromTheQuestions() async throws {
        let phone = try TestPhone()
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", .unpaid)
        phone.time.hold(.seconds(8))
        let payment = await phone.begin(order)
        phone.client.appBecameActive()
        await until { phone.time.sleepers == 1 }
        phone.server.answer("A-1", .paid)
        try phone.comeBack(try await order.paid())
        #expect(try await payment.value == .succeeded(ConfirmedPayment(orderNumber: "A-1", resultIsVerified: true)))
        #expect(phone.time.sleepers == 0)
    }

    @Test func timeOutIsNoFailureAndTheNewsComesLater() async throws {
        let phone = try TestPhone()
        phone.listen()
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", .unpaid)
        let payment = await phone.begin(order)
        phone.client.appBecameActive()
        #expect(try await payment.value == .undecided)
        #expect(phone.heard.isEmpty)
        phone.server.answer("A-1", .paid)
        try phone.comeBack(try await order.paid())
        await until { !phone.heard.isEmpty }
        #expect(phone.heard.map(\.outcome) == [.succeeded(ConfirmedPayment(orderNumber: "A-1", resultIsVerified: true))])
    }

    @Test func openCashierIsNotAskedAbout() async throws {
        let phone = try TestPhone(wallet: false)
        let order = try await TestOrder("A-1")
        let payment = await phone.begin(order)
        phone.client.appBecameActive()
        phone.surroundings.endCashier(cancelled)
        #expect(try await payment.value == .cancelled)
        #expect(phone.server.questions.count == 1)
    }

    @Test func callerWhoGoesAwayLeavesThePaymentPending() async throws {
        let phone = try TestPhone()
        let order = try await TestOrder("A-1")
        let payment = await phone.begin(order)
        payment.cancel()
        #expect(try await payment.value == .undecided)
        phone.server.answer("A-1", .paid)
        #expect(await phone.client.recover().map(\.outcome) == [.succeeded(ConfirmedPayment(orderNumber: "A-1", resultIsVerified: false))])
    }

    // MARK: Beginning

    @Test func orderThatWasBegunBeforeIsAskedForFirst() async throws {
        let phone = try TestPhone()
        let order = try await TestOrder("A-1")
        let first = await phone.begin(order)
        try phone.comeBack(cancelled)
        #expect(try await first.value == .cancelled)
        phone.server.answer("A-1", .paid)
        let again = try await phone.client.pay(order: order.text, returnTo: .init(scheme: TestPhone.scheme))
        #expect(again == .succeeded(ConfirmedPayment(orderNumber: "A-1", resultIsVerified: false)))
        #expect(phone.surroundings.openedURLs.count == 1)
        // Known for good now.
        #expect(try await phone.client.pay(order: order.text, returnTo: .init(scheme: TestPhone.scheme)) == again)
        #expect(phone.server.questions.count == 2)
    }

    @Test func orderThatIsStillOpenIsShownAgain() async throws {
        let phone = try TestPhone()
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", .unpaid)
        let first = await phone.begin(order)
        let second = await phone.begin(order)
        #expect(try await first.value == .undecided)
        #expect(phone.client.pending.payments.map(\.id) == [2])
        phone.server.answer("A-1", .paid)
        try phone.comeBack(try await order.paid())
        #expect(try await second.value == .succeeded(ConfirmedPayment(orderNumber: "A-1", resultIsVerified: true)))
    }

    @Test func orderWithAProofIsNotShownAgain() async throws {
        let phone = try TestPhone()
        let order = try await TestOrder("A-1")
        let first = await phone.begin(order)
        try phone.comeBack(try await order.paid())
        #expect(try await first.value == .undecided)
        phone.server.answer("A-1", .unpaid, .paid)
        #expect(
            try await phone.client.pay(order: order.text, returnTo: .init(scheme: TestPhone.scheme))
                == .succeeded(ConfirmedPayment(orderNumber: "A-1", resultIsVerified: true)))
        #expect(phone.surroundings.openedURLs.count == 1)
    }

    @Test func closedOrderIsNotShownAgain() async throws {
        let phone = try TestPhone()
        let order = try await TestOrder("A-1")
        let first = await phone.begin(order)
        phone.server.answer("A-1", .closed)
        #expect(try await phone.client.pay(order: order.text, returnTo: .init(scheme: TestPhone.scheme)) == .failed(.failed))
        #expect(try await first.value == .failed(.failed))
        #expect(phone.surroundings.openedURLs.count == 1)
    }

    @Test(arguments: ["", "shop_app", "alipay", "AliPays", "1shop", "shop app", "https"])
    func schemeThatNeverComesBackIsRefused(scheme: String) async throws {
        let phone = try TestPhone()
        let order = try await TestOrder("A-1")
        await #expect(throws: AlipayAppError(code: .returnAddressUnusable, reason: "")) {
            try await phone.client.pay(order: order.text, returnTo: .init(scheme: scheme))
        }
        #expect(phone.surroundings.openedURLs.isEmpty && phone.client.pending.payments.isEmpty)
    }

    @Test(arguments: [
        "", "not an order", #"out_trade_no="1""#, #"partner="2088"&sign="x"&sign_type="RSA""#,
        "app_id=1&biz_content=%7B%22out_trade_no%22%3A%221%22%7D",
        "app_id=1&biz_content=%7B%7D&sign=x&sign_type=RSA2&charset=utf-8", #"a="1"&a="2"&out_trade_no="1"&sign="x"&sign_type="RSA""#,
    ])
    func unreadableOrderIsRefused(order: String) async throws {
        let phone = try TestPhone()
        await #expect(throws: AlipayAppError(code: .orderMalformed, reason: "")) {
            try await phone.client.pay(order: order, returnTo: .init(scheme: TestPhone.scheme))
        }
        #expect(phone.surroundings.openedURLs.isEmpty)
    }
}
