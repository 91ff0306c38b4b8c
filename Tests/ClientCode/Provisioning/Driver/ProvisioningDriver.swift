import Foundation
import PassKitSimulator

@main
@MainActor
struct ProvisioningDriver {
    let stage = Stage()

    /// Works off the main queue on the main thread, as an app does: an asynchronous `main` leaves it to other threads here, and an observer on
    /// `OperationQueue.main` would wait for ever.
    static func main() {
        Task {
            do {
                try await run()
            } catch {
                print("DIFFERS: \(error)")
                exit(1)
            }
        }
        RunLoop.main.run()
    }

    private static func run() async throws {
        let driver = ProvisioningDriver()
        guard SimulatedDevice.useForProcess(driver.stage.phone) else { exit(2) }
        let bank = driver.stage.bank
        BankAPI.shared.transport = { bank.answer($0, $1) }
        try await driver.helperClass()
        try await driver.refusalsOfTheHelperClass()
        try await driver.lostAnswers()
        try await driver.buttonStates()
        try await driver.activation()
        try await driver.passesInWallet()
        try await driver.asynchronousFlow()
        try await driver.otherShapes()
        try await driver.killedApp()
        exit(driver.stage.failures == 0 ? 0 : 1)
    }

    // MARK: The helper class

    typealias Ending = (finished: Bool, error: NSError?)

    /// Starts the helper on another thread, as such apps do, and plays the customer.
    private func run(
        meanwhile: () async -> Void
    ) async -> Ending? {
        let helper = AppleWalletHelper()
        _ = stage.showEmptyScreen()
        var endings: [Ending] = []
        helper.cardNo = "4242424242424242"
        helper.callback = { endings.append(($0, $1)) }
        let entry: @MainActor () -> Void = helper.addCard
        // The app's engineer was promised any thread; the type is the main actor's because the system's protocol is.
        let anywhere = unsafeBitCast(entry, to: (@Sendable () -> Void).self)
        Thread.detachNewThread { anywhere() }
        await meanwhile()
        await stage.until { !endings.isEmpty }
        // Nobody is told twice.
        try? await Task.sleep(for: .milliseconds(50))
        stage.expect("the callback came once", endings.count == 1, endings)
        return endings.first
    }

    private func helperClass() async throws {
        try await stage.clear()
        var style = UIUserInterfaceStyle.unspecified
        let added = await run {
            await stage.until { stage.phone.addPassSheet != nil }
            style = stage.phone.screen.topController?.overrideUserInterfaceStyle ?? .unspecified
            stage.expect("the card goes into the wallet", await stage.play() == .added)
        }
        stage.expect("added", added?.finished == true && added?.error == nil, added as Any)
        stage.expect("the wallet's screen was light", style == .light, style)
        let sent = stage.bank.now.asked
        stage.expect(
            "the bank was asked twice, in the documented form",
            sent.map(\.path) == ["documented/configuration", "documented/pass-data"]
                && sent.allSatisfy { $0.body["cardNumber"] == "4242424242424242" }
                && sent.last?.body["nonce"] == PlayedBank.nonce.base64EncodedString()
                && sent.last?.body["certificates"] == PlayedBank.certificates.map { $0.base64EncodedString() }.joined(separator: ","), sent)
        let card = stage.bank.now.submissions.last
        stage.expect(
            "the broker got name, suffix, network and description",
            card?.cardholderName == "MEI LIN" && card?.primaryAccountSuffix == "4242" && card?.paymentNetwork == .visa
                && card?.localizedDescription == "Two Leaves Visa" && card?.activationData == Data("MBPAC".utf8), card as Any)

        try await stage.clear()
        let cancelled = await run {
            await stage.until { stage.phone.addPassSheet != nil }
            stage.phone.addPassSheet?.perform(.cancel)
        }
        stage.expect("cancelled", cancelled.map { Self.isOfPassKit($0, .userCancelled) } == true, cancelled as Any)
        let declined = await run { _ = await stage.play(AddPassScript(acceptsTerms: false)) }
        stage.expect("terms declined", declined.map { Self.isOfPassKit($0, .userCancelled) } == true, declined as Any)
        stage.expect("nothing was added", stage.phone.passes.isEmpty)
    }

    private static func isOfPassKit(_ ending: Ending, _ code: PKAddPaymentPassError) -> Bool {
        !ending.finished && ending.error?.domain == PKPassKitErrorDomain && ending.error?.code == code.rawValue
    }

    private func refusalsOfTheHelperClass() async throws {
        try await stage.clear()
        stage.bank.change { $0.statuses["documented/configuration"] = 403 }
        let refused = await run {}
        stage.expect(
            "the bank refuses the configuration: no screen",
            refused?.error?.domain == "bank.api" && refused?.error?.code == 403 && stage.phone.addPassSheet == nil, refused as Any)

        try await stage.clear()
        stage.bank.change { $0.statuses["documented/pass-data"] = 422 }
        let unsealed = await run { stage.expect("the wallet says so", await stage.play() == .failed) }
        stage.expect("the bank refuses the sealed card", unsealed.map { Self.isOfPassKit($0, .systemCancelled) } == true, unsealed as Any)
        stage.expect("the phone knows why", stage.phone.faults.last?.code == .addRequestIncomplete, stage.phone.faults)

        try await stage.clear()
        stage.bank.change { $0.refused = ["enable"] }
        let declined = await run { stage.expect("the wallet says so", await stage.play() == .failed) }
        stage.expect("the network declines", declined.map { Self.isOfPassKit($0, .systemCancelled) } == true, declined as Any)

        try await stage.clear()
        stage.phone.update { $0.app.mayAddPasses = false }
        let unentitled = await run {}
        stage.expect(
            "no entitlement: no controller", unentitled?.error?.domain == "bank.wallet" && unentitled?.error?.code == 2, unentitled as Any)
        stage.expect("nothing was added", stage.phone.passes.isEmpty)
    }

    private func lostAnswers() async throws {
        // The bank's answer never comes: the wallet gives up, and nothing was handed over.
        try await stage.clear()
        let late = await run {
            await stage.until { stage.phone.addPassSheet != nil }
            stage.bank.change { $0.isReachable = false }
            _ = await stage.play()
        }
        stage.expect("the bank does not answer", late.map { Self.isOfPassKit($0, .systemCancelled) } == true, late as Any)

        // The wallet's last answer is lost, and it finds the pass.
        try await stage.clear()
        stage.bank.change { $0.lost = ["enable"] }
        let found = await run { _ = await stage.play() }
        stage.expect("a lost answer is looked up", found?.finished == true, found as Any)

        // Nobody knows: an error that is neither "cancelled" nor "refused".
        try await stage.clear()
        stage.bank.change {
            $0.lost = ["enable"]
            $0.silent = ["passes"]
        }
        let unknown = await run { _ = await stage.play() }
        stage.expect(
            "unknown", unknown?.finished == false && unknown?.error?.code == PKPassKitError.unknownError.rawValue, unknown as Any)
        stage.bank.change { $0.silent = [] }
        try await stage.phone.refreshPasses()
        stage.expect("and the card was added all the same", stage.phone.passes.count == 1)
    }

    // MARK: The button

    private func buttonStates() async throws {
        try await stage.clear()
        let screen = CardDetailViewController()
        screen.accountIdentifier = PlayedBank.account
        stage.window.rootViewController = screen
        stage.window.makeKeyAndVisible()
        stage.expect("2: the card can be added", screen.state == .addable && !screen.addButton.isHidden)
        stage.expect("the label says so", stage.phone.screen.texts == ["Add it to Wallet"], stage.phone.screen.texts)

        screen.isSwitchedOn = false
        screen.refresh()
        stage.expect("0: switched off by the bank", screen.state == .unavailable && screen.addButton.isHidden)
        screen.addButton.sendTap()
        stage.expect("a hidden button starts nothing", stage.phone.addPassSheet == nil)
        screen.isSwitchedOn = true
        stage.phone.update { $0.isRestricted = true }
        stage.expect("0: a restricted phone", screen.state == .unavailable)
        stage.phone.update { $0.isRestricted = false }
        screen.refresh()

        screen.helper.cardNo = "4242424242424242"
        screen.addButton.sendTap()
        stage.expect("the tap adds the card", await stage.play() == .added)
        await stage.until { screen.addButton.isHidden }
        stage.expect("1: the notification hides the button", screen.state == .added && screen.isOnPhone && screen.isActive)
        stage.expect("the label says so", screen.stateLabel.text == "In Wallet", screen.stateLabel.text as Any)

        WatchLink.shared.isPaired = true
        stage.watch.update { $0.isReachable = true }
        screen.refresh()
        stage.expect("2: the watch has no pass", screen.state == .addable && screen.stateLabel.text == "Add it to Apple Watch")
        screen.addButton.sendTap()
        stage.expect("the card goes onto the watch", await stage.play(AddPassScript(device: .watch)) == .added)
        await stage.until { screen.isOnWatch && screen.addButton.isHidden }
        stage.expect(
            "1: on both", screen.state == .added && screen.stateLabel.text == "In Wallet on iPhone and Apple Watch",
            screen.stateLabel.text as Any)

        try await stage.clear()
        stage.phone.update { $0.app.mayAddPasses = false }
        stage.expect("1 without any pass: the entitlement is missing", screen.state == .added && !screen.isOnPhone)
    }

    // MARK: A pass that waits

    private func activation() async throws {
        let actions = WalletPassActions()
        for (refusal, entitled, expected) in [
            ([], true, ActivationOutcome.active), (["activate"], true, .refused(PKPassKitError.invalidDataError.rawValue)),
            ([], false, .notEntitled),
        ] as [(Set<String>, Bool, ActivationOutcome)] {
            try await stage.clear()
            stage.bank.change { $0.activationState = .requiresActivation }
            let added = await run { _ = await stage.play() }
            stage.expect("a pass that waits is told as added", added?.finished == true)
            stage.bank.change { $0.refused = refusal }
            stage.phone.update { $0.app.mayAddPasses = entitled }
            stage.expect("whether it can be activated", actions.canActivate == entitled)
            let outcome = await verify(actions, "serial-card-1")
            stage.expect("activation: \(expected)", outcome == expected, outcome as Any)
            let state: PKSecureElementPass.PassActivationState = expected == .active ? .activated : .requiresActivation
            stage.expect("the pass's state", stage.phone.passes.first?.activationState == state)
        }
        stage.phone.update { $0.app.mayAddPasses = true }
        let none = await verify(actions, "another")
        stage.expect("a link without a pass", none == .noPass, none as Any)
    }

    private func verify(_ actions: WalletPassActions, _ serial: String) async -> ActivationOutcome? {
        let text = "twoleaves://wallet?passTypeIdentifier=paymentpass.com.apple&serialNumber=\(serial)&action=verify"
        guard let link = URL(string: text) else { return nil }
        var outcome: ActivationOutcome?
        actions.verify(link: link) { outcome = $0 }
        await stage.until { outcome != nil }
        return outcome
    }

    // MARK: Passes that are there

    private func passesInWallet() async throws {
        try await stage.clear()
        _ = await run { _ = await stage.play() }
        let actions = WalletPassActions()
        guard let pass = PKPassLibrary().passes().first else { return stage.expect("a pass is there", false) }
        actions.open(pass)
        actions.pay(with: pass)
        await stage.until { stage.phone.shownPasses.count == 2 }
        stage.expect("Wallet shows the pass, and shows it for paying", stage.phone.shownPasses == [pass.serialNumber, pass.serialNumber])
        stage.expect("the bank's name", pass.organizationName == "Two Leaves Bank")
        actions.removeAll(account: PlayedBank.account)
        await stage.until { stage.phone.passes.isEmpty }
        stage.expect("the app removes its passes", stage.phone.passes.isEmpty && !PKPassLibrary().containsPass(pass))
    }

    // MARK: The asynchronous flow

    final class Keychain: KeptTexts {
        private var kept: [String: String] = [:]
        subscript(key: String) -> String? {
            get { kept[key] }
            set { kept[key] = newValue }
        }
    }

    private nonisolated static let sealed = [
        "encryptedPassData": Data([1]), "ephemeralPublicKey": Data([4] + [UInt8](repeating: 9, count: 64)), "activationData": Data([2]),
    ]

    private func asynchronousFlow() async throws {
        for (script, change, expected) in [
            (AddPassScript(), { _ in }, ProvisioningOutcome.ready),
            (AddPassScript(), { $0.activationState = .requiresActivation }, .needsVerification),
            (AddPassScript(acceptsTerms: false), { _ in }, .cancelled), (AddPassScript(), { $0.refused = ["add"] }, .failed("system")),
            (
                AddPassScript(),
                {
                    $0.lost = ["enable"]
                    $0.silent = ["passes"]
                }, .unknown
            ),
        ] as [(AddPassScript, (inout PlayedBank.State) -> Void, ProvisioningOutcome)] {
            try await stage.clear()
            stage.bank.change(change)
            let keychain = Keychain()
            let provisioner = CardProvisioner(memory: keychain) { _, _, _ in Self.sealed }
            let screen = stage.showEmptyScreen()
            let adding = Task { await provisioner.add(suffix: "4242", holder: "MEI LIN", account: PlayedBank.account, over: screen) }
            _ = await stage.play(script)
            let outcome = await adding.value
            stage.expect("asynchronous: \(expected)", outcome == expected, outcome)
            stage.expect("what stays in memory", (keychain["pending"] == nil) == (expected != .unknown))
            guard expected == .unknown else { continue }
            stage.bank.change { $0.silent = [] }
            stage.expect("still unknown at the next start", CardProvisioner.outcomeAfterRestart(memory: keychain) == .unknown)
            try await stage.phone.refreshPasses()
            stage.expect("known when the library shows it", CardProvisioner.outcomeAfterRestart(memory: keychain) == .ready)
        }
    }

    /// The app ends while the wallet adds the card: its objects are gone, and the pass is not.
    private func killedApp() async throws {
        try await stage.clear()
        let keychain = Keychain()
        var provisioner: CardProvisioner? = CardProvisioner(memory: keychain) { _, _, _ in Self.sealed }
        let screen = stage.showEmptyScreen()
        _ = Task { [provisioner] in
            await provisioner?.add(suffix: "4242", holder: "MEI LIN", account: PlayedBank.account, over: screen)
        }
        await stage.until { stage.phone.addPassSheet != nil }
        guard let sheet = stage.phone.addPassSheet else { return stage.expect("the wallet's screen came", false) }
        await sheet.settle()
        sheet.perform(.next)
        await sheet.settle()
        sheet.perform(.acceptTerms)
        provisioner = nil
        stage.window.rootViewController = nil
        screen.dismiss(animated: false)
        await stage.until { !stage.phone.passes.isEmpty }
        stage.expect("the card was added without the app", stage.phone.passes.count == 1)
        stage.expect("the next start finds it", CardProvisioner.outcomeAfterRestart(memory: keychain) == .ready)
        stage.expect("and asks no more", CardProvisioner.outcomeAfterRestart(memory: keychain) == nil)
    }
}
