import Alipay
import ApplePayApp
import AsyncHTTPClient
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldSandbox
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

/// A gateway that registers everybody, and says of trades what the test tells it to.
private final class StandInGateway: MerchantConnection {
    let partner: LegacyRSAPrivateKey
    let application: LegacyRSAPrivateKey
    /// Answers to modern queries: `trade_status`, nil for a trade that is not there.
    let status = Mutex<String?>(nil)
    /// Whether trades were paid once; what a refund's answer says of the money, and what a refund's query does.
    let paidAt = Mutex<String?>(nil)
    let fundChange = Mutex<String?>("Y")
    let refundStatus = Mutex<String?>(nil)
    /// What the next calls are answered with instead, and whether that is signed.
    let failure = Mutex<(ModernFailure, isSigned: Bool)?>(nil)

    init() throws {
        partner = try LegacyRSAPrivateKey(bits: 1024)
        application = try LegacyRSAPrivateKey(bits: 2048)
    }

    private func text(_ key: LegacyRSAPrivateKey) -> String { StrictBase64.encode(key.publicKey.subjectPublicKeyInfo) }

    func send(_ question: HTTPQuestion) async throws -> HTTPAnswer {
        if question.path == "/onboarding/v1/merchants" {
            let body = """
                {"partner":"-","partnerKey":"\(text(partner))","platformKey":"\(text(partner))","applications":[{"appID":"-","gatewayKey":"\(text(application))"}]}
                """
            return HTTPAnswer(status: 200, body: Data(body.utf8))
        }
        let request = try ModernRequest(Array(question.path.split(separator: "?", maxSplits: 1)[1].utf8))
        let method = request.method ?? ""
        let content = try AlipayJSON.read(request.parameters["biz_content"] ?? "")
        let number = content["out_trade_no"]?.scalar
        if let (failure, isSigned) = failure.withLock({ $0 }) {
            let signer = isSigned ? AlipayRSASigner.rsa2(application) : nil
            return HTTPAnswer(status: 200, body: Data(try await ModernAnswer.make(failure.node, answering: method, by: signer)))
        }
        guard let status = status.withLock({ $0 }) else {
            let failure = ModernFailure.business("ACQ.TRADE_NOT_EXIST", "there is no such trade")
            return HTTPAnswer(
                status: 200,
                body: Data(
                    try await ModernAnswer.make(
                        failure.node, answering: method, by: AlipayRSASigner.rsa2(application))))
        }
        let node = JSONValue.texts([
            "code": "10000", "msg": "Success", "trade_no": "2026112000001", "out_trade_no": number, "trade_status": status,
            "total_amount": "128.00", "send_pay_date": paidAt.withLock { $0 },
            "fund_change": method == "alipay.trade.refund" ? fundChange.withLock { $0 } : nil,
            "refund_status": method == "alipay.trade.fastpay.refund.query" ? refundStatus.withLock { $0 } : nil,
            "out_request_no": content["out_request_no"]?.scalar,
        ])
        return HTTPAnswer(
            status: 200, body: Data(try await ModernAnswer.make(node, answering: method, by: AlipayRSASigner.rsa2(application))))
    }

    /// A signed notification's form.
    func notification(
        of order: String, _ fields: [String: String] = [:], id: String = "n-1", status: String = "TRADE_SUCCESS",
        by key: LegacyRSAPrivateKey? = nil
    ) async throws -> String {
        var all = [
            "notify_id": id, "notify_type": "trade_status_sync", "notify_time": "2026-11-20 20:00:00", "app_id": "2026000000000106",
            "seller_id": "2088000000000106", "charset": "utf-8", "version": "1.0", "out_trade_no": order, "trade_no": "2026112000001",
            "trade_status": status, "total_amount": "128.00",
        ]
        all.merge(fields) { _, new in new }
        return try await AlipayNotification.signed(all.map { ($0.key, $0.value) }, by: AlipayRSASigner.rsa2(key ?? application)).form
    }
}

/// The merchant's server over its interface, with an order of 128.00 CNY in its books.
@Suite struct ExpressMerchantTests {
    private struct Scene {
        let gateway: StandInGateway
        let client: PartyClient
        let number: String

        /// The body that answers a notification.
        func told(_ form: String) async throws -> String {
            let answer = try await client.client.execute(
                uri: "/alipay-merchant/notify", method: .post, headers: [.contentType: "application/x-www-form-urlencoded"],
                body: ByteBuffer(string: form))
            return String(buffer: answer.body)
        }

        func state() async throws -> String? {
            try await client.send(.get, "/alipay-merchant/v1/orders/\(number)").json["state"] as? String
        }

        func books() async throws -> [[String: Any]] {
            try await client.send(.get, "/alipay-merchant/v1/books").json["entries"] as? [[String: Any]] ?? []
        }
    }

    private func scene(faults: String = "[]", _ body: @escaping @Sendable (Scene) async throws -> Void) async throws {
        try await PartySetting.with { setting in
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("express-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let gateway = try StandInGateway()
            let merchant = await PlayedAlipayMerchant(
                .init(
                    gateway: "http://gateway.test", wallet: "http://wallet.test", merchant: "http://shop.test", console: nil,
                    onboardingKey: Secret("key")),
                keys: PartyKeys(folder), surroundings: setting.surroundings, client: .shared, gateway: gateway, merchant: gateway)
            let router = Router()
            merchant.addRoutes(to: router)
            try await Application(router: router).test(.router) { client in
                let party = PartyClient(client: client)
                let placed = try await party.send(
                    .post, "/alipay-merchant/v1/orders", #"{"offer":"longjing","generation":"modern","faults":\#(faults)}"#)
                let number = try #require(placed.json["number"] as? String)
                try await body(Scene(gateway: gateway, client: party, number: number))
            }
        }
    }

    @Test func aPaymentIsBookedOnceHoweverOftenItIsTold() async throws {
        try await scene { scene in
            let form = try await scene.gateway.notification(of: scene.number)
            for _ in 0..<3 { #expect(try await scene.told(form) == "success") }
            #expect(try await scene.state() == "paid")
            let books = try await scene.books()
            #expect(books.count == 1)
            #expect((books.first?["amount"] as? [String: String]) == ["value": "128.00", "currency": "CNY"])
        }
    }

    @Test(arguments: [
        ["total_amount": "0.01"], ["seller_id": "2088000000000999"], ["app_id": "2026000000000999"], ["notify_type": "other"],
        ["trade_status": "SOMETHING"], ["out_trade_no": "TL0"],
    ])
    func whatIsSignedAndNotOfThisOrderIsRefused(_ fields: [String: String]) async throws {
        try await scene { scene async throws in
            #expect(try await scene.told(scene.gateway.notification(of: scene.number, fields)) == "fail")
            #expect(try await scene.state() == "unpaid")
        }
    }

    @Test func aForeignSignatureIsNotBelieved() async throws {
        try await scene { scene in
            let form = try await scene.gateway.notification(of: scene.number, by: LegacyRSAPrivateKey(bits: 2048))
            #expect(try await scene.told(form) == "fail")
            #expect(try await scene.told("out_trade_no=\(scene.number)") == "fail")
            #expect(try await scene.told("%") == "fail")
            #expect(try await scene.state() == "unpaid")
        }
    }

    @Test func aPaidOrderNeverMovesBack() async throws {
        try await scene { scene async throws in
            #expect(try await scene.told(scene.gateway.notification(of: scene.number)) == "success")
            let late = try await scene.gateway.notification(of: scene.number, id: "n-2", status: "TRADE_CLOSED")
            #expect(try await scene.told(late) == "success")
            #expect(try await scene.state() == "paid")
        }
    }

    @Test func aRefundThatComesFirstTellsOfThePayment() async throws {
        try await scene { scene in
            let refund = try await scene.gateway.notification(
                of: scene.number, ["refund_fee": "28.00", "out_biz_no": "part-1", "gmt_refund": "2026-11-20 20:01:00"], id: "n-2")
            #expect(try await scene.told(refund) == "success")
            #expect(try await scene.told(scene.gateway.notification(of: scene.number)) == "success")
            #expect(try await scene.state() == "paid")
        }
    }

    @Test func aPaymentAfterAClosingCounts() async throws {
        try await scene { scene in
            let closed = try await scene.gateway.notification(of: scene.number, status: "TRADE_CLOSED")
            #expect(try await scene.told(closed) == "success")
            #expect(try await scene.state() == "closed")
            #expect(try await scene.told(scene.gateway.notification(of: scene.number, id: "n-2")) == "success")
            #expect(try await scene.state() == "paid")
        }
    }

    /// A trade that timed out unpaid, told as the real platform tells it: same fields, and this order's names.
    @Test func aRecordedTimeOutLeavesAnUnpaidOrderUnpaid() async throws {
        try await scene { scene async throws in
            let recorded = try AlipayParameters(form: FieldInput.bytes("alipay/closed-timeout-notify.form"))
            var fields: [(name: String, value: String)] = []
            for entry in recorded.entries where !["sign", "sign_type"].contains(entry.name) {
                fields.append((name: entry.name, value: String(decoding: entry.value, as: UTF8.self)))
            }
            for index in fields.indices where fields[index].name == "out_trade_no" { fields[index].value = scene.number }
            #expect(fields.contains { $0.name == "refund_fee" && $0.value == "0.00" } && !fields.contains { $0.name == "gmt_payment" })
            let form = try await AlipayNotification.signed(fields, by: AlipayRSASigner.rsa2(scene.gateway.application)).form
            for _ in 0..<2 { #expect(try await scene.told(form) == "success") }
            #expect(try await scene.state() == "closed")
            #expect(try await scene.books().isEmpty)
            #expect(
                try await scene.client.refusal(.post, "/alipay-merchant/v1/orders/\(scene.number)/refunds", #"{"amount":"1.00"}"#)
                    == "not-paid")
        }
    }

    /// The fields of a close, the order's state before and after, and how many lines its books then have.
    @Test(
        arguments: [
            (["refund_fee": "0.00"], false, "success", "closed", 0), (["refund_fee": "0.00"], true, "success", "paid", 1),
            ([:], false, "success", "closed", 0),
            (["refund_fee": "128.00", "gmt_payment": "x", "out_biz_no": "r"], false, "success", "refunded", 2),
            (["refund_fee": "128.00", "gmt_payment": "x", "out_biz_no": "r"], true, "success", "refunded", 2),
            (["refund_fee": "128.00"], false, "fail", "unpaid", 0), (["refund_fee": "x", "gmt_payment": "x"], false, "fail", "unpaid", 0),
            (["refund_fee": "128.00"], true, "fail", "paid", 1), (["gmt_payment": "x"], false, "fail", "unpaid", 0),
        ] as [([String: String], Bool, String, String, Int)])
    func aCloseProvesNoPayment(
        _ fields: [String: String], _ wasPaid: Bool, _ word: String, _ state: String, _ lines: Int
    ) async throws {
        try await scene { scene async throws in
            if wasPaid { #expect(try await scene.told(scene.gateway.notification(of: scene.number)) == "success") }
            let closed = try await scene.gateway.notification(of: scene.number, fields, id: "n-2", status: "TRADE_CLOSED")
            #expect(try await scene.told(closed) == word)
            #expect(try await scene.state() == state)
            #expect(try await scene.books().count == lines)
        }
    }

    @Test(
        arguments: [
            ("TRADE_CLOSED", nil, "closed"), ("TRADE_CLOSED", "2026-11-20 20:00:00", "refunded"), ("TRADE_SUCCESS", nil, "paid"),
            ("TRADE_FINISHED", nil, "paid"), ("WAIT_BUYER_PAY", nil, "unpaid"), ("WAIT_BUYER_PAY", "2026-11-20 20:00:00", "unpaid"),
            ("TRADE_PENDING", nil, "unpaid"),
        ] as [(String, String?, String)])
    func aQueryIsReadAsAWhole(_ status: String, _ paidAt: String?, _ state: String) async throws {
        try await scene { scene async throws in
            scene.gateway.status.withLock { $0 = status }
            scene.gateway.paidAt.withLock { $0 = paidAt }
            let path = "/alipay-merchant/v1/orders/\(scene.number)/state"
            #expect(try await scene.client.send(.post, path, "{}").json["state"] as? String == state)
        }
    }

    /// Accepted is not done: only `fund_change` Y, or the refund's query, says that money moved.
    @Test(
        arguments: [
            ("Y", nil, true), ("N", nil, false), (nil, nil, false), ("N", "REFUND_SUCCESS", true), (nil, "REFUND_SUCCESS", true),
            (nil, "REFUND_PROCESSING", false),
        ] as [(String?, String?, Bool)])
    func anAcceptedRefundIsDoneOnlyWhereMoneyMoved(_ change: String?, _ status: String?, _ isDone: Bool) async throws {
        try await scene { scene async throws in
            #expect(try await scene.told(scene.gateway.notification(of: scene.number)) == "success")
            scene.gateway.status.withLock { $0 = "TRADE_SUCCESS" }
            scene.gateway.fundChange.withLock { $0 = change }
            scene.gateway.refundStatus.withLock { $0 = status }
            let path = "/alipay-merchant/v1/orders/\(scene.number)/refunds"
            _ = try await scene.client.send(.post, path, #"{"amount":"28.00","number":"20261120part1"}"#)
            #expect(try await scene.books().map { $0["kind"] as? String } == (isDone ? ["payment", "refund"] : ["payment"]))
            // What may be under way is not given back a second time.
            #expect(try await scene.client.refusal(.post, path, #"{"amount":"100.01"}"#) == "beyond-payment")
        }
    }

    @Test func aLateNotificationIsTakenAtItsSecondDelivery() async throws {
        try await scene(faults: #"["notification-late"]"#) { scene in
            let form = try await scene.gateway.notification(of: scene.number)
            #expect(try await scene.told(form) == "fail")
            #expect(try await scene.told(form) == "success")
        }
    }

    @Test func aLostNotificationIsMadeUpForByAQuery() async throws {
        try await scene(faults: #"["notification-lost"]"#) { scene async throws in
            let path = "/alipay-merchant/v1/orders/\(scene.number)/state"
            #expect(try await scene.told(scene.gateway.notification(of: scene.number)) == "fail")
            #expect(try await scene.client.send(.post, path, "{}").json["state"] as? String == "unpaid")
            scene.gateway.status.withLock { $0 = "TRADE_SUCCESS" }
            #expect(try await scene.client.send(.post, path, "{}").json["state"] as? String == "paid")
            #expect(try await scene.books().count == 1)
        }
    }

    /// Only a business refusal under the gateway's signature ends a refund; after anything else it may have been booked.
    @Test(arguments: [
        (ModernFailure.unavailable("aop.unknow-error"), false),
        (ModernFailure(code: "40005", message: "Call Limited", subCode: "isv.app-call-limited"), false),
        (ModernFailure.business("ACQ.TRADE_HAS_FINISHED", "over"), false), (ModernFailure.business("ACQ.SYSTEM_ERROR", "busy"), true),
    ]) func aRefundThatMayHaveBeenBookedIsAskedForUnderTheSameNumber(_ failure: ModernFailure, _ isSigned: Bool) async throws {
        try await scene { scene in
            let path = "/alipay-merchant/v1/orders/\(scene.number)/refunds"
            #expect(try await scene.told(scene.gateway.notification(of: scene.number)) == "success")
            scene.gateway.failure.withLock { $0 = (failure, isSigned) }
            let first = #"{"amount":"100.00","number":"20261120part1"}"#
            #expect(try await scene.client.refusal(.post, path, first) == "gateway-unavailable")
            // It counts as given back until somebody knows better.
            #expect(try await scene.client.refusal(.post, path, #"{"amount":"100.00"}"#) == "beyond-payment")
            scene.gateway.failure.withLock { $0 = nil }
            scene.gateway.status.withLock { $0 = "TRADE_SUCCESS" }
            _ = try await scene.client.send(.post, path, first)
            #expect(try await scene.books().map { $0["kind"] as? String } == ["payment", "refund"])
        }
    }

    @Test func aRefundThatTheGatewayRefusesIsNotGivenBack() async throws {
        try await scene { scene async throws in
            let path = "/alipay-merchant/v1/orders/\(scene.number)/refunds"
            #expect(try await scene.told(scene.gateway.notification(of: scene.number)) == "success")
            scene.gateway.failure.withLock { $0 = (.business("TRADE_HAS_FINISHED", "over"), true) }
            #expect(try await scene.client.refusal(.post, path, #"{"amount":"100.00"}"#) == "refund-refused")
            #expect(try await scene.books().count == 1)
        }
    }

    @Test func anAnswerThatSaysNothingIsNoMissingTrade() async throws {
        try await scene { scene async throws in
            scene.gateway.failure.withLock { $0 = (.unavailable("aop.unknow-error"), false) }
            let path = "/alipay-merchant/v1/orders/\(scene.number)/state"
            #expect(try await scene.client.refusal(.post, path, "{}") == "gateway-unavailable")
        }
    }

    @Test func nothingIsGivenBackBeyondThePayment() async throws {
        try await scene { scene in
            let path = "/alipay-merchant/v1/orders/\(scene.number)/refunds"
            #expect(try await scene.client.refusal(.post, path, #"{"amount":"1.00"}"#) == "not-paid")
            scene.gateway.status.withLock { $0 = "TRADE_SUCCESS" }
            #expect(try await scene.told(scene.gateway.notification(of: scene.number)) == "success")
            #expect(try await scene.client.refusal(.post, path, #"{"amount":"128.01"}"#) == "beyond-payment")
            #expect(try await scene.client.refusal(.post, path, #"{"amount":"1.001"}"#) == "amount-malformed")
            _ = try await scene.client.send(.post, path, #"{"amount":"28.00","number":"20261120part1"}"#)
            _ = try await scene.client.send(.post, path, #"{"amount":"28.00","number":"20261120part1"}"#)
            #expect(try await scene.client.refusal(.post, path, #"{"amount":"29.00","number":"20261120part1"}"#) == "number-reused")
            #expect(try await scene.client.refusal(.post, path, #"{"amount":"100.01"}"#) == "beyond-payment")
            let books = try await scene.books()
            #expect(books.map { $0["kind"] as? String } == ["payment", "refund"])
        }
    }
}
