import Alipay
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Foundation
import HTTPTypes
import PaymentCrypto
import Testing

@testable import AlipayServer

/// `refund_fastpay_by_platform_pwd`: nothing moves before a person of the merchant typed the password.
struct RefundConfirmationTests {
    private static let password = "leaves and patience"

    /// The domestic merchant, with a password or without.
    private static func register(_ gateway: OrderGatewayHarness, password: String?) async throws {
        let first = try #require(try OrderGatewayHarness.merchants(gateway.keys).first)
        let text = password.map { first.replacing(#""md5":"#, with: #""refundPassword":"\#($0)","md5":"#) } ?? first
        _ = try await gateway.server.onboarding.register(Array(text.utf8))
    }

    /// The signed call as a query.
    private static func call(
        _ number: String, _ items: [String], partner: String = OrderGatewayHarness.domestic, key: String = OrderGatewayHarness.md5,
        with extra: [(String, String)] = []
    ) async throws -> String {
        try await LegacyServiceRequest.signed(
            [
                ("service", "refund_fastpay_by_platform_pwd"), ("partner", partner), ("_input_charset", "utf-8"),
                ("notify_url", OrderGatewayHarness.notify), ("batch_no", number), ("batch_num", String(items.count)),
                ("refund_date", "2026-11-21 04:00:00"), ("detail_data", items.joined(separator: "#")),
            ] + extra, by: AlipayMD5Signer(key: Secret(key))
        ).text
    }

    private static func show(_ gateway: OrderGatewayHarness, _ call: String) async throws -> OrderGatewayHarness.Answer {
        try await gateway.send(.get, "/gateway.do?\(call)")
    }

    private static func confirm(_ gateway: OrderGatewayHarness, _ call: String, _ password: String) async throws
        -> OrderGatewayHarness.Answer
    {
        let form = try AlipayParameters([("call", call), ("password", password)]).form
        return try await gateway.send(.post, "/refund-batches", form, type: "application/x-www-form-urlencoded")
    }

    private static func batch(_ gateway: OrderGatewayHarness, _ number: String) async throws -> RefundBatch? {
        try await gateway.store.database.read { try BatchRecords.find(number, merchant: MerchantID(OrderGatewayHarness.domestic), in: $0) }
    }

    @Test(arguments: StoreEngine.available) func theRightPasswordGivesBackOnce(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            try await Self.register(gateway, password: Self.password)
            let trade = try await gateway.paid(try await gateway.legacyOrder("W_1"))
            let call = try await Self.call("20261121001", ["\(trade)^4.00^冷茶"], with: [("seller_user_id", OrderGatewayHarness.domestic)])
            let shown = try await Self.show(gateway, call)
            #expect(shown.status == 200 && shown.headers[.contentType] == "text/html; charset=utf-8")
            for text in [trade, "4.00", "冷茶", "20261121001", "type=\"password\""] { #expect(shown.body.contains(text), "\(text)") }
            for wrong in ["", "leaves and patienc", "leaves and patience "] {
                let answer = try await Self.confirm(gateway, call, wrong)
                #expect(answer.status == 422 && answer.body.contains("role=\"alert\""))
            }
            #expect(try await Self.batch(gateway, "20261121001") == nil)
            try await gateway.work()
            #expect(gateway.outside.credits.isEmpty)
            for _ in 0..<2 {
                let taken = try await Self.confirm(gateway, call, Self.password)
                #expect(taken.status == 200 && !taken.body.contains("type=\"password\""))
                try await gateway.work()
            }
            #expect(Array(gateway.outside.credits.values) == ["4.00"])
            // The page says what became of it, without a password.
            let after = try await Self.show(gateway, call)
            #expect(after.status == 200 && !after.body.contains("type=\"password\"") && after.body.contains("mark-done"))
            let keys = AlipayVerificationKeys(rsa: gateway.keys.gatewayPartners.publicKey, md5: Secret(OrderGatewayHarness.md5))
            let told = try gateway.outside.notifications.map { try AlipayNotification(form: $0.form) }
                .filter { $0.parameters["notify_type"] == "batch_refund_notify" }.map { try $0.verified(by: keys) }
            #expect(told.map { $0["result_details"] } == ["\(trade)^4.00^SUCCESS"])
            let view = try #require(try await gateway.server.backOffice.trade(trade))
            #expect(view.refunds.map(\.route) == ["refund_fastpay_by_platform_pwd"])
        }
    }

    @Test func onlyWhatWasSignedCanBeConfirmed() async throws {
        try await OrderGatewayHarness.open { gateway in
            try await Self.register(gateway, password: Self.password)
            let trade = try await gateway.paid(try await gateway.legacyOrder("W_1"))
            let call = try await Self.call("20261121001", ["\(trade)^4.00^cold"])
            let more = call.replacing("4.00", with: "9.00")
            #expect(more != call)
            for answer in [try await Self.show(gateway, more), try await Self.confirm(gateway, more, Self.password)] {
                #expect(answer.status == 400 && answer.body.contains("ILLEGAL_SIGN"))
                // The text that was verified helps whoever signed another one.
                #expect(answer.body.contains("\(trade)^9.00^cold"))
            }
            #expect(try await Self.confirm(gateway, call, Self.password).status == 200)
            let other = try await Self.call("20261121001", ["\(trade)^5.00^cold"])
            #expect(try await Self.confirm(gateway, other, Self.password).body.contains("DISCORDANT_REPEAT_REQUEST"))
            try await gateway.work()
            #expect(Array(gateway.outside.credits.values) == ["4.00"])
        }
    }

    @Test func whatCannotBeConfirmedSaysWhy() async throws {
        try await OrderGatewayHarness.open { gateway in
            let item = "2026112122000000000000000009^1.00^cold"
            func code(_ call: String) async throws -> String? {
                let answer = try await Self.show(gateway, call)
                return answer.status == 400 ? answer.body.firstMatch(of: /data-code>([A-Z_]+)</).map { String($0.1) } : "\(answer.status)"
            }
            #expect(try await code(Self.call("20261121001", [item])) == "HAS_NO_PRIVILEGE")
            try await Self.register(gateway, password: Self.password)
            #expect(try await code(Self.call("20261121001", [item])) == "200")
            #expect(try await code(Self.call("20261121001", [item], partner: "2088000000009999")) == "ILLEGAL_PARTNER")
            #expect(try await code(Self.call("20261121001", [item], key: "another-secret-0123456789abcdef01")) == "ILLEGAL_SIGN")
            #expect(try await code(Self.call("2026112100", [item])) == "ILLEGAL_ARGUMENT")
            #expect(try await code(Self.call("20261121001", [item, item])) == "ILLEGAL_ARGUMENT")
            let foreign = [("seller_email", "somebody@else.example")]
            #expect(try await code(Self.call("20261121001", [item], with: foreign)) == "ILLEGAL_ARGUMENT")
            // Another day's number is refused when it is confirmed, as by the call without a password.
            #expect(
                try await Self.confirm(gateway, Self.call("20261120001", [item]), Self.password).body.contains("ILLEGAL_ARGUMENT"))
            for form in ["", "call=a", "call=service%3Da&password=a&more=b", "call=%FF&password=a"] {
                let answer = try await gateway.send(.post, "/refund-batches", form, type: "application/x-www-form-urlencoded")
                #expect(answer.status == 400 && answer.errorCode == "malformed-request", "\(form)")
            }
            // A call of another service is not confirmed here.
            let query = try await LegacyServiceRequest.signed(
                [("service", "single_trade_query"), ("partner", OrderGatewayHarness.domestic), ("_input_charset", "utf-8")],
                by: AlipayMD5Signer(key: Secret(OrderGatewayHarness.md5))
            ).text
            #expect(try await Self.confirm(gateway, query, Self.password).body.contains("HAS_NO_PRIVILEGE"))
        }
    }

    @Test func aPasswordIsNotGuessedAtLeisure() async throws {
        try await OrderGatewayHarness.open { gateway in
            try await Self.register(gateway, password: Self.password)
            let call = try await Self.call("20261121001", ["2026112122000000000000000009^1.00^cold"])
            var answers: [Int] = []
            for guess in 0..<8 { answers.append(try await Self.confirm(gateway, call, "guess number \(guess)").status) }
            #expect(answers == [422, 422, 422, 422, 422, 429, 429, 429])
            #expect(try await Self.confirm(gateway, call, Self.password).status == 429)
            gateway.clock.advance(by: .seconds(20))
            #expect(try await Self.confirm(gateway, call, Self.password).status == 200)
        }
    }

    /// Registered again with the same password the merchant's row stays; nothing of the password is in the store.
    @Test(arguments: StoreEngine.available) func aPasswordIsKeptAsItsHashAlone(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            func row() async throws -> (value: AlipayMerchant, version: Int64)? {
                try await gateway.store.database.read { try MerchantRecords.merchant(MerchantID(OrderGatewayHarness.domestic), in: $0) }
            }
            try await Self.register(gateway, password: Self.password)
            let first = try #require(try await row())
            #expect(first.value.refundPassword?.hasPrefix("scrypt$") == true)
            try await Self.register(gateway, password: Self.password)
            #expect(try await row()?.version == first.version)
            try await Self.register(gateway, password: "another pot of tea")
            #expect(try await row()?.value.refundPassword != first.value.refundPassword)
            try await Self.register(gateway, password: nil)
            #expect(try await row()?.value.refundPassword == nil)
            await #expect(throws: (any Error).self) { try await Self.register(gateway, password: "short") }
        }
    }
}
