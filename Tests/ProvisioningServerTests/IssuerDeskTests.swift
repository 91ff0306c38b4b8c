import BillfoldServer
import BillfoldWeb
import Testing

@testable import ProvisioningServer

struct IssuerDeskTests {
    private func open(_ body: @Sendable @escaping (TokenBank, IssuerDesk) async throws -> Void) async throws {
        try await TokenBank.open { bank in try await body(bank, try #require(bank.bank.server.desk)) }
    }

    @Test func cardsSwitchesAndDecisionsAreShown() async throws {
        try await open { bank, desk in
            try await bank.provision()
            bank.bank.clock.advance(by: .seconds(1))
            try await bank.provision("token-2", state: .inactive, on: TokenBank.watch, TokenBank.Ask.orange)
            let overview = try await desk.overview()
            #expect(Set(overview.cards.map(\.status.word)) == ["active", "blocked", "closed"])
            #expect(!overview.programmes.map(\.offer.isOn).contains(false))
            let visa = try #require(overview.cards.first { $0.id == "card-visa" })
            #expect(visa.network == "Visa" && visa.suffix == "0004" && visa.tokenCount == 2 && visa.cardholderName == "MEI LIN")
            #expect(
                overview.decisions.map(\.colour) == ["orange", "green"]
                    && overview.decisions.map(\.cardName).allSatisfy { $0.contains("•• 0004") })
            #expect(overview.decisions.first?.recommendation == "The wallet recommended DECLINED, device 5, account 5, phone number 5, 0G")
            #expect(
                overview.reviews.map(\.state.word) == ["waiting"] && overview.reviews.first?.reasons.contains("wallet-high-risk") == true)
            #expect(overview.reviews.first?.device == "Mei's phone (phone)")
        }
    }

    @Test func switchesHoldAndNameWhoeverSetThem() async throws {
        try await open { _, desk in
            let programme = try #require(try await desk.overview().programmes.first?.id)
            #expect(try await desk.switchProgramme(programme, on: false, remark: "fire drill", by: "chen"))
            let state = try #require(try await desk.overview().programmes.first?.offer)
            #expect(!state.isOn && state.remark == "fire drill" && state.changedBy == "chen")
            #expect(try await desk.switchCard("card-visa", on: false, remark: "worn", by: "chen"))
            #expect(try await desk.card("card-visa")?.cardSwitch.isOn == false)
            #expect(try await !desk.switchProgramme("none", on: true, remark: "x", by: "chen"))
            #expect(try await !desk.switchCard("none", on: true, remark: "x", by: "chen"))
        }
    }

    @Test func aTokenIsSuspendedThroughTheNetwork() async throws {
        try await open { bank, desk in
            try await bank.provision()
            #expect(try await desk.act(.suspend, on: "token-1", reason: .other, by: "chen"))
            #expect(try await desk.card("card-visa")?.tokens.first?.pendingAction == "suspend")
            try await bank.work()
            let token = try #require(try await desk.card("card-visa")?.tokens.first)
            #expect(token.state.word == "suspended" && token.suspendedBy == "ISSUER" && token.pendingAction == nil)
            #expect(token.secureElement == TokenBank.phone && token.deviceSuffix == "4321" && token.device == "Mei's phone (phone)")
            #expect(try await !desk.act(.suspend, on: "token-9", reason: .other, by: "chen"))
            await #expect { _ = try await desk.act(.suspend, on: "token-1", reason: .other, by: "chen") } throws: {
                ($0 as? ServerError)?.code == .conflict
            }
        }
    }

    @Test func aLostDeviceAndAReplacedCardReachTheirTokens() async throws {
        try await open { bank, desk in
            try await bank.provision()
            #expect(try await desk.reportLost(secureElement: TokenBank.phone.lowercased(), by: "chen") == 1)
            #expect(try await desk.reportLost(secureElement: TokenBank.watch, by: "chen") == 0)
            #expect(try await desk.replaceCard("card-visa", remark: "worn", by: "chen"))
            #expect(try await !desk.replaceCard("none", remark: "worn", by: "chen"))
            await #expect { _ = try await desk.reportLost(secureElement: "0a", by: "chen") } throws: { $0 is ServerError }
        }
    }

    @Test func theAllowListIsKeptOnceForEachPair() async throws {
        try await open { _, desk in
            for _ in 0..<2 {
                #expect(try await desk.allow(true, card: "card-visa", secureElement: TokenBank.phone, remark: "", by: "chen"))
            }
            let listed = try #require(try await desk.card("card-visa")?.allowList)
            #expect(listed.map(\.secureElement) == [TokenBank.phone] && listed.first?.remark == nil && listed.first?.addedBy == "chen")
            #expect(try await desk.allow(false, card: "card-visa", secureElement: TokenBank.phone.lowercased(), remark: "", by: "chen"))
            #expect(try await desk.overview().allowList.isEmpty)
            #expect(try await !desk.allow(true, card: "none", secureElement: TokenBank.phone, remark: "", by: "chen"))
        }
    }

    @Test func aCardThatIsNotThereHasNoPage() async throws {
        try await open { _, desk in
            let none = try await desk.card("none")
            #expect(none == nil)
        }
    }
}
