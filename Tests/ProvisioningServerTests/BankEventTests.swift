import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ProvisioningServer

/// What the bank's own systems report of cards, and what the processor is asked without anybody having logged in.
struct BankEventTests {
    /// The bank's clock, which the events of a test are told by.
    static let start: Int64 = 1_795_204_800_000

    static func event(_ id: String, _ kind: String, at second: Int64 = 0, card: String = "card-visa") -> String {
        #"{"eventId":"\#(id)","card":"\#(card)","kind":"\#(kind)","occurredAt":\#(start + second * 1_000)}"#
    }

    static func report(_ bank: TokenBank, _ event: String) async throws -> Bank.Answer {
        try await bank.bank.send(.post, "/bank/v1/card-events", event, bearer: Bank.apiKey)
    }

    // MARK: By number

    @Test(arguments: StoreEngine.withoutInjectedFaults)
    func aCardThatNoSessionBroughtInIsAskedForByItsNumber(_ engine: StoreEngine) async throws {
        try await TokenBank.open(engine) { bank in
            bank.bank.cards.add(.init(id: "card-new", number: "4055510000000046", customer: "c-3", contacts: TokenBank.contacts))
            let answer = try await bank.decide {
                $0.number = "4055510000000046"
                TokenBank.Ask.yellow(&$0)
            }
            #expect(answer["colour"] == "yellow" && answer.json["reasons"] as? [String] == ["activation-missing"], "\(answer.body)")
            #expect((answer.json["verificationMethods"] as? [Any])?.count == 3)
            #expect(try await bank.office.file(card: "card-new")?.card.customer == "c-3")
            #expect(bank.bank.cards.lookups == 1)
            // Known from now on, as after a session.
            _ = try await bank.decide {
                ($0.id, $0.token, $0.number) = ("request-2", "token-2", "4055510000000046")
                TokenBank.Ask.yellow(&$0)
            }
            #expect(bank.bank.cards.lookups == 1)
        }
    }

    @Test func aQuestionWithoutAnAnswerDecidesNothing() async throws {
        try await TokenBank.open { bank in
            bank.bank.cards.add(.init(id: "card-new", number: "4055510000000046", customer: "c-3"))
            bank.bank.cards.fallSilent()
            let ask: @Sendable (inout TokenBank.Ask) -> Void = {
                $0.number = "4055510000000046"
                TokenBank.Ask.yellow(&$0)
            }
            let silent = try await bank.decide(ask)
            #expect(silent.status == 503 && silent.errorCode == "processor-unavailable", "\(silent.body)")
            #expect(try await bank.office.decisions().isEmpty, "no answer is not that the card is unknown")
            bank.bank.cards.fallSilent(false)
            #expect(try await bank.decide(ask)["colour"] == "yellow")
        }
    }

    @Test func aCardThatTheProcessorHasAndNobodyCanReadIsNotUnknown() async throws {
        try await TokenBank.open { bank in
            bank.bank.cards.add(.init(id: "card-new", number: "4055510000000046", customer: "c-3", isReadable: false))
            let ask: @Sendable (inout TokenBank.Ask) -> Void = {
                $0.number = "4055510000000046"
                TokenBank.Ask.yellow(&$0)
            }
            let unread = try await bank.decide(ask)
            #expect(unread.errorCode == "processor-answer", "\(unread.body)")
            #expect(try await bank.office.decisions().isEmpty)
            bank.bank.cards.change("card-new") { $0.isReadable = true }
            #expect(try await bank.decide(ask)["colour"] == "yellow")
        }
    }

    /// Both questions of one decision: each alone would be answered in time.
    @Test func aProcessorsBudgetIsCountedOnceForEachDecision() async throws {
        try await TokenBank.open {
            $0.processorBudget = .milliseconds(400)
        } body: { bank in
            bank.bank.cards.add(.init(id: "card-new", number: "4055510000000046", customer: "c-3"))
            bank.bank.cards.dawdle(for: .milliseconds(250))
            let late = try await bank.decide {
                $0.number = "4055510000000046"
                TokenBank.Ask.yellow(&$0)
            }
            #expect(late.status == 503 && late.errorCode == "processor-unavailable", "\(late.body)")
            #expect(try await bank.office.decisions().isEmpty)
        }
    }

    @Test func aNumberOfNobodysIsUnknownAndAForeignOneIsNotAskedFor() async throws {
        try await TokenBank.open { bank in
            let unknown = try await bank.decide { $0.number = "4055510000000053" }
            #expect((unknown.json["reasons"] as? [String])?.first == "card-unknown" && bank.bank.cards.lookups == 1)
            let foreign = try await bank.decide { ($0.id, $0.token, $0.number) = ("r-2", "token-2", "4111111111111111") }
            #expect((foreign.json["reasons"] as? [String])?.first == "card-unknown")
            #expect(bank.bank.cards.lookups == 1, "no programme of ours has such numbers")
        }
    }

    // MARK: Events

    @Test(arguments: StoreEngine.withoutInjectedFaults)
    func aBlockedCardsTokensStopWithoutAnybodyLoggingIn(_ engine: StoreEngine) async throws {
        try await TokenBank.open(engine) { bank in
            try await bank.provision()
            try await bank.provision("token-2", on: TokenBank.watch)
            let first = try await Self.report(bank, Self.event("e-1", "blocked"))
            #expect(first.status == 200 && first["effect"] == "applied" && first["status"] == "blocked", "\(first.body)")
            #expect(first.json["actions"] as? Int == 2)
            try await bank.work()
            #expect(bank.network.requests.sorted() == ["suspend token-1 Z", "suspend token-2 Z"])
            // Told again: the first answer's bytes, and nothing done.
            bank.bank.clock.advance(by: .seconds(3_600))
            let again = try await Self.report(bank, Self.event("e-1", "blocked"))
            #expect(again.body == first.body && again.headers[.init("Idempotent-Replayed")!] == "true")
            #expect(first.headers[.init("Idempotent-Replayed")!] == nil)
            let other = try await Self.report(bank, Self.event("e-1", "unblocked"))
            #expect(other.status == 409 && other.errorCode == "request-reused")
            let ended = try await Self.report(bank, Self.event("e-2", "unblocked", at: 60))
            #expect(ended["effect"] == "applied" && ended["status"] == "active", "\(ended.body)")
            try await bank.work()
            #expect(try await bank.token()?.snapshot.state == .active)
            #expect(bank.network.requests.suffix(2).sorted() == ["resume token-1 Z", "resume token-2 Z"])
            #expect(try await bank.trail().map { "\($0.actor) \($0.action)" } == ["bank card.blocked", "bank card.unblocked"])
            #expect(try await bank.bank.store.database.read(StoreCheckTests.check(bank)) == [])
        }
    }

    @Test func whatIsNoEventIsRefusedAndMayComeAgain() async throws {
        try await TokenBank.open { bank in
            let unknown = try await Self.report(bank, Self.event("e-1", "blocked", card: "card-none"))
            #expect(unknown.status == 404 && unknown.errorCode == "card-not-found")
            bank.bank.cards.add(.init(id: "card-none", number: "4055510000000046"))
            _ = try await bank.bank.logIn()
            #expect(try await Self.report(bank, Self.event("e-1", "blocked", card: "card-none")).status == 200, "the id was not used up")
            let ahead = try await Self.report(bank, Self.event("e-2", "blocked", at: 301))
            #expect(ahead.status == 422 && ahead.errorCode == "instant-ahead")
            let good = Self.event("e-3", "blocked")
            for (old, new) in [("blocked", "frozen"), ("e-3", "é"), ("{", #"{"more":1,"#), ("card-visa", "a/b"), ("\(Self.start)", "-1")] {
                let answer = try await Self.report(bank, good.replacingOccurrences(of: old, with: new))
                #expect(answer.status == 400 && answer.errorCode == "malformed-request", "\(new): \(answer.body)")
            }
            for key in [nil, TokenBank.keys[.visa], try await bank.bank.logIn()] {
                let answer = try await bank.bank.send(.post, "/bank/v1/card-events", good, bearer: key)
                #expect(answer.status == 401 && answer.errorCode == "unauthorized")
            }
        }
    }

    /// The same events in any order leave the card and its tokens the same.
    @Test func theOrderInWhichEventsComeDoesNotMatter() async throws {
        let stories: [(events: [(kind: String, second: Int64)], status: String, state: TokenState)] = [
            ([("blocked", 1), ("unblocked", 2), ("blocked", 3)], "blocked", .suspended),
            ([("blocked", 1), ("unblocked", 2), ("lost", 3)], "blocked", .active),
            ([("lost", 1), ("blocked", 2), ("unblocked", 3)], "active", .active),
            ([("stolen", 1), ("unblocked", 2), ("unblocked", 3)], "active", .active),
            // At one instant what lets less pay stands.
            ([("blocked", 1), ("unblocked", 1), ("unblocked", 0)], "blocked", .suspended),
            ([("closed", 1), ("unblocked", 2), ("blocked", 0)], "closed", .deleted),
        ]
        for story in stories {
            for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
                try await TokenBank.open { bank in
                    try await bank.provision()
                    for place in order {
                        let (kind, second) = story.events[place]
                        let answer = try await Self.report(bank, Self.event("e-\(place)", kind, at: second))
                        #expect(answer.status == 200, "\(answer.body)")
                        try await bank.work()
                    }
                    let told = "\(story.events.map(\.kind)) \(order)"
                    #expect(try await bank.file().card.status.rawValue == story.status, "\(told)")
                    #expect(try await bank.token()?.snapshot.state == story.state, "\(told)")
                }
            }
        }
    }

    @Test func anUnblockingResumesWhatTheBlockSuspendedAlone() async throws {
        let others: [@Sendable (TokenBank) async throws -> Void] = [
            { _ = try await $0.office.reportLost(secureElement: TokenBank.phone, by: "lin") },
            { bank in
                // Of a token that is suspended with its card this is no news to the network; it holds it all the same.
                try? await _ = bank.office.act(.suspend, on: "token-1", reason: .fraud, by: "lin")
            },
        ]
        for (place, other) in others.enumerated() {
            for isBefore in [true, false] {
                try await TokenBank.open { bank in
                    try await bank.provision()
                    if isBefore { try await other(bank) }
                    _ = try await Self.report(bank, Self.event("e-1", "blocked"))
                    if !isBefore { try await other(bank) }
                    let ended = try await Self.report(bank, Self.event("e-2", "unblocked", at: 1))
                    #expect(ended["effect"] == "noted" && ended["status"] == "active", "\(ended.body)")
                    try await bank.work()
                    #expect(bank.network.requests.count == 1, "\(place) \(isBefore)")
                    #expect(try await bank.token()?.snapshot.suspendedBy == [.issuer])
                    // A person's resumption ends every cause.
                    #expect(try await bank.office.act(.resume, on: "token-1", reason: .cleared, by: "lin"))
                    try await bank.work()
                    #expect(try await bank.token()?.snapshot.state == .active)
                }
            }
        }
    }

    @Test func aNewNumberOrExpiryReachesTheNetworkOnce() async throws {
        try await TokenBank.open { bank in
            try await bank.provision()
            bank.bank.cards.change("card-visa") { $0.expiration = "12/33" }
            let renewed = try await Self.report(bank, Self.event("e-1", "expiry-changed"))
            #expect(renewed["effect"] == "applied" && renewed.json["actions"] as? Int == 1, "\(renewed.body)")
            try await bank.work()
            #expect(bank.network.numbers == ["\(Bank.visaNumber) 12/33"])
            bank.bank.cards.change("card-visa") { ($0.number, $0.expiration) = (Bank.visaNumberAfterwards, "12/36") }
            _ = try await Self.report(bank, Self.event("e-2", "lost", at: 1))
            #expect(try await bank.file().card.status == .blocked)
            let replaced = try await Self.report(bank, Self.event("e-3", "replaced", at: 2))
            #expect(replaced["status"] == "active", "a new number ends the loss: \(replaced.body)")
            try await bank.work()
            #expect(bank.network.numbers.last == "\(Bank.visaNumberAfterwards) 12/36" && bank.network.numbers.count == 2)
            #expect(try await bank.token()?.snapshot.state == .active, "token and device stay")
            // A loss that is told late was of the old number.
            let late = try await Self.report(bank, Self.event("e-4", "stolen", at: 1))
            #expect(late["effect"] == "overtaken" && late["status"] == "active")
            bank.bank.cards.fallSilent()
            #expect(try await Self.report(bank, Self.event("e-5", "replaced", at: 3)).errorCode == "processor-unavailable")
        }
    }

    @Test func aLossAfterAReplacementStandsThoughItIsToldFirst() async throws {
        for kind in ["lost", "stolen"] {
            try await TokenBank.open { bank in
                try await bank.provision()
                bank.bank.cards.change("card-visa") { ($0.number, $0.expiration) = (Bank.visaNumberAfterwards, "12/36") }
                #expect(try await Self.report(bank, Self.event("e-1", kind, at: 5))["status"] == "blocked")
                let replaced = try await Self.report(bank, Self.event("e-2", "replaced", at: 3))
                #expect(replaced["status"] == "blocked", "the new card is the one that was lost: \(replaced.body)")
                #expect(try await bank.file().card.status == .blocked)
                let found = try await Self.report(bank, Self.event("e-3", "unblocked", at: 6))
                #expect(found["status"] == "active", "\(found.body)")
                // Told late once more, the replacement brings no ended loss back.
                #expect(try await Self.report(bank, Self.event("e-4", "replaced", at: 4))["status"] == "active")
            }
        }
    }

    @Test func eachEventOfABatchHasAResultOfItsOwn() async throws {
        try await TokenBank.open { bank in
            try await bank.provision()
            let single = try await Self.report(bank, Self.event("e-1", "blocked"))
            let events = [
                Self.event("e-1", "blocked"), Self.event("e-2", "closed", card: "card-none"), "7", Self.event("e-3", "frozen"),
                Self.event("e-1", "closed"), Self.event("e-4", "blocked", card: "card-mastercard"),
            ]
            let batch = #"{"events":[\#(events.joined(separator: ","))]}"#
            let answer = try await bank.bank.send(.post, "/bank/v1/card-event-batches", batch, bearer: Bank.apiKey)
            #expect(answer.status == 200, "\(answer.body)")
            let results = try #require(answer.json["results"] as? [[String: Any]])
            let told = results.map { result in
                (result["effect"] as? String) ?? (result["error"] as? [String: Any])?["code"] as? String ?? ""
            }
            #expect(told == ["applied", "card-not-found", "malformed-request", "malformed-request", "request-reused", "noted"])
            #expect(answer.body.contains(single.body), "a repeated event has the first answer's bytes")
            #expect(results.map { $0["eventId"] as? String } == ["e-1", "e-2", nil, "e-3", "e-1", "e-4"])
            #expect(try await bank.bank.send(.post, "/bank/v1/card-event-batches", batch, bearer: Bank.apiKey).body == answer.body)
            for wrong in [
                #"{"events":[]}"#, "{}", #"{"events":{}}"#, #"{"events":[\#((0..<1_001).map { "\($0)" }.joined(separator: ","))]}"#,
            ] {
                #expect(try await bank.bank.send(.post, "/bank/v1/card-event-batches", wrong, bearer: Bank.apiKey).status == 400)
            }
            let page = try await bank.bank.send(.get, "/bank/v1/card-events?limit=1", bearer: Bank.apiKey)
            #expect((page.json["events"] as? [Any])?.count == 1)
            let next = try #require(page["next"])
            let rest = try await bank.bank.send(.get, "/bank/v1/card-events?limit=1&cursor=\(next)", bearer: Bank.apiKey)
            #expect((rest.json["events"] as? [Any])?.count == 1 && rest["next"] == nil)
        }
    }

    private struct Unforeseen: Error {}

    @Test func whatWeFailAtInABatchKeepsNoLaterEventOut() async throws {
        try await TokenBank.open { bank in
            try await bank.provision()
            bank.bank.cards.meanwhile { throw Unforeseen() }
            let events = [
                Self.event("e-1", "replaced", card: "card-mastercard"), Self.event("e-2", "blocked"),
                Self.event("e-3", "closed", card: "card-none"),
            ]
            let batch = #"{"events":[\#(events.joined(separator: ","))]}"#
            let answer = try await bank.bank.send(.post, "/bank/v1/card-event-batches", batch, bearer: Bank.apiKey)
            #expect(answer.status == 200, "\(answer.body)")
            let results = try #require(answer.json["results"] as? [[String: Any]])
            let told = results.map { ($0["effect"] as? String) ?? ($0["error"] as? [String: Any])?["code"] as? String ?? "" }
            #expect(told == ["internal", "applied", "card-not-found"])
            #expect(results.map { $0["eventId"] as? String } == ["e-1", "e-2", "e-3"])
            #expect(!answer.body.contains("Unforeseen") && bank.bank.recorder.log.contains("an event of a batch was not taken"))
            // Nothing of it is there, so that it can come again.
            let listed = try await bank.bank.send(.get, "/bank/v1/card-events", bearer: Bank.apiKey)
            #expect((listed.json["events"] as? [[String: Any]])?.map { $0["eventId"] as? String } == ["e-2"])
            #expect(try await Self.report(bank, events[0]).status == 200)
            #expect(try await bank.bank.store.database.read(StoreCheckTests.check(bank)) == [])
        }
    }

    @Test func theBanksOwnWordsAreInTheListOfItsEvents() async throws {
        try await TokenBank.open { bank in
            let told = Self.event("e-1", "blocked").replacingOccurrences(of: #","occurredAt""#, with: #","remark":"case 7","occurredAt""#)
            #expect(try await Self.report(bank, told).status == 200)
            _ = try await Self.report(bank, Self.event("e-2", "lost"))
            let listed = try await bank.bank.send(.get, "/bank/v1/card-events?card=card-visa", bearer: Bank.apiKey)
            let remarks = (listed.json["events"] as? [[String: Any]])?.map { "\($0["eventId"] ?? "") \($0["remark"] ?? "none")" }
            #expect(remarks?.sorted() == ["e-1 case 7", "e-2 none"])
        }
    }

    // MARK: What changed at the processor

    @Test(arguments: StoreEngine.withoutInjectedFaults)
    func whatChangedAtTheProcessorIsTakenOverWithoutASession(_ engine: StoreEngine) async throws {
        try await TokenBank.open(engine, change: { $0.changeInterval = .seconds(1) }) { bank in
            try await bank.provision()
            bank.bank.cards.add(.init(id: "card-new", number: "4055510000000046", customer: "c-3"))
            bank.bank.cards.change("card-visa") { $0.status = .blocked }
            bank.bank.cards.change("card-mastercard") { $0.isReadable = false }
            let worker = try #require(ChangeFeedWorker(context: bank.tokens.context))
            while try await worker.runOnce() {}
            try await bank.work()
            #expect(bank.network.requests == ["suspend token-1 Z"])
            #expect(try await bank.office.file(card: "card-new")?.card.status == .active)
            #expect(try await bank.file("card-mastercard").card.status == .blocked, "what cannot be read may be blocked there")
            // The place is kept: nothing is asked for twice.
            bank.bank.cards.change("card-visa") { $0.status = .active }
            #expect(try await !worker.runOnce())
            #expect(try await bank.file().card.status == .blocked)
            bank.bank.cards.fallSilent()
            await #expect(throws: ProvisioningError.self) { _ = try await worker.runOnce() }
        }
    }

    @Test func whatTheProcessorSaidMeanwhileIsNewerThanItsChanges() async throws {
        try await TokenBank.open(change: { $0.changeInterval = .seconds(1) }) { bank in
            try await bank.provision()
            let worker = try #require(ChangeFeedWorker(context: bank.tokens.context))
            bank.bank.clock.advance(by: .seconds(1))
            // The feed's answer is made, and under way, when the card is blocked and its customer logs in.
            bank.bank.cards.meanwhile {
                bank.bank.clock.advance(by: .seconds(1))
                bank.bank.cards.change("card-visa") { $0.status = .blocked }
                _ = try await bank.bank.logIn()
                bank.bank.clock.advance(by: .seconds(1))
            }
            _ = try await worker.runOnce()
            #expect(try await bank.file().card.status == .blocked)
            try await bank.work()
            #expect(bank.network.requests == ["suspend token-1 Z"])
        }
    }

    @Test func nobodyAsksAProcessorWhereNothingSaysHowOften() async throws {
        try await TokenBank.open { bank in #expect(ChangeFeedWorker(context: bank.tokens.context) == nil) }
    }
}
