import ApplePayApp
import BillfoldSandbox
import BillfoldTrace
import PassKitSimulator
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5))) struct BankPhoneSessionTests {
    @Test func greenIsReadyAndTheWatchIsOfferedNext() async throws {
        let fixture = BankFixture()
        let phone = try await fixture.phone()
        #expect(phone.screen.cards.first?.button.kind == .add && phone.screen.customer?.name == "Mei Lin")
        try await phone.add()
        #expect(phone.screen.sheet?.activationState == .activated)
        let closed = try await phone.finish()
        #expect(closed.outcome?.kind == .ready && closed.outcome?.text == "The card is in your phone and can pay.")
        #expect(closed.outcome?.story == "http://127.0.0.1:8081/stories/attempt-1")
        try phone.perform(BankTap(.continue))
        let after = await phone.until { $0.cards.first?.button.kind == .addToWatch }
        #expect(after.outcome == nil && after.cards.first?.button.reason == "In this phone's wallet, ready to use.")
        #expect(after.passes.map(\.state) == [.activated] && after.passes.first?.network == "visa")
        #expect(after.watch?.passes.isEmpty == true)
        try await phone.add(to: .watch)
        _ = try await phone.finish()
        let both = await phone.until { $0.cards.first?.button.kind == .added }
        #expect(both.watch?.passes.map(\.state) == [.activated] && both.passes.count == 1)
    }

    @Test func yellowIsUsableOnceTheCodeIsRight() async throws {
        let fixture = BankFixture()
        fixture.bank.set { $0.colour = .yellow }
        let phone = try await fixture.phone()
        try await phone.add()
        try phone.perform(BankTap(.chooseMethod, "text"))
        await phone.until { $0.sheet?.phase == .enteringCode && !$0.inbox.isEmpty }
        #expect(phone.screen.inbox.last?.text == "Code 482913")
        try phone.perform(BankTap(.enterCode, "000000"))
        await phone.until { $0.sheet?.message == "The code is not correct." }
        try phone.perform(BankTap(.enterCode, StandInBank.code))
        await phone.until { $0.sheet?.phase == .added }
        #expect(try await phone.finish().outcome?.kind == .ready)
    }

    @Test func yellowPutOffIsPendingAndProvedInTheWallet() async throws {
        let fixture = BankFixture()
        fixture.bank.set { $0.colour = .yellow }
        let phone = try await fixture.phone()
        try await phone.add()
        try phone.perform(BankTap(.later))
        await phone.until { $0.sheet?.phase == .added }
        #expect(try await phone.finish().outcome?.kind == .pending)
        try phone.perform(BankTap(.continue))
        await phone.until { $0.passes.first?.methods.count == 2 }
        try phone.perform(BankTap(.switchTo, "wallet"))
        try phone.perform(BankTap(.verifyPass, phone.screen.passes.first?.id))
        try phone.perform(BankTap(.requestPassCode, "text"))
        await phone.until { $0.setUp?.phase == .entering }
        try phone.perform(BankTap(.enterPassCode, "1"))
        await phone.until { $0.setUp?.message == "The code is not correct." }
        try phone.perform(BankTap(.enterPassCode, StandInBank.code))
        let proved = await phone.until { $0.setUp == nil }
        #expect(proved.passes.map(\.state) == [.activated])
    }

    @Test func theAppVouchesForItsCustomer() async throws {
        let fixture = BankFixture()
        fixture.bank.set { $0.colour = .yellow }
        let phone = try await fixture.phone()
        try await phone.add()
        try phone.perform(BankTap(.chooseMethod, "app"))
        await phone.until { $0.sheet?.phase == .added }
        let asked = try await phone.finish()
        #expect(asked.outcome == nil && asked.prompt?.title == "Is this you?")
        try phone.perform(BankTap(.confirm))
        await phone.until { $0.prompt == nil }
        await phone.until { $0.passes.map(\.state) == [.activated] }
        #expect(fixture.bank.asked.contains("POST /provisioning/v1/cards/visa-1/activations"))
    }

    /// Two cards with the same last digits are two cards, and the customer vouches for the one that the wallet asked about.
    @Test func cardsWithTheSameLastDigitsAreKeptApart() async throws {
        let fixture = BankFixture()
        fixture.bank.set {
            $0.colour = .yellow
            $0.hasTwin = true
        }
        let phone = try await fixture.phone()
        try await phone.add("mastercard-1")
        try phone.perform(BankTap(.chooseMethod, "app"))
        await phone.until { $0.sheet?.phase == .added }
        #expect(try await phone.finish().prompt != nil)
        let added = await phone.until { $0.cards.last?.button.kind == .addToWatch }
        #expect(added.cards.map(\.button.kind) == [.add, .addToWatch] && added.cards.first?.button.reason == nil)
        #expect(added.passes.map(\.card) == ["mastercard-1"] && added.passes.map(\.displayName) == ["Travel"])
        try phone.perform(BankTap(.decline))
        for device in [DeviceKind.phone, .watch] {
            try await phone.add("visa-1", to: device)
            try phone.perform(BankTap(.later))
            await phone.until { $0.sheet?.phase == .added }
            _ = try await phone.finish()
            try phone.perform(BankTap(.continue))
        }
        let all = await phone.until { $0.cards.first?.button.kind == .finishSetUp }
        #expect(all.cards.last?.button.kind == .addToWatch)
        try phone.perform(BankTap(.finishSetUp, "visa-1"))
        let setUp = await phone.until { $0.setUp != nil }
        #expect(setUp.passes.first { $0.id == setUp.setUp?.pass }?.card == "visa-1")
        try phone.perform(BankTap(.laterPass))
        try phone.perform(BankTap(.verifyPass, all.passes.first { $0.card == "mastercard-1" }?.id))
        try phone.perform(BankTap(.requestPassCode, "app"))
        await phone.until { $0.prompt != nil }
        try phone.perform(BankTap(.confirm))
        await phone.until { $0.passes.first { $0.card == "mastercard-1" }?.state == .activated }
        #expect(fixture.bank.asked.contains("POST /provisioning/v1/cards/mastercard-1/activations"))
        #expect(!fixture.bank.asked.contains("POST /provisioning/v1/cards/visa-1/activations"))
    }

    /// Before the bank has heard of a pass, its digits tell whose it is only where no other card has them.
    @Test(arguments: [(true, nil), (false, "visa-1")]) func lastDigitsTellACardOnlyWhereTheyAreItsOwn(hasTwin: Bool, card: String?)
        async throws
    {
        let fixture = BankFixture()
        fixture.bank.set {
            $0.hasTwin = hasTwin
            $0.isBehind = true
        }
        let phone = try await fixture.phone()
        try await phone.add("visa-1")
        _ = try await phone.finish()
        let after = await phone.until { $0.passes.count == 1 }
        #expect(after.passes.first?.card == card)
        fixture.bank.set { $0.isBehind = false }
        try phone.perform(BankTap(.continue))
        try phone.perform(BankTap(.refresh))
        await phone.until { $0.passes.first?.card == "visa-1" }
    }

    @Test func orangeLeavesNothingForTheCustomerToDo() async throws {
        let fixture = BankFixture()
        fixture.bank.set { $0.colour = .orange }
        let phone = try await fixture.phone()
        try await phone.add()
        #expect(try await phone.finish().outcome?.kind == .review)
        try phone.perform(BankTap(.continue))
        let after = await phone.until { $0.passes.count == 1 }
        #expect(after.passes.first?.methods == [] && after.passes.first?.note?.contains("gets in touch") == true)
        #expect(throws: SandboxRefusal.self) { try phone.perform(BankTap(.verifyPass, after.passes.first?.id)) }
    }

    @Test func redAddsNothingAndSaysSo() async throws {
        let fixture = BankFixture()
        fixture.bank.set { $0.colour = .red }
        let phone = try await fixture.phone()
        try await phone.add()
        #expect(phone.screen.sheet?.phase == .failed)
        let closed = try await phone.finish()
        #expect(closed.outcome?.kind == .refused && closed.outcome?.code == "wallet-refused" && closed.passes.isEmpty)
    }

    @Test func anAnswerThatIsLostForGoodIsNotToldAsARefusal() async throws {
        let fixture = BankFixture()
        let phone = try await fixture.phone()
        fixture.bank.set { $0.isNetworkSilent = true }
        try await phone.add()
        #expect(phone.screen.sheet?.phase == .failed)
        let closed = try await phone.finish()
        #expect(closed.outcome?.kind == .unknown && closed.outcome?.code == "wallet-unanswered")
        #expect(closed.outcome?.title == "Not certain yet")
    }

    @Test func whatTheBankDoesShowsOnPhoneAndWatch() async throws {
        let fixture = BankFixture()
        let phone = try await fixture.phone()
        try await phone.add()
        _ = try await phone.finish()
        fixture.bank.set { state in
            for key in state.passes.keys { state.passes[key]?[0].activationState = .suspended }
        }
        await phone.until { $0.passes.first?.state == .suspended }
        await phone.until { $0.cards.first?.button.reason == "In this phone's wallet, suspended." }
        fixture.bank.set { $0.passes = [:] }
        await phone.until { $0.passes.isEmpty && $0.cards.first?.button.kind == .add }
    }

    @Test func theSwitchAndTheDeviceTakeTheButtonAway() async throws {
        let fixture = BankFixture()
        fixture.bank.set { $0.isSwitchedOn = false }
        let off = try await fixture.phone().screen.cards.first?.button
        #expect(off?.kind == .unavailable && off?.code == "switched-off")
        let unable = try await fixture.phone(.withoutWallet).screen.cards.first?.button
        #expect(unable?.kind == .unavailable && unable?.reason == "This phone cannot hold cards.")
    }

    @Test func customerWhomTheBankDoesNotKnowIsToldAndStaysOutside() async throws {
        let phone = BankFixture().directory.open(.trusted)
        try phone.perform(BankTap(.logIn, "c-2"))
        let refused = await phone.until { $0.problem != nil }
        #expect(refused.customer == nil && refused.problem?.code == "log-in-refused")
    }

    @Test func customerOfTheBanksOwnHoldsAPhoneOfTheirOwn() async throws {
        let fixture = BankFixture()
        let phone = try await fixture.phone()
        let shared = phone.device.configuration.secureElementID
        try await phone.add()
        _ = try await phone.finish()
        try phone.perform(BankTap(.continue))
        try phone.perform(BankTap(.logOut))
        try phone.perform(BankTap(.logIn, "own-c-1"))
        let theirs = await phone.until { !$0.cards.isEmpty }
        #expect(theirs.customer?.id == "own-c-1" && theirs.passes.isEmpty && phone.device.configuration.secureElementID != shared)
        #expect(theirs.cards.first?.button.kind == .add)
        // The phone that everybody shares is as it was.
        try phone.perform(BankTap(.logOut))
        try phone.perform(BankTap(.logIn, "c-1"))
        await phone.until { !$0.passes.isEmpty }
        #expect(phone.device.configuration.secureElementID == shared)
        // One that was taken up as somebody's stays theirs.
        let owned = fixture.directory.open(.trusted, of: "trigger")
        try owned.perform(BankTap(.logIn, "c-1"))
        await owned.until { !$0.cards.isEmpty }
        #expect(owned.screen.passes.isEmpty && owned.device.configuration.secureElementID != shared)
    }

    @Test(arguments: [
        BankTap(.logIn), BankTap(.logIn, ""), BankTap(.logIn, String(repeating: "c", count: 65)), BankTap(.logOut), BankTap(.add, "visa-1"),
        BankTap(.next), BankTap(.done), BankTap(.confirm),
        BankTap(.verifyPass, "x"), BankTap(.removePass, "x"), BankTap(.enterPassCode, "1"), BankTap(.continue), BankTap(.switchTo, "shop"),
        BankTap(.finishSetUp, "visa-1"), BankTap(.laterPass), BankTap(.requestPassCode, "text"), BankTap(.refresh), BankTap(.cancel),
    ])
    func whatTheScreenDoesNotOfferIsRefused(tap: BankTap) {
        let phone = BankFixture().directory.open(.trusted)
        #expect { try phone.perform(tap) } throws: { ($0 as? SandboxRefusal)?.code == "not-on-screen" }
    }

    /// What a tap is refused with, and what is offered instead.
    private func refusal(_ tap: BankTap, of phone: BankPhoneSession) -> (code: String, reason: String, offers: [TapOffer])? {
        do throws(SandboxRefusal) {
            try phone.perform(tap)
            return nil
        } catch {
            return (error.code, error.reason, error.offers ?? [])
        }
    }

    /// The sheet takes in each phase what it shows there, and the app below takes nothing.
    @Test func theSheetTakesWhatItsPhaseOffersAndSaysWhatThatIs() async throws {
        let fixture = BankFixture()
        fixture.bank.set { $0.colour = .yellow }
        let phone = try await fixture.phone()
        let outside: [BankTap] = [.init(.logOut), .init(.switchTo, "wallet"), .init(.add, "visa-1"), .init(.refresh), .init(.continue)]
        func judge(_ tap: BankTap, offered: [String]) {
            let refused = refusal(tap, of: phone)
            #expect(refused?.code == "not-on-screen" && refused?.offers.map(\.action) == offered, "\(tap): \(String(describing: refused))")
        }
        try phone.perform(BankTap(.add, "visa-1"))
        await phone.until { $0.sheet?.phase == .introduction }
        for tap in outside + [.init(.acceptTerms), .init(.done), .init(.later), .init(.enterCode, "1"), .init(.chooseDevice, "x")] {
            judge(tap, offered: ["next", "cancel"])
        }
        #expect(phone.screen.sheet?.phase == .introduction && phone.screen.front == .bank)
        try phone.perform(BankTap(.next))
        let choosing = await phone.until { $0.sheet?.phase == .choosingDevice }
        let elsewhere = try #require(refusal(BankTap(.chooseDevice, "another"), of: phone))
        let devices = choosing.sheet?.devices.map(\.id) ?? []
        #expect(elsewhere.offers == [.init(BankAction.chooseDevice, of: devices), .init(BankAction.cancel)])
        #expect(elsewhere.reason.contains("with that value") && elsewhere.reason.contains(devices.first ?? "none"))
        try phone.perform(BankTap(.chooseDevice, devices.first))
        await phone.until { $0.sheet?.phase == .terms }
        for tap in [BankTap(.next), .init(.done)] { judge(tap, offered: ["acceptTerms", "declineTerms", "cancel"]) }
        try phone.perform(BankTap(.acceptTerms))
        await phone.until { $0.sheet?.phase == .choosingMethod }
        for tap in [BankTap(.done), .init(.enterCode, "482913"), .init(.chooseMethod, "fax")] {
            judge(tap, offered: ["chooseMethod", "later", "cancel"])
        }
        try phone.perform(BankTap(.chooseMethod, "text"))
        await phone.until { $0.sheet?.phase == .enteringCode }
        for tap in [BankTap(.done), .init(.enterCode), .init(.enterCode, "")] {
            judge(tap, offered: ["enterCode", "chooseMethod", "later", "cancel"])
        }
        // The cross means that it is proved later.
        try phone.perform(BankTap(.cancel))
        await phone.until { $0.sheet?.phase == .added }
        judge(BankTap(.later), offered: ["done", "cancel"])
        _ = try await phone.finish()
        judge(BankTap(.add, "mastercard-1"), offered: ["switchTo", "continue"])
    }

    @Test func theWalletTakesWhatItShows() async throws {
        let fixture = BankFixture()
        fixture.bank.set { $0.colour = .yellow }
        let phone = try await fixture.phone()
        try await phone.add()
        try phone.perform(BankTap(.later))
        await phone.until { $0.sheet?.phase == .added }
        _ = try await phone.finish()
        await phone.until { $0.passes.first?.methods.count == 2 }
        let pass = try #require(phone.screen.passes.first?.id)
        for tap in [BankTap(.verifyPass, pass), .init(.removePass, pass), .init(.listOffers)] {
            #expect(refusal(tap, of: phone)?.code == "not-on-screen", "\(tap): the wallet is not in front")
        }
        try phone.perform(BankTap(.switchTo, "wallet"))
        // The bank's app is not in front.
        for tap in [BankTap(.add, "mastercard-1"), .init(.logOut), .init(.refresh), .init(.finishSetUp, "visa-1"), .init(.continue)] {
            #expect(refusal(tap, of: phone)?.offers.map(\.action) == ["switchTo", "verifyPass", "removePass", "listOffers"], "\(tap)")
        }
        try phone.perform(BankTap(.verifyPass, pass))
        for tap in [BankTap(.enterPassCode, "482913"), .init(.removePass, pass), .init(.listOffers), .init(.requestPassCode, "fax")] {
            #expect(refusal(tap, of: phone)?.offers.map(\.action) == ["switchTo", "laterPass", "requestPassCode"], "\(tap)")
        }
        try phone.perform(BankTap(.laterPass))
        #expect(phone.screen.setUp == nil && phone.screen.passes.map(\.id) == [pass])
    }

    @Test func nothingOfASessionIsLeftBehindAfterLoggingOut() async throws {
        let fixture = BankFixture()
        let phone = try await fixture.phone()
        try phone.perform(BankTap(.logOut))
        #expect(phone.screen.cards.isEmpty && phone.screen.customer == nil && phone.screen.inbox.isEmpty)
        // What was reported shows neither the session's token nor a code.
        #expect(fixture.trace.entries.contains { $0.title == "eligibility" && $0.from == "bank-app" && $0.to == "issuer" })
        #expect(!fixture.trace.entries.contains { "\($0)".contains("token-of-the-session") })
    }
}
