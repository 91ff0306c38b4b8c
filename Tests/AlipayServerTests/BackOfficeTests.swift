import Alipay
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldWeb
import Foundation
import HTTPTypes
import Testing

@testable import AlipayServer

/// What operators see of trades, and the comparison of the gateway's books with the wallet's.
struct BackOfficeTests {
    private static let day = "2026-11-21"

    /// The gateway's own entries of a day, as its link gives them: a wallet that has the same agrees.
    private func books(_ gateway: OrderGatewayHarness, _ day: String = day) async throws -> String {
        try await gateway.link(.get, "books?day=\(day)").body
    }

    private func compared(_ gateway: OrderGatewayHarness, _ day: String? = day) async throws -> OrderGatewayBooks {
        try #require(try await gateway.server.backOffice.books(of: day, wallet: nil))
    }

    private func owed(_ office: AlipayBackOffice, _ merchant: String? = nil) async throws -> [OrderGatewayOverview.OwedRefund] {
        try await office.overview(OrderGatewayFilter(merchant: merchant)).owed
    }

    private func resend(_ office: AlipayBackOffice, _ id: String, of merchant: String = OrderGatewayHarness.domestic) async throws -> Bool {
        try await office.resend(refund: id, of: merchant, because: "the wallet is back", by: "ada")
    }

    @Test func tradesAreFoundByMerchantAndByEitherNumber() async throws {
        try await OrderGatewayHarness.open { gateway in
            let office = gateway.server.backOffice
            let tradeNo = try await gateway.paid(try await gateway.modernOrder("B_1"))
            // Of two trades of one instant nobody can say which is the later.
            gateway.clock.advance(by: .seconds(1))
            try await gateway.paid(try await gateway.legacyOrder("B_2", partner: OrderGatewayHarness.crossBorder))
            func found(_ merchant: String? = nil, _ number: String? = nil) async throws -> [String] {
                try await office.overview(OrderGatewayFilter(merchant: merchant, number: number)).orders.map(\.outTradeNo)
            }
            #expect(try await found() == ["B_2", "B_1"])
            #expect(try await found(OrderGatewayHarness.domestic) == ["B_1"])
            #expect(try await found(nil, "B_2") == ["B_2"])
            #expect(try await found(nil, tradeNo) == ["B_1"])
            #expect(try await found(OrderGatewayHarness.crossBorder, tradeNo) == [])
            #expect(try await found(nil, "B_3") == [])
            #expect(try await office.overview(OrderGatewayFilter()).merchants.count == 3)
        }
    }

    @Test(arguments: StoreEngine.available) func tradesAreListedPageByPage(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let office = gateway.server.backOffice
            let start = gateway.clock.now()
            for number in 1...4 {
                let order = try await gateway.modernOrder("B_\(number)")
                if number < 4 { try await gateway.paid(order) }
                gateway.clock.advance(by: .seconds(60))
            }
            try await gateway.paid(try await gateway.legacyOrder("B_9", partner: OrderGatewayHarness.crossBorder))
            func page(_ filter: [String: String], limit: String = "50", cursor: String? = nil) async throws -> OrderGatewayTradeList {
                let query = try PageQuery(list: "t", keys: [.integer, .blob], filter: filter, limit: limit, cursor: cursor)
                return try #require(try await office.trades(of: OrderGatewayHarness.domestic, ListQuery(page: query, filter: filter)))
            }
            let whole = try await page([:])
            #expect(whole.trades.map(\.outTradeNo) == ["B_3", "B_2", "B_1"] && whole.next == nil)
            #expect(whole.trades.allSatisfy { $0.status == "TRADE_SUCCESS" && $0.paidAt != nil })
            let first = try await page([:], limit: "2")
            #expect(first.next != nil)
            let second = try await page([:], limit: "2", cursor: first.next)
            #expect((first.trades + second.trades).map(\.outTradeNo) == ["B_3", "B_2", "B_1"] && second.next == nil)
            #expect(try await page(["reference": "B_2"]).trades.map(\.outTradeNo) == ["B_2"])
            #expect(try await page(["reference": "B_9"]).trades.isEmpty)
            #expect(try await page(["state": "TRADE_CLOSED"]).trades.isEmpty)
            #expect(try await page(["state": "TRADE_SUCCESS"]).trades.count == 3)
            let from = start.advanced(by: .seconds(60)).rfc3339
            #expect(try await page(["createdFrom": from]).trades.map(\.outTradeNo) == ["B_3", "B_2"])
            #expect(try await page(["createdTo": from]).trades.map(\.outTradeNo) == ["B_1"])
            #expect(throws: ServerError.self) {
                _ = try ListQuery<TradeStatus>(page: PageQuery(list: "t", keys: [.integer, .blob]), filter: ["state": "PAID"])
            }
            let query = try ListQuery<TradeStatus>(page: PageQuery(list: "t", keys: [.integer, .blob]), filter: [:])
            #expect(try await office.trades(of: "2088000000009999", query) == nil)
        }
    }

    @Test func aRefundIsShownWithWhatItMoves() async throws {
        try await OrderGatewayHarness.open { gateway in
            let tradeNo = try await gateway.paid(try await gateway.modernOrder("B_1"))
            _ = try await gateway.modern(
                "alipay.trade.refund",
                #"{"trade_no":"\#(tradeNo)","refund_amount":"5.00","out_request_no":"R1","refund_reason":"cold"}"#)
            let waiting = try #require(try await gateway.server.backOffice.trade(tradeNo)?.refunds.first)
            #expect(waiting.state.word == "booked" && waiting.creditedAt == nil)
            #expect(waiting.payable == "5.00 CNY" && waiting.fee == "0.03 CNY" && waiting.route == "alipay.trade.refund")
            try await gateway.work()
            let credited = try #require(try await gateway.server.backOffice.trade(tradeNo)?.refunds.first)
            #expect(credited.state.word == "credited" && credited.creditedAt != nil)
        }
    }

    @Test(arguments: StoreEngine.available) func aRefundThatTheWalletDoesNotCreditIsListedAndSentAgain(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let office = gateway.server.backOffice
            let tradeNo = try await gateway.paid(try await gateway.modernOrder("B_1"))
            _ = try await gateway.modern(
                "alipay.trade.refund", #"{"trade_no":"\#(tradeNo)","refund_amount":"5.00","out_request_no":"R1"}"#)
            #expect(try await owed(office).first?.attempts == 0)
            gateway.outside.failRefunds(1)
            try await gateway.work()
            let refund = try #require(try await owed(office, OrderGatewayHarness.domestic).first)
            #expect(refund.amount == "5.00 CNY" && refund.requestNo == "R1" && refund.tradeNo == tradeNo)
            #expect(refund.state.word == "waiting")
            #expect(refund.attempts == 1 && refund.note == "the wallet answered 503" && refund.wallet == "ALIPAY_CN")
            #expect(try await owed(office, OrderGatewayHarness.crossBorder).isEmpty)
            #expect(try await !resend(office, refund.id, of: OrderGatewayHarness.crossBorder))
            #expect(try await !resend(office, "nothing"))
            #expect(try await resend(office, refund.id))
            // It is due already: asked for twice, it is sent once.
            #expect(try await resend(office, refund.id))
            try await gateway.work()
            #expect(try await owed(office).isEmpty)
            #expect(gateway.outside.credits.count == 1)
            #expect(try await !resend(office, refund.id))
            let merchant = try MerchantID(OrderGatewayHarness.domestic)
            let rows = try await gateway.store.database.read { try AuditRecords.rows(of: "operators", merchant: merchant, in: $0) }
            #expect(rows.map(\.action) == ["refund.resend"] && rows.first?.object == refund.id && rows.first?.actor == "ada")
            #expect(rows.first?.result == "the wallet is back")
        }
    }

    @Test(arguments: StoreEngine.available) func booksThatAgreeHaveNoDifference(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let tradeNo = try await gateway.paid(try await gateway.modernOrder("B_1"))
            _ = try await gateway.modern(
                "alipay.trade.refund", #"{"trade_no":"\#(tradeNo)","refund_amount":"5.00","out_request_no":"R1"}"#)
            // The wallet has not said that its customer has it.
            let entries = try await books(gateway)
            let early = try await compared(gateway)
            #expect(Set(early.lines.map(\.verdict)) == [.gatewayAlone, .underWay])
            try await gateway.work()
            gateway.outside.keep(books: entries, of: Self.day)
            let agreed = try await compared(gateway, nil)
            #expect(agreed.lines.map(\.verdict) == [.equal, .equal] && agreed.differences == 0 && agreed.problem == nil)
            #expect(agreed.day == Self.day && agreed.wallets == ["ALIPAY_CN"])
            #expect(agreed.totals.map(\.paid) == ["10.00 CNY", "10.00 CNY"])
            #expect(agreed.totals.map(\.givenBack) == ["5.00 CNY", "5.00 CNY"])
        }
    }

    @Test(arguments: StoreEngine.available) func booksAreReadInPages(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine, change: { $0.bookPage = 2 }) { gateway in
            for index in 0..<3 {
                let tradeNo = try await gateway.paid(try await gateway.modernOrder("B_\(index)"))
                _ = try await gateway.modern("alipay.trade.cancel", #"{"trade_no":"\#(tradeNo)"}"#)
            }
            try await gateway.work()
            var pages: [WalletBooks] = []
            var cursor = ""
            while pages.count < 9 {
                let body = try await books(gateway, "\(Self.day)\(cursor)")
                let page = try JSONDecoder().decode(WalletBooks.self, from: Data(body.utf8))
                pages.append(page)
                // The wallet has the same, in the same pages.
                gateway.outside.keep(books: body, of: "\(Self.day)\(cursor.replacing(".", with: "%2E"))")
                guard let next = page.next else { break }
                cursor = "&cursor=\(next)"
            }
            #expect(pages.map(\.entries.count) == [2, 2, 2, 0])
            #expect(pages.flatMap(\.entries).map(\.kind) == Array(repeating: "payment", count: 3) + Array(repeating: "refund", count: 3))
            let agreed = try await compared(gateway)
            #expect(agreed.problem == nil && agreed.differences == 0 && agreed.lines.count == 6)
            let second = try await gateway.link(.get, "books?day=\(Self.day)&cursor=payment.1.x")
            #expect(second.status == 400 && second.errorCode == "malformed-request")
        }
    }

    @Test func booksThatDoNotEndAreNoAgreement() async throws {
        try await OrderGatewayHarness.open { gateway in
            try await gateway.paid(try await gateway.modernOrder("B_1"))
            gateway.outside.keep(books: #"{"entries":[],"next":"payment"}"#, of: Self.day)
            #expect(try await compared(gateway).problem == "the wallet's books do not end")
        }
    }

    @Test func oneAlteredRowIsNamed() async throws {
        try await OrderGatewayHarness.open { gateway in
            let tradeNo = try await gateway.paid(try await gateway.modernOrder("B_1"))
            try await gateway.paid(try await gateway.modernOrder("B_2"))
            let entries = try await books(gateway)
            let place = try #require(entries.range(of: #""value":"10.00""#))
            gateway.outside.keep(books: entries.replacingCharacters(in: place, with: #""value":"10.01""#), of: Self.day)
            let amount = try await compared(gateway)
            #expect(amount.differences == 1 && amount.lines.map(\.verdict).sorted { $0.rawValue < $1.rawValue } == [.differs, .equal])
            #expect(amount.lines.first { $0.verdict == .differs }?.wallet?.value == "10.01")
            gateway.outside.keep(books: entries.replacing("pay-\(tradeNo)", with: "pay-x"), of: Self.day)
            let request = try await compared(gateway)
            #expect(Set(request.lines.map(\.verdict)) == [.equal, .gatewayAlone, .walletAlone] && request.differences == 2)
            gateway.outside.keep(books: entries.replacing(tradeNo, with: "2026112122000000000000000009"), of: Self.day)
            // Its request carries the trade's number in this test, so the request differs with it.
            #expect(try await compared(gateway).differences == 2)
        }
    }

    @Test func theSameEntryOnAnotherDayIsNoDifference() async throws {
        try await OrderGatewayHarness.open { gateway in
            let tradeNo = try await gateway.paid(try await gateway.modernOrder("B_1"))
            let paid = try await books(gateway)
            gateway.outside.keep(books: paid, of: Self.day)
            gateway.clock.advance(by: .seconds(19 * 3_600 + 3_540))
            _ = try await gateway.modern(
                "alipay.trade.refund", #"{"trade_no":"\#(tradeNo)","refund_amount":"5.00","out_request_no":"R1"}"#)
            gateway.clock.advance(by: .seconds(120))
            try await gateway.work()
            let body = try await books(gateway)
            let entries = try JSONDecoder().decode(WalletBooks.self, from: Data(body.utf8)).entries
            let refund = try #require(entries.first { $0.kind == "refund" })
            let late = String(decoding: try JSONDocument.encode(WalletBooks(entries: [refund])), as: UTF8.self)
            gateway.outside.keep(books: late, of: "2026-11-22")
            let first = try await compared(gateway)
            #expect(first.lines.map(\.verdict) == [.equal, .otherDay] && first.differences == 0)
            // Seen from the wallet's day the gateway had it the day before.
            let second = try await compared(gateway, "2026-11-22")
            #expect(second.lines.map(\.verdict) == [.otherDay] && second.differences == 0)
        }
    }

    @Test func aWalletThatDoesNotAnswerIsNoAgreement() async throws {
        try await OrderGatewayHarness.open { gateway in
            try await gateway.paid(try await gateway.modernOrder("B_1"))
            gateway.outside.beUnreachable()
            let silent = try await compared(gateway)
            #expect(silent.problem?.contains("not-connected") == true && silent.lines.isEmpty && silent.totals.isEmpty)
            gateway.outside.beUnreachable(false)
            gateway.outside.keep(books: "{}", of: Self.day)
            #expect(try await compared(gateway).problem != nil)
        }
    }

    @Test(arguments: ["2026-02-30", "2026-11-2", "20261121", "", "today"])
    func whatIsNoDayHasNoBooks(day: String) async throws {
        try await OrderGatewayHarness.open { gateway async throws in
            #expect(try await gateway.server.backOffice.books(of: day, wallet: nil) == nil)
            #expect(try await gateway.server.backOffice.books(of: Self.day, wallet: "OTHER") == nil)
        }
    }

    @Test func anEntryThatOneSideHasTwiceIsItsOwnAloneOnce() {
        let entry = WalletBooks.Entry(
            tradeNo: "1", requestId: "a", kind: "payment", amount: .init(.init(minorUnits: 1, currency: .cny)), at: 1)
        #expect(BooksReconciliation(gateway: [entry], wallet: [entry, entry]).lines.map(\.verdict) == [.equal, .walletAlone])
        #expect(BooksReconciliation(gateway: [entry, entry], wallet: [entry]).lines.map(\.verdict) == [.equal, .gatewayAlone])
        var other = entry
        other.tradeNo = "2"
        #expect(BooksReconciliation(gateway: [entry], wallet: [other]).lines.map(\.verdict) == [.differs])
    }
}
