import Alipay
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Crypto
import Foundation
import PaymentCrypto
import Testing

@testable import AlipayServer

/// Split payments, files of refunds, and how often and how closely merchants may ask.
struct RefundRuleTests {
    private static let first = "2088000000000911"
    private static let second = "2088000000000912"

    private static func split(_ parts: [(String, String)], _ currency: String = "HKD") -> String {
        "[" + parts.map { #"{"transIn":"\#($0.0)","amount":"\#($0.1)","currency":"\#(currency)","desc":"share"}"# }.joined(separator: ",")
            + "]"
    }

    private func refund(_ gateway: OrderGatewayHarness, _ number: String, _ extra: [(String, String)]) async throws -> LegacyAnswer {
        let body = try await gateway.legacy(
            "forex_refund", partner: OrderGatewayHarness.crossBorder,
            [
                ("out_return_no", number), ("out_trade_no", "S_1"), ("currency", "HKD"), ("gmt_return", "2026-11-21 04:00:00"),
                ("reason", "cold tea"), ("is_sync", "Y"),
            ] + extra)
        return try LegacyAnswer(Array(body.utf8))
    }

    @Test(arguments: StoreEngine.available) func aSplitPaymentIsBookedToItsReceiversAndTakenBack(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let order = try await gateway.legacyOrder(
                "S_1", partner: OrderGatewayHarness.crossBorder,
                with: [("split_fund_info", Self.split([(Self.first, "3.00"), (Self.second, "1.50")]))])
            let tradeNo = try await gateway.paid(order)
            let paid = try await gateway.balance(OrderGatewayHarness.crossBorder)
            #expect(paid["receiver:\(Self.first) HKD"] == "-3.00" && paid["receiver:\(Self.second) HKD"] == "-1.50")
            #expect(paid["merchant:\(OrderGatewayHarness.crossBorder) HKD"] == "-5.50")
            let back = [("return_amount", "4.00"), ("split_fund_info", Self.split([(Self.first, "1.00")]))]
            #expect(try await refund(gateway, "a", back).isSuccess)
            #expect(try await refund(gateway, "a", back).isSuccess)
            // The same number stands for the same receivers too.
            #expect(try await refund(gateway, "a", [("return_amount", "4.00")]).error == "DISCORDANT_REPEAT_REQUEST")
            let after = try await gateway.balance(OrderGatewayHarness.crossBorder)
            #expect(after["receiver:\(Self.first) HKD"] == "-2.00" && after["merchant:\(OrderGatewayHarness.crossBorder) HKD"] == "-2.50")
            // No receiver gives more than it has left, and none that got nothing gives anything.
            for bad in [[(Self.first, "2.01")], [("2088000000000913", "0.01")], [(Self.first, "1.00"), (Self.first, "1.01")]] {
                let answer = try await refund(gateway, "b", [("return_amount", "5.00"), ("split_fund_info", Self.split(bad))])
                #expect(answer.error == "INVALID_PARAMETER", "\(bad)")
            }
            let over = [("return_amount", "1.00"), ("split_fund_info", Self.split([(Self.first, "1.01")]))]
            #expect(try await refund(gateway, "b", over).error == "INVALID_PARAMETER")
            let rest = [
                ("return_amount", "6.00"),
                ("split_fund_info", Self.split([(Self.first, "2.00"), (Self.second, "1.50")])),
            ]
            #expect(try await refund(gateway, "c", rest).isSuccess)
            try await gateway.work()
            #expect(try await gateway.balance(OrderGatewayHarness.crossBorder) == [:])
            let view = try #require(try await gateway.server.backOffice.trade(tradeNo))
            #expect(view.shares.map(\.takenBack) == ["3.00 HKD", "1.50 HKD"] && view.shares.map(\.note) == ["share", "share"])
        }
    }

    /// What receivers got has left the account: refunds give back no more than is on it, of whichever trade.
    @Test(arguments: StoreEngine.available) func aRefundAfterASplitTakesNoMoreThanTheSplitLeft(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            func refund(_ order: String, _ number: String, _ amount: String, from receivers: String? = nil) async throws -> String? {
                let body = try await gateway.legacy(
                    "forex_refund", partner: OrderGatewayHarness.crossBorder,
                    [
                        ("out_return_no", number), ("out_trade_no", order), ("currency", "HKD"), ("gmt_return", "20261121040000"),
                        ("reason", "cold"), ("return_amount", amount), ("is_sync", "Y"),
                    ] + (receivers.map { [("split_fund_info", $0)] } ?? []))
                return try LegacyAnswer(Array(body.utf8)).error
            }
            let account = "merchant:\(OrderGatewayHarness.crossBorder) HKD"
            try await gateway.paid(
                try await gateway.legacyOrder(
                    "S_1", partner: OrderGatewayHarness.crossBorder, with: [("split_fund_info", Self.split([(Self.first, "10.00")]))]))
            #expect(try await refund("S_1", "a", "10.00") == "SELLER_BALANCE_NOT_ENOUGH")
            #expect(try await gateway.balance(OrderGatewayHarness.crossBorder)[account] == nil)
            // A trade that was not split pays for half of it, and has nothing left for its own refund then.
            try await gateway.paid(try await gateway.legacyOrder("S_2", partner: OrderGatewayHarness.crossBorder))
            #expect(try await refund("S_1", "b", "6.00") == nil)
            #expect(try await refund("S_2", "c", "5.00") == "SELLER_BALANCE_NOT_ENOUGH")
            #expect(try await refund("S_2", "d", "4.00") == nil)
            // What the receiver gives back is not the merchant's to have.
            #expect(try await refund("S_1", "e", "4.00", from: Self.split([(Self.first, "4.00")])) == nil)
            #expect(try await gateway.balance(OrderGatewayHarness.crossBorder)[account] == nil)
        }
    }

    @Test func anOrderInYuanSplitsNoMoreThanTheMerchantIsCredited() async throws {
        try await OrderGatewayHarness.open { gateway in
            let thirds = Self.split([(Self.first, "0.03"), (Self.second, "0.03"), ("2088000000000913", "0.04")], "CNY")
            try await gateway.paid(
                try await gateway.legacyOrder(
                    "S_1", partner: OrderGatewayHarness.crossBorder,
                    with: [("total_fee", nil), ("rmb_fee", "0.10"), ("split_fund_info", thirds)]))
            let books = try await gateway.balance(OrderGatewayHarness.crossBorder)
            // 0.10 CNY are 0.11 HKD; the receivers get all of it, to the last cent.
            #expect(books["merchant:\(OrderGatewayHarness.crossBorder) HKD"] == nil)
            #expect(books["receiver:\(Self.first) HKD"] == "-0.03" && books["receiver:\(Self.second) HKD"] == "-0.04")
            #expect(books["receiver:2088000000000913 HKD"] == "-0.04")
        }
    }

    @Test func anotherSplitIsAnotherOrder() async throws {
        try await OrderGatewayHarness.open { gateway in
            func order(_ amount: String) async throws -> String {
                try await gateway.legacyOrder(
                    "S_1", partner: OrderGatewayHarness.crossBorder, with: [("split_fund_info", Self.split([(Self.first, amount)]))])
            }
            _ = try await gateway.begin(try await order("3.00"))
            #expect(try await gateway.show(try await order("4.00")).errorCode == "ALIN42282")
            #expect(try await gateway.show(try await order("10.01")).errorCode == "ALIN42273")
        }
    }

    @Test func anAcceptedRefundTakesBackWhatItNamed() async throws {
        try await OrderGatewayHarness.open { gateway in
            try await gateway.paid(
                try await gateway.legacyOrder(
                    "S_1", partner: OrderGatewayHarness.crossBorder, with: [("split_fund_info", Self.split([(Self.first, "3.00")]))]))
            let body = try await gateway.legacy(
                "forex_refund", partner: OrderGatewayHarness.crossBorder,
                [
                    ("out_return_no", "n"), ("out_trade_no", "S_1"), ("currency", "HKD"), ("gmt_return", "20261121040000"),
                    ("reason", "cold"), ("return_amount", "3.00"), ("split_fund_info", Self.split([(Self.first, "3.00")])),
                ])
            #expect(try LegacyAnswer(Array(body.utf8)).isSuccess)
            try await gateway.work()
            let books = try await gateway.balance(OrderGatewayHarness.crossBorder)
            #expect(books["receiver:\(Self.first) HKD"] == nil && books["merchant:\(OrderGatewayHarness.crossBorder) HKD"] == "-7.00")
        }
    }

    // MARK: Files

    private static func digest(_ file: String) -> [(String, String)] {
        [("file_digest_type", "SHA256"), ("file_digest", Hexadecimal.encode(Array(SHA256.hash(data: Data(file.utf8)))))]
    }

    @Test func aFileRefundsLineByLine() async throws {
        try await OrderGatewayHarness.open { gateway in
            try await gateway.paid(try await gateway.legacyOrder("S_1", partner: OrderGatewayHarness.crossBorder))
            let file = "a|S_1|4.00|HKD|20261121040000|cold tea\nb|none|1.00|HKD|20261121040000|x\nc|S_1|6.01|HKD|20261121040000|x\n"
            for _ in 0..<2 {
                let body = try await gateway.upload("forex_refund_file", Self.digest(file), file: file)
                let answer = try LegacyAnswer(Array(body.utf8))
                let verified = try answer.verified(by: AlipayVerificationKeys(md5: Secret(OrderGatewayHarness.md5)))
                #expect(verified["success_num"] == "1" && verified["fail_num"] == "2")
                #expect(
                    verified["result_details"] == "a^4.00^SUCCESS#b^1.00^PURCHASE_TRADE_NOT_EXIST#c^6.01^RETURN_AMOUNT_EXCEED")
            }
            #expect(
                try await gateway.balance(OrderGatewayHarness.crossBorder)["merchant:\(OrderGatewayHarness.crossBorder) HKD"] == "-6.00")
        }
    }

    @Test func aFileThatIsNotSignedOrNotReadableBooksNothing() async throws {
        try await OrderGatewayHarness.open { gateway in
            try await gateway.paid(try await gateway.legacyOrder("S_1", partner: OrderGatewayHarness.crossBorder))
            let good = "a|S_1|4.00|HKD|20261121040000|cold\n"
            func error(_ file: String, digest: [(String, String)]) async throws -> String? {
                let body = try await gateway.upload("forex_refund_file", digest, file: file)
                return try LegacyAnswer(Array(body.utf8)).error
            }
            // The file was changed on its way: the signed digest is another's.
            #expect(try await error(good.replacing("4.00", with: "5.00"), digest: Self.digest(good)) == "ILLEGAL_ARGUMENT")
            #expect(try await error(good, digest: []) == "ILLEGAL_ARGUMENT")
            for bad in [
                "", "a|S_1|4.00|HKD|20261121040000\n", "a|S_1|4.001|HKD|20261121040000|x\n", "a|S_1|4.00|CNY|20261121040000|x\n",
                "a|S_1|4.00|HKD|never|x\n", good + good, good + "b|S_1|-1.00|HKD|20261121040000|x\n",
            ] { #expect(try await error(bad, digest: Self.digest(bad)) == "ILLEGAL_ARGUMENT", "\(bad)") }
            let plain = try await gateway.legacy("forex_refund_file", partner: OrderGatewayHarness.crossBorder, Self.digest(good))
            #expect(try LegacyAnswer(Array(plain.utf8)).error == "ILLEGAL_ARGUMENT")
            #expect(
                try await gateway.balance(OrderGatewayHarness.crossBorder)["merchant:\(OrderGatewayHarness.crossBorder) HKD"] == "-10.00")
        }
    }

    // MARK: Pace

    private func paceDomestic(_ gateway: OrderGatewayHarness) async throws {
        let partner = StrictBase64.encode(gateway.keys.partner.publicKey.subjectPublicKeyInfo)
        let application = StrictBase64.encode(gateway.keys.application.publicKey.subjectPublicKeyInfo)
        let body = """
            {"partner":"\(OrderGatewayHarness.domestic)","name":"Two Leaves Tea","rsa":"\(partner)","refundPacing":"documented",
            "notifyOrigins":["http://127.0.0.1:9100"],"applications":[{"appID":"\(OrderGatewayHarness.appID)","rsa2":"\(application)"}]}
            """
        _ = try await gateway.server.onboarding.register(Array(body.utf8))
    }

    @Test func aMerchantThatWantsTheDocumentedPaceIsHeldToIt() async throws {
        try await OrderGatewayHarness.open { gateway in
            try await paceDomestic(gateway)
            let tradeNo = try await gateway.paid(try await gateway.modernOrder("P_1"))
            func refund(_ number: String) async throws -> JSONValue {
                try await gateway.modern(
                    "alipay.trade.refund",
                    #"{"trade_no":"\#(tradeNo)","refund_amount":"1.00","out_request_no":"\#(number)"}"#)
            }
            func status() async throws -> String? {
                try await gateway.modern(
                    "alipay.trade.fastpay.refund.query", #"{"trade_no":"\#(tradeNo)","out_request_no":"a"}"#)["refund_status"]?.string
            }
            #expect(try await refund("a")["code"]?.string == "10000")
            // The same refund again is no other, at whatever pace.
            #expect(try await refund("a")["fund_change"]?.string == "N")
            gateway.clock.advance(by: .milliseconds(2_999))
            let early = try await refund("b")
            #expect(early["code"]?.string == "40005" && early["sub_code"]?.string == "isv.method-call-limited")
            gateway.clock.advance(by: .milliseconds(1))
            #expect(try await refund("b")["fund_change"]?.string == "Y")
            #expect(try await status() == nil)
            gateway.clock.advance(by: .seconds(7))
            #expect(try await status() == "REFUND_SUCCESS")
        }
    }

    @Test func withoutAPaceRefundsFollowAtOnce() async throws {
        try await OrderGatewayHarness.open { gateway in
            let tradeNo = try await gateway.paid(try await gateway.modernOrder("P_1"))
            for number in ["a", "b"] {
                let answer = try await gateway.modern(
                    "alipay.trade.refund",
                    #"{"trade_no":"\#(tradeNo)","refund_amount":"1.00","out_request_no":"\#(number)"}"#)
                #expect(answer["fund_change"]?.string == "Y")
            }
        }
    }

    @Test(arguments: StoreEngine.available) func theRateFileIsFetchedSoOftenADay(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(
            engine, change: { $0.rateFileCallsPerDay = 3 },
            body: { gateway in
                func file() async throws -> String {
                    try await gateway.legacy("forex_rate_file", partner: OrderGatewayHarness.crossBorder, [])
                }
                for _ in 0..<3 { #expect(try await file().hasPrefix("20261121|")) }
                let refused = try await file()
                #expect(try LegacyAnswer(Array(refused.utf8)).error == "SYSTEM_ERROR")
                // Midnight in China begins another day.
                gateway.clock.advance(by: .seconds(20 * 3_600 - 1))
                #expect(try await file().contains("SYSTEM_ERROR"))
                gateway.clock.advance(by: .seconds(1))
                #expect(try await file().hasPrefix("20261121|"))
            })
    }
}
