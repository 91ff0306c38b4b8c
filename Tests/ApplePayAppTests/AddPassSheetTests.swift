import Foundation
import Testing

@testable import PassKitSimulator

@MainActor @Suite final class AddPassSheetTests {
    /// Kept as an app keeps its screens: a controller's delegate is weak.
    private var screens: [BankScreen] = []

    private func configuration(
        _ scheme: PKEncryptionScheme = .ECC_V2, _ adjust: (PKAddPaymentPassRequestConfiguration) -> Void = { _ in }
    ) throws -> PKAddPaymentPassRequestConfiguration {
        let configuration = try #require(PKAddPaymentPassRequestConfiguration(encryptionScheme: scheme))
        configuration.cardholderName = "MEI LIN"
        configuration.primaryAccountSuffix = "1234"
        configuration.localizedDescription = "Example Visa"
        configuration.paymentNetwork = .visa
        configuration.cardDetails = [PKLabeledValue(label: "Kind", value: "Debit")]
        adjust(configuration)
        return configuration
    }

    /// One flow, presented, answering the request at once unless told otherwise.
    private func present(
        on device: SimulatedDevice, answers: Bool = true, _ configuration: PKAddPaymentPassRequestConfiguration? = nil
    ) throws -> (BankScreen, AddPassSheet) {
        let screen = BankScreen()
        screens.append(screen)
        if answers { screen.onRequest = { $0(BankScreen.request()) } }
        let configuration = try configuration ?? self.configuration()
        let sheet = try SimulatedDevice.$current.withValue(device) {
            let controller = try #require(PKAddPaymentPassViewController(requestConfiguration: configuration, delegate: screen))
            screen.present(controller, animated: true)
            return try #require(controller.sheet)
        }
        return (screen, sheet)
    }

    // MARK: Before the flow

    @Test func unknownSchemeMakesNoConfiguration() {
        #expect(PKAddPaymentPassRequestConfiguration(encryptionScheme: PKEncryptionScheme(rawValue: "")) == nil)
        #expect(PKAddPaymentPassRequestConfiguration(encryptionScheme: .RSA_V2)?.requiresFelicaSecureElement == false)
        #expect(PKEncryptionScheme.ECC_V2.rawValue == "EV_ECC_v2" && PKEncryptionScheme.RSA_V2.rawValue == "EV_RSA_v2")
    }

    @Test(arguments: AddPassRule.allCases)
    func brokenRuleMakesNoController(rule: AddPassRule) throws {
        let device = Fixture.phone {
            if rule == .deviceCannotAdd { $0.isRestricted = true }
            if rule == .notEntitled { $0.app.mayAddPasses = false }
        }
        let configuration = try configuration {
            guard rule == .nameAndSuffixMissing else { return }
            $0.cardholderName = ""
            $0.primaryAccountSuffix = nil
        }
        SimulatedDevice.$current.withValue(device) {
            #expect(PKAddPaymentPassViewController(requestConfiguration: configuration, delegate: nil) == nil)
            #expect(PKAddPaymentPassViewController.canAddPaymentPass() == (rule != .deviceCannotAdd))
        }
        #expect(device.faults == [DeviceFault(code: .addPassRefused, reason: rule.rawValue)])
    }

    @Test func nameOrSuffixAloneIsEnough() throws {
        try SimulatedDevice.$current.withValue(Fixture.phone()) {
            let nameless = try configuration { $0.cardholderName = nil }
            #expect(PKAddPaymentPassViewController(requestConfiguration: nameless, delegate: nil) != nil)
            let suffixless = try configuration { $0.primaryAccountSuffix = nil }
            #expect(PKAddPaymentPassViewController(requestConfiguration: suffixless, delegate: nil) != nil)
        }
    }

    @Test func secondControllerOverTheFirstIsRefused() throws {
        let device = Fixture.phone()
        let (screen, _) = try present(on: device)
        try SimulatedDevice.$current.withValue(device) {
            let other = try #require(PKAddPaymentPassViewController(requestConfiguration: try configuration(), delegate: screen))
            screen.present(other, animated: true)
            #expect(other.sheet == nil)
        }
        #expect(device.faults.map(\.code) == [.presentedOverAnother])
    }

    // MARK: The way to a pass

    @Test func cardIsAddedStepByStep() async throws {
        let broker = FakeBroker()
        let device = Fixture.phone(broker)
        let (screen, sheet) = try present(on: device)
        await sheet.settle()
        #expect(sheet.state.phase == .introduction && sheet.state.suffix == "1234" && sheet.state.cardholderName == "MEI LIN")
        #expect(sheet.state.details == [.init(label: "Kind", value: "Debit")] && sheet.state.network == "Visa")
        #expect(device.addPassSheet === sheet)
        sheet.perform(.next)
        await sheet.settle()
        #expect(sheet.state.phase == .terms && sheet.state.termsURL == "https://bank.example/terms")
        #expect(device.passes.isEmpty)
        sheet.perform(.acceptTerms)
        await sheet.settle()
        #expect(sheet.state.phase == .added && sheet.state.activationState == .activated && screen.finishes.isEmpty)
        sheet.perform(.done)
        await sheet.settle()
        #expect(sheet.state.phase == .closed && device.addPassSheet == nil && screen.presentedViewController == nil)
        #expect(screen.finishes.count == 1 && screen.finishes[0].error == nil)
        let pass = try #require(screen.finishes[0].pass)
        #expect(pass.passActivationState == .activated && pass.activationState == .activated && !pass.isRemotePass)
        #expect(pass.primaryAccountIdentifier == "V-1" && pass.deviceAccountNumberSuffix == "9876" && pass.deviceName == "iPhone")
        #expect(
            screen.challenges
                == [
                    .init(
                        certificates: FakeBroker.certificates, nonce: Data([0, 0, 0, 1]), nonceSignature: Data(repeating: 0x40, count: 81))
                ])
        #expect(device.faults.isEmpty)
        let posted = broker.now.submissions
        #expect(posted.count == 1 && posted[0].card.app == Fixture.bankApp && posted[0].card.publicKeyHash == Data([7]))
        #expect(posted[0].card.ephemeralPublicKey == Data([4]) && posted[0].card.wrappedKey == nil)
        #expect(posted[0].device == device.identity && posted[0].device.appleAccount == "trusted@example.com")
        #expect(broker.now.schemes == [.ECC_V2])
    }

    @Test func statesTellTheWholeStory() async throws {
        let (_, sheet) = try present(on: Fixture.phone())
        let states = sheet.states()
        await sheet.play(AddPassScript())
        var phases: [AddPassState.Phase] = []
        for await state in states { phases.append(state.phase) }
        #expect(phases == [.introduction, .fetchingCertificates, .waitingForApp, .adding, .terms, .enabling, .added, .closed])
        var after: [AddPassState.Phase] = []
        for await state in sheet.states() { after.append(state.phase) }
        #expect(after == [.closed])
    }

    @Test func tapOnWhatIsNotThereDoesNothing() async throws {
        let (screen, sheet) = try present(on: Fixture.phone())
        await sheet.settle()
        for action in [AddPassSheet.Action.acceptTerms, .done, .later, .enterCode("1"), .chooseDevice("x"), .chooseMethod("m-1")] {
            sheet.perform(action)
            #expect(sheet.state.phase == .introduction)
        }
        #expect(screen.finishes.isEmpty)
    }

    // MARK: Devices

    @Test func pairedWatchIsOfferedAndTakesThePass() async throws {
        let broker = FakeBroker()
        let watch = Fixture.watch()
        let device = Fixture.phone(broker, watch: watch)
        let (screen, sheet) = try present(on: device)
        await sheet.settle()
        sheet.perform(.next)
        await sheet.settle()
        #expect(sheet.state.phase == .choosingDevice)
        #expect(
            sheet.state.devices.map(\.kind) == [.phone, .watch] && sheet.state.devices.map(\.id) == [Fixture.phoneID, Fixture.watchID])
        sheet.perform(.chooseDevice("nobody"))
        await sheet.settle()
        #expect(sheet.state.phase == .choosingDevice)
        await sheet.play(AddPassScript(device: .watch))
        #expect(watch.passes.count == 1 && device.passes.isEmpty)
        #expect(screen.finishes[0].pass?.isRemotePass == true && screen.finishes[0].pass?.deviceName == "Mei's watch")
        #expect(broker.now.submissions.map(\.device.secureElementID) == [Fixture.watchID])
    }

    /// Who holds the account's pass, whether the watch is in reach, and whom the flow offers.
    @Test(arguments: [
        (phoneHolds: false, watchHolds: false, reachable: true, account: "V-1", offered: [Fixture.phoneID, Fixture.watchID]),
        (true, false, true, "V-1", [Fixture.watchID]),
        (false, true, true, "V-1", [Fixture.phoneID]),
        // Nobody is left: every filter is ignored.
        (true, true, true, "V-1", [Fixture.phoneID, Fixture.watchID]),
        (true, false, true, "", [Fixture.phoneID, Fixture.watchID]),
        (true, false, true, "V-2", [Fixture.phoneID, Fixture.watchID]),
        (true, false, false, "V-1", [Fixture.phoneID]),
    ])
    func devicesAreFiltered(phoneHolds: Bool, watchHolds: Bool, reachable: Bool, account: String, offered: [String]) async throws {
        let broker = FakeBroker()
        let watch = Fixture.watch(passes: watchHolds ? [Fixture.pass()] : []) { $0.isReachable = reachable }
        let device = Fixture.phone(broker, watch: watch, passes: phoneHolds ? [Fixture.pass()] : [])
        let (_, sheet) = try present(on: device, try configuration { $0.primaryAccountIdentifier = account })
        await sheet.settle()
        sheet.perform(.next)
        await sheet.settle()
        #expect(sheet.state.devices.map(\.id) == (offered.count > 1 ? offered : []))
        #expect(sheet.state.selectedDevice == (offered.count > 1 ? nil : offered[0]))
        sheet.perform(.cancel)
    }

    @Test func felicaFilterHidesDevicesWithoutItUnlessNoneIsLeft() async throws {
        for phoneHasFelica in [true, false] {
            let device = Fixture.phone(watch: Fixture.watch()) { $0.hasFelica = phoneHasFelica }
            let (_, sheet) = try present(on: device, try configuration { $0.requiresFelicaSecureElement = true })
            await sheet.settle()
            sheet.perform(.next)
            await sheet.settle()
            #expect(sheet.state.devices.count == (phoneHasFelica ? 0 : 2))
            sheet.perform(.cancel)
        }
    }

    // MARK: The app's answer

    @Test func answerThatNeverComesEndsTheFlow() async throws {
        let timer = ManualTimer()
        let broker = FakeBroker()
        let device = Fixture.phone(broker, timer: timer)
        let (screen, sheet) = try present(on: device, answers: false)
        await sheet.settle()
        sheet.perform(.next)
        await timer.untilSomeoneSleeps(for: .seconds(20))
        #expect(sheet.state.phase == .waitingForApp)
        timer.advance(by: .milliseconds(19_999))
        #expect(sheet.state.phase == .waitingForApp)
        timer.advance(by: .milliseconds(1))
        await sheet.settle()
        #expect(sheet.state.phase == .failed && screen.finishes.isEmpty)
        #expect(device.faults.map(\.code) == [.unanswered])
        // Late: ignored, and recorded.
        screen.handler?(BankScreen.request())
        #expect(device.faults.map(\.code) == [.unanswered, .answeredLate])
        sheet.perform(.done)
        await sheet.settle()
        #expect(screen.finishes.count == 1 && screen.finishes[0].pass == nil)
        #expect(screen.finishes[0].error?.domain == PKPassKitErrorDomain && screen.finishes[0].error?.code == 2)
        #expect(broker.now.submissions.isEmpty)
    }

    @Test func secondAnswerIsIgnored() async throws {
        let broker = FakeBroker()
        let device = Fixture.phone(broker)
        let (screen, sheet) = try present(on: device, answers: false)
        screen.onRequest = { handler in
            handler(BankScreen.request())
            let other = BankScreen.request()
            other.encryptedPassData = Data([9])
            handler(other)
        }
        await sheet.play(AddPassScript())
        #expect(device.faults.map(\.code) == [.answeredTwice])
        #expect(broker.now.submissions.map(\.card.encryptedPassData) == [Data([1])])
        #expect(screen.finishes[0].pass != nil)
    }

    @Test(arguments: [
        (PKEncryptionScheme.ECC_V2, "encryptedPassData"), (.ECC_V2, "ephemeralPublicKey"), (.RSA_V2, "encryptedPassData"),
        (.RSA_V2, "wrappedKey"),
    ])
    func incompleteRequestIsNotPosted(scheme: PKEncryptionScheme, field: String) async throws {
        for absence in [nil, Data()] {
            let broker = FakeBroker()
            let device = Fixture.phone(broker)
            let (screen, sheet) = try present(on: device, answers: false, try configuration(scheme))
            screen.onRequest = { handler in
                let request = BankScreen.request()
                // The other scheme's key is no help.
                if scheme == .ECC_V2 { request.wrappedKey = Data([5]) }
                if scheme == .RSA_V2, field != "wrappedKey" { request.wrappedKey = Data([5]) }
                if field == "encryptedPassData" { request.encryptedPassData = absence }
                if field == "ephemeralPublicKey" { request.ephemeralPublicKey = absence }
                if field == "wrappedKey" { request.wrappedKey = absence }
                handler(request)
            }
            await sheet.play(AddPassScript())
            #expect(device.faults == [DeviceFault(code: .addRequestIncomplete, reason: "\(field) missing")])
            #expect(screen.finishes[0].error?.code == 2 && broker.now.submissions.isEmpty)
        }
    }

    @Test func absentActivationDataIsAWarning() async throws {
        let device = Fixture.phone()
        let (screen, sheet) = try present(on: device, answers: false)
        screen.onRequest = { handler in
            let request = BankScreen.request()
            request.activationData = nil
            handler(request)
        }
        await sheet.play(AddPassScript())
        #expect(device.faults.map(\.code) == [.activationDataMissing])
        #expect(screen.finishes[0].pass != nil)
    }

    @Test func rsaPostsTheWrappedKeyAlone() async throws {
        let broker = FakeBroker()
        let (screen, sheet) = try present(on: Fixture.phone(broker), answers: false, try configuration(.RSA_V2))
        screen.onRequest = { handler in
            let request = BankScreen.request()
            request.wrappedKey = Data([5])
            handler(request)
        }
        await sheet.play(AddPassScript())
        let card = broker.now.submissions.first?.card
        #expect(card?.wrappedKey == Data([5]) && card?.ephemeralPublicKey == nil && card?.scheme == .RSA_V2)
    }

    // MARK: Ends without a pass

    @Test(arguments: ["challenge", "add", "enable"])
    func brokersRefusalIsCoarseToTheAppAndWholeInTheLog(step: String) async throws {
        let refusals: [any Error] = [BrokerError(status: 403, code: 40001, reason: "Invalid Card"), NoBroker.Unreachable()]
        for (refusal, code) in zip(refusals, [DeviceFault.Code.brokerRefused, .brokerUnanswered]) {
            // What became of a card that was enabled without an answer is not known.
            if step == "enable", code == .brokerUnanswered { continue }
            let device = Fixture.phone(FakeBroker { $0.refusals = [step: [refusal]] })
            let (screen, sheet) = try present(on: device)
            let last = await sheet.play(AddPassScript())
            #expect(last.phase == .failed && last.message == "Could Not Add Card")
            #expect(screen.finishes.count == 1 && screen.finishes[0].pass == nil && screen.finishes[0].error?.code == 2)
            #expect(device.faults.map(\.code) == [code] && device.passes.isEmpty)
            if code == .brokerRefused { #expect(device.faults[0].reason.hasSuffix("403, code 40001 Invalid Card")) }
        }
    }

    /// The broker did its work; its answer was lost, or damaged into an error.
    @Test(arguments: [nil, BrokerError(status: 500, code: 40456)])
    func lostAnswerOfEnablingIsLookedUpAtTheBroker(damaged: BrokerError?) async throws {
        let broker = FakeBroker {
            $0.lost = damaged == nil ? ["enable"] : []
            $0.refusals = damaged.map { ["enable": [$0]] } ?? [:]
            if damaged != nil { $0.passes[Fixture.phoneID] = [Fixture.pass("card-1")] }
        }
        if damaged != nil { broker.change { $0.passes[Fixture.phoneID]?[0].cardID = "card-1" } }
        let device = Fixture.phone(broker)
        let (screen, sheet) = try present(on: device)
        let last = await sheet.play(AddPassScript())
        #expect(last.phase == .added && device.passes.map(\.cardID) == ["card-1"])
        #expect(screen.finishes.count == 1 && screen.finishes[0].pass != nil && screen.finishes[0].error == nil)
    }

    @Test func enablingThatNobodyAnswersForIsUnknown() async throws {
        let timer = ManualTimer()
        let silence = NoBroker.Unreachable()
        let device = Fixture.phone(
            FakeBroker { $0.refusals = ["enable": [silence], "passes": [silence, silence]] }, timer: timer)
        let (screen, sheet) = try present(on: device)
        let playing = Task { await sheet.play(AddPassScript()) }
        for _ in 0..<2 {
            await timer.untilSomeoneSleeps(for: AddPassSheet.lookUpPause)
            timer.advance(by: AddPassSheet.lookUpPause)
        }
        #expect(await playing.value.message == "Your Card May Not Have Been Added")
        #expect(screen.finishes.count == 1 && screen.finishes[0].pass == nil)
        #expect(screen.finishes[0].error?.code == PKPassKitError.Code.unknownError.rawValue && device.passes.isEmpty)
    }

    @Test func passThatIsEnabledBehindAScreenThatIsGoneIsInTheWallet() async throws {
        let timer = ManualTimer()
        let device = Fixture.phone(FakeBroker(beforeEnabling: { try? await timer.sleep(.seconds(3)) }), timer: timer)
        let (screen, sheet) = try present(on: device)
        let playing = Task { await sheet.play(AddPassScript()) }
        await timer.untilSomeoneSleeps(for: .seconds(3))
        screen.dismiss(animated: true)
        timer.advance(by: .seconds(3))
        while device.passes.isEmpty { await Task.yield() }
        _ = await playing.value
        #expect(screen.finishes.isEmpty && device.passes.map(\.activationState) == [.activated])
    }

    @Test(arguments: [AddPassState.Phase.introduction, .choosingDevice, .waitingForApp, .terms])
    func customerMayTurnBackUntilHeAgreed(phase: AddPassState.Phase) async throws {
        let timer = ManualTimer()
        let device = Fixture.phone(watch: Fixture.watch(), timer: timer)
        let (screen, sheet) = try present(on: device, answers: phase != .waitingForApp)
        while sheet.state.phase != phase {
            await sheet.settle()
            switch sheet.state.phase {
            case .introduction where phase != .introduction: sheet.perform(.next)
            case .choosingDevice where phase != .choosingDevice: sheet.perform(.chooseDevice(Fixture.phoneID))
            default: break
            }
            if phase == .waitingForApp, sheet.state.phase == .choosingDevice { await timer.untilSomeoneSleeps(for: .seconds(20)) }
        }
        sheet.perform(phase == .terms ? .declineTerms : .cancel)
        #expect(sheet.state.phase == .closed && screen.finishes.count == 1)
        #expect(screen.finishes[0].error?.code == PKAddPaymentPassError.userCancelled.rawValue && device.passes.isEmpty)
        // An answer to a customer who is gone is no fault.
        screen.handler?(BankScreen.request())
        #expect(device.faults.allSatisfy { $0.code == .answeredTwice })
        await sheet.settle()
        #expect(screen.finishes.count == 1)
    }

    @Test func appThatTakesTheControllerAwayHearsNothingMore() async throws {
        let device = Fixture.phone()
        let (screen, sheet) = try present(on: device)
        await sheet.settle()
        screen.dismiss(animated: false)
        #expect(sheet.state.phase == .closed && screen.finishes.isEmpty && device.addPassSheet == nil)
        sheet.perform(.next)
        #expect(sheet.state.phase == .closed)
    }

    @Test func droppedScreenClosesItsFlow() async throws {
        let device = Fixture.phone()
        let (_, sheet) = try present(on: device)
        await sheet.settle()
        screens = []
        for await state in sheet.states() where state.phase == .closed { break }
        #expect(sheet.state.phase == .closed && device.addPassSheet == nil)
    }

    @Test func deviceWithoutABrokerAddsNothing() async throws {
        let device = SimulatedDevice(.init(app: Fixture.bankApp))
        let (screen, sheet) = try present(on: device)
        #expect(await sheet.play(AddPassScript()).phase == .failed)
        #expect(screen.finishes[0].error?.code == 2 && device.faults.map(\.code) == [.brokerUnanswered])
    }

    @Test func tabletTakesPaymentPassesButNotPassFiles() {
        for (kind, takesFiles) in [(DeviceKind.phone, true), (.tablet, false), (.watch, false)] {
            SimulatedDevice.$current.withValue(Fixture.phone { $0.kind = kind }) {
                #expect(PKAddPassesViewController.canAddPasses() == takesFiles)
                #expect(PKAddPaymentPassViewController.canAddPaymentPass())
            }
        }
    }

    // MARK: Proof

    private func yellow(_ methods: [VerificationMethod] = [FakeBroker.sms, FakeBroker.mail]) -> FakeBroker {
        FakeBroker {
            $0.activationState = .requiresActivation
            $0.methods = methods
        }
    }

    @Test func codeActivatesThePass() async throws {
        let broker = yellow()
        let device = Fixture.phone(broker)
        let (screen, sheet) = try present(on: device)
        let last = await sheet.play(AddPassScript(method: "EMAIL_TO_CARDHOLDER_ADDRESS") { "123456" })
        #expect(last.phase == .added && last.activationState == .activated && last.selectedMethod == "m-2")
        #expect(broker.now.requestedMethods == ["m-2"])
        #expect(screen.finishes[0].pass?.passActivationState == .activated && device.passes.map(\.activationState) == [.activated])
    }

    @Test func proofPutOffLeavesAPassThatCannotBeUsed() async throws {
        let device = Fixture.phone(yellow())
        let (screen, sheet) = try present(on: device)
        let last = await sheet.play(AddPassScript())
        #expect(last.activationState == .requiresActivation)
        #expect(screen.finishes[0].error == nil && screen.finishes[0].pass?.passActivationState == .requiresActivation)
    }

    @Test func crossBesideTheProofMeansLater() async throws {
        let (screen, sheet) = try present(on: Fixture.phone(yellow()))
        await sheet.settle()
        sheet.perform(.next)
        await sheet.settle()
        sheet.perform(.acceptTerms)
        await sheet.settle()
        #expect(sheet.state.phase == .choosingMethod)
        sheet.perform(.cancel)
        await sheet.settle()
        #expect(sheet.state.phase == .added)
        sheet.perform(.cancel)
        await sheet.settle()
        #expect(screen.finishes[0].pass != nil && screen.finishes[0].error == nil)
    }

    @Test func refusedCodesAreShownAndBlockTheirMethod() async throws {
        let broker = yellow()
        let device = Fixture.phone(broker)
        let (_, sheet) = try present(on: device)
        func step(_ action: AddPassSheet.Action) async -> AddPassState {
            sheet.perform(action)
            await sheet.settle()
            return sheet.state
        }
        await sheet.settle()
        _ = await step(.next)
        _ = await step(.acceptTerms)
        var state = await step(.chooseMethod("m-1"))
        #expect(state.phase == .enteringCode && state.message == nil)
        state = await step(.enterCode("000000"))
        #expect(state.phase == .enteringCode && state.message == "The code is not correct.")
        broker.change { $0.refusals["enterCode"] = [BrokerError(status: 403, reason: CodeRefusal.expired.rawValue)] }
        state = await step(.enterCode("123456"))
        #expect(state.phase == .choosingMethod && state.message == "The code has expired.")
        _ = await step(.chooseMethod("m-1"))
        broker.change { $0.refusals["enterCode"] = [BrokerError(status: 403, reason: CodeRefusal.retriesExceeded.rawValue)] }
        state = await step(.enterCode("123456"))
        #expect(state.phase == .choosingMethod && state.methods.map(\.isBlocked) == [true, false])
        state = await step(.chooseMethod("m-1"))
        #expect(state.phase == .choosingMethod)
        #expect(broker.now.requestedMethods == ["m-1", "m-1"])
        broker.change { $0.refusals["requestCode"] = [BrokerError(status: 409, reason: "code-resend-limit")] }
        state = await step(.chooseMethod("m-2"))
        #expect(state.phase == .choosingMethod && state.message == "The code could not be sent.")
        _ = await step(.chooseMethod("m-2"))
        broker.change { $0.refusals["enterCode"] = [NoBroker.Unreachable()] }
        state = await step(.enterCode("123456"))
        #expect(state.phase == .enteringCode && state.message == "The code could not be checked.")
        state = await step(.enterCode("123456"))
        #expect(state.phase == .added && state.activationState == .activated && state.message == nil)
    }

    @Test func bankAppMethodOpensItsLink() async throws {
        let device = Fixture.phone(yellow([FakeBroker.app]))
        let (_, sheet) = try present(on: device)
        let last = await sheet.play(AddPassScript(method: "CARDHOLDER_TO_USE_MOBILE_APP"))
        #expect(last.activationState == .requiresActivation)
        #expect(
            device.openedLinks
                == ["examplebank://wallet?passTypeIdentifier=paymentpass.com.apple&serialNumber=serial-card-1&action=verify"])
    }

    @Test func buttonHearsATapOnlyWhenItIsThere() {
        let button = PKAddPassButton(addPassButtonStyle: .blackOutline)
        var taps = 0
        button.onTap = { taps += 1 }
        button.sendTap()
        button.isHidden = true
        button.sendTap()
        button.isHidden = false
        button.isEnabled = false
        button.sendTap()
        #expect(taps == 1 && button.addPassButtonStyle == .blackOutline)
    }
}
