import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import Foundation
import Testing

@testable import ProvisioningServer

struct LifeCycleTests {
    // MARK: Network to bank

    @Test func eventsMoveATokenAndTellTheCustomer() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.yellow)
            for (id, kind, state, by) in [
                ("2", "activated", TokenState.active, []), ("3", "suspended", .suspended, ["CARDHOLDER"]),
                ("4", "suspended", .suspended, ["CARDHOLDER", "TOKEN_REQUESTOR"]), ("5", "resumed", .active, []),
                ("6", "deleted", .deleted, []),
            ] as [(String, String, TokenState, [String])] {
                let answer = try await bank.tell(TokenBank.event(id, kind, Int64(id) ?? 0, state, by: by))
                #expect(answer.status == 200 && answer.body == "{}", "\(answer.body)")
                let snapshot = try await bank.token()?.snapshot
                #expect(snapshot?.state == state && snapshot?.suspendedBy.map(\.rawValue).sorted() == by.sorted())
            }
            try await bank.work()
            let texts = bank.inbox.messages.map(\.text)
            #expect(texts.count == 5, "once for each new state, not for a second suspension")
            for word in ["confirm", "ready to pay", "suspended", "again", "removed"] {
                #expect(texts.contains { $0.contains(word) && $0.contains("0004") && $0.contains("Mei's phone") }, "\(word)")
            }
            #expect(bank.inbox.messages.allSatisfy { $0.contact == "c-1-app" && $0.customer == "c-1" })
            let file = try await bank.file()
            #expect(file.messages.allSatisfy { $0.state == .delivered && $0.contact == "Bank app" })
            #expect(file.card.primaryAccountIdentifier == "V-1")
            #expect(try await bank.office.tokenCounts()["card-visa"] == nil)
        }
    }

    /// Events in any order, each once or more, end in one state of the books.
    @Test(arguments: StoreEngine.available, [UInt64](0..<6))
    func orderAndRepetitionOfEventsDoNotMatter(_ engine: StoreEngine, _ run: UInt64) async throws {
        try await TokenBank.open(engine) { bank in
            var generator = SeededGenerator(seed: StoreEngine.seed &+ run, label: "events")
            let story =
                [
                    TokenBank.event("1", "created", 1, .inactive), TokenBank.event("2", "activated", 2, .active),
                    TokenBank.event("3", "suspended", 3, .suspended, by: ["ISSUER"]),
                    TokenBank.event("4", "suspended", 4, .suspended, by: ["CARDHOLDER", "ISSUER"]),
                    TokenBank.event("5", "resumed", 5, .suspended, by: ["CARDHOLDER"]),
                ] + (run.isMultiple(of: 2) ? [TokenBank.event("6", "deleted", 6, .deleted)] : [])
            try await bank.provisionPatiently(change: TokenBank.Ask.yellow)
            let told = (story + story.filter { _ in Bool.random(using: &generator) }).shuffled(using: &generator)
            await withTaskGroup(of: Void.self) { group in
                for event in told { group.addTask { try? await bank.tellPatiently(event) } }
            }
            let token = try #require(try await bank.token())
            #expect(
                token.snapshot
                    == (run.isMultiple(of: 2)
                        ? TokenSnapshot(sequence: 6, state: .deleted)
                        : TokenSnapshot(sequence: 5, state: .suspended, suspendedBy: [.cardholder])))
            #expect(token.card == "card-visa" && token.deviceAccountSuffix == "4321" && token.device?.secureElement == TokenBank.phone)
            let count = try await bank.bank.store.database.read { try $0.query("SELECT COUNT(*) FROM token_events")[0].integer(0) }
            #expect(count == Int64(story.count + 1))
        }
    }

    @Test func anEventIdStandsForOneEvent() async throws {
        try await TokenBank.open { bank in
            try await bank.provision()
            let event = TokenBank.event("e", "suspended", 2, .suspended, by: ["ISSUER", "CARDHOLDER"])
            #expect(try await bank.tell(event).status == 200)
            let sorted = event.replacingOccurrences(of: #"["ISSUER","CARDHOLDER"]"#, with: #"["CARDHOLDER","ISSUER"]"#)
            #expect(try await bank.tell(sorted).status == 200, "a set has no order")
            for other in [
                TokenBank.event("e", "suspended", 3, .suspended, by: ["ISSUER", "CARDHOLDER"]), TokenBank.event("e", "resumed", 2, .active),
                event.replacingOccurrences(of: "3700", with: "3702"), event.replacingOccurrences(of: "4321", with: "4322"),
                event.replacingOccurrences(of: "1795204800000", with: "1795204800001"),
            ] {
                let answer = try await bank.tell(other)
                #expect(answer.status == 409 && answer.errorCode == "request-reused", "\(answer.body)")
            }
        }
    }

    @Test func whatIsNoEventIsRefused() async throws {
        try await TokenBank.open { bank in
            try await bank.provision()
            let good = TokenBank.event("e", "suspended", 2, .suspended, by: ["ISSUER"])
            for (old, new) in [
                (#""state":"suspended""#, #""state":"frozen""#), (#""kind":"suspended""#, #""kind":"frozen""#), (#"["ISSUER"]"#, "[]"),
                (#"["ISSUER"]"#, #"["the issuer"]"#), (#""state":"suspended""#, #""state":"active""#), (#""sequence":2"#, #""sequence":0"#),
                (#""sequence":2"#, #""sequence":"2""#), (#""occurredAt":1795204800000"#, #""occurredAt":-1"#),
                (#"{"eventId""#, #"{"more":1,"eventId""#),
                (#""eventId":"e""#, #""eventId":"é""#), (#""primaryAccountIdentifier":"V-1""#, #""primaryAccountIdentifier":"V 1""#),
            ] {
                let answer = try await bank.tell(good.replacingOccurrences(of: old, with: new))
                #expect(answer.status == 400 && answer.errorCode == "malformed-request", "\(new): \(answer.body)")
            }
            let foreign = try await bank.tell(good, from: .mastercard)
            #expect(foreign.status == 404 && foreign.errorCode == "token-not-found")
            #expect(try await bank.token()?.snapshot.state == .active)
        }
    }

    @Test func aTokenThatNobodyDecidedOnIsKeptAndShowsInNoCard() async throws {
        try await TokenBank.open { bank in
            let event = TokenBank.event("e", "created", 1, .active, token: "token-9", account: "V-9")
            #expect(try await bank.tell(event).status == 200)
            #expect(try await bank.token("token-9")?.card == nil)
            // A card with that reference at the network is found once it is known.
            let context = bank.tokens.context.host
            try await context.database.write {
                try CardRecords.assign(primaryAccountIdentifier: "V-9", card: "card-mastercard", at: context.clock.now(), in: $0)
            }
            _ = try await bank.tell(TokenBank.event("f", "suspended", 2, .suspended, by: ["CARDHOLDER"], token: "token-9", account: "V-9"))
            #expect(try await bank.token("token-9")?.card == "card-mastercard")
        }
    }

    @Test func theNewestReferenceOfTheNumberCounts() async throws {
        try await TokenBank.open { bank in
            try await bank.provision()
            _ = try await bank.tell(TokenBank.event("3", "accountUpdated", 3, .active, account: "V-2"))
            _ = try await bank.tell(TokenBank.event("2", "suspended", 2, .suspended, by: ["CARDHOLDER"], account: "V-1"))
            let token = try #require(try await bank.token())
            #expect(token.primaryAccountIdentifier == "V-2" && token.snapshot.state == .active)
            #expect(try await bank.file().card.primaryAccountIdentifier == "V-2")
        }
    }

    // MARK: Bank to network

    @Test func anActionReachesTheNetworkOnceWhateverHappensOnTheWay() async throws {
        try await TokenBank.open { bank in
            try await bank.provision()
            bank.network.script {
                $0.unreachable = 2
                $0.losesReplies = 2
            }
            #expect(try await bank.office.act(.suspend, on: "token-1", reason: .lost, by: "lin"))
            let file = try await bank.file()
            #expect(file.pending(try #require(file.tokens.first))?.action == .suspend)
            try await bank.pass(.seconds(600), step: .seconds(60))
            #expect(bank.network.requests == ["suspend token-1 L"])
            #expect(try await bank.token()?.snapshot == TokenSnapshot(sequence: 2, state: .suspended, suspendedBy: [.issuer]))
            #expect(try await bank.file().actions.map(\.state) == [.done])
            // Every attempt is kept, with why it did not count.
            let log = try await bank.file().attempts.values.flatMap { $0 }
            #expect(log.map(\.reason) == [.noAnswer, .noAnswer, .noAnswer, .noAnswer, nil] && log.map(\.number) == [1, 2, 3, 4, 5])
            #expect(log.allSatisfy { $0.took != nil } && log.last?.status == 200)
            // The network's own event about it is no news.
            #expect(try await bank.tell(TokenBank.event("s", "suspended", 2, .suspended, by: ["ISSUER"])).status == 200)
            try await bank.work()
            #expect(bank.inbox.messages.count { $0.text.contains("suspended") } == 1)
            #expect(try await bank.trail().map { "\($0.actor) \($0.action) \($0.object)" } == ["lin token.suspend token token-1"])
        }
    }

    @Test func actionsOnOneTokenAreSentInTheOrderOfAsking() async throws {
        try await TokenBank.open { bank in
            try await bank.provision()
            bank.network.script { $0.unreachable = 3 }
            for action in [ProvisioningAction.suspend, .resume, .suspend, .delete] {
                #expect(try await bank.office.act(action, on: "token-1", reason: .other, by: "lin"))
            }
            await #expect(throws: ServerError.self) { try await bank.office.act(.suspend, on: "token-1", reason: .other, by: "lin") }
            try await bank.pass(.seconds(1_200), step: .seconds(60))
            #expect(bank.network.requests == ["suspend token-1 Z", "resume token-1 Z", "suspend token-1 Z", "delete token-1 Z"])
            #expect(try await bank.token()?.snapshot.state == .deleted)
        }
    }

    @Test func whatTheNetworkRefusesChangesNothingAndLetsTheNextGo() async throws {
        try await TokenBank.open { bank in
            try await bank.provision()
            bank.network.script { $0.refuses = true }
            _ = try await bank.office.act(.suspend, on: "token-1", reason: .fraud, by: "lin")
            try await bank.work()
            #expect(
                try await bank.file().actions.map { "\($0.name) \($0.state.rawValue) \($0.outcome ?? "")" } == [
                    "suspend refused token-busy"
                ])
            let attempt = try #require(try await bank.file().attempts.values.first?.first)
            #expect(
                attempt.reason == .refused && attempt.status == 409 && String(decoding: attempt.reply, as: UTF8.self).contains("token-busy")
            )
            #expect(try await bank.token()?.snapshot.state == .active)
            #expect(bank.bank.recorder.log.contains("critical a network did not stop a token"))
            bank.network.script { $0.refuses = false }
            _ = try await bank.office.act(.suspend, on: "token-1", reason: .fraud, by: "lin")
            try await bank.work()
            #expect(bank.network.requests == ["suspend token-1 F"])
        }
    }

    @Test func aStopThatTheNetworkDidNotMakeIsAnAlarmUntilSomebodyDealsWithIt() async throws {
        try await TokenBank.open { bank in
            try await bank.provision()
            let office = bank.office
            bank.network.script { $0.refuses = true }
            _ = try await office.act(.suspend, on: "token-1", reason: .fraud, by: "lin")
            try await bank.work()
            let stop = try #require(try await office.failedStops().first)
            #expect(stop.action.outcome == "token-busy" && stop.token?.snapshot.state == .active)
            let desk = try #require(bank.bank.server.desk)
            let (overview, view) = (try await desk.overview(), try await desk.card("card-visa"))
            #expect(overview.stops.map(\.tokenReference) == ["token-1"] && view?.stops == overview.stops)
            #expect(try await desk.failedStops() == overview.stops)
            let id = stop.action.id.description

            // Refused once more: another alarm takes the first one's place.
            #expect(try await office.resolve(stop: id, retries: true, remark: "they said they would", by: "wang"))
            let isResolvedAgain = try await office.resolve(stop: id, retries: true, remark: "again", by: "wang")
            #expect(!isResolvedAgain)
            #expect(try await office.failedStops() == [])
            try await bank.work()
            let second = try #require(try await office.failedStops().first)
            #expect(second.action.id != stop.action.id && second.action.actor == "wang" && second.action.reason == .fraud)

            bank.network.script { $0.refuses = false }
            #expect(try await office.resolve(stop: second.action.id.description, retries: true, remark: "now", by: "wang"))
            try await bank.work()
            #expect(try await office.failedStops() == [])
            #expect(try await bank.token()?.snapshot.state == .suspended)
            let isKnown = try await office.resolve(stop: "no-such-stop", retries: false, remark: "x", by: "wang")
            #expect(!isKnown)
            let trail = try await bank.bank.store.database.read { tx in
                try tx.query("SELECT action, actor FROM audit_rows ORDER BY sequence", []).map { "\(try $0.text(0)) \(try $0.text(1))" }
            }
            #expect(trail.filter { $0.hasPrefix("stop") } == ["stop.retry wang", "stop.retry wang"])
        }
    }

    @Test func aStopThatWasMadeInAnotherWayIsNoAlarm() async throws {
        try await TokenBank.open { bank in
            try await bank.provision()
            bank.network.script { $0.refuses = true }
            _ = try await bank.office.act(.delete, on: "token-1", reason: .lost, by: "lin")
            try await bank.work()
            #expect(try await bank.office.failedStops().count == 1)
            _ = try await bank.tell(TokenBank.event("e-2", "deleted", 2, .deleted))
            #expect(try await bank.office.failedStops().isEmpty)
        }
    }

    @Test func anAnswerThatCannotBeReadSettlesNothing() async throws {
        try await TokenBank.open { bank in
            try await bank.provision()
            bank.network.script { $0.mumbles = true }
            _ = try await bank.office.act(.delete, on: "token-1", reason: .closed, by: "lin")
            try await bank.pass(.seconds(60), step: .seconds(30))
            let file = try await bank.file()
            #expect(file.actions.map(\.state) == [.waiting] && file.nextAttempts.count == 1)
            #expect(Set(file.attempts.values.flatMap { $0 }.map(\.reason)) == [.wrongAnswer])
            #expect(try await bank.token()?.snapshot.state == .active)
            bank.network.script { $0.mumbles = false }
            try await bank.pass(.seconds(1_800), step: .seconds(60))
            #expect(try await bank.token()?.snapshot.state == .deleted && bank.network.requests.count == 1)
        }
    }

    @Test func anActionThatNobodyAnswersIsGivenUpAndTheNextGoes() async throws {
        try await TokenBank.open { bank in
            try await bank.provision()
            bank.network.script { $0.unreachable = .max }
            _ = try await bank.office.act(.suspend, on: "token-1", reason: .lost, by: "lin")
            try await bank.pass(.seconds(900 * 260), step: .seconds(901))
            #expect(try await bank.file().actions.map(\.state) == [.givenUp])
            #expect(bank.bank.recorder.log.contains("critical a network did not stop a token"))
            bank.network.script { $0.unreachable = 0 }
            _ = try await bank.office.act(.delete, on: "token-1", reason: .lost, by: "lin")
            try await bank.pass(.seconds(120), step: .seconds(60))
            #expect(bank.network.requests == ["delete token-1 L"])
        }
    }

    @Test func whatCannotBeDoneIsSaidAtOnce() async throws {
        try await TokenBank.open { bank in
            try await bank.provision()
            #expect(try await bank.office.act(.suspend, on: "token-9", reason: .lost, by: "lin") == false)
            for action in [ProvisioningAction.activate, .resume] {
                await #expect(throws: ServerError.self) { try await bank.office.act(action, on: "token-1", reason: .other, by: "lin") }
            }
            #expect(try await bank.file().actions.isEmpty)
        }
    }

    // MARK: Cards and devices

    @Test func aLostDeviceLosesItsTokensAndNoOtherDevice() async throws {
        try await TokenBank.open { bank in
            try await bank.provision()
            try await bank.provision("token-2", on: TokenBank.watch)
            try await bank.provision("token-3") { ($0.network, $0.number, $0.requestor) = (.visa, Bank.visaNumber, "40010030273") }
            #expect(try await bank.office.reportLost(secureElement: TokenBank.phone.lowercased(), by: "lin") == 2)
            #expect(try await bank.office.reportLost(secureElement: TokenBank.phone, by: "lin") == 0, "nothing is left to do")
            try await bank.work()
            #expect(bank.network.requests.sorted() == ["suspend token-1 L", "suspend token-3 L"])
            #expect(try await bank.token("token-2")?.snapshot.state == .active)
            await #expect(throws: ProvisioningError.self) { try await bank.office.reportLost(secureElement: "phone", by: "lin") }
        }
    }

    @Test func whatNobodyVerifiedIsDeletedFromALostDevice() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.yellow)
            await #expect(throws: ServerError.self) { try await bank.office.act(.suspend, on: "token-1", reason: .lost, by: "lin") }
            #expect(try await bank.office.reportLost(secureElement: TokenBank.phone, by: "lin") == 1)
            try await bank.work()
            #expect(bank.network.requests == ["delete token-1 L"])
        }
    }

    @Test func aCardsTokensFollowTheCard() async throws {
        try await TokenBank.open { bank in
            try await bank.provision()
            try await bank.provision("token-2", on: TokenBank.watch)
            bank.bank.cards.change("card-visa") { $0.status = .blocked }
            _ = try await bank.bank.logIn()
            try await bank.work()
            #expect(bank.network.requests.sorted() == ["suspend token-1 Z", "suspend token-2 Z"])
            // Whoever else holds a token suspended goes on doing so.
            bank.network.change("token-2") { $0.suspendedBy.insert(.cardholder) }
            bank.bank.cards.change("card-visa") { $0.status = .active }
            _ = try await bank.bank.logIn()
            try await bank.work()
            #expect(try await bank.token("token-1")?.snapshot.state == .active)
            #expect(try await bank.token("token-2")?.snapshot.suspendedBy == [.cardholder])
            bank.bank.cards.change("card-visa") { $0.status = .closed }
            _ = try await bank.bank.logIn()
            try await bank.work()
            #expect(bank.network.requests.suffix(2).sorted() == ["delete token-1 C", "delete token-2 C"])
            #expect(try await bank.token("token-2")?.snapshot.state == .deleted)
        }
    }

    @Test func tokensMoveToACardsNewNumberAndTheNumberIsWrittenNowhere() async throws {
        try await TokenBank.open { bank in
            try await bank.provision()
            bank.bank.cards.change("card-visa") { ($0.number, $0.expiration) = (Bank.visaNumberAfterwards, "12/33") }
            _ = try await bank.bank.logIn()
            bank.network.script {
                $0.unreachable = 1
                $0.losesReplies = 1
            }
            try await bank.pass(.seconds(300), step: .seconds(60))
            #expect(bank.network.requests == ["replace V-1"])
            #expect(bank.network.numbers == ["\(Bank.visaNumberAfterwards) 12/33"])
            #expect(try await bank.token()?.snapshot == TokenSnapshot(sequence: 2, state: .active), "token and device stay")
            #expect(try await bank.file().actions.map { "\($0.name) \($0.state.rawValue)" } == ["replace done"])
            try await bank.expectNowhere([Bank.visaNumber, Bank.visaNumberAfterwards])
        }
    }

    @Test func anOperatorFetchesACardsNewNumber() async throws {
        try await TokenBank.open { bank in
            try await bank.provision()
            bank.bank.cards.change("card-visa") { ($0.number, $0.expiration) = (Bank.visaNumberAfterwards, "12/33") }
            #expect(try await bank.office.report(.replaced, of: "card-visa", remark: "worn out", by: "lin") == 1)
            try await bank.work()
            #expect(bank.network.numbers == ["\(Bank.visaNumberAfterwards) 12/33"])
            // The network is told again where somebody asks again.
            #expect(try await bank.office.report(.replaced, of: "card-visa", remark: "again", by: "lin") == 1)
            try await bank.work()
            #expect(bank.network.numbers.count == 2 && Set(bank.network.numbers).count == 1)
            // A card that never had a token has nothing to move.
            #expect(try await bank.office.report(.replaced, of: "card-unionpay", remark: "worn out", by: "lin") == 0)
            bank.bank.cards.fallSilent()
            await #expect(throws: ProvisioningError.self) {
                try await bank.office.report(.replaced, of: "card-visa", remark: "again", by: "lin")
            }
        }
    }

    @Test func aLostCardsTokensWaitForTheNewNumber() async throws {
        try await TokenBank.open { bank in
            try await bank.provision()
            #expect(try await bank.office.report(.lost, of: "card-visa", remark: "called", by: "lin") == 0)
            #expect(try await bank.office.report(.fraudClosure, of: "nothing", remark: "called", by: "lin") == nil)
            try await bank.work()
            #expect(bank.network.requests.isEmpty)
            #expect(try await bank.office.report(.fraudClosure, of: "card-visa", remark: "called", by: "lin") == 1)
            try await bank.work()
            #expect(bank.network.requests == ["delete token-1 F"])
            #expect(try await bank.trail().map { "\($0.action) \($0.result)" } == ["card.lost called", "card.fraud called"])
        }
    }

    /// What the bank reports is the card's status, though its processor knows nothing of it.
    @Test func whatTheBankReportsBlocksNewTokensUntilItIsTakenBack() async throws {
        try await TokenBank.open { bank in
            func colour(_ id: String) async throws -> String {
                let answer = try await bank.decide {
                    ($0.id, $0.token) = (id, "token-\(id)")
                    TokenBank.Ask.yellow(&$0)
                }
                return "\(answer["colour"] ?? "") \((answer.json["reasons"] as? [String] ?? []).first ?? "")"
            }
            func report(_ event: CardEvent) async throws {
                _ = try await bank.office.report(event, of: "card-visa", remark: "called", by: "lin")
            }
            for event in [CardEvent.blocked, .lost, .stolen] {
                try await report(event)
                #expect(try await colour("\(event)-1") == "red card-blocked")
                _ = try await bank.bank.logIn()
                #expect(try await colour("\(event)-2") == "red card-blocked", "the processor does not lift it")
                try await report(.unblocked)
                #expect(try await colour("\(event)-3") == "yellow activation-missing")
            }
            try await report(.lost)
            bank.bank.cards.change("card-visa") { $0.number = Bank.visaNumberAfterwards }
            _ = try await bank.bank.logIn()
            #expect(try await bank.file().card.status == .active, "a new number ends the loss of the old one")
            try await report(.fraudClosure)
            try await report(.unblocked)
            _ = try await bank.bank.logIn()
            #expect(try await bank.file().card.status == .closed, "closed for good")
        }
    }

    @Test func aTokenThatIsToldLateIsTreatedAsItsCard() async throws {
        for (event, state, expected) in [
            (CardEvent.blocked, TokenState.active, ["suspend token-1 Z"]), (.blocked, .inactive, []),
            (.closed, .active, ["delete token-1 C"]), (.fraudClosure, .inactive, ["delete token-1 F"]),
        ] {
            try await TokenBank.open { bank in
                _ = try await bank.decide(TokenBank.Ask.yellow)
                #expect(try await bank.office.report(event, of: "card-visa", remark: "called", by: "lin") == 0)
                bank.network.keep("token-1", .init(account: "V-1", snapshot: TokenSnapshot(sequence: 1, state: state)))
                _ = try await bank.tell(TokenBank.event("created", "created", 1, state))
                try await bank.work()
                #expect(bank.network.requests == expected)
            }
        }
    }

    @Test func aTokenOfABlockedCardIsSuspendedOnceItIsActive() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.yellow)
            bank.bank.cards.change("card-visa") { $0.status = .blocked }
            _ = try await bank.bank.logIn()
            try await bank.work()
            #expect(bank.network.requests.isEmpty)
            bank.network.change("token-1") { $0.state = .active }
            _ = try await bank.tell(TokenBank.event("2", "activated", 2, .active))
            try await bank.work()
            #expect(bank.network.requests == ["suspend token-1 Z"])
        }
    }

    @Test func aTokenThatIsToldLateIsTreatedAsItsDevice() async throws {
        for (state, expected) in [(TokenState.active, "suspend token-1 L"), (.inactive, "delete token-1 L")] {
            try await TokenBank.open { bank in
                _ = try await bank.decide(TokenBank.Ask.yellow)
                #expect(try await bank.office.reportLost(secureElement: TokenBank.phone, by: "lin") == 0)
                bank.network.keep("token-1", .init(account: "V-1", snapshot: TokenSnapshot(sequence: 1, state: state)))
                _ = try await bank.tell(TokenBank.event("created", "created", 1, state))
                try await bank.work()
                #expect(bank.network.requests == [expected])
                // What was asked for after the device was found is another matter.
                bank.bank.clock.advance(by: .seconds(60))
                #expect(try await bank.office.reportFound(secureElement: TokenBank.phone, remark: "in her bag", by: "lin"))
                try await bank.provision("token-2", state: .inactive, TokenBank.Ask.yellow)
                try await bank.work()
                #expect(bank.network.requests.count == 1)
            }
        }
    }

    @Test func aTokenThatIsToldLateMovesToTheNewNumber() async throws {
        try await TokenBank.open { bank in
            _ = try await bank.decide(TokenBank.Ask.yellow)
            bank.bank.cards.change("card-visa") { ($0.number, $0.expiration) = (Bank.visaNumberAfterwards, "12/33") }
            _ = try await bank.bank.logIn()
            bank.network.keep("token-1", .init(account: "V-1", snapshot: TokenSnapshot(sequence: 1, state: .active)))
            for _ in 0..<2 { _ = try await bank.tell(TokenBank.event("created", "created", 1, .active)) }
            try await bank.work()
            #expect(bank.network.requests == ["replace V-1"])
            #expect(bank.network.numbers == ["\(Bank.visaNumberAfterwards) 12/33"])
        }
    }

    // MARK: Books

    @Test func booksAreComparedWithTheNetworks() async throws {
        try await TokenBank.open { bank in
            try await bank.provision()
            try await bank.provision("token-2", on: TokenBank.watch)
            #expect(try await bank.office.differences().isEmpty)
            bank.network.change("token-2") { $0 = TokenSnapshot(sequence: $0.sequence, state: .suspended, suspendedBy: [.cardholder]) }
            bank.network.keep("token-3", .init(account: "V-1", snapshot: TokenSnapshot(sequence: 1, state: .active)))
            #expect(
                try await bank.office.differences().map { "\($0.token) \($0.kind.rawValue)" } == [
                    "token-2 state-differs", "token-3 theirs-only",
                ])
            _ = try await bank.tell(TokenBank.event("s", "suspended", 2, .suspended, by: ["CARDHOLDER"], token: "token-2"))
            #expect(try await bank.office.differences().map(\.kind) == [.theirsOnly])
            bank.network.script { $0.unreachable = 1 }
            await #expect(throws: ProvisioningError.self) { try await bank.office.differences() }
        }
    }

    @Test func messagesThatCannotBeDeliveredAreShownAsFailed() async throws {
        try await TokenBank.open { bank in
            bank.inbox.fail(
                MessageFailure(reason: "busy", mayHaveArrived: false, isTransient: true),
                MessageFailure(reason: "unknown contact", mayHaveArrived: false, isTransient: false))
            try await bank.provision()
            try await bank.work()
            #expect(try await bank.file().messages.map(\.state) == [.queued])
            try await bank.pass(.seconds(60), step: .seconds(10))
            #expect(try await bank.file().messages.map(\.state) == [.failed])
            #expect(bank.inbox.messages.isEmpty)
        }
    }
}
