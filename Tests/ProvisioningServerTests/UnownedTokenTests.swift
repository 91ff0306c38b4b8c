import BillfoldPayments
import BillfoldServer
import BillfoldServerTestSupport
import BillfoldStorage
import BillfoldTestSupport
import BillfoldWeb
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
            let notices = try await bank.tokens.notices.unmatchedNotices()
            let notice = try #require(notices.first)
            #expect(notices.count == 1 && notice.ways.map(\.name) == ["assign", "delete", "closed"])
            let host = bank.tokens.context.host
            let people = try await TwoPersons(settling: bank.tokens.notices, in: host.database, clock: host.clock)
            let unnamed = try await people.settle(notice, "assign", belongsTo: "no-such-card")
            #expect(unnamed.state == .failed && unnamed.outcome?.hasPrefix("card-not-found") == true)
            let done = try await people.settle(notice, "assign", belongsTo: "card-visa")
            #expect(done.state == .done, "\(done.outcome ?? "")")
            #expect(try await bank.token("token-lost")?.card == "card-visa")
            #expect(try await bank.tokens.notices.unmatchedNotices().isEmpty)
            #expect(try await bank.tell(Self.event("4", 4)).status == 200)
            #expect(try await bank.tokens.notices.unmatchedNotices().isEmpty)
        }
    }

    @Test func aTokenThatIsNobodysIsDeletedAtTheNetwork() async throws {
        try await TokenBank.open { bank in
            #expect(try await bank.tell(Self.event("1", 1)).status == 200)
            let notice = try #require(try await bank.tokens.notices.unmatchedNotices().first)
            let host = bank.tokens.context.host
            let people = try await TwoPersons(settling: bank.tokens.notices, in: host.database, clock: host.clock)
            let done = try await people.settle(notice, "delete")
            #expect(done.state == .done && done.outcome?.contains("token-lost") == true, "\(done.outcome ?? "")")
            #expect(try await bank.tokens.notices.unmatchedNotices().isEmpty)
            let waiting = try await host.database.read { tx in try ActionRecords.waiting(token: "token-lost", in: tx) }
            #expect(waiting.map(\.action) == [.delete])
        }
    }
}
