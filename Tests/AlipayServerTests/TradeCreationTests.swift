import Alipay
import BillfoldJSON
import BillfoldPayments
import BillfoldTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import AlipayServer

/// Trades that a merchant makes for a buyer, to be paid by their numbers.
struct TradeCreationTests {
    private static let other = "2088000000000025"

    private func content(_ number: String, amount: String = "10.00", buyer: String? = OrderGatewayHarness.buyer, extra: String = "")
        -> String
    {
        let part = buyer.map { #","buyer_id":"\#($0)""# } ?? ""
        return #"{"out_trade_no":"\#(number)","total_amount":"\#(amount)","subject":"tea"\#(part)\#(extra)}"#
    }

    private func show(_ tradeNo: String, _ gateway: OrderGatewayHarness, request: String = UUID().uuidString) async throws
        -> OrderGatewayHarness.Answer
    {
        try await gateway.link(
            .post, "orders", #"{"requestId":"\#(request)","tradeNo":"\#(tradeNo)","channel":"app"}"#)
    }

    @Test(arguments: StoreEngine.available) func itIsPaidByItsNumberByTheBuyerItWasMadeFor(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let made = try await gateway.modern("alipay.trade.create", content("M_1"))
            let tradeNo = try #require(made["trade_no"]?.string, "\(made.text)")
            // The same order for the same buyer is the same trade, however often it is asked for.
            #expect(try await gateway.modern("alipay.trade.create", content("M_1"))["trade_no"]?.string == tradeNo)
            #expect(
                try await gateway.modern("alipay.trade.query", #"{"out_trade_no":"M_1"}"#)["trade_status"]?.string == "WAIT_BUYER_PAY")
            let shown = try await show(tradeNo, gateway, request: "one")
            #expect(shown["state"] == "open" && shown["subject"] == "tea" && shown.json?["payable"]?["value"]?.string == "10.00")
            #expect(try await show(tradeNo, gateway, request: "one").bytes == shown.bytes)
            let ref = try #require(shown["ref"])
            // Nobody else pays it, also not before its buyer has come.
            #expect(try await gateway.openTrade(ref, buyer: Self.other).errorCode == "ALIN10023")
            #expect(try await gateway.pay(tradeNo, "10.00", request: "early").errorCode == "ALIN10023")
            let opened = try await gateway.openTrade(ref)
            #expect(opened["tradeNo"] == tradeNo, "\(opened.body)")
            #expect(try await gateway.openTrade(ref)["tradeNo"] == tradeNo)
            let paid = try await gateway.pay(tradeNo, "10.00", request: "p")
            #expect(paid["state"] == "TRADE_SUCCESS" && paid.json?["result"]?["resultStatus"]?.string == "9000")
            let asked = try await gateway.modern("alipay.trade.query", #"{"trade_no":"\#(tradeNo)"}"#)
            #expect(asked["trade_status"]?.string == "TRADE_SUCCESS" && asked["buyer_logon_id"]?.string == "mei***@example.test")
            #expect(try await show(tradeNo, gateway)["state"] == "paid")
            let late = try await gateway.modern("alipay.trade.create", content("M_1"))
            #expect(late["sub_code"]?.string == "ACQ.TRADE_HAS_SUCCESS")
            #expect(try await gateway.balance(OrderGatewayHarness.domestic)["wallet:ALIPAY_CN CNY"] == "10.00")
            try await gateway.work()
            #expect(try await gateway.refund(tradeNo) == "10000")
        }
    }

    @Test func whatIsWrongIsRefusedAndMakesNoTrade() async throws {
        try await OrderGatewayHarness.open { gateway in
            let wrong = [
                (content("W_1", buyer: nil), "ACQ.INVALID_PARAMETER"), (content("W_1", buyer: "2088"), "ACQ.INVALID_PARAMETER"),
                (content("W_1", amount: "0.001"), "ACQ.INVALID_PARAMETER"), (content("W_1", amount: "-1"), "ACQ.INVALID_PARAMETER"),
                (content("W_1", buyer: OrderGatewayHarness.domestic), "ACQ.BUYER_SELLER_EQUAL"),
                (content("W_1", extra: #","product_code":"QUICK_MSECURITY_PAY""#), "ACQ.INVALID_PARAMETER"),
                (content("W_1", extra: #","time_expire":"2020-01-01 00:00""#), "ACQ.NOW_TIME_AFTER_EXPIRE_TIME_ERROR"),
            ]
            for (content, code) in wrong {
                #expect(try await gateway.modern("alipay.trade.create", content)["sub_code"]?.string == code, "\(content)")
            }
            #expect(try await gateway.modern("alipay.trade.query", #"{"out_trade_no":"W_1"}"#)["sub_code"]?.string == "ACQ.TRADE_NOT_EXIST")
            let made = try await gateway.modern("alipay.trade.create", content("W_2"))
            #expect(made["code"]?.string == "10000")
            #expect(
                try await gateway.modern("alipay.trade.create", content("W_2", amount: "11.00"))["sub_code"]?.string
                    == "ACQ.CONTEXT_INCONSISTENT")
            #expect(
                try await gateway.modern("alipay.trade.create", content("W_2", buyer: Self.other))["sub_code"]?.string
                    == "ACQ.TRADE_BUYER_NOT_MATCH")
            #expect(try await show("2026112122000000000000000000", gateway).status == 403)
            for body in [
                #"{"requestId":"r","channel":"app"}"#, #"{"requestId":"r","channel":"app","order":"a","tradeNo":"b"}"#,
            ] {
                #expect(try await gateway.link(.post, "orders", body).status == 400)
            }
        }
    }

    @Test func itClosesWhenNobodyPaysIt() async throws {
        try await OrderGatewayHarness.open { gateway in
            let made = try await gateway.modern("alipay.trade.create", content("E_1", extra: #","timeout_express":"5m""#))
            let tradeNo = try #require(made["trade_no"]?.string)
            let ref = try #require(try await show(tradeNo, gateway)["ref"])
            gateway.clock.advance(by: .seconds(301))
            try await gateway.work()
            #expect(
                try await gateway.modern("alipay.trade.query", #"{"trade_no":"\#(tradeNo)"}"#)["trade_status"]?.string == "TRADE_CLOSED")
            #expect(try await show(tradeNo, gateway)["state"] == "closed")
            #expect(try await gateway.openTrade(ref).status == 409)
            #expect(try await gateway.modern("alipay.trade.create", content("E_1"))["sub_code"]?.string == "ACQ.TRADE_HAS_CLOSE")
        }
    }

    @Test(arguments: StoreEngine.available) func manyAtOnceMakeOneTrade(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let numbers = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<20 { group.addTask { try await gateway.modern("alipay.trade.create", content("A_1"))["trade_no"]?.string } }
                return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            #expect(numbers.count == 1 && !numbers.contains(nil))
        }
    }
}

extension OrderGatewayHarness {
    /// Gives a trade's ten yuan back, and returns the answer's code.
    fileprivate func refund(_ tradeNo: String) async throws -> String? {
        try await modern("alipay.trade.refund", #"{"trade_no":"\#(tradeNo)","refund_amount":"10.00"}"#)["code"]?.string
    }
}
