import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import Foundation
import HTTPTypes
import PaymentCrypto
import Testing

@testable import ProvisioningServer

struct DecisionTests {
    private func rows(_ bank: TokenBank) async throws -> Int {
        try await bank.bank.store.database.read { Int(try $0.query("SELECT COUNT(*) FROM token_decisions")[0].integer(0)) }
    }

    @Test func aKnownCardAskedForByTheBanksAppIsGreen() async throws {
        try await TokenBank.open { bank in
            let answer = try await bank.decide()
            #expect(answer.status == 200 && answer["decision"] == "APPROVED" && answer["colour"] == "green", "\(answer.body)")
            #expect(answer.json["reasons"] as? [String] == [])
            let decision = try #require(try await bank.file().decisions.first)
            #expect(decision.token == "token-1" && decision.inputs.device.secureElement == TokenBank.phone)
            #expect(decision.inputs.card?.network == .visa && decision.inputs.recommendation.source == .mobileBankingApp)
        }
    }

    @Test func theColourFollowsFromWhatTheBankHolds() async throws {
        try await TokenBank.open { bank in
            func colour(_ id: String, _ change: (inout TokenBank.Ask) -> Void) async throws -> String {
                let answer = try await bank.decide {
                    ($0.id, $0.token) = (id, "token-\(id)")
                    change(&$0)
                }
                return "\(answer["colour"] ?? "") \((answer.json["reasons"] as? [String] ?? []).joined(separator: " "))"
            }
            #expect(try await colour("1", TokenBank.Ask.yellow) == "yellow activation-missing")
            #expect(try await colour("3", TokenBank.Ask.red) == "red account-score-low")
            #expect(try await colour("4") { $0.number = "4055510000000111" } == "red card-unknown activation-code-unknown")
            #expect(try await colour("5") { $0.number = Bank.blockedNumber } == "red card-blocked")
            #expect(try await colour("6") { $0.number = Bank.closedNumber } == "red card-closed")
            #expect(try await colour("7") { $0.expiration = "11/30" } == "red expiry-mismatch")
            #expect(
                try await colour("8") {
                    $0.network = .mastercard
                    $0.requestor = "50110030273"
                } == "red network-mismatch")
            try await bank.bank.server.switches.set(card: "card-visa", isOn: false, remark: "test", by: "lin")
            #expect(try await colour("9") { _ in } == "red card-off")
            // A code in the activation data that this host never made.
            try await bank.bank.server.switches.set(card: "card-visa", isOn: true, remark: "test", by: "lin")
            let foreign = #"{"present":true,"valid":true,"authCode":"A1B2C3"}"#
            #expect(try await colour("10") { $0.activation = foreign } == "yellow activation-code-unknown")
            #expect(try await colour("11", TokenBank.Ask.orange) == "orange wallet-high-risk")
        }
    }

    @Test func whatHappenedToACardSinceItsLastImportCounts() async throws {
        try await TokenBank.open { bank in
            bank.bank.cards.change("card-visa") { $0.status = .closed }
            let answer = try await bank.decide()
            #expect(answer["colour"] == "red" && answer.json["reasons"] as? [String] == ["card-closed"], "\(answer.body)")
            #expect(try await bank.file().card.status == .closed)
        }
    }

    @Test func aSilentProcessorLeavesWhatIsStoredForItsBoundedAge() async throws {
        try await TokenBank.open { bank in
            bank.bank.cards.fallSilent()
            #expect(try await bank.decide()["colour"] == "green")
            bank.bank.clock.advance(by: .seconds(86_401))
            let second: @Sendable (inout TokenBank.Ask) -> Void = { ($0.id, $0.token) = ("request-2", "token-2") }
            let refused = try await bank.decide(second)
            #expect(refused.status == 503 && refused.errorCode == "processor-unavailable", "\(refused.body)")
            // What was decided needs nobody to be asked again.
            #expect(try await bank.decide()["colour"] == "green")
            bank.bank.cards.fallSilent(false)
            #expect(try await bank.decide(second).status == 200, "the same request, asked again")
            #expect(try await rows(bank) == 2)
        }
    }

    @Test func aProcessorThatNeverAnswersHoldsNobodyUpForLongerThanItsBudget() async throws {
        try await TokenBank.open {
            $0.processorBudget = .milliseconds(50)
        } body: { bank in
            bank.bank.cards.meanwhile { try await Task.sleep(for: .seconds(86_400)) }
            let answer = try await bank.decide()
            #expect(answer["colour"] == "green")
        }
    }

    @Test func anAnswerThatCannotBeReadDecidesNothing() async throws {
        try await TokenBank.open { bank in
            bank.bank.cards.meanwhile { throw ProvisioningError(code: .processorAnswer, reason: "not JSON") }
            let refused = try await bank.decide()
            #expect(refused.status == 502 && refused.errorCode == "processor-answer", "\(refused.body)")
            #expect(try await rows(bank) == 0)
        }
    }

    @Test func theProcessorIsNotAskedAboutNumbersThatAreNotOurs() async throws {
        try await TokenBank.open { bank in
            bank.bank.cards.fallSilent()
            bank.bank.clock.advance(by: .seconds(86_401))
            // Of no programme here; about one that could be ours, silence decides nothing.
            let answer = try await bank.decide { $0.number = "4111111111111111" }
            #expect(answer["colour"] == "red" && bank.bank.cards.lookups == 0)
        }
    }

    @Test func aCodeThatThisHostMadeForTheCardIsItsOwn() async throws {
        try await TokenBank.open { bank in
            try await bank.issue("A1B2C3", card: "card-visa")
            let activation = #"{"present":true,"valid":true,"authCode":"A1B2C3"}"#
            let first: @Sendable (inout TokenBank.Ask) -> Void = { $0.activation = activation }
            let green = try await bank.decide(first)
            #expect(green["colour"] == "green")
            try await bank.expectNowhere(["A1B2C3", Bank.visaNumber])
            let other = try await bank.decide {
                ($0.id, $0.token, $0.activation, $0.network, $0.number, $0.requestor) = (
                    "2", "token-2", activation, .mastercard, Bank.mastercardNumber, "50110030273"
                )
            }
            #expect(other["colour"] == "yellow", "another card's code")
            let repeated = try await bank.decide(first)
            #expect(repeated["colour"] == "green", "the same request")
            for (id, token) in [("3", "token-1"), ("4", "token-4")] {
                let again = try await bank.decide { ($0.id, $0.token, $0.activation) = (id, token, activation) }
                #expect(again["colour"] == "yellow" && again.json["reasons"] as? [String] == ["activation-code-used"], "\(again.body)")
            }
            let without = try await bank.decide { ($0.id, $0.activation) = ("5", #"{"present":true, "valid":true}"#) }
            #expect(without["colour"] == "yellow" && without.json["reasons"] as? [String] == ["activation-code-missing"])
            let late = #"{"present":true,"valid":true,"authCode":"D4E5F6"}"#
            try await bank.issue("D4E5F6", card: "card-visa")
            bank.bank.clock.advance(by: .seconds(31 * 60))
            let tooLate = try await bank.decide { ($0.id, $0.activation, $0.secureElement) = ("6", late, TokenBank.watch) }
            #expect(tooLate["colour"] == "yellow", "too old a code")
        }
    }

    @Test func aTokenStaysWithItsFirstCardAndNetwork() async throws {
        try await TokenBank.open { bank in
            _ = try await bank.decide(TokenBank.Ask.orange)
            for change: @Sendable (inout TokenBank.Ask) -> Void in [
                { ($0.network, $0.number, $0.requestor) = (.mastercard, Bank.mastercardNumber, "50110030273") },
                { $0.number = Bank.blockedNumber }, { $0.number = "4055510000000111" },
            ] {
                let refused = try await bank.decide {
                    $0.id = "2"
                    change(&$0)
                }
                #expect(refused.status == 409 && refused.errorCode == "token-reference-taken", "\(refused.body)")
            }
            #expect(try await rows(bank) == 1)
            // A token that the network told of before anybody asked belongs to its network as well.
            _ = try await bank.tell(TokenBank.event("e", "created", 1, .inactive, token: "token-7", account: "V-7"))
            let foreign = try await bank.decide {
                ($0.id, $0.token, $0.network, $0.number, $0.requestor) = (
                    "3", "token-7", .mastercard, Bank.mastercardNumber, "50110030273"
                )
            }
            #expect(foreign.errorCode == "token-reference-taken", "\(foreign.body)")
        }
    }

    /// Asking again under another id does not get round the fraud team.
    @Test func whileAPersonLooksOrHasRefusedNoDecisionIsMilder() async throws {
        try await TokenBank.open { bank in
            try await bank.provision(state: .inactive, TokenBank.Ask.orange)
            let again = try await bank.decide { $0.id = "2" }
            #expect(again["colour"] == "orange" && (again.json["reasons"] as? [String])?.first == "review-waiting", "\(again.body)")
            let reviews = try await bank.office.reviews()
            #expect(reviews.count == 1)
            let review = try #require(reviews.first)
            _ = try await bank.office.conclude(
                review: review.id.description, approve: false, remark: "no", requestedBy: "lin", decidedBy: "wu", approval: "a1")
            let late = try await bank.decide { $0.id = "3" }
            #expect(late["colour"] == "red" && (late.json["reasons"] as? [String])?.first == "review-refused", "\(late.body)")
        }
    }

    @Test func methodsAreMaskedAndOfferedOnlyWhereACodeMayDecide() async throws {
        try await TokenBank.open { bank in
            func methods(_ id: String, _ change: (inout TokenBank.Ask) -> Void) async throws -> [[String: String]] {
                let answer = try await bank.decide {
                    $0.id = id
                    change(&$0)
                }
                return answer.json["verificationMethods"] as? [[String: String]] ?? []
            }
            let offered = try await methods("1", TokenBank.Ask.yellow)
            #expect(offered.map { $0["identifier"] } == ["c-1-text", "c-1-email", "c-1-app"])
            #expect(offered.map { $0["value"] } == ["•••42", "m•••@example.com", "Bank app"])
            #expect(try await methods("2", TokenBank.Ask.orange).isEmpty)
            #expect(try await methods("3", TokenBank.Ask.red).isEmpty)
        }
    }

    @Test func aRepeatedRequestGetsTheStoredAnswerAndNoOtherBody() async throws {
        try await TokenBank.open { bank in
            let first = try await bank.decide(TokenBank.Ask.yellow)
            // Sealed again, the account has other bytes and is the same.
            try await bank.bank.server.switches.set(card: "card-visa", isOn: false, remark: "test", by: "lin")
            let second = try await bank.decide(TokenBank.Ask.yellow)
            #expect(first.body == second.body && second["colour"] == "yellow")
            for change: @Sendable (inout TokenBank.Ask) -> Void in [
                { $0.number = Bank.blockedNumber }, { $0.expiration = "11/30" }, { $0.token = "token-2" },
                { $0.secureElement = TokenBank.watch }, { $0.scores.0 = 4 }, { $0.reasons = ["0E"] },
                { $0.activation = #"{"present":true,"valid":true}"# },
                { $0.activation = #"{"present":false,"valid":false,"authCode":"1"}"# },
            ] {
                let refused = try await bank.decide {
                    TokenBank.Ask.yellow(&$0)
                    change(&$0)
                }
                #expect(refused.status == 409 && refused.errorCode == "request-reused", "\(refused.body)")
            }
            #expect(try await rows(bank) == 1)
        }
    }

    @Test(arguments: StoreEngine.available)
    func fiftyCopiesAtOnceMakeOneRow(_ engine: StoreEngine) async throws {
        try await TokenBank.open(engine) { bank in
            let bodies = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        // Under injected faults the network asks again, as it does.
                        for _ in 0..<20 {
                            let answer = try await bank.decide(TokenBank.Ask.orange)
                            if answer.status == 200 { return answer.body }
                        }
                        return "never answered"
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(bodies.count == 1 && bodies.first?.contains("\"orange\"") == true, "\(bodies)")
            #expect(try await rows(bank) == 1)
            #expect(try await bank.office.reviews().count == 1)
        }
    }

    /// Limits hold although many requests about one card arrive at once.
    @Test(arguments: StoreEngine.available)
    func limitsAreCountedOneRequestAtATime(_ engine: StoreEngine) async throws {
        try await TokenBank.open(engine) { bank in
            let colours = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<12 {
                    group.addTask {
                        for _ in 0..<20 {
                            let answer = try await bank.decide {
                                $0.id = "request-\(number)"
                                $0.token = "token-\(number)"
                            }
                            if let colour = answer["colour"] { return colour }
                        }
                        return "never answered"
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(colours.count { $0 == "green" } == 4 && colours.count { $0 == "red" } == 8, "\(colours)")
        }
    }

    /// What was let in counts before the network tells of it.
    @Test func aCardsTokensAreCountedBeforeTheyAreTold() async throws {
        let isNarrow: @Sendable (inout TokenConfiguration) -> Void = { $0.defaultPolicy.tokensPerCard = 2 }
        try await TokenBank.open(change: isNarrow) { bank in
            func ask(_ number: Int) async throws -> String? {
                try await bank.decide {
                    ($0.id, $0.token) = ("request-\(number)", "token-\(number)")
                    $0.secureElement = String(repeating: "0\(number)", count: 24)
                }["colour"]
            }
            var colours: [String?] = []
            for number in 1...3 { colours.append(try await ask(number)) }
            #expect(colours == ["green", "green", "red"])
            bank.bank.clock.advance(by: .seconds(25 * 3_600))
            #expect(try await ask(4) == "green", "the network made nothing of the others")
        }
    }

    @Test func whileAProgrammeIsTestedOnlyListedDevicesComeIn() async throws {
        let isTested: @Sendable (inout TokenConfiguration) -> Void = { $0.policies["visa-credit"] = DecisionPolicy.tested }
        try await TokenBank.open(change: isTested) { bank in
            func colour(_ id: String, _ change: (inout TokenBank.Ask) -> Void = { _ in }) async throws -> String? {
                try await bank.decide {
                    $0.id = id
                    change(&$0)
                }["colour"]
            }
            #expect(try await colour("1") == "red")
            #expect(
                try await bank.office.allow(true, card: "card-visa", secureElement: TokenBank.phone.lowercased(), remark: "ours", by: "lin")
            )
            #expect(try await bank.office.allow(true, card: "card-visa", secureElement: TokenBank.phone, remark: "again", by: "wu"))
            #expect(try await bank.office.allow(true, card: "nothing", secureElement: TokenBank.phone, remark: "", by: "wu") == false)
            #expect(try await bank.office.allowList().map { "\($0.card) \($0.remark) \($0.addedBy)" } == ["card-visa ours lin"])
            #expect(try await colour("2") == "green")
            #expect(try await colour("3") { $0.secureElement = TokenBank.watch } == "red", "another device")
            let other = try await colour("4") {
                ($0.token, $0.network, $0.number, $0.requestor) = ("token-4", .mastercard, Bank.mastercardNumber, "50110030273")
            }
            #expect(other == "green", "another programme is in production")
            #expect(try await bank.office.allow(false, card: "card-visa", secureElement: TokenBank.phone, remark: "left", by: "lin"))
            #expect(try await colour("5") == "red")
            let trail = try await bank.trail()
            #expect(trail.map { "\($0.actor) \($0.action)" } == ["lin allow-list.add", "lin allow-list.remove"])
        }
    }

    @Test func whatCannotBeServedSafelyIsRefusedAtTheStart() throws {
        let key = try TokenBank.decisionKey.get()
        func configuration(_ keys: [P256PrivateKey], _ origin: String, codes: Int = 3) -> TokenConfiguration {
            var configuration = TokenConfiguration(
                decisionKeys: keys, networks: [.visa: .init(origin: origin, credential: Secret("c"))], messenger: InboxStub())
            configuration.codesPerToken = codes
            return configuration
        }
        try configuration([key], "https://network.example").validate(.production)
        try configuration([key], "http://127.0.0.1:8081/card-network").validate(.test)
        for (bad, mode) in [
            (configuration([], "https://network.example"), ServerMode.test), (configuration([key], "http://network.example"), .production),
            (configuration([key], "https://network.example", codes: 0), .test),
        ] {
            #expect(throws: ProvisioningError.self) { try bad.validate(mode) }
        }
    }

    @Test func reasonsInBitsCountAsTheirCodesDo() async throws {
        try await TokenBank.open { bank in
            for (index, reason) in ["0G", "000000001000000000000000", "000000000000000000000010"].enumerated() {
                let answer = try await bank.decide {
                    ($0.id, $0.token, $0.reasons) = ("request-\(index)", "token-\(index)", [reason])
                }
                let decision = try await bank.tokens.context.database.read { tx in
                    try DecisionRecords.find(token: "token-\(index)", in: tx)
                }
                #expect(answer.status == 200)
                #expect(decision?.inputs.recommendation.reasons == [index == 2 ? .accountTooNew : .highRisk])
            }
        }
    }

    @Test func onlyTheNetworkItselfIsHeard() async throws {
        try await TokenBank.open { bank in
            let body = try TokenBank.Ask().body()
            for bearer in [nil, "somebody else's key, long enough", Bank.apiKey] {
                let answer = try await bank.bank.send(.post, "/network/v1/decisions", body, bearer: bearer)
                #expect(answer.status == 401 && answer.errorCode == "unauthorized")
            }
            let other = try await bank.bank.send(.post, "/network/v1/decisions", body, bearer: TokenBank.keys[.mastercard])
            #expect(other.status == 400 && other.errorCode == "malformed-request", "one network does not speak for another")
            #expect(try await rows(bank) == 0)
        }
    }

    @Test func whatIsNoRequestIsRefusedAndDecidesNothing() async throws {
        try await TokenBank.open { bank in
            let good = try TokenBank.Ask().body()
            let damages: [(String, String)] = [
                (#""deviceScore":5"#, #""deviceScore":6"#), (#""deviceScore":5"#, #""deviceScore":"5""#), (#""APPROVED""#, #""OK""#),
                (#""panSource":"03""#, #""panSource":"04""#), (TokenBank.phone, "0A"), (TokenBank.phone, String(repeating: "G", count: 48)),
                (#""kind":"phone""#, #""kind":"car""#), (#""activation":{"present":true,"valid":true}"#, #""activation":{"present":true}"#),
                (#""tokenReference":"token-1""#, #""tokenReference":"../tokens""#),
                (#""tokenReference":"token-1""#, #""tokenReference":"..""#), (#""requestId":"request-1""#, #""requestId":"request 1""#),
                (#""primaryAccountIdentifier":"V-1""#, #""primaryAccountIdentifier":"V/1""#), (#""network":"visa""#, #""network":"amex""#),
                (#""requestId""#, #""requestID""#), (#"{"requestId""#, #"{"more":1,"requestId""#),
            ]
            for (old, new) in damages {
                let answer = try await bank.bank.send(
                    .post, "/network/v1/decisions", good.replacingOccurrences(of: old, with: new), bearer: TokenBank.keys[.visa])
                #expect(answer.status == 400 && answer.errorCode == "malformed-request", "\(new): \(answer.body)")
            }
            #expect(try await rows(bank) == 0)
        }
    }

    @Test func anAccountThatDoesNotOpenIsRefused() async throws {
        try await TokenBank.open { bank in
            let key = try TokenBank.decisionKey.get().publicKey
            func seal(_ plain: String, info: String = "billfold network account") throws -> String {
                StrictBase64.encode(try HybridEncryption.seal(Array(plain.utf8), to: key, info: info))
            }
            let good = #"{"primaryAccountNumber":"4055510000000004","expiration":"12/30"}"#
            var generator = SeededGenerator(seed: 5, label: "stranger")
            let stranger = try P256PrivateKey(using: &generator)
            let accounts = [
                "no base64!", "AAAA", try seal(good, info: "something else"),
                StrictBase64.encode(
                    try HybridEncryption.seal(Array(good.utf8), to: stranger.publicKey, info: "billfold network account")),
                try seal(""), try seal("{}"), try seal(good + "x"), try seal(#"{"primaryAccountNumber":"4055510000000004"}"#),
                try seal(#"{"primaryAccountNumber":"40555100x0000004","expiration":"12/30"}"#),
                try seal(#"{"primaryAccountNumber":"4055510000000004","expiration":"1230"}"#),
                try seal(#"{"primaryAccountNumber":"4055510000000004","expiration":"12/30","more":"1"}"#),
                try seal(#"{"primaryAccountNumber":"4055510000000004","primaryAccountNumber":"4055510000000004","expiration":"12/30"}"#),
            ]
            let sealed = try TokenBank.Ask().body()
            let range = try #require(sealed.range(of: #""encryptedAccount":"[^"]*""#, options: .regularExpression))
            for account in accounts {
                let body = sealed.replacingCharacters(in: range, with: #""encryptedAccount":"\#(account)""#)
                let answer = try await bank.bank.send(.post, "/network/v1/decisions", body, bearer: TokenBank.keys[.visa])
                #expect(answer.status == 422 && answer.errorCode == "account-unreadable", "\(answer.body)")
            }
            let spaced = try seal("{ \"expiration\" : \"12/30\" ,\n \"primaryAccountNumber\":\"4055510000000004\" } ")
            let body = sealed.replacingCharacters(in: range, with: #""encryptedAccount":"\#(spaced)""#)
            #expect(try await bank.bank.send(.post, "/network/v1/decisions", body, bearer: TokenBank.keys[.visa])["colour"] == "yellow")
        }
    }
}

extension DecisionPolicy {
    static var tested: Self {
        var policy = Self()
        policy.isTestPhase = true
        return policy
    }
}

extension TokenBank {
    /// What was done about tokens, in order; the chain over it holds.
    func trail() async throws -> [AuditRow] {
        let configuration = tokens.context.host.configuration
        let rows = try await bank.store.database.read { tx in
            try AuditRecords.rows(of: "provisioning", merchant: configuration.issuer, in: tx)
        }
        guard case .intact = AuditChain(key: configuration.keys.audit).verify(rows) else {
            Issue.record("the chain of operators' actions is broken")
            return []
        }
        return rows.filter { $0.action.contains(".") }
    }
}
