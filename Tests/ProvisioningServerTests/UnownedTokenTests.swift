import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldWeb
import Crypto
import Testing

@testable import ProvisioningServer

/// Tokens of which networks tell and that belong to no card in the books.
struct UnownedTokenTests {
    private static func event(_ id: String, _ sequence: Int64) -> String {
        TokenBank.event(id, "activated", sequence, .active, token: "token-lost", account: "V-lost")
    }

    @Test(arguments: StoreEngine.available) func anUnownedTokenIsAnAlarmUntilTwoPersonsGiveItACard(_ engine: StoreEngine) async throws {
        try await TokenBank.open(engine) { bank in
            for number in 1...3 { #expect(try await bank.tell(Self.event("\(number)", Int64(number))).status == 200) }
            let notices = try await bank.desk.notices.unmatchedNotices()
            let notice = try #require(notices.first)
            #expect(notices.count == 1 && notice.ways.map(\.name) == ["assign", "delete", "closed"])
            let (office, host) = (bank.desk.notices, bank.desk.context.host)
            let unnamed = try await settle(notice, "assign", belongsTo: "no-such-card", office, host.database, host.clock)
            #expect(unnamed.state == .failed && unnamed.outcome?.hasPrefix("card-not-found") == true)
            let done = try await settle(notice, "assign", belongsTo: "card-visa", office, host.database, host.clock)
            #expect(done.state == .done, "\(done.outcome ?? "")")
            #expect(try await bank.token("token-lost")?.card == "card-visa")
            #expect(try await bank.desk.notices.unmatchedNotices().isEmpty)
            #expect(try await bank.tell(Self.event("4", 4)).status == 200)
            #expect(try await bank.desk.notices.unmatchedNotices().isEmpty)
        }
    }

    @Test func aTokenThatIsNobodysIsDeletedAtTheNetwork() async throws {
        try await TokenBank.open { bank in
            #expect(try await bank.tell(Self.event("1", 1)).status == 200)
            let notice = try #require(try await bank.desk.notices.unmatchedNotices().first)
            let host = bank.desk.context.host
            let done = try await settle(notice, "delete", bank.desk.notices, host.database, host.clock)
            #expect(done.state == .done && done.outcome?.contains("token-lost") == true, "\(done.outcome ?? "")")
            #expect(try await bank.desk.notices.unmatchedNotices().isEmpty)
            let waiting = try await host.database.read { tx in try ActionRecords.waiting(token: "token-lost", in: tx) }
            #expect(waiting.map(\.action) == [.delete])
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
