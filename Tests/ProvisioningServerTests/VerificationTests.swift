import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import Foundation
import HTTPTypes
import Testing

@testable import ProvisioningServer

struct VerificationTests {
    static func codeBody(
        _ id: String, token: String = "token-1", method: String = "c-1-text", code: String = "739104", minutes: Int64 = 10
    ) -> String {
        """
        {"requestId":"\(id)","tokenReference":"\(token)","methodIdentifier":"\(method)","code":"\(code)",\
        "expiresAt":\(1_795_204_800_000 + minutes * 60_000)}
        """
    }

    private func send(_ bank: TokenBank, _ body: String, network: CardScheme = .visa) async throws -> Bank.Answer {
        try await bank.bank.send(.post, "/network/v1/codes", body, bearer: TokenBank.keys[network])
    }

    @Test func aCodeReachesTheCustomerOnceAndIsKeptNowhere() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.yellow)
            let marker = "MARKER7391048265"
            for _ in 0..<3 {
                let answer = try await send(bank, Self.codeBody("code-1", code: marker))
                #expect(answer.status == 202 && answer.json["delivered"] as? Bool == true, "\(answer.body)")
            }
            try await bank.work()
            let codes = bank.inbox.messages.filter { $0.text.contains(marker) }
            #expect(codes.count == 1 && codes.first?.customer == "c-1" && codes.first?.contact == "c-1-text")
            #expect(codes.first?.text.contains("ending in 0004") == true && codes.first?.text.contains("10 minutes") == true)
            // Neither in a row nor in the trace nor in the log, in whatever writing.
            try await bank.expectNowhere([marker])
            let told = try await bank.file().messages.filter { $0.subject == "one-time code" }
            #expect(told.map { "\($0.channel) \($0.contact) \($0.state.rawValue)" } == ["SMS •••42 delivered"])
        }
    }

    @Test func codesAreSentThreeTimesAnHourForOneToken() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.yellow)
            try await bank.provision("token-2", state: .inactive, on: TokenBank.watch, TokenBank.Ask.yellow)
            for number in 1...3 { #expect(try await send(bank, Self.codeBody("code-\(number)")).status == 202) }
            let refused = try await send(bank, Self.codeBody("code-4"))
            #expect(refused.status == 409 && refused.errorCode == "code-resend-limit")
            #expect(try await send(bank, Self.codeBody("code-5", token: "token-2")).status == 202, "another token")
            #expect(try await send(bank, Self.codeBody("code-3")).status == 202, "a repetition counts once")
            bank.bank.clock.advance(by: .seconds(3_601))
            #expect(try await send(bank, Self.codeBody("code-4", minutes: 100)).status == 202, "an hour later")
        }
    }

    @Test(arguments: StoreEngine.withoutInjectedFaults)
    func codesAreCountedForTheCardWhateverItsTokens(_ engine: StoreEngine) async throws {
        try await TokenBank.open(engine) {
            $0.codesPerCard = 4
        } body: { bank in
            for number in 1...5 {
                try await bank.provision(
                    "token-\(number)", state: .inactive, on: String(repeating: "0\(number)", count: 24), TokenBank.Ask.yellow)
            }
            for number in 1...4 { #expect(try await send(bank, Self.codeBody("code-\(number)", token: "token-\(number)")).status == 202) }
            let refused = try await send(bank, Self.codeBody("code-5", token: "token-5"))
            #expect(refused.status == 409 && refused.errorCode == "code-card-limit", "\(refused.body)")
            bank.bank.clock.advance(by: .seconds(86_401))
            #expect(try await send(bank, Self.codeBody("code-5", token: "token-5", minutes: 2_000)).status == 202, "a day later")
        }
    }

    @Test func aTokenThatWaitsForNoProofGetsNoCode() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .active, TokenBank.Ask.yellow)
            let active = try await send(bank, Self.codeBody("1"))
            #expect(active.status == 409 && active.errorCode == "token-active", "\(active.body)")
            _ = try await bank.tell(TokenBank.event("s", "suspended", 2, .suspended, by: ["CARDHOLDER"]))
            let suspended = try await send(bank, Self.codeBody("2"))
            #expect(suspended.status == 409 && suspended.errorCode == "token-suspended", "\(suspended.body)")
            #expect(bank.inbox.messages.allSatisfy { !$0.id.hasPrefix("code-") })
        }
    }

    @Test(arguments: StoreEngine.available)
    func theLimitHoldsWhenManyCodesComeAtOnce(_ engine: StoreEngine) async throws {
        try await TokenBank.open(engine) { bank in
            try await bank.provisionPatiently(change: TokenBank.Ask.yellow)
            let sent = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<12 {
                    group.addTask {
                        for _ in 0..<20 {
                            let answer = try await send(bank, Self.codeBody("code-\(number)"))
                            if answer.status == 202 || answer.errorCode == "code-resend-limit" { return answer.status == 202 }
                        }
                        return false
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(sent == 3)
            #expect(bank.inbox.messages.count { $0.id.hasPrefix("code-") } == 3)
        }
    }

    @Test func aCodeThatWasCertainlyNotSentDoesNotCount() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.yellow)
            try await bank.work()
            bank.inbox.fail(MessageFailure(reason: "down", mayHaveArrived: false, isTransient: true))
            let refused = try await send(bank, Self.codeBody("code-1"))
            #expect(refused.status == 502 && refused.errorCode == "code-not-delivered")
            for number in 1...3 { #expect(try await send(bank, Self.codeBody("code-\(number)")).status == 202) }
            #expect(try await send(bank, Self.codeBody("code-4")).errorCode == "code-resend-limit")
        }
    }

    @Test func aCodeThatMayHaveBeenSentIsNotSentTwice() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.yellow)
            try await bank.work()
            bank.inbox.fail(MessageFailure(reason: "no answer", mayHaveArrived: true, isTransient: true))
            #expect(try await send(bank, Self.codeBody("code-1")).status == 502)
            #expect(try await send(bank, Self.codeBody("code-1")).status == 202)
            #expect(bank.inbox.messages.count { $0.id.hasPrefix("code-") } == 1)
        }
    }

    @Test func onlyWhatADecisionAllowsIsDelivered() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.yellow)
            try await bank.provision("token-2", state: .inactive, TokenBank.Ask.orange)
            _ = try await bank.decide {
                ($0.id, $0.token) = ("red", "token-3")
                TokenBank.Ask.red(&$0)
            }
            let table: [(String, CardScheme, Int, String)] = [
                (Self.codeBody("1", token: "token-2"), .visa, 409, "review-required"),
                (Self.codeBody("2", token: "token-3"), .visa, 409, "token-declined"),
                (Self.codeBody("3", token: "token-4"), .visa, 404, "token-not-found"),
                (Self.codeBody("4"), .mastercard, 404, "token-not-found"),
                (Self.codeBody("5", method: "c-9-text"), .visa, 404, "method-not-found"),
                (Self.codeBody("6", minutes: 0), .visa, 422, "code-expired"),
                (Self.codeBody("7", code: ""), .visa, 400, "malformed-request"),
                (Self.codeBody("8", code: String(repeating: "1", count: 33)), .visa, 400, "malformed-request"),
            ]
            for (body, network, status, code) in table {
                let answer = try await send(bank, body, network: network)
                #expect(answer.status == status && answer.errorCode == code, "\(answer.body)")
            }
            #expect(try await send(bank, Self.codeBody("9")).status == 202)
            let other = try await send(bank, Self.codeBody("9", method: "c-1-email"))
            #expect(other.status == 409 && other.errorCode == "request-reused")
            // Nobody is told that a code was delivered which was not.
            let another = try await send(bank, Self.codeBody("9", code: "222222"))
            #expect(another.status == 409 && another.errorCode == "request-reused")
            _ = try await bank.tell(TokenBank.event("gone", "deleted", 2, .deleted))
            #expect(try await send(bank, Self.codeBody("10")).errorCode == "token-deleted")
            #expect(bank.inbox.messages.count { $0.id.hasPrefix("code-") } == 1)
        }
    }

    @Test func aBlockedCardIsNotVerified() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.yellow)
            bank.bank.cards.change("card-visa") { $0.status = .blocked }
            let session = try await bank.bank.logIn()
            #expect(try await send(bank, Self.codeBody("1")).errorCode == "card-blocked")
            #expect(try await confirm(bank, session: session).errorCode == "card-blocked")
            bank.bank.cards.change("card-visa") { $0.status = .closed }
            _ = try await bank.bank.logIn()
            #expect(try await send(bank, Self.codeBody("2")).errorCode == "card-closed")
        }
    }

    @Test func whatIsSwitchedOffIsNotVerifiedAndNoReviewReleasesIt() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.yellow)
            try await bank.provision("token-2", state: .inactive, on: TokenBank.watch, TokenBank.Ask.orange)
            let session = try await bank.bank.logIn()
            let review = try #require(try await bank.office.reviews().first)
            let switches = bank.bank.server.switches
            func turn(programme: Bool, card: Bool) async throws {
                try await switches.set(programme: "visa-credit", isOn: programme, remark: "test", by: "lin")
                try await switches.set(card: "card-visa", isOn: card, remark: "test", by: "lin")
            }
            func approve() async throws -> String {
                try await bank.office.conclude(
                    review: review.id.description, approve: true, remark: "known", requestedBy: "lin", decidedBy: "wu", approval: "a1")
            }
            for (programme, card) in [(true, false), (false, true)] {
                try await turn(programme: programme, card: card)
                #expect(try await send(bank, Self.codeBody("1")).errorCode == "switched-off")
                #expect(try await confirm(bank, session: session).errorCode == "switched-off")
                await #expect(throws: ServerError.self) { try await approve() }
            }
            try await bank.work()
            #expect(bank.network.requests.isEmpty)
            try await turn(programme: true, card: true)
            #expect(try await send(bank, Self.codeBody("1")).status == 202)
            #expect(try await approve() == "the token is being activated")
        }
    }

    @Test func theTraceShowsThatSomethingWasSentAndNotWhat() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.yellow)
            _ = try await send(bank, Self.codeBody("1"))
            let sent = bank.bank.recorder.entries.filter { $0.title == "one-time code" }
            #expect(sent.map(\.kind) == [.request, .response])
            #expect(sent.allSatisfy { $0.correlation["provisioning.token"] == "token-1" })
            #expect(sent.first?.fields.map(\.value) == ["c-1-text", "‹secret›"])
            // The processor is told that we report the exchange.
            #expect(bank.inbox.exchanges.last == sent.first?.id)
        }
    }

    // MARK: In the bank's app

    private func confirm(
        _ bank: TokenBank, token: String = "token-1", card: String = "card-visa", session: String
    ) async throws -> Bank.Answer {
        try await bank.bank.send(
            .post, "/provisioning/v1/cards/\(card)/activations", #"{"tokenReference":"\#(token)"}"#, bearer: session)
    }

    @Test func whoeverIsLoggedInConfirmsAYellowToken() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.yellow)
            let session = try await bank.bank.logIn()
            for _ in 0..<3 { #expect(try await confirm(bank, session: session).status == 202) }
            #expect(bank.network.requests.isEmpty, "the network is told afterwards")
            try await bank.work()
            #expect(bank.network.requests == ["activate token-1 Z"])
            #expect(try await bank.token()?.snapshot == TokenSnapshot(sequence: 2, state: .active))
            #expect(try await confirm(bank, session: session).status == 202, "it is active already")
            try await bank.work()
            #expect(bank.network.requests.count == 1)
            #expect(bank.inbox.messages.map(\.text).contains { $0.contains("ready to pay") })
        }
    }

    /// What is asked of the network and not answered counts.
    @Test func whatIsBeingDeletedIsNotConfirmed() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.yellow)
            let session = try await bank.bank.logIn()
            bank.network.script { $0.unreachable = .max }
            #expect(try await bank.office.act(.delete, on: "token-1", reason: .lost, by: "lin"))
            let refused = try await confirm(bank, session: session)
            #expect(refused.status == 409 && refused.errorCode == "token-deleted", "\(refused.body)")
            #expect(try await bank.file().actions.map(\.name) == ["delete"])
        }
    }

    @Test func nobodyElseConfirmsAndNothingElseIsConfirmed() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.yellow)
            try await bank.provision("token-2", state: .inactive, on: TokenBank.watch, TokenBank.Ask.orange)
            let (mine, other) = (try await bank.bank.logIn(), try await bank.bank.logIn("c-2"))
            let orange = try await confirm(bank, token: "token-2", session: mine)
            #expect(orange.status == 409 && orange.errorCode == "review-required")
            for (token, card, session) in [
                ("token-1", "card-visa", other), ("token-1", "card-mastercard", mine), ("token-9", "card-visa", mine),
                ("token-1", "card-blocked", other),
            ] {
                let answer = try await confirm(bank, token: token, card: card, session: session)
                #expect(answer.status == 404 && ["token-not-found", "card-not-found"].contains(answer.errorCode), "\(answer.body)")
            }
            #expect(try await confirm(bank, session: "pst_nobody").status == 401)
            _ = try await bank.tell(TokenBank.event("s", "suspended", 2, .suspended, by: ["CARDHOLDER"]))
            #expect(try await confirm(bank, session: mine).errorCode == "token-suspended")
            _ = try await bank.tell(TokenBank.event("d", "deleted", 3, .deleted))
            #expect(try await confirm(bank, session: mine).errorCode == "token-deleted")
            try await bank.work()
            #expect(bank.network.requests.isEmpty)
        }
    }
}
