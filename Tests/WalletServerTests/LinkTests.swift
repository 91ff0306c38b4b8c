import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import Crypto
import Foundation
import HTTPTypes
import Testing

@testable import WalletServer

/// What the gateway asks of the wallet, what operators do, and how the books stand.
struct LinkTests {
    static let trade = "2026112122001400000000000001"

    static func refund(_ id: String, _ value: String, buyer: String = "2088000000000017", currency: String = "CNY") -> String {
        #"{"requestId":"\#(id)","tradeNo":"\#(trade)","buyerID":"\#(buyer)","amount":{"value":"\#(value)","currency":"\#(currency)"}}"#
    }

    static func paid(_ wallet: TestWallet) async throws {
        let (browser, path) = try await wallet.atPassword()
        #expect(try await browser.pay(path, "246810").status == 303)
    }

    @Test(arguments: StoreEngine.available) func aRefundIsCreditedOnce(engine: StoreEngine) async throws {
        try await TestWallet.open(engine) { wallet in
            try await Self.paid(wallet)
            let body = Self.refund("r-1", "4.00")
            let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<10 { group.addTask { try await wallet.link(.post, "refunds", body).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers == Array(repeating: 200, count: 10))
            #expect(try await wallet.balance() == 1_000_000 - 512)
            let reused = try await wallet.link(.post, "refunds", Self.refund("r-1", "4.01"))
            #expect(reused.status == 409 && reused.errorCode == "request-id-reused")
            let tooMuch = try await wallet.link(.post, "refunds", Self.refund("r-2", "5.13"))
            #expect(tooMuch.status == 409 && tooMuch.errorCode == "exceeds-payment")
            #expect(try await wallet.link(.post, "refunds", Self.refund("r-3", "5.12")).status == 200)
            #expect(try await wallet.balance() == 1_000_000)
            try await wallet.expectBalanced()
        }
    }

    @Test(arguments: [
        #"{"requestId":"a","requestId":"b","tradeNo":"1","buyerID":"2","amount":{"value":"1.00","currency":"CNY"}}"#,
        #"{"requestId":"a","tradeNo":"1","buyerID":"2","amount":{"value":"1.00","value":"9.00","currency":"CNY"}}"#,
        #"{"requestId":"a","tradeNo":"1","buyerID":"2","amount":{"value":"1.00","currency":"CNY"},"more":1}"#,
        #"{"requestId":"a","tradeNo":"1","buyerID":"2","amount":{"value":"0.00","currency":"CNY"}}"#,
        #"{"requestId":"a b","tradeNo":"1","buyerID":"2","amount":{"value":"1.00","currency":"CNY"}}"#,
        #"{"requestId":"a","tradeNo":"1","buyerID":"2","amount":{"value":"1.00","currency":"CNY"},"reason":1}"#,
    ])
    func aRefundIsReadStrictly(body: String) {
        #expect(throws: WalletError.self) { try OrderGatewayRefund(Array(body.utf8)) }
    }

    @Test func aRefundOfWhatIsNotPaidIsRefused() async throws {
        try await TestWallet.open { wallet async throws in
            #expect(try await wallet.link(.post, "refunds", Self.refund("r-1", "1.00")).errorCode == "payment-not-found")
            wallet.gateway.change { $0.faults = [.answerLost] }
            try await Self.paid(wallet)
            let early = try await wallet.link(.post, "refunds", Self.refund("r-1", "1.00"))
            #expect(early.status == 503 && early.errorCode == "payment-unsettled")
            wallet.clock.advance(by: .seconds(30))
            try await wallet.server.deliverOnce()
            #expect(try await wallet.link(.post, "refunds", Self.refund("r-1", "1.00")).status == 200)
            #expect(try await wallet.link(.post, "refunds", Self.refund("r-2", "1.00", buyer: "2088000000000025")).status == 404)
            #expect(try await wallet.link(.post, "refunds", Self.refund("r-3", "1.00", currency: "USD")).status == 409)
            try await wallet.expectBalanced()
        }
    }

    @Test(arguments: [
        "{}", "[]", "not json", #"{"requestId":"r"}"#, Self.refund("", "1.00"), Self.refund("r 1", "1.00"), Self.refund("r-1", "1"),
        Self.refund("r-1", "1e2"), Self.refund("r-1", "-1.00"), Self.refund("r-1", "0.00"), Self.refund("r-1", "0.001"),
        Self.refund("r-1", "1.00", currency: "XYZ"), Self.refund("r-1", "1.00").replacing("}}", with: #"},"extra":1}"#),
        Self.refund("r-1", "1.00").replacing(#""CNY""#, with: #""CNY","extra":1"#),
    ])
    func aMalformedRefundIsRefused(body: String) async throws {
        try await TestWallet.open { wallet in
            try await Self.paid(wallet)
            #expect(try await wallet.link(.post, "refunds", body).status == 400)
            #expect(try await wallet.balance() == 1_000_000 - 912)
        }
    }

    @Test(arguments: ["", "wk_test_0123456789abcdef0123456789", "gk_test_0123456789abcdef012345678"])
    func nobodyButTheGatewayIsHeard(key: String) async throws {
        try await TestWallet.open { wallet in
            let refund = try await wallet.link(.post, "refunds", Self.refund("r-1", "1.00"), key: key)
            let books = try await wallet.link(.get, "books?day=2026-11-21", key: key)
            #expect(refund.status == 401 && books.status == 401)
        }
    }

    @Test func booksListADayOfChina() async throws {
        try await TestWallet.open { wallet in
            try await Self.paid(wallet)
            _ = try await wallet.link(.post, "refunds", Self.refund("r-1", "4.00"))
            let paidAt = wallet.clock.now()
            let day = String(BookDay.minute(of: paidAt).prefix(10))
            let entries = try #require(try await wallet.link(.get, "books?day=\(day)").json["entries"] as? [[String: Any]])
            #expect(entries.map { $0["kind"] as? String } == ["payment", "refund"])
            #expect(entries.map { ($0["amount"] as? [String: String])?["value"] } == ["9.12", "4.00"])
            #expect(entries.allSatisfy { $0["tradeNo"] as? String == Self.trade })
            #expect(entries.first?["requestId"] as? String == wallet.gateway.look { $0.payments.keys.first })
            #expect((try await wallet.link(.get, "books?day=2020-01-01").json["entries"] as? [Any])?.isEmpty == true)
            for day in ["2026-02-30", "2026-1-1", "", "2026-11-21x", "now"] {
                #expect(try await wallet.link(.get, "books?day=\(day)").status == 400, "\(day)")
            }
        }
    }

    @Test(arguments: StoreEngine.available) func aDaysBooksAreReadInPages(engine: StoreEngine) async throws {
        try await TestWallet.open(engine, change: { $0.bookPage = 2 }) { wallet in
            try await Self.paid(wallet)
            for number in 1...4 { _ = try await wallet.link(.post, "refunds", Self.refund("r-\(number)", "1.00")) }
            let day = String(BookDay.minute(of: wallet.clock.now()).prefix(10))
            var (pages, cursor) = ([[String]](), "")
            while pages.count < 5 {
                let page = try await wallet.link(.get, "books?day=\(day)\(cursor)").json
                pages.append(try #require(page["entries"] as? [[String: Any]]).compactMap { $0["requestId"] as? String })
                guard let next = page["next"] as? String else { break }
                cursor = "&cursor=\(next)"
            }
            #expect(pages.map(\.count) == [2, 2, 1])
            // All of one instant: their ids decide.
            #expect(pages.flatMap { $0 }.dropFirst().sorted() == ["r-1", "r-2", "r-3", "r-4"])
            for cursor in ["", "payment", "other.1.00000000000000000000000000000000", "refund.+1.00000000000000000000000000000000"] {
                let refused = try await wallet.link(.get, "books?day=\(day)&cursor=\(cursor)")
                #expect(refused.status == 400 && refused.errorCode == "malformed-request", "\(cursor)")
            }
        }
    }

    @Test func aDayOfChinaBeginsEightHoursBeforeGreenwichs() throws {
        let day = try #require(BookDay("2026-11-21"))
        #expect(day.start == Timestamp(secondsSince1970: 1_795_190_400))
        #expect(BookDay.minute(of: day.start) == "2026-11-21 00:00" && BookDay.minute(of: day.end) == "2026-11-22 00:00")
    }

    @Test(arguments: StoreEngine.available) func operatorsMoveMoneyOnceWithATrail(engine: StoreEngine) async throws {
        try await TestWallet.open(engine) { wallet in
            let office = wallet.server.backOffice
            let amount = try Amount("5.00", currency: TestWallet.cny)
            #expect(
                try await office.transfer(.topUp, of: amount, account: TestWallet.wei.number, requestID: "t-1", by: "ada", reason: "gift"))
            #expect(
                try await !office.transfer(.topUp, of: amount, account: TestWallet.wei.number, requestID: "t-1", by: "ada", reason: "gift"))
            #expect(try await wallet.balance(TestWallet.wei) == 1_000)
            let more = try Amount("10.01", currency: TestWallet.cny)
            await #expect(throws: WalletError.self) {
                try await office.transfer(
                    .withdrawal, of: more, account: TestWallet.wei.number, requestID: "t-2", by: "ada", reason: "paid out")
            }
            try await office.transfer(
                .withdrawal, of: amount, account: TestWallet.wei.number, requestID: "t-3", by: "ada", reason: "paid out")
            #expect(try await wallet.balance(TestWallet.wei) == 500)
            try await wallet.expectBalanced()
            let audit = ChainedOperatorAudit(
                links: AuditChain(key: SymmetricKey(data: [UInt8](repeating: 1, count: 32))), owner: try MerchantID("wallet"))
            let trail = try await audit.trail(in: wallet.store.database)
            #expect(trail.rows.suffix(2).map(\.action) == ["wallet.top-up", "wallet.withdrawal"])
            guard case .intact = trail.verdict else {
                Issue.record("the trail is broken")
                return
            }
        }
    }

    @Test func demonstrationCustomersAreMadeOnce() async throws {
        try await TestWallet.open { wallet in
            try await wallet.server.backOffice.openDemoAccounts()
            #expect(try await wallet.balance() == 1_000_000)
            try await wallet.expectBalanced()
        }
    }

    @Test func productionHasNoDemonstration() throws {
        var configuration = try TestWallet.configuration()
        configuration.mode = .production
        #expect(throws: WalletError.self) { try configuration.validate() }
        configuration.demoCustomers = []
        // The bearer is all that authenticates payments: it goes over HTTPS alone.
        #expect(throws: WalletError.self) { try configuration.validate() }
        configuration.gateway.origin = "https://gateway.test"
        try configuration.validate()
        configuration.openers = ["shop": "http://shop.test"]
        #expect(throws: WalletError.self) { try configuration.validate() }
    }
}
