import BillfoldPayments
import BillfoldServer
import BillfoldServerTestSupport
import BillfoldStorage
import BillfoldTestSupport
import BillfoldWeb
import HTTPTypes
import Testing

@testable import WalletServer

/// Payments that the gateway has and the wallet's books have lost.
struct LostPaymentTests {
    /// Two nodes, asynchronous. The standby is promoted while the gateway takes a payment, and has none of its rows.
    @Test(.enabled(if: PostgreSQLCluster.binaries != nil, "PostgreSQL is not installed"), .timeLimit(.minutes(3)))
    func aFailoverThatLosesAPaymentAtTheGatewayIsSettledByTwoPersons() async throws {
        let pair = try PostgreSQLPair()
        let store = try await TestStore { try await pair.open() }
        try await TestWallet.open(on: store) { wallet in
            let (browser, path) = try await wallet.atPassword()
            try pair.detach()
            let gate = Gate(1) { try pair.failOver() }
            wallet.gateway.change { $0.hangs = { await gate.pass() } }
            let answer = try await browser.pay(path, "246810")
            #expect(await gate.problem == nil)
            // The page goes on: nothing says that it failed.
            #expect(answer.status == 303, "\(answer.status) \(answer.body)")
            #expect(wallet.gateway.paymentCount == 1)
            #expect(try await wallet.balance() == 1_000_000)
            let notices = try await wallet.server.notices.unmatchedNotices()
            let notice = try #require(notices.first)
            #expect(notices.count == 1 && notice.summary.contains("9.12 CNY") && notice.ways.map(\.name) == ["debit", "closed"])
            let done = try await TwoPersons(settling: wallet.server.notices, in: store.database, clock: wallet.clock).settle(notice, "debit")
            #expect(done.state == .done, "\(done.outcome ?? "")")
            #expect(try await wallet.balance() == 1_000_000 - 912)
            #expect(try await wallet.server.notices.unmatchedNotices().isEmpty)
            try await wallet.expectBalanced()
            // The books of both sides have it: a refund of it is credited.
            #expect(try await wallet.link(.post, "refunds", LinkTests.refund("r-1", "9.12")).status == 200)
            try await wallet.expectBalanced()
        }
        try await store.close()
    }

    @Test(arguments: StoreEngine.available) func aRefundOfAnUnknownPaymentIsKeptUntilItIsCredited(engine: StoreEngine) async throws {
        try await TestWallet.open(engine) { wallet in
            for _ in 0..<3 {
                #expect(try await wallet.link(.post, "refunds", LinkTests.refund("r-1", "1.00")).errorCode == "payment-not-found")
            }
            #expect(try await wallet.server.notices.unmatchedNotices().map(\.ways.count) == [1])
            try await LinkTests.paid(wallet)
            #expect(try await wallet.link(.post, "refunds", LinkTests.refund("r-1", "1.00")).status == 200)
            #expect(try await wallet.server.notices.unmatchedNotices().isEmpty)
        }
    }
}
