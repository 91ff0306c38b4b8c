import Alipay
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import AlipayServer

/// Payments with faults at every side, from one printed seed: the books balance, and everything told was settled or parked.
struct SeededRunTests {
    /// `BILLFOLD_ALIPAY_PAYMENTS` makes it long.
    static let payments = ProcessInfo.processInfo.environment["BILLFOLD_ALIPAY_PAYMENTS"].flatMap { Int($0) } ?? 120

    @Test(arguments: StoreEngine.available) func theBooksBalance(_ engine: StoreEngine) async throws {
        let faults = FaultyDatabase.Faults(serializationFailures: 20, lostReplies: 20)
        try await OrderGatewayHarness.open(engine, faults: faults) { gateway in
            var generator = SeededGenerator(seed: StoreEngine.seed, label: "payments")
            /// What the wallet believes: captured payments by request.
            var captured: [String: Int64] = [:]
            for number in 0..<Self.payments {
                let isForeign = number % 3 == 0
                let amount = "\(Int.random(in: 1...99, using: &generator)).\(Int.random(in: 10...99, using: &generator))"
                let order =
                    isForeign
                    ? try await gateway.legacyOrder("S_\(number)", partner: OrderGatewayHarness.crossBorder, with: [("total_fee", amount)])
                    : try await gateway.modernOrder("S_\(number)", amount: amount)
                let begun = try await gateway.begin(order)
                switch Int.random(in: 0..<10, using: &generator) {
                case 0: _ = try await gateway.modern("alipay.trade.close", #"{"trade_no":"\#(begun.tradeNo)"}"#)
                case 1: gateway.outside.reply(500, "down")
                default: gateway.outside.reply(200, "success")
                }
                // The answer is lost, the wallet asks again with the same id.
                let request = "q-\(number)"
                var status = 0
                for _ in 0...Int.random(in: 0...2, using: &generator) {
                    status = try await gateway.pay(begun.tradeNo, begun.payable, request: request).status
                }
                if status == 200 {
                    captured[request] = try Amount(begun.payable, currency: .cny).minorUnits
                    try await refund(gateway, number, isForeign, amount, begun.tradeNo, &generator)
                } else {
                    #expect(status == 409)
                }
                if number % 10 == 0 { try await gateway.work() }
                gateway.clock.advance(by: .seconds(20))
            }
            gateway.outside.reply(200, "success")
            for _ in 0..<40 {
                try await gateway.work()
                gateway.clock.advance(by: .seconds(3_600))
            }
            try await check(gateway, captured)
        }
    }

    private func refund(
        _ gateway: OrderGatewayHarness, _ number: Int, _ isForeign: Bool, _ amount: String, _ tradeNo: String,
        _ generator: inout SeededGenerator
    ) async throws {
        guard Bool.random(using: &generator) else { return }
        let total = try Amount(amount, currency: .cny).minorUnits
        for step in 0..<Int.random(in: 1...3, using: &generator) {
            let part = Amount(minorUnits: Int64.random(in: 1...total, using: &generator), currency: .cny).text
            gateway.outside.failRefunds(Int.random(in: 0...1, using: &generator))
            if isForeign {
                _ = try await gateway.legacy(
                    "forex_refund", partner: OrderGatewayHarness.crossBorder,
                    [
                        ("out_return_no", "s-\(step)"), ("out_trade_no", "S_\(number)"), ("currency", "HKD"), ("return_amount", part),
                        ("gmt_return", "20261121040000"), ("reason", "seeded"), ("is_sync", step % 2 == 0 ? "Y" : "N"),
                    ])
            } else {
                _ = try await gateway.modern(
                    "alipay.trade.refund", #"{"trade_no":"\#(tradeNo)","refund_amount":"\#(part)","out_request_no":"s-\#(step)"}"#)
            }
        }
    }

    private struct Books: Decodable {
        struct Entry: Decodable {
            struct Money: Decodable { var value: String }
            var requestId: String
            var kind: String
            var amount: Money
        }
        var entries: [Entry]
        /// Where the day's next page begins.
        var next: String?
    }

    private func check(_ gateway: OrderGatewayHarness, _ captured: [String: Int64]) async throws {
        var payments: [String: Int64] = [:]
        var refunds: [String: Int64] = [:]
        // 20 seconds for each payment, and forty hours at the end.
        for day in (21...30).map({ "2026-11-\($0)" }) {
            var page: String? = "books?day=\(day)"
            while let path = page {
                let books = try JSONDecoder().decode(Books.self, from: Data(await gateway.link(.get, path).bytes))
                for entry in books.entries {
                    let amount = try Amount(entry.amount.value, currency: .cny).minorUnits
                    if entry.kind == "payment" { payments[entry.requestId] = amount } else { refunds[entry.requestId] = amount }
                }
                page = books.next.map { "books?day=\(day)&cursor=\($0)" }
            }
        }
        // The wallet's books and the gateway's are the same.
        #expect(payments == captured)
        #expect(refunds == (try gateway.outside.credits.mapValues { try Amount($0, currency: .cny).minorUnits }))
        #expect(!captured.isEmpty && !refunds.isEmpty)
        var owed: Int64 = 0
        for merchant in [OrderGatewayHarness.domestic, OrderGatewayHarness.crossBorder] {
            // Balanced per currency: `balance` checks it.
            let text = try await gateway.balance(merchant)["wallet:ALIPAY_CN CNY"] ?? "0.00"
            owed += try Amount(text, currency: .cny).minorUnits
            let id = try MerchantID(merchant)
            let rows = try await gateway.store.database.read { try NotificationRecords.latest(id, limit: 100_000, in: $0) }
            #expect(rows.allSatisfy { $0.state != .waiting })
            #expect(!rows.isEmpty)
            for trade in try await gateway.store.database.read({ try TradeRecords.latest(id, limit: 100_000, in: $0) }) {
                #expect(trade.refunded.price <= trade.money.price.minorUnits)
                #expect(trade.refunded.payable <= trade.money.payable.minorUnits)
                #expect(trade.status != .waitBuyerPay || trade.paidAt == nil)
            }
        }
        #expect(owed == payments.values.reduce(0, +) - refunds.values.reduce(0, +))
    }
}
