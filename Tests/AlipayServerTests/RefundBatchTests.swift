import Alipay
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import Testing

@testable import AlipayServer

/// Refunds by `refund_fastpay_by_platform_nopwd` and `forex_refund`: what is asked for twice, too early, or under a used number.
struct RefundBatchTests {
    private static func batch(
        _ gateway: OrderGatewayHarness, _ number: String, _ items: [String], url: String? = OrderGatewayHarness.notify
    ) async throws -> LegacyAnswer {
        var parameters = [
            ("batch_no", number), ("batch_num", String(items.count)), ("refund_date", "2026-11-21 04:00:00"),
            ("detail_data", items.joined(separator: "#")),
        ]
        if let url { parameters.append(("notify_url", url)) }
        return try LegacyAnswer(Array(try await gateway.legacy("refund_fastpay_by_platform_nopwd", parameters).utf8))
    }

    /// The notifications of a type, verified.
    private static func told(_ gateway: OrderGatewayHarness, _ type: String) throws -> [VerifiedNotification] {
        let keys = AlipayVerificationKeys(rsa: gateway.keys.gatewayPartners.publicKey, md5: Secret(OrderGatewayHarness.md5))
        return try gateway.outside.notifications.map { try AlipayNotification(form: $0.form) }
            .filter { $0.parameters["notify_type"] == type }.map { try $0.verified(by: keys) }
    }

    @Test(arguments: StoreEngine.available) func aBatchNumberStandsForOneContent(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let first = try await gateway.paid(try await gateway.legacyOrder("K_1"))
            let second = try await gateway.paid(try await gateway.legacyOrder("K_2"))
            for _ in 0..<2 { #expect(try await Self.batch(gateway, "20261121001", ["\(first)^4.00^cold"]).isSuccess) }
            let other = try await Self.batch(gateway, "20261121001", ["\(second)^4.00^cold"])
            #expect(other.error == "DISCORDANT_REPEAT_REQUEST")
            try await gateway.work()
            #expect(try await Self.batch(gateway, "20261121001", ["\(first)^4.00^cold"]).isSuccess)
            try await gateway.work()
            #expect(Array(gateway.outside.credits.values) == ["4.00"])
            let told = try Self.told(gateway, "batch_refund_notify")
            #expect(told.map { $0["result_details"] } == ["\(first)^4.00^SUCCESS"])
            #expect(told.first?["success_num"] == "1")
        }
    }

    @Test func aTradeThatIsNamedTwiceIsRefusedAndNothingMoves() async throws {
        try await OrderGatewayHarness.open { gateway in
            let trade = try await gateway.paid(try await gateway.legacyOrder("K_1"))
            #expect(try await Self.batch(gateway, "20261121001", ["\(trade)^5.00^a", "\(trade)^5.00^b"]).error == "ILLEGAL_ARGUMENT")
            #expect(try await Self.batch(gateway, "20261121002", ["a&trade_status=TRADE_SUCCESS^5.00^a"]).error == "ILLEGAL_ARGUMENT")
            try await gateway.work()
            #expect(gateway.outside.credits.isEmpty)
        }
    }

    @Test func aBatchWhoseAnswerWasLostAtMidnightIsAskedForAgain() async throws {
        try await OrderGatewayHarness.open { gateway in
            let trade = try await gateway.paid(try await gateway.legacyOrder("K_1"))
            #expect(try await Self.batch(gateway, "20261121001", ["\(trade)^4.00^cold"]).isSuccess)
            gateway.clock.advance(by: .seconds(20 * 3_600))
            #expect(try await Self.batch(gateway, "20261121001", ["\(trade)^4.00^cold"]).isSuccess)
            #expect(try await Self.batch(gateway, "20261121002", ["\(trade)^4.00^cold"]).error == "ILLEGAL_ARGUMENT")
            try await gateway.work()
            #expect(Array(gateway.outside.credits.values) == ["4.00"])
        }
    }

    @Test func aBatchOfWhichNothingSucceededIsToldToo() async throws {
        try await OrderGatewayHarness.open { gateway in
            let none = "2026112122000000000000000009"
            #expect(try await Self.batch(gateway, "20261121001", ["\(none)^1.00^lost"]).isSuccess)
            try await gateway.work()
            let told = try Self.told(gateway, "batch_refund_notify")
            #expect(told.map { $0["result_details"] } == ["\(none)^1.00^TRADE_NOT_EXIST"])
            #expect(told.map { $0["success_num"] } == ["0"])
        }
    }

    @Test(arguments: StoreEngine.available) func aLargeBatchIsWorkedOffWholeAndToldOnce(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine, faults: .init(serializationFailures: 100, lostReplies: 200)) { gateway in
            var items: [String] = []
            for index in 0..<60 {
                // Every tenth is a trade that is not there.
                let trade =
                    index.isMultiple(of: 10)
                    ? "20261121220000000000000001\(index + 10)" : try await gateway.paid(try await gateway.legacyOrder("L_\(index)"))
                items.append("\(trade)^1.00^cold")
            }
            #expect(try await Self.batch(gateway, "20261121001", items).isSuccess)
            // A claim whose answer was lost is taken again when its lease has ended.
            for _ in 0..<10 {
                try await gateway.work()
                gateway.clock.advance(by: .seconds(61))
            }
            #expect(gateway.outside.credits.count == 54)
            let told = try Self.told(gateway, "batch_refund_notify")
            #expect(Set(told.map { $0["success_num"] }) == ["54"])
            #expect(Set(told.map(\.notifyID)).count == 1)
        }
    }

    // MARK: Cross-border

    private static func forex(
        _ gateway: OrderGatewayHarness, _ number: String, _ amount: String, sync: String, url: String? = OrderGatewayHarness.notify
    ) async throws -> LegacyAnswer {
        var parameters = [
            ("out_return_no", number), ("out_trade_no", "F_1"), ("currency", "HKD"), ("return_amount", amount),
            ("gmt_return", "2026-11-21 04:00:00"), ("reason", "cold tea"), ("is_sync", sync),
        ]
        if let url { parameters.append(("notify_url", url)) }
        return try LegacyAnswer(
            Array(try await gateway.legacy("forex_refund", partner: OrderGatewayHarness.crossBorder, parameters).utf8))
    }

    private static func order(_ gateway: OrderGatewayHarness) async throws -> String {
        try await gateway.legacyOrder("F_1", partner: OrderGatewayHarness.crossBorder)
    }

    @Test(arguments: StoreEngine.available) func aRefundThatFailedIsNotAcceptedAgain(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let begun = try await gateway.begin(try await Self.order(gateway))
            // A second too early: the trade is not paid.
            #expect(try await Self.forex(gateway, "a", "1.00", sync: "N").isSuccess)
            try await gateway.work()
            #expect(try await gateway.pay(begun.tradeNo, begun.payable, request: "p").status == 200)
            #expect(try await Self.forex(gateway, "a", "1.00", sync: "N").error == "TRADE_STATUS_ERROR")
            #expect(try await Self.forex(gateway, "a", "1.00", sync: "Y").error == "TRADE_STATUS_ERROR")
            try await gateway.work()
            #expect(gateway.outside.credits.isEmpty)
            #expect(try Self.told(gateway, "refund_status_sync").map { $0["refund_status"] } == ["REFUND_FAIL"])
        }
    }

    @Test(arguments: StoreEngine.available) func aSynchronousAnswerMeansThatItIsDecided(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let begun = try await gateway.begin(try await Self.order(gateway))
            #expect(try await Self.forex(gateway, "a", "1.00", sync: "N").isSuccess)
            #expect(try await Self.forex(gateway, "a", "1.00", sync: "Y").error == "TRADE_STATUS_ERROR")
            // Refused once, it is not booked behind the merchant's back.
            #expect(try await gateway.pay(begun.tradeNo, begun.payable, request: "p").status == 200)
            try await gateway.work()
            #expect(gateway.outside.credits.isEmpty)
            #expect(try await Self.forex(gateway, "b", "1.00", sync: "N").isSuccess)
            #expect(try await Self.forex(gateway, "b", "1.00", sync: "Y").isSuccess)
            // Booked before any worker ran.
            #expect(try await gateway.balance(OrderGatewayHarness.crossBorder).values.contains("-9.00"))
            try await gateway.work()
            #expect(gateway.outside.credits.count == 1)
            #expect(try await Self.forex(gateway, "a&b=c", "1.00", sync: "Y").error == "ILLEGAL_ARGUMENT")
        }
    }

    @Test func withoutAnAddressTheOrdersIsTold() async throws {
        try await OrderGatewayHarness.open { gateway in
            try await gateway.paid(try await Self.order(gateway))
            #expect(try await Self.forex(gateway, "a", "1.00", sync: "N", url: nil).isSuccess)
            try await gateway.work()
            #expect(try Self.told(gateway, "refund_status_sync").map { $0["refund_status"] } == ["REFUND_SUCCESS"])
        }
    }
}
