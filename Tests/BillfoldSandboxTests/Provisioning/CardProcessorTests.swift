import BillfoldSandbox
import BillfoldTrace
import Foundation
import Hummingbird
import HummingbirdTesting
import Testing

@Suite struct CardProcessorTests {
    /// Runs a processor with a bank as its client.
    private func run(_ body: @escaping @Sendable (PartyClient, PartySetting) async throws -> Void) async throws {
        try await PartySetting.with { setting in
            let router = Router()
            CardProcessor(setting.surroundings).addRoutes(to: router)
            try await Application(router: router, logger: setting.surroundings.logger).test(.ahc(.http)) { client in
                var bank = PartyClient(client: client)
                let enrolled = try await bank.send(.post, "/processor/v1/enrolment", #"{"issuer":"bank"}"#)
                bank.credential = try #require(enrolled.json["credential"] as? String)
                try await body(bank, setting)
            }
        }
    }

    private static func cards(_ bank: PartyClient, _ customer: String) async throws -> [[String: Any]] {
        let answer = try await bank.send(.get, "/processor/v1/cards?customer=\(customer)")
        #expect(answer.status == 200)
        return try #require(answer.json["cards"] as? [[String: Any]])
    }

    @Test func aCustomersCardsComeWithNumbersFromTheBanksRangesThatPassTheLuhnCheck() async throws {
        try await run { (bank, _) async throws in
            let cards = try await Self.cards(bank, "c-1")
            #expect(cards.compactMap { $0["network"] as? String } == ["visa", "mastercard", "unionPay"])
            let bins = try #require(try await bank.send(.get, "/processor/v1/bins").json["bins"] as? [[String: Any]])
            for card in cards {
                let number = try #require(card["primaryAccountNumber"] as? String)
                let range = try #require(bins.first { $0["network"] as? String == card["network"] as? String })
                let prefix = try #require(range["prefix"] as? String)
                #expect(number.hasPrefix(prefix) && number.count == range["length"] as? Int)
                let sum = number.reversed().enumerated().reduce(0) { sum, each in
                    let digit = (each.element.wholeNumberValue ?? 0) * (each.offset.isMultiple(of: 2) ? 1 : 2)
                    return sum + digit / 10 + digit % 10
                }
                #expect(sum % 10 == 0)
                #expect((card["contacts"] as? [[String: Any]])?.count == 4)
            }
        }
    }

    @Test func strangersSeeNoCards() async throws {
        try await run { (bank, _) async throws in
            var stranger = bank
            stranger.credential = "somebody"
            #expect(try await stranger.refusal(.get, "/processor/v1/cards?customer=c-1") == "unauthorized")
            stranger.credential = nil
            #expect(try await stranger.refusal(.get, "/processor/v1/cards?customer=c-1") == "unauthorized")
            #expect(try await bank.refusal(.get, "/processor/v1/cards?customer=c-9") == "customer-unknown")
        }
    }

    @Test func whatTheProcessorDoesNotKnowIsAnAnswerAndNoProblem() async throws {
        try await run { (bank, setting) async throws in
            #expect(try await bank.refusal(.get, "/processor/v1/cards?customer=own-c-1") == "customer-unknown")
            let number = #"{"primaryAccountNumber":"4055519000000005"}"#
            #expect(try await bank.refusal(.post, "/processor/v1/card-lookups", number) == "card-unknown")
            let push =
                #"{"requestId":"p-1","customer":"c-2","card":"visa-2","language":"en","subject":"token active","text":"ready"}"#
            #expect(try await bank.refusal(.post, "/processor/push/v1/messages", push) == "device-unknown")
            let answers = setting.sink.entries.filter { $0.kind == .response }.suffix(3)
            #expect(answers.allSatisfy { $0.problem == nil })
            #expect(
                answers.map { $0.fields.first { $0.name == "answer" }?.value } == [
                    "customer-unknown: there is no such customer", "card-unknown: there is no such card",
                    "device-unknown: there is no such device",
                ])
            // A contact that there is not stays one, and so does a caller whom nobody knows.
            let message = #"{"requestId":"m-1","customer":"c-1","contact":"none","text":"ready"}"#
            #expect(try await bank.refusal(.post, "/processor/v1/messages", message) == "contact-unknown")
            #expect(setting.sink.entries.last?.problem == "contact-unknown: there is no such contact")
            var stranger = bank
            stranger.credential = "somebody"
            #expect(try await stranger.refusal(.get, "/processor/v1/cards?customer=own-c-1") == "unauthorized")
            #expect(setting.sink.entries.last?.problem?.hasPrefix("unauthorized") == true)
        }
    }

    @Test func aCardIsFoundByItsPresentNumberAlone() async throws {
        try await run { (bank, _) async throws in
            func ask(_ number: String) -> String { #"{"primaryAccountNumber":"\#(number)"}"# }
            let before = try #require(try await Self.cards(bank, "c-2").first?["primaryAccountNumber"] as? String)
            #expect(try await bank.send(.post, "/processor/v1/card-lookups", ask(before)).json["customer"] as? String == "c-2")
            #expect(try await bank.send(.post, "/processor/control/cards/visa-2/replacement").status == 200)
            #expect(try await bank.refusal(.post, "/processor/v1/card-lookups", ask(before)) == "card-unknown")
            var stranger = bank
            stranger.credential = "somebody"
            #expect(try await stranger.refusal(.post, "/processor/v1/card-lookups", ask(before)) == "unauthorized")
        }
    }

    @Test func changesAreToldOnceBehindEachPlace() async throws {
        try await run { (bank, _) async throws in
            func changes(_ place: String?) async throws -> (cards: [String], next: String) {
                let answer = try await bank.send(.get, "/processor/v1/card-changes" + (place.map { "?after=\($0)" } ?? ""))
                let cards = try #require(answer.json["cards"] as? [[String: Any]])
                return (cards.compactMap { "\($0["id"] ?? "") \($0["status"] ?? "")" }, try #require(answer.json["next"] as? String))
            }
            let start = try await changes(nil)
            #expect(start.cards.isEmpty)
            for (card, status) in [("visa-1", "blocked"), ("visa-2", "active"), ("visa-1", "closed")] {
                _ = try await bank.send(.put, "/processor/control/cards/\(card)/status", #"{"status":"\#(status)"}"#)
            }
            let changed = try await changes(start.next)
            #expect(changed.cards == ["visa-2 active", "visa-1 closed"], "each as it is now, the earliest change first")
            #expect(try await changes(changed.next).cards.isEmpty)
            #expect(try await bank.refusal(.get, "/processor/v1/card-changes?after=x") == "place-malformed")
        }
    }

    @Test func aPushIsShownOnceWhereTheCustomerHasTheApp() async throws {
        try await run { (bank, _) async throws in
            func push(_ customer: String) -> String {
                #"{"requestId":"p-1","customer":"\#(customer)","card":"visa-1","language":"en","subject":"token active","text":"ready"}"#
            }
            for _ in 0..<2 { #expect(try await bank.send(.post, "/processor/push/v1/messages", push("c-1")).status == 202) }
            let inbox = try await bank.send(.get, "/processor/v1/inbox?customer=c-1").json["messages"] as? [[String: Any]]
            #expect(inbox?.count == 1 && inbox?.first?["text"] as? String == "ready")
            #expect(try await bank.refusal(.post, "/processor/push/v1/messages", push("c-2")) == "device-unknown")
        }
    }

    @Test func aReplacementHasAnotherNumberUnderTheSameCard() async throws {
        try await run { (bank, _) async throws in
            let before = try #require(try await Self.cards(bank, "c-1").first)
            #expect(try await bank.send(.post, "/processor/control/cards/visa-1/replacement").status == 200)
            let after = try #require(try await Self.cards(bank, "c-1").first)
            #expect(before["id"] as? String == after["id"] as? String)
            #expect(before["primaryAccountNumber"] as? String != after["primaryAccountNumber"] as? String)
            #expect(before["expiration"] as? String != after["expiration"] as? String)
        }
    }

    @Test func aCardsStatusIsWhatWasLastSaid() async throws {
        try await run { (bank, _) async throws in
            #expect(try await Self.cards(bank, "c-2").compactMap { $0["status"] as? String } == ["closed", "blocked"])
            #expect(try await bank.send(.put, "/processor/control/cards/mastercard-2/status", #"{"status":"active"}"#).status == 200)
            #expect(try await Self.cards(bank, "c-2").compactMap { $0["status"] as? String } == ["closed", "active"])
            let misspelt = try await bank.refusal(.put, "/processor/control/cards/mastercard-2/status", #"{"status":"open"}"#)
            #expect(misspelt == "body-malformed")
            let unknown = try await bank.refusal(.put, "/processor/control/cards/mastercard-2/status", #"{"status":"active","x":1}"#)
            #expect(unknown == "body-malformed")
        }
    }

    @Test func aMessageIsDeliveredOnceAndItsTextIsInNoTrace() async throws {
        try await run { (bank, setting) async throws in
            let message = #"{"requestId":"r-1","customer":"c-1","contact":"c-1-text","text":"Your code is 918273"}"#
            for _ in 0..<2 { #expect(try await bank.send(.post, "/processor/v1/messages", message).status == 202) }
            let messages = try #require(
                try await bank.send(.get, "/processor/v1/inbox?customer=c-1").json["messages"] as? [[String: Any]])
            #expect(messages.count == 1)
            #expect(messages.first?["text"] as? String == "Your code is 918273")
            #expect(messages.first?["to"] as? String == "•••34")
            #expect(!"\(setting.sink.entries)".contains("918273"))
            let foreign = #"{"requestId":"r-2","customer":"c-2","contact":"c-1-text","text":"x"}"#
            #expect(try await bank.refusal(.post, "/processor/v1/messages", foreign) == "contact-unknown")
        }
    }

    @Test func aContactThatOnlyTheBankKnowsIsReachedUnderTheBanksName() async throws {
        try await run { (bank, _) async throws in
            let message = #"{"requestId":"r-1","customer":"own/c 1","contact":"own-1-sms","text":"Your code is 918273"}"#
            #expect(try await bank.send(.post, "/processor/v1/messages", message).status == 202)
            let push = #"{"requestId":"p-1","customer":"own/c 1","card":"own-1","language":"en","subject":"token active","text":"ready"}"#
            #expect(try await bank.send(.post, "/processor/push/v1/messages", push).status == 202)
            let messages = try #require(
                try await bank.send(.get, "/processor/v1/inbox?customer=own%2Fc%201").json["messages"] as? [[String: Any]])
            #expect(messages.compactMap { $0["to"] as? String } == ["own-1-sms", "Bank app"])
            #expect(messages.compactMap { $0["text"] as? String } == ["Your code is 918273", "ready"])
            #expect(messages.first?["type"] == nil)
        }
    }

    @Test(arguments: ["request-lost", "reply-lost"]) func aLostMessageIsDeliveredExactlyWhenItArrived(fault: String) async throws {
        try await run { (bank, _) async throws in
            #expect(try await bank.send(.put, "/processor/control/faults/messages", #"{"fault":"\#(fault)"}"#).status == 204)
            let message = #"{"requestId":"r-1","customer":"c-1","contact":"c-1-text","text":"hello"}"#
            await #expect(throws: (any Error).self) { try await bank.send(.post, "/processor/v1/messages", message) }
            func count() async throws -> Int? {
                (try await bank.send(.get, "/processor/v1/inbox?customer=c-1").json["messages"] as? [[String: Any]])?.count
            }
            #expect(try await count() == (fault == "request-lost" ? 0 : 1))
            #expect(try await bank.send(.post, "/processor/v1/messages", message).status == 202)
            #expect(try await count() == 1)
        }
    }

    @Test func aRefusalIsUsedUpAndAnUnknownFaultIsRefused() async throws {
        try await run { (bank, _) async throws in
            #expect(try await bank.send(.put, "/processor/control/faults/cards", #"{"fault":"request-refused","times":2}"#).status == 204)
            #expect(try await bank.send(.get, "/processor/control/faults/cards").json["fault"] as? String == "request-refused")
            for status in [503, 503, 200] {
                #expect(try await bank.send(.get, "/processor/v1/cards?customer=c-1").status == status)
            }
            #expect(try await bank.refusal(.put, "/processor/control/faults/cards", #"{"fault":"explode"}"#) == "body-malformed")
            #expect(try await bank.refusal(.put, "/processor/control/faults/tea", #"{"fault":"request-lost"}"#) == "not-found")
        }
    }
}
