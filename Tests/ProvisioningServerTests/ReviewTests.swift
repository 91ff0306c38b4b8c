import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import Logging
import Synchronization
import Testing

@testable import ProvisioningServer

struct ReviewTests {
    private static let (fraud, second) = (
        OperatorIdentity(name: "lin", roles: [.operator, .approver], isSignedIn: true),
        OperatorIdentity(name: "wu", roles: [.approver], isSignedIn: true)
    )

    private func withQueue(_ bank: TokenBank, _ body: (ApprovalQueue) async throws -> Void) async throws {
        let configuration = bank.tokens.context.host.configuration
        try await MigrationRunner(OperatorRecords.migrations, clock: bank.bank.clock, logger: TestStore.logger).run(
            on: bank.bank.store.database)
        let generator = Mutex(SeededGenerator(seed: 3, label: "approvals"))
        let queue = try ApprovalQueue(
            database: bank.bank.store.database, clock: bank.bank.clock,
            random: RandomBytes { count in generator.withLock { $0.bytes(count) } },
            audit: ChainedOperatorAudit(links: AuditChain(key: configuration.keys.audit), owner: configuration.issuer), mode: .test,
            policy: .twoPersons, actions: bank.tokens.actions.all, logger: TestStore.logger)
        try await body(queue)
    }

    private static let approve = #"{"outcome":"approve","remark":"the customer called from the known number"}"#

    @Test func anOrangeTokenIsActivatedAfterTwoPersonsAgreed() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.orange)
            let review = try #require(try await bank.office.reviews().first)
            #expect(review.state == .waiting && review.token == "token-1" && review.card == "card-visa")
            #expect(try await bank.office.decision(of: review)?.decision.reasons.first == .walletHighRisk)
            try await withQueue(bank) { queue in
                let asked = try await queue.request(
                    kind: "provisioning-review", subject: review.id.description, detail: Self.approve, by: Self.fraud)
                await #expect(throws: ServerError.self) { try await queue.approve(asked.id, by: Self.fraud) }
                try await bank.work()
                #expect(bank.network.requests.isEmpty, "one person is not enough")
                let done = try await queue.approve(asked.id, by: Self.second)
                #expect(done.state == .done && done.outcome == "the token is being activated")
                // What a restart after a crash would do.
                let action = try #require(bank.tokens.actions.all["provisioning-review"])
                #expect(try await action.run(done) == done.outcome)
                try await bank.work()
                #expect(bank.network.requests == ["activate token-1 T"])
                #expect(try await bank.token()?.snapshot.state == .active)
                let ended = try #require(try await bank.office.reviews().first)
                #expect(ended.state == .approved && ended.concludedBy == "lin, wu" && ended.remark?.contains("known number") == true)
                let late = try await queue.request(
                    kind: "provisioning-review", subject: review.id.description, detail: #"{"outcome":"refuse","remark":"no"}"#,
                    by: Self.fraud)
                #expect(try await queue.approve(late.id, by: Self.second).state == .failed)
                #expect(try await bank.trail().map { "\($0.actor) \($0.action)" } == ["wu review.approved"])
            }
        }
    }

    @Test func aRefusedTokenIsDeleted() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.orange)
            let review = try #require(try await bank.office.reviews().first)
            try await withQueue(bank) { queue in
                let asked = try await queue.request(
                    kind: "provisioning-review", subject: review.id.description, detail: #"{"outcome":"refuse","remark":"not hers"}"#,
                    by: Self.fraud)
                #expect(try await queue.approve(asked.id, by: Self.second).outcome == "the token is being deleted")
                try await bank.work()
                #expect(bank.network.requests == ["delete token-1 F"])
                #expect(try await bank.token()?.snapshot.state == .deleted)
                #expect(try await bank.office.reviews().first?.state == .refused)
            }
        }
    }

    /// The decision is ours; the network tells of the token when it will.
    @Test func aReviewMayEndBeforeTheNetworkToldOfTheToken() async throws {
        try await TokenBank.open { bank in
            _ = try await bank.decide(TokenBank.Ask.orange)
            bank.network.keep("token-1", .init(account: "V-1", snapshot: TokenSnapshot(sequence: 1, state: .inactive)))
            let review = try #require(try await bank.office.reviews().first)
            let line = try await bank.office.conclude(
                review: review.id.description, approve: true, remark: "known", requestedBy: "lin", decidedBy: "wu", approval: "a1")
            #expect(line == "the token is being activated")
            try await bank.work()
            #expect(try await bank.token()?.snapshot == TokenSnapshot(sequence: 2, state: .active))
            #expect(try await bank.token()?.card == "card-visa")
            // The event that was overtaken fills in what the answer did not say.
            #expect(try await bank.tell(TokenBank.event("created", "created", 1, .inactive)).status == 200)
            let token = try #require(try await bank.token())
            #expect(token.snapshot.state == .active && token.deviceAccountSuffix == "4321")
        }
    }

    /// Neither before nor after the review does one person make the token active.
    @Test func noOperatorActivatesATokenAlone() async throws {
        try await TokenBank.open { bank in
            try await bank.provision("token-2", state: .inactive, on: TokenBank.watch, TokenBank.Ask.yellow)
            try await bank.provision(state: .inactive, TokenBank.Ask.orange)
            for token in ["token-1", "token-2"] {
                await #expect { _ = try await bank.office.act(.activate, on: token, reason: .cleared, by: "lin") } throws: {
                    ($0 as? ServerError)?.code == .conflict
                }
            }
            try await bank.work()
            #expect(bank.network.requests.isEmpty)
            #expect(try await bank.token()?.snapshot.state == .inactive)
            #expect(try await bank.office.reviews().map(\.state) == [.waiting])
        }
    }

    @Test func aReviewDoesNotActivateWhatALaterDecisionRefused() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.orange)
            _ = try await bank.decide {
                $0.id = "2"
                TokenBank.Ask.red(&$0)
            }
            let review = try #require(try await bank.office.reviews().first)
            await #expect(throws: ServerError.self) {
                try await bank.office.conclude(
                    review: review.id.description, approve: true, remark: "known", requestedBy: "lin", decidedBy: "wu", approval: "a1")
            }
            try await bank.work()
            #expect(bank.network.requests.isEmpty)
        }
    }

    @Test func aReviewEndsWithItsToken() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.orange)
            _ = try await bank.tell(TokenBank.event("gone", "deleted", 2, .deleted))
            let review = try #require(try await bank.office.reviews().first)
            #expect(review.state == .expired)
            await #expect(throws: ServerError.self) {
                try await bank.office.conclude(
                    review: review.id.description, approve: true, remark: "late", requestedBy: "lin", decidedBy: "wu", approval: "a1")
            }
            try await bank.work()
            #expect(bank.network.requests.isEmpty)
        }
    }

    @Test func aReviewDoesNotActivateWhatWasBlockedMeanwhile() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.orange)
            bank.bank.cards.change("card-visa") { $0.status = .blocked }
            _ = try await bank.bank.logIn()
            let review = try #require(try await bank.office.reviews().first)
            func conclude(_ isApproved: Bool) async throws -> String {
                try await bank.office.conclude(
                    review: review.id.description, approve: isApproved, remark: "known", requestedBy: "lin", decidedBy: "wu", approval: "a1"
                )
            }
            await #expect(throws: ServerError.self) { try await conclude(true) }
            #expect(try await conclude(false) == "the token is being deleted")
            try await bank.work()
            #expect(bank.network.requests == ["delete token-1 F"])
        }
    }

    @Test func whatIsNoReviewIsRefused() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.orange)
            let review = try #require(try await bank.office.reviews().first)
            try await withQueue(bank) { queue in
                for (subject, detail, code) in [
                    ("nothing", Self.approve, "not-found"), (String(repeating: "0", count: 32), Self.approve, "not-found"),
                    (review.id.description, "{}", "malformed-request"),
                    (review.id.description, #"{"outcome":"approve","remark":""}"#, "malformed-request"),
                    (review.id.description, #"{"outcome":"maybe","remark":"x"}"#, "malformed-request"),
                ] {
                    let refused = await #expect(throws: ServerError.self) {
                        try await queue.request(kind: "provisioning-review", subject: subject, detail: detail, by: Self.fraud)
                    }
                    #expect(refused?.code.description == code)
                }
                let state = try await bank.office.reviews().first?.state
                #expect(state == .waiting)
            }
        }
    }
}
