import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import Foundation
import HTTPTypes
import PaymentCrypto
import Testing

@testable import ProvisioningServer

@Suite struct CardTests {
    @Test func eligibilityFollowsSwitchesAndStatus() async throws {
        try await Bank.open { bank in
            let (one, two) = (try await bank.logIn(), try await bank.logIn("c-2"))
            func code(_ card: String, _ token: String) async throws -> String? {
                let answer = try await bank.send(.get, "/provisioning/v1/cards/\(card)/eligibility", bearer: token)
                if answer.status != 200 { return answer.errorCode }
                #expect((answer.json["enabled"] as? Bool) == (answer["code"] == nil))
                return answer["code"]
            }
            #expect(try await code("card-visa", one) == nil)
            #expect(try await code("card-blocked", two) == "card-blocked")
            #expect(try await code("card-closed", two) == "card-closed")
            // Another customer's card and one that does not exist are one answer.
            #expect(try await code("card-visa", two) == "card-not-found")
            #expect(try await code("card-none", two) == "card-not-found")
            try await bank.server.switches.set(card: "card-visa", isOn: false, remark: "fraud wave", by: "ada")
            #expect(try await code("card-visa", one) == "switched-off")
            try await bank.server.switches.set(card: "card-visa", isOn: true, remark: "over", by: "ada")
            #expect(try await code("card-visa", one) == nil)
            try await bank.server.switches.set(programme: "visa-credit", isOn: false, remark: "release", by: "ada")
            #expect(try await code("card-visa", one) == "switched-off")
            #expect(try await code("card-blocked", two) == "switched-off")
            #expect(try await code("card-mastercard", one) == nil)
            try await bank.server.switches.set(programme: "visa-credit", isOn: true, remark: "done", by: "bob")
            #expect(try await code("card-visa", one) == nil)
            let state = try await bank.server.switches.states().first { $0.programme.id == "visa-credit" }
            #expect(state?.isOn == true)
            #expect(state?.lastChange?.by == "bob")
        }
    }

    @Test func switchesAreAudited() async throws {
        try await Bank.open { bank in
            _ = try await bank.logIn()
            try await bank.server.switches.set(programme: "visa-credit", isOn: false, remark: "release", by: "ada")
            try await bank.server.switches.set(card: "card-visa", isOn: false, remark: "call", by: "bob")
            await #expect(throws: ProvisioningError.self) {
                try await bank.server.switches.set(card: "card-none", isOn: false, remark: "call", by: "bob")
            }
            let issuer = try BillfoldPayments.MerchantID("bank")
            let rows = try await bank.store.database.read { tx in try AuditRecords.rows(of: "provisioning", merchant: issuer, in: tx) }
            #expect(rows.map(\.action) == ["programme off", "card off"])
            #expect(rows.map(\.actor) == ["ada", "bob"])
        }
    }

    @Test func configurationDataFillPassKitsRequest() async throws {
        try await Bank.open { bank in
            let token = try await bank.logIn()
            try await bank.store.database.write { tx in
                try CardRecords.assign(
                    primaryAccountIdentifier: "V-9900000001", card: "card-visa", at: Timestamp(microseconds: 1), in: tx)
            }
            let answer = try await bank.send(.get, "/provisioning/v1/cards/card-visa/configuration", bearer: token)
            #expect(answer.status == 200)
            #expect(
                answer.body
                    == #"{"cardDetails":[{"label":"Card","value":"•••• 0004"}],"cardholderName":"MEI LIN","encryptionScheme":"EV_ECC_v2","localizedDescription":"Two Leaves Visa","paymentNetwork":"Visa","primaryAccountIdentifier":"V-9900000001","primaryAccountSuffix":"0004","productIdentifiers":[],"requiresFelicaSecureElement":false,"style":"payment"}"#
            )
            let closed = try await bank.send(.get, "/provisioning/v1/cards/card-closed/configuration", bearer: try await bank.logIn("c-2"))
            #expect(closed.status == 403)
            #expect(closed.errorCode == "card-closed")
        }
    }

    @Test(arguments: StoreEngine.available)
    func importsFollowTheProcessorAndKeepTheBanksOwnWord(engine: StoreEngine) async throws {
        try await Bank.open(engine) { bank in
            _ = try await bank.logIn()
            let database = bank.store.database
            try await bank.server.switches.set(card: "card-visa", isOn: false, remark: "call", by: "bob")
            try await database.write { tx in
                try CardRecords.assign(
                    primaryAccountIdentifier: "V-9900000001", card: "card-visa", at: Timestamp(microseconds: 1), in: tx)
            }
            bank.cards.change("card-visa") {
                $0.number = Bank.visaNumberAfterwards
                $0.status = .blocked
            }
            _ = try await bank.logIn()
            let found = try await database.read { tx in try CardRecords.find("card-visa", in: tx) }
            let card = try #require(found)
            #expect(card.suffix == "0012")
            #expect(card.numberVersion == 2)
            #expect(card.status == .blocked)
            #expect(!card.isEnabled)
            #expect(card.primaryAccountIdentifier == "V-9900000001")
            let secrets = try bank.server.context.vault.open(card)
            #expect(secrets.primaryAccountNumber.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } == Bank.visaNumberAfterwards)
            #expect(secrets.expiration == "12/30")
            let (new, old) = (
                bank.server.context.vault.hash(ofNumber: Bank.visaNumberAfterwards.utf8),
                bank.server.context.vault.hash(ofNumber: Bank.visaNumber.utf8)
            )
            try await database.read { tx in
                let found = try CardRecords.find(numberHash: new, in: tx)
                #expect(found?.id == "card-visa")
                let former = try CardRecords.find(numberHash: old, in: tx)
                #expect(former == nil)
            }
        }
    }

    @Test(arguments: StoreEngine.available)
    func whatCannotBeTakenOverIsBlockedAndKeepsNoOtherOut(engine: StoreEngine) async throws {
        try await Bank.open(engine) { bank in
            _ = try await bank.logIn()
            bank.cards.change("card-visa") { $0.isReadable = false }
            bank.cards.change("card-mastercard") { $0.status = .closed }
            bank.cards.change("card-unionpay") { $0.network = .visa }
            let token = try await bank.logIn()
            func statuses(_ token: String) async throws -> [String?] {
                let list = try await bank.send(.get, "/provisioning/v1/cards", bearer: token)
                return (list.json["cards"] as? [[String: Any]] ?? []).map { $0["status"] as? String }
            }
            #expect(try await statuses(token) == ["closed", "blocked", "blocked"])
            bank.cards.change("card-visa") { $0.isReadable = true }
            bank.cards.change("card-unionpay") { $0.network = .unionPay }
            #expect(try await statuses(try await bank.logIn()) == ["closed", "active", "active"])
            bank.cards.change("card-visa") { $0.number = Bank.blockedNumber }
            _ = try await bank.logIn("c-2")
            #expect(try await statuses(try await bank.logIn()) == ["closed", "active", "blocked"])
        }
    }

    @Test(arguments: StoreEngine.available)
    func anAnswerThatWasAskedForEarlierOverwritesNothing(engine: StoreEngine) async throws {
        try await Bank.open(engine) { bank in
            _ = try await bank.logIn()
            bank.cards.meanwhile {
                bank.clock.advance(by: .seconds(1))
                bank.cards.change("card-visa") { $0.status = .blocked }
                _ = try await bank.logIn()
            }
            let token = try await bank.logIn()
            let answer = try await bank.send(.get, "/provisioning/v1/cards/card-visa/eligibility", bearer: token)
            #expect(answer["code"] == "card-blocked")
        }
    }

    @Test func aProcessorsAnswerIsReadCardByCard() async throws {
        let good =
            #"{"id":"a","primaryAccountNumber":"4055510000000004","expiration":"12/30","cardholderName":"N","network":"visa","#
            + #""customer":"c-1","status":"active","contacts":[]}"#
        let lost = good.replacingOccurrences(of: "active", with: "lost").replacingOccurrences(of: #""id":"a""#, with: #""id":"b""#)
        func answer(_ body: String) async throws -> SourceAnswer {
            try await ProcessorCardSource(http: OneAnswer(body: body), address: "https://p.example", credential: Secret("key"))
                .cards(of: "c-1")
        }
        let mixed = try await answer(#"{"cards":[\#(lost),\#(good)]}"#)
        #expect(mixed.cards.map(\.id) == ["a"] && mixed.unreadable == ["b"] && !mixed.hasUnnamed)
        for nameless in ["7", #"{"id":7}"#] {
            let found = try await answer(#"{"cards":[\#(nameless),\#(good)]}"#)
            #expect(found.cards.map(\.id) == ["a"] && found.unreadable.isEmpty && found.hasUnnamed)
        }
        // Two that contradict each other, in either order.
        let closed = good.replacingOccurrences(of: "active", with: "closed")
        for twice in ["\(good),\(closed)", "\(closed),\(good)"] {
            let found = try await answer(#"{"cards":[\#(twice)]}"#)
            #expect(found.cards.isEmpty && found.unreadable == ["a"])
        }
        for body in ["{}", "[]", #"{"cards":7}"#, #"{"cards":[\#(good),"#, ""] {
            let error = await #expect(throws: ProvisioningError.self) { try await answer(body) }
            #expect(error?.code == .processorAnswer)
        }
    }

    @Test func onlyTheProcessorsOwnWordMakesACustomerUnknown() async throws {
        func code(_ status: HTTPResponse.Status, _ body: String) async -> ProvisioningError.Code? {
            let source = ProcessorCardSource(
                http: OneAnswer(status: status, body: body), address: "https://p.example", credential: Secret("key"))
            return await #expect(throws: ProvisioningError.self) { try await source.cards(of: "c-1") }?.code
        }
        let word = #"{"error":{"code":"customer-unknown","reason":"there is no such customer"}}"#
        #expect(await code(.notFound, word) == .customerNotFound)
        #expect(await code(.badGateway, word) == .processorUnavailable)
        for other in ["", "<html>", "[]", #"{"error":{"code":"not-found"}}"#, #"{"error":"customer-unknown"}"#] {
            #expect(await code(.notFound, other) == .processorUnavailable, "\(other)")
        }
    }

    @Test func onlyTheProcessorsOwnWordMakesACardUnknown() async throws {
        let number = SecretBytes(Array(Bank.visaNumber.utf8))
        func ask(_ status: HTTPResponse.Status, _ body: String) async throws -> String? {
            try await ProcessorCardSource(
                http: OneAnswer(status: status, body: body), address: "https://p.example", credential: Secret("key")
            ).customer(ofCardNumbered: number)
        }
        let word = #"{"error":{"code":"card-unknown","reason":"there is no such card"}}"#
        #expect(try await ask(.notFound, word) == nil)
        #expect(try await ask(.ok, #"{"customer":"c-1"}"#) == "c-1")
        for (status, body) in [
            (HTTPResponse.Status.notFound, ""), (.notFound, "<html>"), (.notFound, #"{"error":{"code":"not-found"}}"#),
            (.methodNotAllowed, word), (.serviceUnavailable, word), (.unauthorized, word),
        ] {
            let error = await #expect(throws: ProvisioningError.self) { _ = try await ask(status, body) }
            #expect(error?.code == .processorUnavailable, "\(status) \(body)")
        }
        for body in ["", "{}", #"{"customer":""}"#, #"{"customer":7}"#, #"{"customer":"c-1","more":1}"#] {
            let error = await #expect(throws: ProvisioningError.self) { _ = try await ask(.ok, body) }
            #expect(error?.code == .processorAnswer, "\(body)")
        }
    }

    @Test func changesAreReadCardByCard() async throws {
        let card =
            #"{"id":"a","primaryAccountNumber":"4055510000000004","expiration":"12/30","cardholderName":"N","network":"visa","#
            + #""customer":"c-1","status":"blocked","contacts":[]}"#
        func ask(_ body: String) async throws -> CardChanges {
            try await ProcessorCardSource(http: OneAnswer(body: body), address: "https://p.example", credential: Secret("key"))
                .changes(after: "7")
        }
        let found = try await ask(#"{"cards":[\#(card),{"id":"b"}],"next":"9","more":true}"#)
        #expect(found.place == "9" && found.hasMore && found.answer.cards.map(\.id) == ["a"] && found.answer.unreadable == ["b"])
        for body in ["{}", #"{"cards":[],"more":false}"#, #"{"cards":[],"next":"9"}"#, #"{"cards":7,"next":"9","more":false}"#] {
            let error = await #expect(throws: ProvisioningError.self) { _ = try await ask(body) }
            #expect(error?.code == .processorAnswer, "\(body)")
        }
    }

    @Test func anAnswerThatDoesNotEndInTimeIsNone() async throws {
        let source = ProcessorCardSource(
            http: EndlessAnswer(), address: "https://p.example", credential: Secret("key"), timeout: .milliseconds(20))
        let error = await #expect(throws: ProvisioningError.self) { try await source.cards(of: "c-1") }
        #expect(error?.code == .processorUnavailable)
    }

    /// Byte after byte, each of them in time.
    private struct EndlessAnswer: HTTPSender {
        func send(_ request: OutgoingRequest) async throws(SendFailure) -> OutgoingAnswer {
            while (try? await Task.sleep(for: .seconds(86_400))) != nil {}
            throw SendFailure(code: .connectionLost, reason: "given up", mayHaveArrived: true)
        }
    }

    private struct OneAnswer: HTTPSender {
        var status = HTTPResponse.Status.ok
        var body: String
        func send(_ request: OutgoingRequest) async throws(SendFailure) -> OutgoingAnswer {
            OutgoingAnswer(status: status, headers: [:], body: Array(body.utf8))
        }
    }

    @Test func contactsAreOpenedWithoutTheNumber() async throws {
        try await Bank.open { bank in
            _ = try await bank.logIn()
            let found = try await bank.store.database.read { tx in try CardRecords.find("card-visa", in: tx) }
            var card = try #require(found)
            let vault = bank.server.context.vault
            #expect(try vault.open(card).contacts.map(\.identifier) == ["sms-1"])
            card.sealed[30] ^= 1
            #expect(try vault.contacts(of: card).map(\.identifier) == ["sms-1"])
            #expect(throws: (any Error).self) { try vault.open(card) }
            for short in [[], [2], [2, 0], [2, 0xFF, 0xFF, 1]] as [[UInt8]] {
                card.sealed = short
                #expect(throws: (any Error).self) { try vault.open(card) }
                #expect(throws: (any Error).self) { try vault.contacts(of: card) }
            }
        }
    }

    @Test func rowsOfOneEnvelopeAreStillOpened() async throws {
        try await Bank.open { bank in
            _ = try await bank.logIn()
            let found = try await bank.store.database.read { tx in try CardRecords.find("card-visa", in: tx) }
            var card = try #require(found)
            let vault = bank.server.context.vault
            let number = StrictBase64.encode(Array(Bank.visaNumber.utf8))
            let joint = #"{"number":"\#(number)","expiration":"12/30","contacts":[{"identifier":"a","type":"phone","value":"1"}]}"#
            var generator = SeededGenerator(seed: 1, label: "envelope")
            card.sealed = try vault.sealer.seal(Array(joint.utf8), context: Array("card:card-visa".utf8), using: &generator)
            #expect(try vault.open(card).primaryAccountNumber == SecretBytes(utf8: Bank.visaNumber))
            #expect(try vault.open(card).expiration == "12/30")
            #expect(try vault.contacts(of: card).map(\.identifier) == ["a"])
        }
    }

    @Test func sealedNumbersStayWithTheirRow() async throws {
        try await Bank.open { bank in
            _ = try await bank.logIn()
            let cards = try await bank.store.database.read { tx in try CardRecords.find(customer: "c-1", in: tx) }
            var moved = try #require(cards.first)
            moved.sealed = try #require(cards.last).sealed
            #expect(throws: (any Error).self) { try bank.server.context.vault.open(moved) }
        }
    }

    @Test(arguments: ["4055510000000009", "40555100000000", "405551000000000A", "405551", "4055 5100 0000 0004"])
    func whatIsNoCardNumberIsNotTakenOver(number: String) throws {
        #expect(throws: ProvisioningError.self) {
            try SourceCard(
                id: "x", customer: "c", network: .visa, status: .active, cardholderName: "N",
                secrets: CardSecrets(primaryAccountNumber: SecretBytes(Array(number.utf8)), expiration: "12/30", contacts: []))
        }
    }
}
