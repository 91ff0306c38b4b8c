import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldWeb
import Crypto
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
            let done = try await settle(notice, "debit", wallet.server.notices, store.database, wallet.clock)
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

private let drawn = DrawnBytes()

/// Two persons settle a notice.
private func settle(
    _ notice: AlarmList.Unmatched, _ way: String, belongsTo: String? = nil, _ office: UnmatchedNoticeOffice, _ database: any Database,
    _ clock: any WallClock
) async throws -> ApprovalRequest {
    try await MigrationRunner(OperatorRecords.migrations, clock: clock, logger: TestStore.logger).run(on: database)
    let queue = try ApprovalQueue(
        database: database, clock: clock, random: RandomBytes { drawn.next($0) },
        audit: ChainedOperatorAudit(
            links: AuditChain(key: SymmetricKey(data: [UInt8](repeating: 1, count: 32))), owner: try MerchantID("installation")),
        mode: .test, policy: .twoPersons, actions: office.actions, logger: TestStore.logger)
    let place = belongsTo.map { #","belongsTo":"\#($0)""# } ?? ""
    let asked = try await queue.request(
        kind: notice.action, subject: notice.id,
        detail: #"{"way":"\#(way)","shown":"\#(notice.summary)"\#(place),"reason":"both books were looked at"}"#,
        by: OperatorIdentity(name: "lin", roles: [.operator], isSignedIn: true))
    return try await queue.approve(asked.id, by: OperatorIdentity(name: "wang", roles: [.approver], isSignedIn: true))
}
