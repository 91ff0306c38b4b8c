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
        #expect(outcome.customerText.contains("Verify it before you can pay"))
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
        #expect(run.flow.answerFaults == [AnswerFault(callback: "generateRequestWithCertificateChain", kind: .timedOut)])
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
        #expect(await run.outcome.value == .failed(ApplePayAppError(code: .walletRefused, reason: "")))
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
            try await run.sheet().finish(nil, code)
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
