import Alipay
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Testing

@testable import AlipayServer

/// Payouts to merchants, and the refunds that they leave no money for.
struct PayoutTests {
    private static func payOut(_ gateway: OrderGatewayHarness, _ amount: String, _ request: String) async throws -> Bool {
        try await gateway.server.backOffice.payOut(
            Amount(amount, currency: .cny), to: OrderGatewayHarness.domestic, request: request, by: "ada, bob", because: "end of day")
    }

    private static func refund(_ gateway: OrderGatewayHarness, _ trade: String, _ amount: String, _ number: String) async throws -> String {
        let answer = try await gateway.modern(
            "alipay.trade.refund", #"{"trade_no":"\#(trade)","refund_amount":"\#(amount)","out_request_no":"\#(number)"}"#)
        return answer["sub_code"]?.string ?? answer["fund_change"]?.string ?? answer.text
    }

    private static func refusal(_ body: () async throws -> Bool) async -> AlipayServerError.Code? {
        do {
            _ = try await body()
            return nil
        } catch { return (error as? AlipayServerError)?.code }
    }

    /// Of 10.00 the fee is 0.06, which a whole refund gives back.
    @Test(arguments: StoreEngine.available) func aRefundTakesNoMoreThanAPayoutLeft(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let first = try await gateway.paid(try await gateway.modernOrder("P_1"))
            #expect(await Self.refusal { try await Self.payOut(gateway, "9.95", "p1") } == .balanceTooSmall)
            #expect(try await Self.payOut(gateway, "5.00", "p1"))
            // The same request stands for the same payout.
            #expect(try await !Self.payOut(gateway, "5.00", "p1"))
            #expect(await Self.refusal { try await Self.payOut(gateway, "4.95", "p2") } == .balanceTooSmall)
            #expect(try await Self.refund(gateway, first, "4.00", "a") == "Y")
            #expect(try await Self.refund(gateway, first, "1.00", "b") == "ACQ.SELLER_BALANCE_NOT_ENOUGH")
            let before = try await gateway.balance(OrderGatewayHarness.domestic)
            #expect(before["merchant:\(OrderGatewayHarness.domestic) CNY"] == "-0.96" && before["bank CNY"] == "-5.00")
            // Nothing was stored: once more was paid, the same number is taken.
            try await gateway.paid(try await gateway.modernOrder("P_2"))
            #expect(try await Self.refund(gateway, first, "1.00", "b") == "Y")
            #expect(try await Self.refund(gateway, first, "1.00", "b") == "N")
            let query = try await gateway.modern("alipay.trade.query", #"{"trade_no":"\#(first)"}"#)
            #expect(query["trade_status"]?.string == "TRADE_SUCCESS")
        }
    }

    @Test(arguments: StoreEngine.available) func aCancelWaitsForTheMerchantsMoney(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let trade = try await gateway.paid(try await gateway.modernOrder("P_1"))
            #expect(try await Self.payOut(gateway, "0.01", "p1"))
            let cancelled = try await gateway.modern("alipay.trade.cancel", #"{"trade_no":"\#(trade)"}"#)
            #expect(cancelled["sub_code"]?.string == "ACQ.SELLER_BALANCE_NOT_ENOUGH")
            #expect(cancelled["retry_flag"]?.string == "Y")
            try await gateway.paid(try await gateway.modernOrder("P_2", amount: "1.00"))
            let again = try await gateway.modern("alipay.trade.cancel", #"{"trade_no":"\#(trade)"}"#)
            #expect(again["action"]?.string == "refund" && again["retry_flag"]?.string == "N")
        }
    }

    /// A batch decides its items in one write: the one that is refused leaves nothing behind, and the others hold.
    @Test(arguments: StoreEngine.available) func aBatchRefundsWhatTheBalanceHolds(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let first = try await gateway.paid(try await gateway.legacyOrder("P_1"))
            let second = try await gateway.paid(try await gateway.legacyOrder("P_2"))
            #expect(try await Self.payOut(gateway, "12.00", "p1"))
            let detail = "\(first)^9.00^cold#\(second)^2.00^cold"
            let taken = try await gateway.legacy(
                "refund_fastpay_by_platform_nopwd",
                [("batch_no", "20261121001"), ("batch_num", "2"), ("refund_date", "2026-11-21 04:00:00"), ("detail_data", detail)])
            #expect(try LegacyAnswer(Array(taken.utf8)).isSuccess)
            try await gateway.work()
            let batch = try await gateway.store.database.read {
                try BatchRecords.find("20261121001", merchant: MerchantID(OrderGatewayHarness.domestic), in: $0)
            }
            #expect(batch?.detail.items.map(\.outcome) == ["SELLER_BALANCE_NOT_ENOUGH", "SUCCESS"])
            #expect(Array(gateway.outside.credits.values) == ["2.00"])
            let query = try await gateway.modern("alipay.trade.query", #"{"trade_no":"\#(first)"}"#)
            #expect(query["trade_status"]?.string == "TRADE_SUCCESS")
            #expect(try await gateway.balance(OrderGatewayHarness.domestic)["wallet:ALIPAY_CN CNY"] == "18.00")
        }
    }

    /// Refunds of different trades at once give back no more than there is, whichever store orders them.
    @Test(arguments: StoreEngine.available) func refundsAtOnceShareOneBalance(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            var trades: [String] = []
            for number in 0..<8 { trades.append(try await gateway.paid(try await gateway.modernOrder("P_\(number)"))) }
            // 79.52 less 50.00: two whole refunds of 9.94 net, and no third.
            #expect(try await Self.payOut(gateway, "50.00", "p1"))
            let outcomes = try await withThrowingTaskGroup(of: String.self) { group in
                for trade in trades { group.addTask { try await Self.refund(gateway, trade, "10.00", "a") } }
                return try await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
            }
            #expect(outcomes == ["Y": 2, "ACQ.SELLER_BALANCE_NOT_ENOUGH": 6])
            #expect(try await gateway.balance(OrderGatewayHarness.domestic)["merchant:\(OrderGatewayHarness.domestic) CNY"] == "-9.64")
        }
    }

    /// What receivers of split payments hold is paid out too, and cannot be taken back then.
    @Test(arguments: StoreEngine.available) func aReceiverIsPaidOutWhatItHolds(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let receiver = "2088000000000911"
            func split(_ amount: String) -> String {
                #"[{"transIn":"\#(receiver)","amount":"\#(amount)","currency":"HKD","desc":"share"}]"#
            }
            func payOut(_ amount: String, _ request: String, to receiver: String? = receiver) async throws -> Bool {
                try await gateway.server.backOffice.payOut(
                    Amount(amount, currency: .hkd), to: OrderGatewayHarness.crossBorder, receiver: receiver, request: request,
                    by: "ada, bob",
                    because: "end of day")
            }
            try await gateway.paid(
                try await gateway.legacyOrder("P_1", partner: OrderGatewayHarness.crossBorder, with: [("split_fund_info", split("3.00"))]))
            #expect(await Self.refusal { try await payOut("3.01", "r1") } == .balanceTooSmall)
            #expect(await Self.refusal { try await payOut("0.01", "r1", to: "2088000000000912") } == .balanceTooSmall)
            #expect(try await payOut("2.00", "r1"))
            #expect(try await !payOut("2.00", "r1"))
            #expect(await Self.refusal { try await payOut("7.01", "m1", to: nil) } == .balanceTooSmall)
            func refund(_ number: String, _ back: String) async throws -> String? {
                let body = try await gateway.legacy(
                    "forex_refund", partner: OrderGatewayHarness.crossBorder,
                    [
                        ("out_return_no", number), ("out_trade_no", "P_1"), ("currency", "HKD"), ("gmt_return", "20261121040000"),
                        ("reason", "cold"), ("return_amount", "3.00"), ("is_sync", "Y"), ("split_fund_info", split(back)),
                    ])
                return try LegacyAnswer(Array(body.utf8)).error
            }
            #expect(try await refund("a", "1.01") == "SELLER_BALANCE_NOT_ENOUGH")
            #expect(try await refund("a", "1.00") == nil)
            let books = try await gateway.balance(OrderGatewayHarness.crossBorder)
            #expect(books["receiver:\(receiver) HKD"] == nil && books["bank HKD"] == "-2.00")
            #expect(books["merchant:\(OrderGatewayHarness.crossBorder) HKD"] == "-5.00")
        }
    }

    @Test func aPayoutOfNothingOrToNobodyIsRefused() async throws {
        try await OrderGatewayHarness.open { gateway in
            let office = gateway.server.backOffice
            for (amount, currency, merchant, code) in [
                ("0.00", "CNY", OrderGatewayHarness.domestic, .invalidAmount),
                ("1.00", "HKD", OrderGatewayHarness.domestic, .invalidAmount),
                ("1.00", "CNY", OrderGatewayHarness.crossBorder, .invalidAmount), ("1.00", "CNY", "2088000000009999", .notFound),
                ("1.00", "CNY", "nobody", .notFound), ("0.01", "CNY", OrderGatewayHarness.domestic, .balanceTooSmall),
            ] as [(String, String, String, AlipayServerError.Code)] {
                let wanted = try Amount(amount, currency: Currency(currency))
                let found = await Self.refusal {
                    try await office.payOut(wanted, to: merchant, request: "p", by: "ada", because: "test")
                }
                #expect(found == code, "\(amount) \(currency) \(merchant)")
            }
        }
    }
}
