import BillfoldEvents
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import HTTPTypes
import Logging
import Testing

@testable import ProvisioningServer

/// What the bank's back end is told of tokens and reviews.
@Suite struct IssuerEventTests {
    private static func read(_ body: String) throws -> JSONObject { try JSONReader.readObject(Array(body.utf8), maximumBytes: 1_000_000) }

    private static func text(_ value: JSONValue?) -> String? {
        value.map { String(decoding: JSONWriter.write($0, style: JSONStyle(sortsKeys: true)), as: UTF8.self) }
    }

    private func told(_ bank: TokenBank) async throws -> [JSONObject] {
        while try await bank.tokens.events.dispatcher.runOnce() > 0 {}
        let page = try await bank.bank.send(.get, "/provisioning/v1/events?limit=200", bearer: Bank.apiKey)
        #expect(page.status == 200, "\(page.body)")
        return try (Self.read(page.body)["events"]?.array ?? []).map { try #require($0.object) }
    }

    @Test(arguments: StoreEngine.withoutInjectedFaults)
    func everyStateOfATokenIsToldOnce(engine: StoreEngine) async throws {
        try await TokenBank.open(engine) { bank in
            try await bank.provision(state: .inactive)
            _ = try await bank.tell(TokenBank.event("e2", "activated", 2, .active))
            _ = try await bank.tell(TokenBank.event("e3", "suspended", 3, .suspended, by: ["CARDHOLDER"]))
            // Said again, overtaken, and newer without a change of state: nothing that anybody need hear of.
            _ = try await bank.tell(TokenBank.event("e3", "suspended", 3, .suspended, by: ["CARDHOLDER"]))
            _ = try await bank.tell(TokenBank.event("e1", "activated", 2, .active))
            _ = try await bank.tell(TokenBank.event("e4", "suspended", 4, .suspended, by: ["CARDHOLDER", "TOKEN_REQUESTOR"]))
            _ = try await bank.tell(TokenBank.event("e5", "deleted", 5, .deleted))
            let events = try await told(bank)
            #expect(
                events.map { $0["type"]?.string } == ["token.inactive", "token.active", "token.suspended", "token.deleted"])
            #expect(events.map { $0["sequence"]?.integer } == [1, 2, 3, 4])
            #expect(Set(events.map { $0["object"]?.object?["id"]?.string }) == ["token-1"])
            let suspended = try #require(events[2]["data"]?.object)
            #expect(suspended["state"]?.string == "suspended" && suspended["suspendedBy"]?.array?.map(\.string) == ["CARDHOLDER"])
            #expect(suspended["card"]?.string == "card-visa" && suspended["secureElement"]?.string == TokenBank.phone)
            // The books, as the interface has them, say the same of the last.
            let books = try await bank.bank.send(.get, "/provisioning/v1/tokens", bearer: Bank.apiKey)
            #expect(try Self.text(Self.read(books.body)["tokens"]?.array?.first) == Self.text(events[3]["data"]))
        }
    }

    @Test func theBanksOwnCauseIsToldWithTheState() async throws {
        try await TokenBank.open { bank in
            try await bank.provision()
            _ = try await BankEventTests.report(bank, BankEventTests.event("e-1", "blocked"))
            try await bank.work()
            let causes = { (event: JSONObject) in event["data"]?.object?["heldFor"]?.array?.map(\.string) }
            let suspended = try #require(try await told(bank).last)
            #expect(suspended["type"]?.string == "token.suspended" && causes(suspended) == ["card"])
            let books = try await bank.bank.send(.get, "/provisioning/v1/tokens", bearer: Bank.apiKey)
            #expect(try Self.text(Self.read(books.body)["tokens"]?.array?.first) == Self.text(suspended["data"]))
            _ = try await BankEventTests.report(bank, BankEventTests.event("e-2", "unblocked", at: 1))
            try await bank.work()
            let active = try #require(try await told(bank).last)
            #expect(active["type"]?.string == "token.active" && causes(active) == nil)
        }
    }

    @Test func reviewIsToldWhenItIsOpenedAndWhenItEnds() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.orange)
            let review = try #require(try await bank.office.reviews().first)
            _ = try await ReviewService(context: bank.tokens.context).conclude(
                review.id, approve: true, remark: "known", requestedBy: "lin", decidedBy: "wu", approval: "a1")
            // Run again after a crash it says nothing more.
            _ = try await ReviewService(context: bank.tokens.context).conclude(
                review.id, approve: true, remark: "known", requestedBy: "lin", decidedBy: "wu", approval: "a1")
            let events = try await told(bank).filter { $0["object"]?.object?["kind"]?.string == "review" }
            #expect(events.map { $0["type"]?.string } == ["review.opened", "review.decided"])
            #expect(events.map { $0["data"]?.object?["state"]?.string } == ["waiting", "approved"])
            #expect(events.allSatisfy { $0["object"]?.object?["id"]?.string == review.id.description })
            // Who decided is no business of other systems.
            #expect(!events.contains { $0["data"]?.object?.members.contains { ["lin", "wu"].contains($0.value.string) } == true })
        }
    }

    @Test func deletedTokenEndsItsReview() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.orange)
            _ = try await bank.tell(TokenBank.event("e2", "deleted", 2, .deleted))
            let types = try await told(bank).map { $0["type"]?.string }
            #expect(types.contains("token.deleted") && types.contains("review.expired") && !types.contains("review.decided"))
        }
    }

    @Test func routesAskForTheBanksKey() async throws {
        try await TokenBank.open { bank in
            for bearer in [nil, TokenBank.keys[.visa], "nobody's key, which is long enough"] {
                let answer = try await bank.bank.send(.get, "/provisioning/v1/events", bearer: bearer)
                #expect(answer.status == 401)
            }
            let added = try await bank.bank.send(
                .post, "/provisioning/v1/webhook-endpoints", #"{"url":"https://bank.example.com/hooks"}"#, bearer: Bank.apiKey)
            #expect(added.status == 201, "\(added.body)")
            try await bank.provision()
            try await bank.tokens.events.dispatcher.runOnce()
            try await bank.work()
            #expect(bank.network.requests.isEmpty, "the networks' worker leaves it to the other")
        }
    }
}
