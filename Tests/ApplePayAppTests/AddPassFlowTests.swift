import Foundation
import Testing

@testable import ApplePayApp
@testable import PassKitSimulator

@MainActor @Suite struct AddPassFlowTests {
    /// One flow under way on one phone.
    @MainActor
    final class Run {
        let flow: AddPassFlow
        let inventory: PassInventory
        let screen = UIViewController()
        let outcome: Task<AddPassOutcome, Never>

        init(_ device: SimulatedDevice, _ issuer: FakeIssuer, timer: ManualTimer = ManualTimer(), presents: Bool = true) {
            let screen = screen
            var settings = AddPassSettings { try await timer.sleep($0) }
            settings.visibilityPause = .milliseconds(200)
            let (inventory, flow) = SimulatedDevice.$current.withValue(device) {
                let inventory = PassInventory()
                let flow = AddPassFlow(card: FakeIssuer.card, issuer: issuer, inventory: inventory, settings: settings) {
                    if presents { screen.present($0, animated: true) }
                }
                return (inventory, flow)
            }
            self.inventory = inventory
            self.flow = flow
            outcome = SimulatedDevice.$current.withValue(device) { Task { await flow.start() } }
        }

        func sheet() async throws -> AddPassSheet {
            while (screen.presentedViewController as? PKAddPaymentPassViewController)?.sheet == nil { await Task.yield() }
            return try #require((screen.presentedViewController as? PKAddPaymentPassViewController)?.sheet)
        }

        func play(_ script: AddPassScript = AddPassScript()) async throws -> AddPassOutcome {
            try await sheet().play(script)
            return await outcome.value
        }
    }

    private func added(_ outcome: AddPassOutcome) -> AddedPass? {
        if case .added(let pass) = outcome { pass } else { nil }
    }

    private func pending(_ outcome: AddPassOutcome) -> AddedPass? {
        if case .pendingActivation(let pass) = outcome { pass } else { nil }
    }

    @Test func greenCardIsUsable() async throws {
        let issuer = FakeIssuer()
        let broker = FakeBroker()
        let device = Fixture.phone(broker)
        let run = Run(device, issuer)
        let outcome = try await run.play()
        let pass = try #require(added(outcome))
        #expect(pass.device == .thisDevice && pass.activation == .activated && pass.isVisible && pass.suffix == "1234")
        #expect(pass.primaryAccountIdentifier == "V-1" && pass.deviceAccountIdentifier == "D-card-1")
        #expect(outcome.customerText.contains("ready to pay"))
        #expect(run.screen.presentedViewController == nil && run.flow.answerFaults.isEmpty && device.faults.isEmpty)
        let challenge = PassChallenge(
            certificates: FakeBroker.certificates, nonce: Data([0, 0, 0, 1]), nonceSignature: Data(repeating: 0x40, count: 81))
        #expect(issuer.now.challenges == [challenge])
        let card = try #require(broker.now.submissions.first?.card)
        #expect(card.encryptedPassData == Data([1]) && card.activationData == Data([2]) && card.ephemeralPublicKey?.count == 65)
        #expect(card.primaryAccountSuffix == "1234" && card.paymentNetwork == .visa)
    }

    @Test func yellowCardIsNotUsable() async throws {
        let broker = FakeBroker {
            $0.activationState = .requiresActivation
            $0.methods = [FakeBroker.sms]
        }
        let outcome = try await Run(Fixture.phone(broker), FakeIssuer()).play()
        #expect(pending(outcome)?.activation == .requiresActivation && added(outcome) == nil)
        // The same state is a review by the bank, where the customer has nothing to enter.
        #expect(
            outcome.customerText
                == "Your card ending in 1234 is in the wallet and cannot pay yet. If the wallet asks for a proof, give it there; otherwise "
                + "your bank is checking and will tell you.")
        let proved = try await Run(Fixture.phone(broker), FakeIssuer()).play(
            AddPassScript(method: FakeBroker.sms.type) { "123456" })
        #expect(added(proved)?.activation == .activated)
    }

    @Test func watchsPassIsWaitedFor() async throws {
        let timer = ManualTimer()
        let watch = Fixture.watch()
        let device = Fixture.phone(FakeBroker(), watch: watch, timer: timer) { $0.watchSyncDelay = .milliseconds(600) }
        let run = Run(device, FakeIssuer(), timer: timer)
        let sheet = try await run.sheet()
        let playing = Task { await sheet.play(AddPassScript(device: .watch)) }
        await timer.untilSomeoneSleeps(for: .milliseconds(600))
        for _ in 0..<3 {
            await timer.untilSomeoneSleeps(for: .milliseconds(200))
            timer.advance(by: .milliseconds(200))
        }
        await run.answered(timer)
        let pass = try #require(added(await run.outcome.value))
        #expect(pass.device == .watch && pass.isVisible)
        _ = await playing.value
    }

    @Test func passThatTheLibraryHidesIsReportedAndRemembered() async throws {
        let timer = ManualTimer()
        let device = Fixture.phone(FakeBroker { $0.applications = ["OTHER.app"] }, timer: timer)
        let run = Run(device, FakeIssuer(), timer: timer)
        let sheet = try await run.sheet()
        let playing = Task { await sheet.play(AddPassScript()) }
        for _ in 0..<5 {
            await timer.untilSomeoneSleeps(for: .milliseconds(200))
            timer.advance(by: .milliseconds(200))
        }
        _ = await playing.value
        let pass = try #require(added(await run.outcome.value))
        #expect(!pass.isVisible)
        #expect(run.inventory.passes(account: "V-1") == [HeldPass(device: .thisDevice, activation: .activated, isVisible: false)])
    }

    // MARK: Without a pass

    @Test func customerMayCancel() async throws {
        let run = Run(Fixture.phone(), FakeIssuer())
        try await run.sheet().perform(.cancel)
        #expect(await run.outcome.value == .cancelled && run.screen.presentedViewController == nil)
    }

    @Test func refusalOfTheHostEndsTheFlowAtOnce() async throws {
        let device = Fixture.phone()
        let issuer = FakeIssuer { $0.refusals = ["passData": [Fixture.refused]] }
        let outcome = try await Run(device, issuer).play()
        #expect(outcome == .failed(Fixture.refused))
        #expect(outcome.customerText.contains("contact your bank") && !outcome.customerText.contains("card-closed"))
        #expect(device.faults.map(\.code) == [.addRequestIncomplete] && issuer.now.challenges.count == 1)
    }

    @Test func unfitPassDataIsNotHandedOn() async throws {
        let broker = FakeBroker()
        let issuer = FakeIssuer {
            $0.passData = IssuerPassData(encryptedPassData: Data([1]), activationData: nil, key: .ephemeralPublicKey(Data(count: 91)))
        }
        #expect(try await Run(Fixture.phone(broker), issuer).play() == .failed(ApplePayAppError(code: .passDataUnfit, reason: "")))
        #expect(broker.now.submissions.isEmpty)
    }

    @Test func unansweredHostIsAskedAgainWithTheSameChallenge() async throws {
        let timer = ManualTimer()
        let issuer = FakeIssuer { $0.refusals = ["passData": [Fixture.unanswered, Fixture.unanswered]] }
        let run = Run(Fixture.phone(timer: timer), issuer, timer: timer)
        let sheet = try await run.sheet()
        let playing = Task { await sheet.play(AddPassScript()) }
        for pause in [Duration.milliseconds(500), .seconds(1)] {
            await timer.untilSomeoneSleeps(for: pause)
            timer.advance(by: pause)
        }
        _ = await playing.value
        #expect(added(await run.outcome.value) != nil)
        #expect(issuer.now.challenges.count == 3 && Set(issuer.now.challenges).count == 1)
        #expect(run.flow.answerFaults.isEmpty)
    }

    @Test func hostThatAnswersTooLateIsAnsweredForOnce() async throws {
        let timer = ManualTimer()
        let device = Fixture.phone(timer: timer)
        let issuer = FakeIssuer(beforePassData: { try? await timer.sleep(.seconds(60)) })
        let run = Run(device, issuer, timer: timer)
        let sheet = try await run.sheet()
        let playing = Task { await sheet.play(AddPassScript()) }
        await timer.untilSomeoneSleeps(for: .seconds(15))
        await timer.untilSomeoneSleeps(for: .seconds(60))
        timer.advance(by: .seconds(15))
        _ = await playing.value
        #expect(await run.outcome.value == .failed(ApplePayAppError(code: .requestTimedOut, reason: "")))
        timer.advance(by: .seconds(60))
        await run.settled(issuer)
        // Neither the wallet's own limit nor a second call of its handler was ever met.
        #expect(device.faults.map(\.code) == [.addRequestIncomplete])
        #expect(
            run.flow.answerFaults
                == [.timedOut, .fulfilledLate].map {
                    AnswerFault(callback: "generateRequestWithCertificateChain", kind: $0)
                })
    }

    @Test func answerAfterTheCustomerLeftIsDropped() async throws {
        let timer = ManualTimer()
        let device = Fixture.phone(timer: timer)
        let issuer = FakeIssuer(beforePassData: { try? await timer.sleep(.seconds(3)) })
        let run = Run(device, issuer, timer: timer)
        let sheet = try await run.sheet()
        await sheet.settle()
        sheet.perform(.next)
        await timer.untilSomeoneSleeps(for: .seconds(3))
        sheet.perform(.cancel)
        #expect(await run.outcome.value == .cancelled)
        timer.advance(by: .seconds(3))
        await run.settled(issuer)
        #expect(device.faults.isEmpty && run.flow.answerFaults.isEmpty)
    }

    @Test func walletsErrorIsNoProofThatNothingWasAdded() async throws {
        let timer = ManualTimer()
        let broker = FakeBroker { $0.refusals = ["enable": [BrokerError(status: 500, code: 40456)]] }
        let device = Fixture.phone(broker, timer: timer)
        let run = Run(device, FakeIssuer(), timer: timer)
        let sheet = try await run.sheet()
        let playing = Task { await sheet.play(AddPassScript()) }
        for _ in 0..<2 {
            await timer.untilSomeoneSleeps(for: .milliseconds(200))
            timer.advance(by: .milliseconds(200))
        }
        await timer.untilSomeoneSleeps(for: .milliseconds(200))
        // The broker had done its work before its answer was lost.
        broker.change { $0.passes[Fixture.phoneID] = [Fixture.pass()] }
        try await device.refreshPasses()
        timer.advance(by: .milliseconds(200))
        _ = await playing.value
        #expect(added(await run.outcome.value)?.serialNumber == "s-1")
    }

    @Test func walletThatRefusesIsAskedBeforeItIsBelieved() async throws {
        let timer = ManualTimer()
        let device = Fixture.phone(
            FakeBroker { $0.refusals = ["add": [BrokerError(status: 403, code: 40001)]] }, passes: [Fixture.pass("old")], timer: timer)
        let run = Run(device, FakeIssuer(), timer: timer)
        let sheet = try await run.sheet()
        let playing = Task { await sheet.play(AddPassScript()) }
        for _ in 0..<5 {
            await timer.untilSomeoneSleeps(for: .milliseconds(200))
            timer.advance(by: .milliseconds(200))
        }
        _ = await playing.value
        let outcome = await run.outcome.value
        #expect(outcome == .failed(ApplePayAppError(code: .walletRefused, reason: "")))
        #expect(outcome.customerText == "The wallet did not take the card. Please look there before you try again.")
    }

    @Test func enablingWithoutAnAnswerIsUnknownAndNeverAFailure() async throws {
        let timer = ManualTimer()
        let silence = NoBroker.Unreachable()
        let device = Fixture.phone(FakeBroker { $0.refusals = ["enable": [silence], "passes": [silence, silence]] }, timer: timer)
        let run = Run(device, FakeIssuer(), timer: timer)
        let sheet = try await run.sheet()
        let playing = Task { await sheet.play(AddPassScript()) }
        for _ in 0..<2 {
            await timer.untilSomeoneSleeps(for: AddPassSheet.lookUpPause)
            timer.advance(by: AddPassSheet.lookUpPause)
        }
        _ = await playing.value
        await run.answered(timer)
        let outcome = await run.outcome.value
        #expect(outcome == .unknown(ApplePayAppError(code: .walletUnanswered, reason: "")))
        #expect(outcome.customerText.contains("not certain yet") && !outcome.customerText.contains("not added"))
    }

    @Test func lostAnswerOfEnablingIsLookedUpBeforeAnythingIsSaid() async throws {
        let outcome = try await Run(Fixture.phone(FakeBroker { $0.lost = ["enable"] }), FakeIssuer()).play()
        #expect(added(outcome)?.activation == .activated)
    }

    // MARK: A screen that others take away

    /// The phase in which the screen goes, and what is known of the card then.
    @Test(arguments: [AddPassState.Phase.introduction, .waitingForApp, .terms], [false, true])
    func screenThatOthersTakeAwayEndsTheFlowOnce(phase: AddPassState.Phase, isReplaced: Bool) async throws {
        let timer = ManualTimer()
        let issuer = FakeIssuer(beforePassData: { if phase == .waitingForApp { try? await timer.sleep(.seconds(3)) } })
        let run = Run(Fixture.phone(timer: timer), issuer, timer: timer)
        let sheet = try await run.sheet()
        let controller = try #require(run.screen.presentedViewController as? PKAddPaymentPassViewController)
        await sheet.settle()
        if phase != .introduction { sheet.perform(.next) }
        while sheet.state.phase != phase { await Task.yield() }
        run.screen.dismiss(animated: false)
        if isReplaced { run.screen.present(UIViewController(), animated: false) }
        await run.answered(timer)
        let error = ApplePayAppError(code: .screenGone, reason: "")
        let outcome = await run.outcome.value
        // After the sealed card was handed over, nobody can say that nothing was added.
        #expect(outcome == (phase == .terms ? .unknown(error) : .failed(error)))
        #expect(outcome.customerText.contains(phase == .terms ? "not certain yet" : "was closed"))
        timer.advance(by: .seconds(3))
        await run.settled(issuer)
        #expect(run.flow.answerFaults.isEmpty)
        // What comes afterwards changes nothing, and is told apart.
        run.flow.addPaymentPassViewController(controller, didFinishAdding: nil, error: nil)
        #expect(run.flow.answerFaults == [AnswerFault(callback: "didFinishAdding", kind: .calledLate)])
    }

    @Test func passThatIsEnabledBehindAScreenThatIsGoneIsFound() async throws {
        let timer = ManualTimer()
        let broker = FakeBroker(beforeEnabling: { try? await timer.sleep(.seconds(1)) })
        let run = Run(Fixture.phone(broker, timer: timer), FakeIssuer(), timer: timer)
        let sheet = try await run.sheet()
        let playing = Task { await sheet.play(AddPassScript()) }
        await timer.untilSomeoneSleeps(for: .seconds(1))
        run.screen.dismiss(animated: false)
        await run.answered(timer)
        #expect(added(await run.outcome.value)?.serialNumber == "serial-card-1")
        _ = await playing.value
    }

    @Test func secondFinishIsHeldBackAndReported() async throws {
        let run = Run(Fixture.phone(), FakeIssuer())
        let sheet = try await run.sheet()
        let controller = try #require(run.screen.presentedViewController as? PKAddPaymentPassViewController)
        await sheet.play(AddPassScript())
        run.flow.addPaymentPassViewController(controller, didFinishAdding: nil, error: PKAddPaymentPassError.userCancelled.passKitError)
        #expect(added(await run.outcome.value) != nil)
        #expect(run.flow.answerFaults == [AnswerFault(callback: "didFinishAdding", kind: .calledTwice)])
    }

    // MARK: Before the screen

    @Test(arguments: [
        (ApplePayAppError.Code.serverUnanswered, "unanswered"), (.configurationUnfit, "suffix"), (.unknownScheme, "scheme"),
        (.notPresented, "entitlement"), (.notPresented, "screen"),
    ])
    func nothingIsShownForWhatCannotWork(code: ApplePayAppError.Code, why: String) async {
        let issuer = FakeIssuer {
            if why == "unanswered" { $0.refusals = ["configuration": [Fixture.unanswered]] }
            if why == "suffix" { $0.configuration.primaryAccountSuffix = "0000" }
            if why == "scheme" { $0.configuration.encryptionScheme = "" }
        }
        let device = Fixture.phone { $0.app.mayAddPasses = why != "entitlement" }
        let run = Run(device, issuer, presents: why != "screen")
        guard case .failed(let error) = await run.outcome.value else {
            Issue.record("the flow must fail")
            return
        }
        #expect(error.code == code && run.screen.presentedViewController == nil)
    }

    /// The same two numbers mean other things in the pass library: here they are the add-pass screen's.
    @Test func errorCodesAreReadAsTheScreens() async throws {
        for (code, expected) in [
            (PKAddPaymentPassError.userCancelled, AddPassOutcome.cancelled),
            (.unsupported, .failed(ApplePayAppError(code: .walletUnsupported, reason: ""))),
        ] {
            let run = Run(Fixture.phone(), FakeIssuer())
            try await run.sheet().finish(nil, code.passKitError)
            #expect(await run.outcome.value == expected)
        }
    }
}

extension AddPassFlowTests.Run {
    /// Lets time pass until the flow has ended.
    fileprivate func answered(_ timer: ManualTimer) async {
        let isOver = OneBit()
        Task {
            _ = await outcome.value
            isOver.set()
        }
        while !isOver.value {
            timer.advance(by: .milliseconds(200))
            await Task.yield()
        }
    }

    /// Returns when the host has answered every question that reached it, and the flow has read the answers.
    fileprivate func settled(_ issuer: FakeIssuer) async {
        while issuer.now.questions.filter({ $0 == "passData" }).count < issuer.now.challenges.count { await Task.yield() }
        for _ in 0..<50 { await Task.yield() }
    }
}

@MainActor
private final class OneBit {
    private(set) var value = false
    func set() { value = true }
}
