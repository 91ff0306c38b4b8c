import BillfoldDiagnosis
import BillfoldTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ProvisioningServer

@Suite struct SessionTests {
    @Test(arguments: StoreEngine.available)
    func customersSeeTheirOwnCardsForAQuarterOfAnHour(engine: StoreEngine) async throws {
        try await Bank.open(engine) { bank in
            let token = try await bank.logIn()
            let list = try await bank.send(.get, "/provisioning/v1/cards", bearer: token)
            #expect(list.status == 200)
            let cards = try #require(list.json["cards"] as? [[String: Any]])
            #expect(cards.map { $0["id"] as? String } == ["card-mastercard", "card-unionpay", "card-visa"])
            #expect(cards[2]["suffix"] as? String == "0004")
            #expect(cards[2]["network"] as? String == "visa")
            #expect(cards[2]["primaryAccountIdentifier"] as? String == "")
            bank.clock.advance(by: .seconds(899))
            #expect(try await bank.send(.get, "/provisioning/v1/cards", bearer: token).status == 200)
            bank.clock.advance(by: .seconds(1))
            let late = try await bank.send(.get, "/provisioning/v1/cards", bearer: token)
            #expect(late.status == 401)
            #expect(late.errorCode == "session-expired")
        }
    }

    @Test func sessionsAreOpenedByTheBankAlone() async throws {
        try await Bank.open { bank in
            let token = try await bank.logIn()
            let body = #"{"customer":"c-1","device":"phone-1"}"#
            for bearer in [nil, "bk_test_another_key_that_is_long", token] {
                let answer = try await bank.send(.post, "/provisioning/v1/sessions", body, bearer: bearer)
                #expect(answer.status == 401)
                #expect(answer.errorCode == "unauthorized")
            }
            for bearer in [nil, "pst_unknown", Bank.apiKey] {
                #expect(try await bank.send(.get, "/provisioning/v1/cards", bearer: bearer).errorCode == "unauthorized")
            }
            #expect(try await bank.server.callerKeys.revoke(Secret(Bank.apiKey)))
            #expect(try await bank.send(.post, "/provisioning/v1/sessions", body, bearer: Bank.apiKey).errorCode == "unauthorized")
        }
    }

    /// A back end whose key was ended is told so, and not that it shows none.
    @Test func whyACredentialIsNotTakenIsSaid() async throws {
        try await TokenBank.open { tokens in
            let bank = tokens.bank
            let token = try await bank.logIn()
            func said(_ path: String, _ bearer: String?) async throws -> String {
                let answer = try await bank.send(.get, path, bearer: bearer)
                #expect(answer.status == 401 && answer.errorCode == "unauthorized", "\(answer.body)")
                return (answer.json["error"] as? [String: Any])?["reason"] as? String ?? ""
            }
            for path in ["/provisioning/v1/tokens", "/provisioning/v1/events", "/bank/v1/tokens"] {
                #expect(try await said(path, nil).contains("shows no credential"), "\(path)")
                #expect(try await said(path, token).contains("a session's token is shown"), "\(path)")
                #expect(try await said(path, "bk_test_another_key_that_is_long").contains("not the registered one"), "\(path)")
            }
            #expect(try await said("/provisioning/v1/cards", Bank.apiKey).contains("pst_"))
            #expect(try await bank.server.callerKeys.revoke(Secret(Bank.apiKey)))
            let ended = try await said("/provisioning/v1/tokens", Bank.apiKey)
            #expect(ended.contains("was ended") && ended.contains("the bank's API key") && !ended.contains(Bank.apiKey), "\(ended)")
        }
    }

    @Test(arguments: [
        #"{"customer":"c-1"}"#, #"{"customer":"c-1","device":"p","more":1}"#, #"{"customer":"","device":"p"}"#, "[]", "{",
        #"{"customer":"c-1","customer":"c-2","device":"p"}"#,
    ])
    func bodiesAreReadStrictly(body: String) async throws {
        try await Bank.open { bank in
            let answer = try await bank.send(.post, "/provisioning/v1/sessions", body, bearer: Bank.apiKey)
            #expect(answer.status == 400)
            #expect(answer.errorCode == "malformed-request")
        }
    }

    @Test func aSilentProcessorKeepsOutOnlyStrangers() async throws {
        try await Bank.open { bank in
            _ = try await bank.logIn()
            bank.cards.fallSilent()
            _ = try await bank.logIn()
            let stranger = try await bank.send(
                .post, "/provisioning/v1/sessions", #"{"customer":"c-2","device":"p"}"#, bearer: Bank.apiKey)
            #expect(stranger.status == 503)
            #expect(stranger.errorCode == "processor-unavailable")
            bank.clock.advance(by: .seconds(86_400))
            _ = try await bank.logIn()
            bank.clock.advance(by: .microseconds(1))
            let late = try await bank.send(
                .post, "/provisioning/v1/sessions", #"{"customer":"c-1","device":"p"}"#, bearer: Bank.apiKey)
            #expect(late.errorCode == "processor-unavailable")
        }
    }

    @Test(arguments: StoreEngine.available)
    func onlyTheKeysThatAreNamedOpenSessions(engine: StoreEngine) async throws {
        try await Bank.open(engine) { bank in
            let other = "bk_test_the_key_that_follows_it_0123456789"
            func code(_ key: String) async throws -> String? {
                try await bank.send(.post, "/provisioning/v1/sessions", #"{"customer":"c-1","device":"p"}"#, bearer: key).errorCode
            }
            let keys = bank.server.callerKeys
            #expect(try await code(Bank.apiKey) == nil)
            try await keys.replace(with: [(.bank, Secret(other))])
            #expect(try await code(Bank.apiKey) == "unauthorized")
            #expect(try await code(other) == nil)
            try await keys.replace(with: [(.bank, Secret(Bank.apiKey)), (.network(.visa), Secret(other))])
            #expect(try await code(Bank.apiKey) == nil)
            #expect(try await code(other) == "unauthorized")
            for bad in [[(ProvisioningCaller.bank, "short")], [(.bank, other), (.network(.visa), other)]] {
                await #expect(throws: ProvisioningError.self) { try await keys.replace(with: bad.map { ($0.0, Secret($0.1)) }) }
            }
            #expect(try await code(Bank.apiKey) == nil)
        }
    }
}
