import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldWeb
import Crypto
import HTTPTypes
import Testing

@testable import AlipayServer

/// Payments of trades that the gateway's books have lost.
struct LostTradeTests {
    private static let trade = "2026112122001400000000000001"

    @Test(arguments: StoreEngine.available)
    func aPaymentOfALostTradeIsNotDecidedBeforeTwoPersonsHave(_ engine: StoreEngine) async throws {
        try await GatewayHarness.open(engine) { gateway in
            // Whatever the wallet does, nothing tells it that the payment was not taken.
            for _ in 0..<2 {
                // A wallet takes only a 409 for a decision.
                #expect(try await gateway.pay(Self.trade, "9.12", request: "r-1").errorCode == "not-found")
                #expect(try await gateway.link(.get, "payments/r-1").errorCode == "outcome-unknown")
                #expect(try await gateway.link(.delete, "payments/r-1").errorCode == "outcome-unknown")
            }
            #expect(try await gateway.link(.get, "payments/r-2").errorCode == "payment-unknown")
            let notices = try await gateway.server.notices.unmatchedNotices()
            let notice = try #require(notices.first)
            #expect(notices.count == 1 && notice.summary.contains("9.12 CNY") && notice.summary.contains(Self.trade))
            let done = try await settle(notice, "refuse", gateway.server.notices, gateway.store.database, gateway.clock)
            #expect(done.state == .done, "\(done.outcome ?? "")")
            #expect(try await gateway.pay(Self.trade, "9.12", request: "r-1").status == 409)
            #expect(try await gateway.link(.get, "payments/r-1").status == 409)
            #expect(try await gateway.link(.delete, "payments/r-1").status == 409)
            #expect(try await gateway.server.notices.unmatchedNotices().isEmpty)
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
