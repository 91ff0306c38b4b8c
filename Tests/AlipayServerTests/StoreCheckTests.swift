import Alipay
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldServerTestSupport
import BillfoldStorage
import BillfoldTestSupport
import Crypto
import HTTPTypes
import Testing

@testable import AlipayServer

/// A store that the server has made is sound, and no row of it can be changed, left out or added without being found.
@Suite struct StoreCheckTests {
    static func found(_ tx: any Transaction) throws -> [String] {
        let findings = StoreFindings()
        try AlipayServer.check(links: AuditChain(key: SymmetricKey(data: [UInt8](repeating: 1, count: 32)))).run(in: tx, findings)
        return findings.list.map { "\($0.code) \($0.table) \($0.key): \($0.expected) / \($0.found)" }
    }

    /// Trades of every product and ending, with refunds, a split payment, payouts and a notification that is not taken.
    static func liveADay(_ gateway: OrderGatewayHarness) async throws {
        let trade = try await gateway.paid(try await gateway.modernOrder("T_1"))
        func refund(_ amount: String, _ number: String) async throws {
            _ = try await gateway.modern(
                "alipay.trade.refund", #"{"trade_no":"\#(trade)","refund_amount":"\#(amount)","out_request_no":"\#(number)"}"#)
            gateway.clock.advance(by: .seconds(5))
        }
        try await refund("3.00", "r-1")
        try await refund("2.00", "r-2")
        try await refund("9.00", "r-3")
        let whole = try await gateway.paid(try await gateway.legacyOrder("T_2"))
        _ = try await gateway.modern("alipay.trade.cancel", #"{"trade_no":"\#(whole)"}"#)
        let receiver = "2088000000000911"
        let split = #"[{"transIn":"\#(receiver)","amount":"3.00","currency":"HKD","desc":"share"}]"#
        try await gateway.paid(
            try await gateway.legacyOrder("T_3", partner: OrderGatewayHarness.crossBorder, with: [("split_fund_info", split)]))
        _ = try await gateway.legacy(
            "forex_refund", partner: OrderGatewayHarness.crossBorder,
            [
                ("out_return_no", "f-1"), ("out_trade_no", "T_3"), ("currency", "HKD"), ("gmt_return", "2026-11-21 04:00:00"),
                ("reason", "cold"), ("return_amount", "4.00"), ("is_sync", "Y"),
            ])
        _ = try await gateway.server.backOffice.payOut(
            Amount("2.00", currency: .cny), to: OrderGatewayHarness.domestic, request: "p1", by: "ada, bob", because: "end of day")
        _ = try await gateway.server.backOffice.payOut(
            Amount("1.00", currency: Currency("HKD")), to: OrderGatewayHarness.crossBorder, receiver: receiver, request: "p2",
            by: "ada, bob",
            because: "end of day")
        try await gateway.work()
        gateway.outside.reply(500, "no")
        try await gateway.paid(try await gateway.modernOrder("T_4", amount: "7.00"))
        gateway.outside.failRefunds(1)
        _ = try await gateway.begin(try await gateway.modernOrder("T_5", amount: "8.00"))
        try await refund("1.00", "r-4")
        try await gateway.work()
        // Payments of trades that the books do not know, of which two persons settle the first.
        for number in 1...2 { _ = try await gateway.pay("202611212200140000000000000\(number)", "9.12", request: "lost-\(number)") }
        let notices = try await gateway.server.notices.unmatchedNotices()
        let people = try await TwoPersons(settling: gateway.server.notices, in: gateway.store.database, clock: gateway.clock)
        let settled = try await people.settle(try #require(notices.first), "refuse")
        #expect(notices.count == 2 && settled.state == .done, "\(settled.outcome ?? "")")
    }

    static let insertPosting = "INSERT INTO ledger_postings (merchant, source, template, ordinal, line, account, currency, amount, at)"
    static let stranger: [UInt8] = [1, 0x9a, 0, 0, 0, 0, 0x70, 0, 0x80] + [UInt8](repeating: 7, count: 7)

    static let alterations: [Alteration] = [
        Alteration("a trade multiplied by ten", "UPDATE alipay_trades SET price = price * 10 WHERE out_trade_no = 'T_1'"),
        Alteration(
            "a trade multiplied by ten in everything",
            "UPDATE alipay_trades SET price = price * 10, payable = payable * 10, settlement = settlement * 10 WHERE out_trade_no = 'T_1'"),
        Alteration(
            "an unpaid trade multiplied by ten",
            "UPDATE alipay_trades SET price = price * 10, payable = payable * 10, settlement = settlement * 10 WHERE out_trade_no = 'T_5'"),
        Alteration("what a payer pays", "UPDATE alipay_trades SET payable = payable + 1 WHERE out_trade_no = 'T_3'"),
        Alteration("a fee", "UPDATE alipay_trades SET fee = fee + 1 WHERE out_trade_no = 'T_4'"),
        Alteration("a refund sum set to nothing", "UPDATE alipay_trades SET refunded_price = 0 WHERE out_trade_no = 'T_1'"),
        Alteration("what was refunded of the fee", "UPDATE alipay_trades SET refunded_fee = refunded_fee + 1 WHERE out_trade_no = 'T_1'"),
        Alteration("an unpaid trade told as paid", "UPDATE alipay_trades SET status = 'TRADE_SUCCESS' WHERE out_trade_no = 'T_5'"),
        Alteration("a paid trade told as closed", "UPDATE alipay_trades SET status = 'TRADE_CLOSED' WHERE out_trade_no = 'T_4'"),
        Alteration("a status that there is not", "UPDATE alipay_trades SET status = 'GONE' WHERE out_trade_no = 'T_4'"),
        Alteration("when it was paid", "UPDATE alipay_trades SET paid_at = NULL WHERE out_trade_no = 'T_4'"),
        Alteration("who paid it", "UPDATE alipay_trades SET payment_request = 'other' WHERE out_trade_no = 'T_4'"),
        Alteration("a trade left out", "DELETE FROM alipay_trades WHERE out_trade_no = 'T_5'"),
        Alteration("an order left out", "DELETE FROM alipay_orders WHERE id IN (SELECT order_id FROM alipay_trades)"),
        Alteration("what an order says", "UPDATE alipay_orders SET content = ?", values: [.blob([1, 2, 3])]),
        Alteration("a refund's amount", "UPDATE alipay_refunds SET price = price + 1 WHERE request_no = 'r-1'"),
        Alteration("a refund left out", "DELETE FROM alipay_refunds WHERE request_no = 'r-2'"),
        Alteration("a refund told as failed", "UPDATE alipay_refunds SET state = 'failed' WHERE request_no = 'r-1'"),
        Alteration("a refund's time", "UPDATE alipay_refunds SET booked_at = booked_at + 1 WHERE request_no = 'r-1'"),
        Alteration("a refund's wallet", "UPDATE alipay_refunds SET wallet = 'OTHER' WHERE request_no = 'r-1'"),
        Alteration("a payout's amount", "UPDATE alipay_payouts SET amount = amount + 1 WHERE request = 'p1'"),
        Alteration("a payout left out", "DELETE FROM alipay_payouts WHERE request = 'p2'"),
        Alteration("what was paid out", "UPDATE alipay_seller_balances SET paid_out = 0 WHERE currency = 'CNY'"),
        Alteration("what is available", "UPDATE alipay_seller_balances SET available = available + 1000000 WHERE currency = 'CNY'"),
        Alteration("a seller's row left out", "DELETE FROM alipay_seller_balances"),
        Alteration("notices left out", "DELETE FROM unmatched_notices"),
        Alteration("an open notice left out", "DELETE FROM unmatched_notices WHERE settled_at IS NULL"),
        Alteration("what notices say", "UPDATE unmatched_notices SET amount = 1, note = 'nothing came of it'"),
        Alteration(
            "a settled notice told as open",
            """
            UPDATE unmatched_notices SET way = NULL, remark = NULL, outcome = NULL, people = NULL, request = NULL, settled_at = NULL
            WHERE settled_at IS NOT NULL
            """),
        Alteration("an audit row in the middle left out", "DELETE FROM audit_rows WHERE action = 'paid'"),
        Alteration(
            "the last audit row left out", "DELETE FROM audit_rows WHERE sequence = 2 AND action = 'paid' AND merchant = '2088000000000101'"
        ),
        Alteration("an audit row's actor", "UPDATE audit_rows SET actor = 'nobody' WHERE action = 'paid'"),
        Alteration("a payout's audit row left out", "DELETE FROM audit_rows WHERE action = 'merchant.payout'"),
        Alteration(
            "a chain of nothing",
            """
            INSERT INTO audit_rows (merchant, chain, sequence, at, actor, action, object, result, previous, hash)
            SELECT merchant, 'trade:x', 1, at, actor, action, object, result, previous, hash FROM audit_rows
            WHERE action = 'merchant.payout'
            """),
        Alteration("a posting left out", "DELETE FROM ledger_postings WHERE template = 'trade-fee' AND line = 0"),
        Alteration("entries left out", "DELETE FROM ledger_postings WHERE template = 'trade-split'"),
        Alteration("entries multiplied by ten", "UPDATE ledger_postings SET amount = amount * 10 WHERE template = 'trade-payment'"),
        Alteration("a payout's entry", "UPDATE ledger_postings SET amount = amount * 10 WHERE template = 'merchant-payout'"),
        Alteration("a posting's account", "UPDATE ledger_postings SET account = 'bank' WHERE template = 'trade-refund' AND line = 1"),
        Alteration(
            "an entry added",
            """
            \(insertPosting) SELECT merchant, source, template, 7, line, account, currency, amount, at FROM ledger_postings
            WHERE template = 'trade-fee'
            """),
        Alteration(
            "an entry of nothing",
            """
            \(insertPosting) SELECT merchant, ?, template, 7, line, account, currency, amount, at FROM ledger_postings
            WHERE template = 'trade-split'
            """, values: [.blob(stranger)]),
        Alteration("an answer left out", "DELETE FROM idempotency_keys WHERE operation = 'POST /link/v1/payments'"),
        Alteration(
            "an answer", "UPDATE idempotency_keys SET result = ? WHERE operation = 'POST /link/v1/payments'",
            values: [.blob(Array(#"{"paid":{"tradeNo":"2026112122001400000000000009"}}"#.utf8))]),
        Alteration("a refund's message left out", "DELETE FROM outbox WHERE kind = 'wallet-refund' AND state = 'ready'"),
        Alteration("a notification left out", "DELETE FROM alipay_notifications"),
        Alteration("a notification's message left out", "DELETE FROM outbox WHERE kind = 'notification'"),
        Alteration("a message's state", "UPDATE outbox SET state = 'lost' WHERE kind = 'notification'"),
        Alteration("a notification's state", "UPDATE alipay_notifications SET state = 'waiting' WHERE state = 'settled'"),
        Alteration("a trade's end left out", "DELETE FROM deadlines WHERE kind = 'alipay-expiry'"),
        Alteration("a deadline of nothing", "UPDATE deadlines SET subject = ? WHERE kind = 'alipay-expiry'", values: [.blob(stranger)]),
    ]

    @Test(arguments: StoreEngine.available)
    func everyAlterationIsFoundAndNothingElse(engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            try await Self.liveADay(gateway)
            #expect(try await gateway.store.database.read(Self.found) == [])
            for alteration in Self.alterations {
                let found = try await alteration.findings(in: gateway.store.database, by: Self.found)
                #expect(!found.isEmpty, "\(alteration) is not found")
            }
        }
    }

    /// Keys of shown orders and opened trades are forgotten; what was decided of a payment is not.
    @Test(arguments: StoreEngine.available)
    func afterAMonthARepeatIsAnsweredByItsTrade(engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let order = try await gateway.legacyOrder("T_1")
            let shown = try await gateway.show(order, request: "show-1")
            let ref = try #require(shown["ref"], "\(shown.body)")
            let opened = try await gateway.openTrade(ref, request: "open-1")
            let number = try #require(opened["tradeNo"], "\(opened.body)")
            #expect(try await gateway.pay(number, "10.00", request: "pay-1").status == 200)
            try await gateway.work()
            let books = try await gateway.balance(OrderGatewayHarness.domestic)
            gateway.clock.advance(by: .seconds(31 * 86_400))
            try await gateway.work()
            try await gateway.server.retentionWorker.runOnce()
            let keys = try await gateway.store.database.read { tx in
                try tx.query("SELECT key FROM idempotency_keys").map { try $0.text(0) }
            }
            #expect(keys == ["pay-1"])
            #expect(try await gateway.show(order, request: "show-1")["ref"] == ref)
            // That it was opened under this key is forgotten, that it was paid is not.
            #expect(try await gateway.openTrade(ref, request: "open-1").errorCode == "ALI38869")
            #expect(try await gateway.pay(number, "10.00", request: "pay-1").status == 200)
            #expect(try await gateway.pay(number, "10.00", request: "pay-2").status == 409)
            // What was paid cannot be withdrawn.
            #expect(try await gateway.link(.delete, "payments/pay-1").status == 200)
            #expect(try await gateway.balance(OrderGatewayHarness.domestic) == books)
            #expect(try await gateway.store.database.read(Self.found) == [])
        }
    }
}
