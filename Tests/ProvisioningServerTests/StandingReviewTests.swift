import ApplePay
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import Testing

@testable import ProvisioningServer

/// What the fraud team holds or refused, when somebody asks again under another name.
struct StandingReviewTests {
    /// Colour and first reason of a green request for another token of the same card.
    private func again(_ bank: TokenBank, _ number: Int, on secureElement: String = TokenBank.phone) async throws -> String {
        let answer = try await bank.decide {
            ($0.id, $0.token, $0.secureElement) = ("again-\(number)", "again-\(number)", secureElement)
        }
        return "\(answer["colour"] ?? answer.body) \((answer.json["reasons"] as? [String])?.first ?? "")"
    }

    private func conclude(_ bank: TokenBank, token: String = "token-1", approve: Bool) async throws {
        let review = try #require(try await bank.office.reviews().first { $0.token == token })
        _ = try await bank.office.conclude(
            review: review.id.description, approve: approve, remark: "known", requestedBy: "lin", decidedBy: "wu",
            approval: "approval of \(token)")
    }

    @Test(arguments: StoreEngine.withoutInjectedFaults)
    func aCardWhoseReviewWaitsIsForAPersonInEveryDevice(_ engine: StoreEngine) async throws {
        try await TokenBank.open(engine) { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.orange)
            #expect(try await again(bank, 1) == "orange review-waiting")
            #expect(try await again(bank, 2, on: TokenBank.watch) == "orange review-waiting")
            // Each has a review of its own, so that each can be let in.
            #expect(Set(try await bank.office.reviews().map(\.token)) == ["token-1", "again-1", "again-2"])
            let other = try await bank.decide {
                ($0.id, $0.token, $0.network) = ("other", "other", .mastercard)
                ($0.number, $0.requestor) = (Bank.mastercardNumber, "50110030273")
            }
            #expect(other["colour"] == "green", "another card")
        }
    }

    @Test func aRefusalIsFinalInItsDeviceAndTakesAPersonInOthers() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.orange)
            try await conclude(bank, approve: false)
            try await bank.work()
            #expect(try await again(bank, 1) == "red review-refused")
            #expect(try await again(bank, 2, on: TokenBank.watch) == "orange review-refused")
            try await conclude(bank, token: "again-2", approve: true)
            #expect(try await again(bank, 3) == "red review-refused", "what was let in elsewhere")
            bank.bank.clock.advance(by: .seconds(86_400 * 30 + 1))
            #expect(try await again(bank, 4) == "green ")
        }
    }

    @Test func aReviewGoesOnWhenTheCustomerRemovesThePass() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.orange)
            _ = try await bank.tell(TokenBank.event("gone", "deleted", 2, .deleted))
            #expect(try await again(bank, 1) == "orange review-undecided")
            try await conclude(bank, token: "again-1", approve: true)
            #expect(try await again(bank, 2) == "green ", "a person has looked at it")
        }
    }

    @Test func aProgrammeSaysHowLongItCounts() async throws {
        try await TokenBank.open {
            $0.defaultPolicy.reviewDays = 2
        } body: { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.orange)
            _ = try await bank.tell(TokenBank.event("gone", "deleted", 2, .deleted))
            bank.bank.clock.advance(by: .seconds(86_400 * 2 + 1))
            #expect(try await again(bank, 1) == "green ")
        }
    }

    // MARK: A token that is active though nobody approved it

    private func activate(_ bank: TokenBank, sequence: Int64 = 2) async throws {
        bank.network.change("token-1") { $0.state = .active }
        let told = try await bank.tell(TokenBank.event("e-\(sequence)", "activated", sequence, .active))
        #expect(told.status == 200, "\(told.body)")
    }

    @Test(arguments: StoreEngine.withoutInjectedFaults)
    func aTokenThatBecomesActiveWhileItsReviewWaitsIsSuspended(_ engine: StoreEngine) async throws {
        try await TokenBank.open(engine) { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.orange)
            for _ in 0..<2 { try await activate(bank) }
            try await bank.work()
            #expect(bank.network.requests == ["suspend token-1 F"])
            #expect(try await bank.token()?.snapshot.suspendedBy == [.issuer])
            #expect(try await bank.office.reviews().map(\.state) == [.waiting])
            #expect(bank.bank.recorder.log.contains("critical a network activated a token while its review waits"))
            #expect(try await bank.trail().map { "\($0.actor) \($0.action)" } == ["system review.held"])
            // Neither one operator nor an unblocked card lets it pay.
            await #expect { _ = try await bank.office.act(.resume, on: "token-1", reason: .cleared, by: "lin") } throws: {
                ($0 as? ServerError)?.code == .conflict
            }
            for event in [CardEvent.blocked, .unblocked] {
                #expect(try await bank.office.report(event, of: "card-visa", remark: "called", by: "lin") == 0)
            }
            try await conclude(bank, approve: true)
            try await bank.work()
            #expect(bank.network.requests == ["suspend token-1 F", "resume token-1 T"])
            #expect(try await bank.token()?.snapshot.state == .active)
        }
    }

    @Test func theFirstNewsOfATokenMayBeThatItIsActive() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .active, TokenBank.Ask.orange)
            try await bank.work()
            #expect(bank.network.requests == ["suspend token-1 F"])
            try await conclude(bank, approve: false)
            try await bank.work()
            #expect(bank.network.requests == ["suspend token-1 F", "delete token-1 F"])
        }
    }

    @Test func anApprovalThatWasJustGivenHoldsNothing() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.orange)
            try await conclude(bank, approve: true)
            // The network activates it on its own before it hears of the approval.
            try await activate(bank)
            try await bank.work()
            #expect(bank.network.requests == ["activate token-1 T"])
            #expect(try await bank.token()?.snapshot.state == .active)
        }
    }

    /// Whichever comes first, the token ends active, and never with a suspension that nobody lifts.
    @Test(arguments: StoreEngine.withoutInjectedFaults, 0..<4)
    func approvalAndActivationAtOnceLeaveTheTokenActive(_ engine: StoreEngine, _ run: Int) async throws {
        try await TokenBank.open(engine) { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.orange)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await conclude(bank, approve: true) }
                group.addTask { try await activate(bank) }
                try await group.waitForAll()
            }
            try await bank.work()
            #expect([["activate token-1 T"], ["suspend token-1 F", "resume token-1 T"]].contains(bank.network.requests))
            #expect(try await bank.token()?.snapshot.state == .active)
            #expect(try await bank.office.reviews().map(\.state) == [.approved])
        }
    }

    // MARK: What can be done no more

    @Test func anApprovalOfWhatIsBeingDeletedIsAConflict() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.orange)
            bank.network.script { $0.unreachable = .max }
            #expect(try await bank.office.act(.delete, on: "token-1", reason: .lost, by: "lin"))
            await #expect { try await conclude(bank, approve: true) } throws: { ($0 as? ServerError)?.code == .conflict }
            #expect(try await bank.office.reviews().map(\.state) == [.waiting])
            try await conclude(bank, approve: false)
            #expect(try await bank.office.reviews().map(\.state) == [.refused])
            #expect(try await bank.file().actions.map(\.name) == ["delete"])
        }
    }

    @Test func noReviewReleasesATokenInALostDevice() async throws {
        try await TokenBank.open { bank in
            _ = try await bank.decide(TokenBank.Ask.orange)
            #expect(try await bank.office.reportLost(secureElement: TokenBank.phone, by: "lin") == 0)
            await #expect { try await conclude(bank, approve: true) } throws: { ($0 as? ServerError)?.code == .conflict }
            #expect(try await bank.office.reportFound(secureElement: TokenBank.phone, remark: "in her bag", by: "lin"))
            try await conclude(bank, approve: true)
        }
    }
}
