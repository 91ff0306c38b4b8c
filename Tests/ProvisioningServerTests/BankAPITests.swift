import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ProvisioningServer

/// What the bank's own systems bring, ask and have done with the bank's key.
struct BankAPITests {
    private static let replayed = HTTPField.Name("Idempotent-Replayed")!
    private static let key = HTTPField.Name("Idempotency-Key")!

    private static func card(_ id: String, _ number: String, expiration: String = "12/30", status: String = "active") -> String {
        #"{"id":"\#(id)","primaryAccountNumber":"\#(number)","expiration":"\#(expiration)","cardholderName":"MEI LIN","#
            + #""network":"visa","customer":"c-7","status":"\#(status)","contacts":[]}"#
    }

    private static func part(_ bank: TokenBank, _ number: Int, _ cards: [String], more: String = "") async throws -> Bank.Answer {
        let body = #"{"importId":"night","part":\#(number),"cards":[\#(cards.joined(separator: ","))]\#(more)}"#
        return try await bank.bank.send(.post, "/bank/v1/card-imports", body, bearer: Bank.apiKey)
    }

    private static func counts(_ answer: Bank.Answer) -> [Int?] {
        ["created", "changed", "unchanged", "overtaken", "refused"].map { answer.json[$0] as? Int }
    }

    // MARK: Imports

    @Test(arguments: StoreEngine.withoutInjectedFaults)
    func cardsAreBroughtInPartByPart(_ engine: StoreEngine) async throws {
        try await TokenBank.open(engine) { bank in
            let (one, two) = ("4055510000000046", "4055510000000053")
            let first = try await Self.part(bank, 0, [Self.card("n-1", one), Self.card("n-2", two, status: "blocked")])
            #expect(first.status == 200 && Self.counts(first) == [2, 0, 0, 0, 0], "\(first.body)")
            #expect(try await bank.office.file(card: "n-2")?.card.status == .blocked)
            // Sent again: the first answer's bytes; with other cards it is another part.
            let again = try await Self.part(bank, 0, [Self.card("n-1", one), Self.card("n-2", two, status: "blocked")])
            #expect(again.body == first.body && again.headers[Self.replayed] == "true")
            let other = try await Self.part(bank, 0, [Self.card("n-1", one)])
            #expect(other.status == 409 && other.errorCode == "request-reused" && other.body.contains("another part"), "\(other.body)")
            bank.bank.clock.advance(by: .seconds(60))
            let second = try await Self.part(bank, 1, [Self.card("n-1", one), Self.card("n-2", two)])
            #expect(Self.counts(second) == [0, 1, 1, 0, 0], "\(second.body)")
            let renewed = try await Self.part(bank, 2, [Self.card("n-1", one, expiration: "12/34")])
            #expect(Self.counts(renewed) == [0, 1, 0, 0, 0])
            // What was read before what is stored changes nothing.
            let old = try await Self.part(bank, 3, [Self.card("n-1", one, status: "blocked")], more: #","asOf":\#(BankEventTests.start)"#)
            #expect(Self.counts(old) == [0, 0, 0, 1, 0], "\(old.body)")
            let listed = try await bank.bank.send(.get, "/bank/v1/card-imports/night?limit=3", bearer: Bank.apiKey)
            #expect((listed.json["parts"] as? [[String: Any]])?.map { $0["part"] as? Int } == [0, 1, 2])
            let next = try #require(listed["next"])
            let rest = try await bank.bank.send(.get, "/bank/v1/card-imports/night?limit=3&cursor=\(next)", bearer: Bank.apiKey)
            #expect((rest.json["parts"] as? [[String: Any]])?.map { $0["part"] as? Int } == [3])
            try await bank.expectNowhere([one, two])
            #expect(try await bank.bank.store.database.read(StoreCheckTests.check(bank)) == [])
        }
    }

    @Test func aCardThatCannotBeTakenKeepsNoneOfTheOthersOut() async throws {
        try await TokenBank.open { bank in
            let good = Self.card("n-1", "4055510000000046")
            let answer = try await Self.part(
                bank, 0,
                [
                    Self.card("n-2", "4055510000000047"), Self.card("n-3", "4111111111111111"), good, good, "7",
                    Self.card("n-4", Bank.visaNumber), Self.card("n-5", "4055510000000053", status: "lost"),
                ])
            #expect(Self.counts(answer) == [1, 0, 0, 0, 6], "\(answer.body)")
            let refused = try #require(answer.json["notTaken"] as? [[String: Any]]).compactMap { $0["id"] as? String }
            #expect(refused.sorted() == ["", "n-1", "n-2", "n-3", "n-4", "n-5"])
            for number in ["4055510000000047", "4111111111111111", Bank.visaNumber] { #expect(!answer.body.contains(number)) }
            #expect(try await bank.office.file(card: "n-4") == nil)
            for wrong in [#"{"importId":"n","part":0,"cards":[]}"#, #"{"importId":"n","part":-1,"cards":[7]}"#, #"{"part":0,"cards":[7]}"#]
            {
                #expect(try await bank.bank.send(.post, "/bank/v1/card-imports", wrong, bearer: Bank.apiKey).status == 400)
            }
        }
    }

    @Test func anImportedCardsTokensFollowIt() async throws {
        try await TokenBank.open { bank in
            _ = try await Self.part(bank, 0, [Self.card("n-1", "4055510000000046")])
            bank.bank.cards.add(.init(id: "n-1", number: "4055510000000046", customer: "c-7"))
            try await bank.provision { $0.number = "4055510000000046" }
            bank.bank.clock.advance(by: .seconds(1))
            _ = try await Self.part(bank, 1, [Self.card("n-1", "4055510000000046", status: "closed")])
            try await bank.work()
            #expect(bank.network.requests == ["delete token-1 C"])
        }
    }

    // MARK: Tokens

    @Test(arguments: StoreEngine.withoutInjectedFaults)
    func aSupportDeskFindsTokensPageByPage(_ engine: StoreEngine) async throws {
        try await TokenBank.open(engine) { bank in
            for number in 1...5 {
                try await bank.provision("token-\(number)", on: String(repeating: "0\(number)", count: 24))
                if number != 3 { bank.bank.clock.advance(by: .seconds(1)) }
            }
            _ = try await bank.office.act(.suspend, on: "token-2", reason: .fraud, by: "lin")
            try await bank.work()
            func ask(_ query: String) async throws -> (names: [String], next: String?) {
                let answer = try await bank.bank.send(.get, "/bank/v1/tokens\(query)", bearer: Bank.apiKey)
                #expect(answer.status == 200, "\(query): \(answer.body)")
                let tokens = answer.json["tokens"] as? [[String: Any]] ?? []
                return (tokens.compactMap { $0["tokenReference"] as? String }, answer["next"])
            }
            // What happened since the desk asked last, and what a person holds.
            let changed = BankEventTests.start + 4_000
            #expect(try await ask("?changedFrom=\(changed)").names == ["token-2"])
            #expect(try await ask("?changedFrom=\(changed + 1)").names.isEmpty)
            #expect(try await ask("?heldFor=person&customer=c-1").names == ["token-2"])
            for cause in ["card", "device", "review"] { #expect(try await ask("?heldFor=\(cause)").names.isEmpty) }
            var (names, cursor) = ([String](), String?.none)
            repeat {
                let page = try await ask("?card=card-visa&limit=2" + (cursor.map { "&cursor=\($0)" } ?? ""))
                names += page.names
                cursor = page.next
                // A token that comes meanwhile is no part of the pages behind.
                if names.count == 2 { try await bank.provision("token-6", on: TokenBank.watch) }
            } while cursor != nil
            #expect(names == ["token-5", "token-4", "token-3", "token-2", "token-1"])
            #expect(try await ask("?customer=c-1&state=suspended").names == ["token-2"])
            for none in ["?customer=c-2", "?card=card-mastercard", "?requestor=1"] { #expect(try await ask(none).names.isEmpty) }
            #expect(try await ask("?wallet=apple-pay").names.count == 6)
            #expect(try await ask("?network=visa&secureElement=\(String(repeating: "04", count: 24))").names == ["token-4"])
            let first = try await ask("?limit=1")
            for wrong in [
                "?limit=0", "?limit=201", "?state=frozen", "?network=amex", "?wallet=none", "?secureElement=1", "?card=", "?card=%00",
                "?more=1", "?limit=1&limit=1", "?cursor=x", "?customer=c-1&cursor=\(first.next ?? "")", "?wallet=apple-pay&requestor=1",
                "?heldFor=fraud", "?changedFrom=-1", "?changedFrom=+1", "?changedFrom=01", "?changedFrom=2026-11-30",
                "?changedFrom=253402300799001",
            ] {
                let answer = try await bank.bank.send(.get, "/bank/v1/tokens\(wrong)", bearer: Bank.apiKey)
                #expect(answer.status == 400 && answer.errorCode == "malformed-request", "\(wrong): \(answer.body)")
            }
            // No unit but milliseconds, and the refusal says so: seconds are an instant in 1970, microseconds one far ahead.
            for (instant, unit) in [
                ("1795204800", "seconds"), ("0", "seconds"), ("946684799999", "seconds"), ("1795204800000000", "microseconds"),
                ("253402300799001", "microseconds"), ("2026-11-30T12:00:00Z", "1795204800000"), ("1795204800000.0", "1795204800000"),
            ] {
                let answer = try await bank.bank.send(.get, "/bank/v1/tokens?changedFrom=\(instant)", bearer: Bank.apiKey)
                #expect(answer.status == 400 && answer.body.contains("changedFrom"), "\(instant): \(answer.body)")
                #expect(answer.body.contains("milliseconds") && answer.body.contains(unit), "\(instant): \(answer.body)")
            }
            let one = try await bank.bank.send(.get, "/bank/v1/tokens/token-2", bearer: Bank.apiKey)
            #expect(one["state"] == "suspended" && one["customer"] == "c-1" && one["cardSuffix"] == "0004", "\(one.body)")
            #expect(one.json["heldFor"] as? [String] == ["person"])
            #expect((one.json["wallet"] as? [String: Any])?["name"] as? String == "Apple Pay")
            #expect((one.json["device"] as? [String: Any])?["name"] as? String == "Mei's phone")
            #expect(try await bank.bank.send(.get, "/bank/v1/tokens/none", bearer: Bank.apiKey).errorCode == "token-not-found")
            for path in [
                "/bank/v1/tokens", "/bank/v1/tokens/token-2", "/bank/v1/allow-list", "/bank/v1/programmes", "/bank/v1/card-events",
            ] {
                #expect(try await bank.bank.send(.get, path, bearer: TokenBank.keys[.visa]).status == 401, "\(path)")
            }
        }
    }

    @Test func anActionIsAskedForOnceForEachKey() async throws {
        try await TokenBank.open { bank in
            try await bank.provision()
            func act(
                _ action: String, key: String? = nil, on token: String = "token-1", reason: String = "F", more: String = ""
            ) async throws -> Bank.Answer {
                var headers = HTTPFields()
                headers[Self.key] = key
                return try await bank.bank.send(
                    .post, "/bank/v1/tokens/\(token)/actions", #"{"action":"\#(action)","reason":"\#(reason)"\#(more)}"#,
                    bearer: Bank.apiKey,
                    headers: headers)
            }
            let first = try await act("suspend", key: "k-1", more: #","remark":"case 7""#)
            #expect(first.status == 202 && first["outcome"] == "asked", "\(first.body)")
            try await bank.work()
            let again = try await act("suspend", key: "k-1", more: #","remark":"case 7""#)
            #expect(again.body == first.body && again.headers[Self.replayed] == "true")
            #expect(try await act("suspend", key: "k-1").errorCode == "request-reused", "another remark is another request")
            let token = try await bank.bank.send(.get, "/bank/v1/tokens/token-1", bearer: Bank.apiKey)
            let last = try #require(token.json["lastAction"] as? [String: Any])
            #expect(
                ["action", "reason", "remark", "state"].map { last[$0] as? String } == ["suspend", "F", "case 7", "done"], "\(token.body)")
            #expect(bank.network.requests == ["suspend token-1 F"])
            #expect(try await act("suspend", key: "k-2")["outcome"] == "already-done")
            #expect(try await act("resume", key: "k-1").errorCode == "request-reused")
            #expect(try await act("suspend").errorCode == "idempotency-key-missing")
            #expect(try await act("activate", key: "k-3").status == 400)
            #expect(try await act("suspend", key: "k-3", reason: "Q").status == 400)
            #expect(try await act("suspend", key: "k-4", on: "none").errorCode == "token-not-found")
            #expect(try await act("delete", key: "k-5", reason: "Z")["outcome"] == "asked")
            let late = try await act("resume", key: "k-6")
            #expect(late.status == 409 && late.errorCode == "token-deleted", "\(late.body)")
            #expect(try await bank.trail().map { "\($0.actor) \($0.action)" }.last == "bank token.delete")
        }
    }

    @Test func eachCauseOfARefusedActionHasACodeOfItsOwn() async throws {
        try await TokenBank.open { bank in
            func act(_ action: String, on token: String) async throws -> Bank.Answer {
                var headers = HTTPFields()
                headers[Self.key] = "\(action)-\(token)"
                return try await bank.bank.send(
                    .post, "/bank/v1/tokens/\(token)/actions", #"{"action":"\#(action)","reason":"F"}"#, bearer: Bank.apiKey,
                    headers: headers)
            }
            try await bank.provision("token-new", state: .inactive, TokenBank.Ask.yellow)
            let early = try await act("suspend", on: "token-new")
            #expect(early.status == 409 && early.errorCode == "token-not-active", "\(early.body)")
            // What never was on is not on already.
            let needless = try await act("resume", on: "token-new")
            #expect(needless.status == 409 && needless.errorCode == "token-not-active", "\(needless.body)")
            try await bank.provision("token-seen", state: .inactive, on: TokenBank.watch, TokenBank.Ask.orange)
            // The network made it active all the same: the review suspends it, and nobody resumes it before the review has ended.
            _ = try await bank.tell(
                TokenBank.event("activated", "activated", 2, .active, token: "token-seen", secureElement: TokenBank.watch))
            let watched = try await act("resume", on: "token-seen")
            #expect(watched.status == 409 && watched.errorCode == "review-waiting", "\(watched.body)")
        }
    }

    // MARK: What the host knows of a card

    @Test func aCardAndWhatItsCustomerWasToldAreRead() async throws {
        try await TokenBank.open { bank in
            func read(_ path: String) async throws -> Bank.Answer {
                try await bank.bank.send(.get, "/bank/v1/cards/\(path)", bearer: Bank.apiKey)
            }
            _ = try await Self.part(bank, 0, [Self.card("n-1", "4055510000000046", status: "blocked")])
            let own = try await read("n-1")
            #expect(own.json["customer"] as? String == "c-7" && own.json["imported"] as? Bool == true, "\(own.body)")
            #expect(own.json["status"] as? String == "blocked" && own.json["suffix"] as? String == "0046")
            #expect(!own.body.contains("4055510000000046"))
            #expect(try await read("n-1/messages").json["messages"] as? [String] == [])
            #expect(try await read("card-visa").json["imported"] as? Bool == false)
            for path in ["none", "none/messages"] { #expect(try await read(path).errorCode == "card-not-found") }
            #expect(try await bank.bank.send(.get, "/bank/v1/cards/n-1", bearer: TokenBank.keys[.visa]).status == 401)

            try await bank.provision()
            try await bank.work()
            _ = try await bank.bank.send(
                .post, "/bank/v1/card-events",
                #"{"eventId":"e-1","card":"card-visa","kind":"blocked","occurredAt":\#(BankEventTests.start)}"#, bearer: Bank.apiKey)
            try await bank.work()
            let all = try #require(try await read("card-visa/messages").json["messages"] as? [[String: Any]])
            #expect(all.count > 1 && all.allSatisfy { $0["state"] as? String == "delivered" }, "\(all)")
            var (paged, cursor) = ([String](), "")
            repeat {
                let page = try await read("card-visa/messages?limit=1\(cursor)")
                paged += try #require(page.json["messages"] as? [[String: Any]]).compactMap { $0["messageId"] as? String }
                cursor = (page.json["next"] as? String).map { "&cursor=\($0)" } ?? ""
            } while !cursor.isEmpty
            #expect(paged == all.compactMap { $0["messageId"] as? String })
            // They went to the bank's app, which is nobody's address.
            #expect(all.allSatisfy { $0["channel"] as? String == "app" && $0["contact"] == nil }, "\(all)")
            #expect(all.allSatisfy { $0["attempts"] as? Int == 1 && $0["note"] as? String == "app" && $0["nextAttemptAt"] == nil })
        }
    }

    @Test(arguments: [
        #""occurredAt":1795204800"#, #""occurredAt":0"#, #""occurredAt":946684799999"#, #""occurredAt":1795204800000000"#,
    ])
    func aTimeInSecondsIsRefused(time: String) async throws {
        try await TokenBank.open { bank in
            let event = #"{"eventId":"e-1","card":"card-visa","kind":"blocked",\#(time)}"#
            let refused = try await bank.bank.send(.post, "/bank/v1/card-events", event, bearer: Bank.apiKey)
            #expect(refused.status == 400 && refused.body.contains("milliseconds"), "\(refused.body)")
            let batch = try await bank.bank.send(.post, "/bank/v1/card-event-batches", #"{"events":[\#(event)]}"#, bearer: Bank.apiKey)
            #expect(batch.status == 200 && batch.body.contains("milliseconds"), "\(batch.body)")
            #expect(try await bank.office.file(card: "card-visa")?.card.status == .active)
        }
    }

    // MARK: Switches and the allow list

    @Test func switchesAndTheAllowListAreTheBanksToo() async throws {
        try await TokenBank.open { bank in
            func put(_ path: String, _ body: String) async throws -> Bank.Answer {
                try await bank.bank.send(.put, "/bank/v1/\(path)/switch", body, bearer: Bank.apiKey)
            }
            let off = #"{"on":false,"remark":"an incident"}"#
            for path in ["cards/card-visa", "programmes/mastercard-debit"] {
                for _ in 0..<2 { #expect(try await put(path, off).json["on"] as? Bool == false) }
            }
            #expect(try await put("cards/none", off).errorCode == "card-not-found")
            #expect(try await put("programmes/none", off).errorCode == "programme-not-found")
            #expect(try await put("cards/card-visa", #"{"on":false}"#).status == 400, "why is part of it")
            let programmes = try await bank.bank.send(.get, "/bank/v1/programmes", bearer: Bank.apiKey)
            let entries = try #require(programmes.json["programmes"] as? [[String: Any]])
            #expect(entries.first { $0["id"] as? String == "mastercard-debit" }?["remark"] as? String == "an incident")
            #expect((try await bank.decide()).json["reasons"] as? [String] == ["card-off"])

            func allow(_ element: String, _ isAllowed: Bool, card: String = "card-visa") async throws -> Bank.Answer {
                try await bank.bank.send(
                    .post, "/bank/v1/allow-list", #"{"card":"\#(card)","secureElement":"\#(element)","allowed":\#(isAllowed)}"#,
                    bearer: Bank.apiKey)
            }
            for element in [TokenBank.phone, TokenBank.watch, TokenBank.phone] { #expect(try await allow(element, true).status == 200) }
            #expect(try await allow(TokenBank.phone, true, card: "none").errorCode == "card-not-found")
            #expect(try await allow("phone", true).status == 400)
            let page = try await bank.bank.send(.get, "/bank/v1/allow-list?limit=1", bearer: Bank.apiKey)
            let next = try #require(page["next"])
            let rest = try await bank.bank.send(.get, "/bank/v1/allow-list?limit=1&cursor=\(next)", bearer: Bank.apiKey)
            #expect((rest.json["entries"] as? [[String: Any]])?.first?["secureElement"] as? String == TokenBank.watch)
            #expect(try await allow(TokenBank.phone, false).status == 200)
            #expect(try await bank.file().allowList.map(\.secureElement) == [TokenBank.watch])
            #expect(try await bank.bank.store.database.read(StoreCheckTests.check(bank)) == [])
        }
    }
}
