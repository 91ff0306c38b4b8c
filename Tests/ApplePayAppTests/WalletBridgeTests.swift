import Foundation
import Testing

@testable import ApplePayApp
@testable import PassKitSimulator

@MainActor @Suite struct WalletBridgeTests {
    /// A bank's page in the bank's app on one phone.
    @MainActor
    private final class Page {
        let device: SimulatedDevice
        let bridge: WalletBridge
        let screen = UIViewController()

        init(
            _ device: SimulatedDevice, _ issuer: FakeIssuer = FakeIssuer(), watch: WatchPresence = .none,
            settings: AddPassSettings = AddPassSettings(), language: CustomerLanguage = .english
        ) {
            self.device = device
            let screen = screen
            bridge = SimulatedDevice.$current.withValue(device) {
                WalletBridge(issuer: issuer, inventory: PassInventory { watch }, settings: settings, language: language) {
                    screen.present($0, animated: true)
                }
            }
        }

        func ask(_ call: String, _ card: String = "card-1") async -> String {
            await SimulatedDevice.$current.withValue(device) { await bridge.answer(#"{"call":"\#(call)","card":"\#(card)"}"#) }
        }

        /// Adds the card while a customer plays the script.
        func add(_ script: AddPassScript = AddPassScript()) async throws -> String {
            async let answer = ask("addCard")
            while device.addPassSheet == nil { await Task.yield() }
            try await #require(device.addPassSheet).play(script)
            return await answer
        }
    }

    @Test func pageAddsACardAndSeesItAfterwards() async throws {
        let page = Page(Fixture.phone())
        #expect(await page.ask("showButton") == #"{"result":{"devices":["thisDevice"],"state":2}}"#)
        #expect(await page.ask("containsCard") == #"{"result":false}"#)
        #expect(await page.ask("activationState") == #"{"result":{}}"#)
        #expect(
            try await page.add()
                == #"{"result":{"activation":0,"device":"thisDevice","outcome":"added","text":"Your card ending in 1234 is ready to pay."}}"#
        )
        #expect(await page.ask("showButton") == #"{"result":{"devices":[],"state":1}}"#)
        #expect(await page.ask("containsCard") == #"{"result":true}"#)
        #expect(await page.ask("activationState") == #"{"result":{"thisDevice":0}}"#)
    }

    @Test(arguments: CustomerLanguage.allCases) func pageReadsTheCustomersLanguage(language: CustomerLanguage) async throws {
        let page = Page(Fixture.phone(), language: language)
        let answer = try await page.add(AddPassScript(acceptsTerms: false))
        #expect(answer == #"{"result":{"outcome":"cancelled","text":"\#(AddPassOutcome.cancelled.customerText(in: language))"}}"#)
    }

    @Test func languageIsTheDevicesUnlessGiven() {
        let bridge = WalletBridge(issuer: FakeIssuer(), inventory: PassInventory { .none }) { _ in }
        #expect(bridge.language == CustomerLanguage(preferred: Locale.preferredLanguages))
    }

    @Test func pendingPassIsToldApart() async throws {
        let page = Page(Fixture.phone(FakeBroker { $0.activationState = .requiresActivation }))
        let answer = try await page.add()
        #expect(answer.contains(#""outcome":"pendingActivation""#) && answer.contains(#""activation":1"#))
        #expect(await page.ask("activationState") == #"{"result":{"thisDevice":1}}"#)
    }

    @Test func passOnTheWatchCounts() async {
        let page = Page(Fixture.phone(watch: Fixture.watch(passes: [Fixture.pass(state: .suspended)])), watch: .inReach)
        #expect(await page.ask("containsCard") == #"{"result":true}"#)
        #expect(await page.ask("activationState") == #"{"result":{"watch":3}}"#)
        #expect(await page.ask("showButton") == #"{"result":{"devices":["thisDevice"],"state":2}}"#)
    }

    @Test func cancelledAndFailedFlowsHaveCodes() async throws {
        let page = Page(Fixture.phone())
        #expect(
            try await page.add(AddPassScript(acceptsTerms: false))
                == #"{"result":{"outcome":"cancelled","text":"The card was not added."}}"#)
        let refused = Page(Fixture.phone(), FakeIssuer { $0.refusals = ["configuration": [Fixture.refused]] })
        #expect(await refused.ask("addCard").contains(#""code":"card-closed","outcome":"failed""#))
    }

    @Test func unsupportedDeviceIsNotAskedAboutToTheIssuer() async {
        let issuer = FakeIssuer()
        let page = Page(Fixture.phone { $0.isRestricted = true }, issuer)
        #expect(await page.ask("showButton") == #"{"result":{"devices":[],"state":0}}"#)
        #expect(issuer.now.questions.isEmpty)
    }

    @Test func issuersSwitchHidesTheButton() async throws {
        let issuer = FakeIssuer { $0.eligibility = .disabled(code: "programme-off", reason: "maintenance") }
        let page = Page(Fixture.phone(), issuer)
        #expect(await page.ask("showButton") == #"{"result":{"devices":[],"state":0}}"#)
        let answer = try await SimulatedDevice.$current.withValue(page.device) { try await page.bridge.eligibility(card: "card-1") }
        #expect(answer == .disabledByIssuer(code: "programme-off", reason: "maintenance"))
    }

    @Test func secondFlowAtATimeIsRefused() async throws {
        let page = Page(Fixture.phone())
        async let first = page.ask("addCard")
        while page.device.addPassSheet == nil { await Task.yield() }
        #expect(await page.ask("addCard").contains(#""code":"flow-under-way""#))
        page.device.addPassSheet?.perform(.cancel)
        #expect(await first.contains(#""outcome":"cancelled""#))
        #expect(try await page.add().contains(#""outcome":"added""#))
    }

    @Test func bridgeIsUsableAgainAfterTheScreenWasTakenAway() async throws {
        let timer = ManualTimer()
        let page = Page(Fixture.phone(timer: timer), settings: AddPassSettings { try await timer.sleep($0) })
        let first = Task { await page.ask("addCard") }
        while page.device.addPassSheet == nil { await Task.yield() }
        page.screen.dismiss(animated: false)
        for _ in 0..<2 {
            await timer.untilSomeoneSleeps(for: .milliseconds(400))
            timer.advance(by: .milliseconds(400))
        }
        #expect(await first.value.contains(#""code":"add-pass-screen-gone","outcome":"failed""#))
        #expect(try await page.add().contains(#""outcome":"added""#))
    }

    @Test func unknownOutcomeIsToldApart() async throws {
        let silence = NoBroker.Unreachable()
        let timer = ManualTimer()
        let device = Fixture.phone(FakeBroker { $0.refusals = ["enable": [silence], "passes": [silence, silence]] }, timer: timer)
        let page = Page(device, settings: AddPassSettings { try await timer.sleep($0) })
        let asking = Task { try await page.add() }
        for pause in [AddPassSheet.lookUpPause, AddPassSheet.lookUpPause] + Array(repeating: Duration.milliseconds(200), count: 5) {
            await timer.untilSomeoneSleeps(for: pause)
            timer.advance(by: pause)
        }
        #expect(try await asking.value.contains(#""code":"wallet-unanswered","outcome":"unknown""#))
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"call":"removeCard","card":"card-1"}"#, #"{"call":"showButton"}"#, #"{"call":"showButton","card":1}"#,
    ])
    func messageOfAnotherFormIsRefused(message: String) async {
        let page = Page(Fixture.phone())
        #expect(await page.bridge.answer(message).contains(#""code":"message-malformed""#))
    }

    @Test func refusalsReachThePage() async {
        let page = Page(Fixture.phone(), FakeIssuer { $0.refusals = ["eligibility": [Fixture.refused]] })
        #expect(await page.ask("showButton") == #"{"error":{"code":"card-closed","message":"closed"}}"#)
        #expect(await page.ask("containsCard", "other").contains(#""code":"unknown-card""#))
        #expect(await page.ask("addCard", "other").contains(#""code":"unknown-card""#))
    }

    @Test func cardIsKnownBeforeTheIssuerHearsOfItsReference() async throws {
        let issuer = FakeIssuer { $0.cards[0].primaryAccountIdentifier = "" }
        let page = Page(Fixture.phone(), issuer)
        #expect(await page.ask("showButton") == #"{"result":{"devices":["thisDevice"],"state":2}}"#)
        _ = try await page.add()
        #expect(await page.ask("showButton") == #"{"result":{"devices":[],"state":1}}"#)
        #expect(await page.ask("containsCard") == #"{"result":true}"#)
    }

    /// The link of Wallet, and where the pass that waits is.
    @Test(arguments: [PassHolder.thisDevice, .watch])
    func linkFromWalletActivatesThePassThatWaits(device: PassHolder) async throws {
        let states: [PKSecureElementPass.PassActivationState] =
            device == .thisDevice ? [.requiresActivation, .activated] : [.activated, .requiresActivation]
        var (here, there) = (Fixture.pass(state: states[0]), Fixture.pass(state: states[1]))
        here.deviceAccountIdentifier = "D-phone"
        there.deviceAccountIdentifier = "D-watch"
        let issuer = FakeIssuer()
        let page = Page(Fixture.phone(watch: Fixture.watch(passes: [there]), passes: [here]), issuer)
        let link = "examplebank://wallet?passTypeIdentifier=paymentpass.com.apple&serialNumber=s-1&action=verify"
        try await page.bridge.verify(link: link)
        #expect(issuer.now.activations == [device == .thisDevice ? "card-1 D-phone" : "card-1 D-watch"])
        issuer.change { $0.refusals["activate"] = [Fixture.refused] }
        await #expect(throws: Fixture.refused) { try await page.bridge.verify(link: link) }
        issuer.change { $0.cards = [] }
        await #expect(throws: ApplePayAppError(code: .unknownCard, reason: "")) { try await page.bridge.verify(link: link) }
    }

    @Test(arguments: [
        "", "examplebank://wallet", "examplebank://wallet?passTypeIdentifier=paymentpass.com.apple&serialNumber=s-9&action=verify",
        "examplebank://wallet?passTypeIdentifier=paymentpass.com.apple&serialNumber=s-1&action=open",
        "examplebank://wallet?passTypeIdentifier=other&serialNumber=s-1&action=verify",
        "examplebank://wallet?passTypeIdentifier=paymentpass.com.apple&serialNumber=s-2&action=verify",
    ])
    func linkWithoutAWaitingPassIsRefused(link: String) async {
        let issuer = FakeIssuer()
        let passes = [Fixture.pass(state: .requiresActivation), Fixture.pass("s-2")]
        let page = Page(Fixture.phone(passes: passes), issuer)
        await #expect(throws: ApplePayAppError(code: .noPassToVerify, reason: "")) { try await page.bridge.verify(link: link) }
        #expect(issuer.now.questions.isEmpty)
    }

    @Test func scriptOffersTheCallsThatTheBridgeKnows() async throws {
        let calls = WalletBridge.script.matches(of: /(\w+): \(card\) => ask\("(\w+)", card\)/)
        #expect(calls.map { String($0.output.1) } == ["showButton", "containsCard", "activationState", "addCard"])
        #expect(calls.allSatisfy { $0.output.1 == $0.output.2 })
        #expect(WalletBridge.script.contains("window.\(WalletBridge.handlerName) = "))
        let page = Page(Fixture.phone { $0.isRestricted = true })
        for call in calls { #expect(!(await page.ask(String(call.output.2))).contains("message-malformed")) }
    }
}
