import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import HTTPTypes
import Testing

@testable import ProvisioningServer

/// Cards that the bank's own systems bring again and again, and customers whom only the bank knows.
struct BankImportTests {
    private static let number = "4055510000000046"

    private static func card(
        _ id: String = "n-1", _ number: String = number, customer: String = "c-7", status: String = "active", contacts: String = ""
    ) -> String {
        #"{"id":"\#(id)","primaryAccountNumber":"\#(number)","expiration":"12/30","cardholderName":"MEI LIN","network":"visa","#
            + #""customer":"\#(customer)","status":"\#(status)","contacts":[\#(contacts)]}"#
    }

    private static func contact(_ value: String, type: String = "TEXT_TO_CARDHOLDER_NUMBER") -> String {
        #"{"identifier":"sms","type":"\#(type)","value":"\#(value)"}"#
    }

    private static func take(_ bank: TokenBank, _ part: Int, _ cards: String...) async throws -> Bank.Answer {
        let body = #"{"importId":"night","part":\#(part),"cards":[\#(cards.joined(separator: ","))]}"#
        return try await bank.bank.send(.post, "/bank/v1/card-imports", body, bearer: Bank.apiKey)
    }

    private static func counts(_ answer: Bank.Answer) -> [Int?] {
        ["created", "changed", "unchanged", "refused"].map { answer.json[$0] as? Int }
    }

    private static func open(_ bank: TokenBank, _ customer: String) async throws -> Bank.Answer {
        try await bank.bank.send(
            .post, "/provisioning/v1/sessions", #"{"customer":"\#(customer)","device":"phone-7"}"#, bearer: Bank.apiKey)
    }

    private static func cards(_ bank: TokenBank, _ opened: Bank.Answer) async throws -> [String] {
        let listed = try await bank.bank.send(.get, "/provisioning/v1/cards", bearer: opened["token"])
        return (listed.json["cards"] as? [[String: Any]] ?? []).map { "\($0["id"] ?? "") \($0["status"] ?? "")" }
    }

    // MARK: What counts as a change

    @Test(arguments: StoreEngine.withoutInjectedFaults)
    func newContactsAreAChangeAndTheSameOnesAreNone(_ engine: StoreEngine) async throws {
        try await TokenBank.open(engine) { bank in
            let phone = Self.contact("+86 139 0000 0001")
            let mail = Self.contact("mei@example.com", type: "EMAIL_TO_CARDHOLDER_ADDRESS")
            #expect(Self.counts(try await Self.take(bank, 0, Self.card(contacts: phone))) == [1, 0, 0, 0])
            #expect(Self.counts(try await Self.take(bank, 1, Self.card(contacts: phone))) == [0, 0, 1, 0])
            let changes = [
                (Self.contact("+86 139 0000 0002"), ["+86 139 0000 0002"]), ("\(phone),\(mail)", ["+86 139 0000 0001", "mei@example.com"]),
                (mail, ["mei@example.com"]), ("", []),
            ]
            for (place, (contacts, values)) in changes.enumerated() {
                let answer = try await Self.take(bank, 2 + place, Self.card(contacts: contacts))
                #expect(Self.counts(answer) == [0, 1, 0, 0], "\(contacts): \(answer.body)")
                let stored = try #require(try await bank.office.file(card: "n-1")?.card)
                #expect(try bank.tokens.context.host.vault.contacts(of: stored).map(\.value) == values)
            }
            try await bank.expectNowhere(["+86 139 0000 0001", "+86 139 0000 0002", "mei@example.com"])
        }
    }

    @Test func whatTheBankBlockedIsUnchangedWhenItIsBroughtInAgain() async throws {
        for kind in ["blocked", "lost", "closed"] {
            try await TokenBank.open { bank in
                _ = try await Self.take(bank, 0, Self.card())
                let told = try await BankEventTests.report(bank, BankEventTests.event("e-1", kind, card: "n-1"))
                let status = try #require(told["status"])
                for part in 1...2 {
                    bank.bank.clock.advance(by: .seconds(1))
                    let answer = try await Self.take(bank, part, Self.card())
                    #expect(Self.counts(answer) == [0, 0, 1, 0], "\(kind): \(answer.body)")
                    #expect(try await bank.office.file(card: "n-1")?.card.status.rawValue == status)
                }
            }
        }
    }

    @Test func aNewNumberEndsALossInAnImportToo() async throws {
        try await TokenBank.open { bank in
            _ = try await Self.take(bank, 0, Self.card())
            _ = try await BankEventTests.report(bank, BankEventTests.event("e-1", "lost", card: "n-1"))
            #expect(Self.counts(try await Self.take(bank, 1, Self.card("n-1", "4055510000000053"))) == [0, 1, 0, 0])
            #expect(try await bank.office.file(card: "n-1")?.card.status == .active)
        }
    }

    @Test func whatNobodyCouldUseIsRefusedWithItsReason() async throws {
        try await TokenBank.open { bank in
            let answer = try await Self.take(
                bank, 0, Self.card(contacts: Self.contact("+1", type: "SMS")),
                Self.card("n-2", customer: String(repeating: "c", count: 65)),
                Self.card("n-3", "4111111111111111"))
            #expect(Self.counts(answer) == [0, 0, 0, 3], "\(answer.body)")
            let reasons = try #require(answer.json["notTaken"] as? [[String: Any]]).compactMap { $0["reason"] as? String }
            #expect(reasons.contains { $0.contains("contacts.type") && $0.contains("TEXT_TO_CARDHOLDER_NUMBER") })
            #expect(reasons.contains { $0.contains("customer") && $0.contains("64") })
            #expect(reasons.contains { $0.contains("GET /bank/v1/programmes") && $0.contains("numberPrefixes") })
            let programmes = try await bank.bank.send(.get, "/bank/v1/programmes", bearer: Bank.apiKey)
            let prefixes = (programmes.json["programmes"] as? [[String: Any]])?.map { $0["numberPrefixes"] as? [String] }
            #expect(prefixes == Bank.programmes.map(\.numberPrefixes))
        }
    }

    // MARK: Customers whom only the bank knows

    @Test(arguments: StoreEngine.withoutInjectedFaults)
    func aCustomerWhoseCardsTheBankBroughtCanLogInAndAddThem(_ engine: StoreEngine) async throws {
        try await TokenBank.open(engine) { bank in
            bank.bank.cards.refuseStrangers()
            let stranger = try await Self.open(bank, "c-7")
            #expect(stranger.status == 404 && stranger.errorCode == "customer-not-found", "\(stranger.body)")
            _ = try await Self.take(bank, 0, Self.card())
            bank.bank.clock.advance(by: .seconds(1))
            let opened = try await Self.open(bank, "c-7")
            #expect(opened.status == 201, "\(opened.body)")
            #expect(try await Self.cards(bank, opened) == ["n-1 active"])
            // The network asks about it, and its processor still does not know the customer.
            let decision = try await bank.decide {
                $0.number = Self.number
                TokenBank.Ask.yellow(&$0)
            }
            #expect(decision["colour"] == "yellow", "\(decision.body)")
            // Blocked by the bank it is blocked, whoever logs in.
            _ = try await BankEventTests.report(bank, BankEventTests.event("e-1", "blocked", card: "n-1"))
            #expect(try await Self.cards(bank, try await Self.open(bank, "c-7")) == ["n-1 blocked"])
        }
    }

    @Test func whatTheProcessorHadAndHasNoMoreIsAddedByNobody() async throws {
        try await TokenBank.open { bank in
            bank.bank.cards.refuseStrangers()
            // A customer of the processor's alone is unknown once the processor says so.
            bank.bank.cards.add(.init(id: "p-1", number: "4055510000000053", customer: "c-7"))
            #expect(try await Self.open(bank, "c-7").status == 201)
            bank.bank.cards.forget("c-7")
            #expect(try await Self.open(bank, "c-7").errorCode == "customer-not-found")
            // That the bank brings it afterwards makes it no card of the bank's own.
            _ = try await Self.take(bank, 0, Self.card("p-1", "4055510000000053"))
            #expect(try await Self.open(bank, "c-7").errorCode == "customer-not-found")
            // With one of the bank's own beside it the customer logs in, and the processor's is blocked.
            _ = try await Self.take(bank, 1, Self.card())
            bank.bank.clock.advance(by: .seconds(1))
            #expect(try await Self.cards(bank, try await Self.open(bank, "c-7")) == ["n-1 active", "p-1 blocked"])
        }
    }
}
