import Foundation

// From the introduction to the pass: one step after the other, each one's failure the end.
extension AddPassSheet {
    func run() async {
        guard await tap(.introduction) != nil, let target = await chooseDevice(), let card = await post(to: target),
            await agree(to: card), let pass = await enable(card, on: target)
        else { return }
        await prove(pass, on: target)
        let isRemote = target !== device
        let held = target.passes.first { $0.id == pass.id } ?? pass
        guard await tap(.added, { $0.activationState = held.activationState }) != nil else { return }
        // What happened to the pass while the last screen was read counts too.
        let last = target.passes.first { $0.id == pass.id } ?? held
        finish(PKPaymentPass(last, isRemote: isRemote, deviceName: target.configuration.name), nil)
    }

    /// The devices on offer: those that pass every filter, or all of them when none does.
    private var offered: [SimulatedDevice] {
        if let targets { return targets }
        let all = device.passDevices
        let account = configuration.primaryAccountIdentifier ?? ""
        let fitting = all.filter { candidate in
            (account.isEmpty || !candidate.holdsPass(primaryAccountIdentifier: account))
                && (!configuration.requiresFelicaSecureElement || candidate.configuration.hasFelica)
        }
        return fitting.isEmpty ? all : fitting
    }

    private func chooseDevice() async -> SimulatedDevice? {
        let offered = offered
        var chosen = offered.first
        if offered.count > 1 {
            let shown = offered.map(\.identity).map { AddPassState.Device(id: $0.secureElementID, name: $0.name, kind: $0.kind) }
            repeat {
                guard case .chooseDevice(let id) = await tap(.choosingDevice, { $0.devices = shown }) else { return nil }
                chosen = offered.first { $0.identity.secureElementID == id }
            } while chosen == nil
        }
        guard let chosen else {
            await fail(PKAddPaymentPassError.unsupported.passKitError)
            return nil
        }
        show(.fetchingCertificates) { $0.selectedDevice = chosen.identity.secureElementID }
        return chosen
    }

    /// Certificates, the app's request, and the card to the broker.
    private func post(to target: SimulatedDevice) async -> AcceptedCard? {
        let broker = device.broker
        let scheme = configuration.encryptionScheme
        guard let challenge = await answer("certificates", { try await broker.challenge(for: target.identity, scheme: scheme) }) else {
            return nil
        }
        show(.waitingForApp)
        let request = await ask(challenge)
        guard !state.phase.isOver else { return nil }
        guard let request, let submission = submission(of: request, challenge) else {
            // The code for "the app did not answer" is inferred: a public text says only that an error ends the flow.
            await fail(PKAddPaymentPassError.systemCancelled.passKitError)
            return nil
        }
        show(.adding)
        return await answer("cards", { try await broker.add(submission, to: target.identity) })
    }

    private func submission(of request: PKAddPaymentPassRequest, _ challenge: BrokerChallenge) -> CardSubmission? {
        let scheme = configuration.encryptionScheme
        if let field = request.missingField(for: scheme) {
            device.record(.addRequestIncomplete, "\(field) missing")
            return nil
        }
        if request.activationData?.isEmpty ?? true { device.record(.activationDataMissing, "activationData missing") }
        return CardSubmission(
            scheme: scheme, encryptedPassData: request.encryptedPassData ?? Data(), activationData: request.activationData,
            ephemeralPublicKey: scheme == .ECC_V2 ? request.ephemeralPublicKey : nil,
            wrappedKey: scheme == .RSA_V2 ? request.wrappedKey : nil, publicKeyHash: challenge.publicKeyHash,
            app: bundle, cardholderName: configuration.cardholderName,
            primaryAccountSuffix: configuration.primaryAccountSuffix, primaryAccountIdentifier: configuration.primaryAccountIdentifier,
            paymentNetwork: configuration.paymentNetwork, localizedDescription: configuration.localizedDescription)
    }

    private func agree(to card: AcceptedCard) async -> Bool { await tap(.terms, { $0.termsURL = card.termsURL }) != nil }

    private func enable(_ card: AcceptedCard, on target: SimulatedDevice) async -> WalletPass? {
        show(.enabling)
        let broker = device.broker
        var pass: WalletPass?
        do {
            pass = try await broker.enable(card: card.cardID, on: target.identity)
        } catch {
            device.recordRefusal(error, at: "enable")
            switch await lookUp(card.cardID, on: target, looks: error is BrokerError ? 1 : 3) {
            case .success(let found): pass = found
            // Nobody knows: which error the system gives then is inferred.
            case .failure: return await notEnabled(PKPassKitError(.unknownError) as NSError, "Your Card May Not Have Been Added")
            }
            if pass == nil { return await notEnabled(PKAddPaymentPassError.systemCancelled.passKitError) }
        }
        // The pass is in the secure element also when nobody looks at the screen any more.
        if let pass { target.install(pass) }
        return state.phase.isOver ? nil : pass
    }

    private func notEnabled(_ error: NSError, _ message: String = "Could Not Add Card") async -> WalletPass? {
        await fail(error, message: message)
        return nil
    }

    private struct Unknown: Error {}

    /// The card's pass at the broker, after enabling it was not answered with one. None there counts only where enabling was refused:
    /// what was not answered may still be under way.
    private func lookUp(_ card: String, on target: SimulatedDevice, looks: Int) async -> Result<WalletPass?, Unknown> {
        for look in 0..<looks {
            if look > 0 {
                do { try await device.timer.sleep(Self.lookUpPause) } catch { return .failure(Unknown()) }
            }
            do {
                let found = try await device.broker.passes(on: target.identity).first { $0.cardID == card }
                if found != nil || looks == 1 { return .success(found) }
            } catch {
                device.recordRefusal(error, at: "passes")
            }
        }
        return .failure(Unknown())
    }

    /// The proof that a yellow pass needs, until it succeeds or is put off.
    private func prove(_ pass: WalletPass, on target: SimulatedDevice) async {
        guard pass.activationState == .requiresActivation, let methods = pass.verificationMethods, !methods.isEmpty else { return }
        let shown = methods.map { AddPassState.Method(id: $0.id, type: $0.type, value: $0.value, isBlocked: false) }
        var tapped = await tap(.choosingMethod) {
            $0.methods = shown
            $0.activationState = pass.activationState
        }
        while let action = tapped {
            switch action {
            case .chooseMethod(let id):
                guard let method = methods.first(where: { $0.id == id }), !isBlocked(id) else {
                    tapped = await tap(.choosingMethod)
                    continue
                }
                guard !method.opensApp else { return device.openApp(for: pass) }
                tapped = await send(method, for: pass, on: target)
            case .enterCode(let code):
                guard let correction = await check(code, for: pass, on: target) else { return }
                tapped = await tap(correction.phase) { state in
                    state.message = correction.message
                    guard correction.blocksMethod else { return }
                    for index in state.methods.indices where state.methods[index].id == state.selectedMethod {
                        state.methods[index].isBlocked = true
                    }
                }
            default: return
            }
        }
    }

    private func isBlocked(_ method: String) -> Bool { state.methods.contains { $0.id == method && $0.isBlocked } }

    private func send(_ method: VerificationMethod, for pass: WalletPass, on target: SimulatedDevice) async -> Action? {
        show(.sendingCode) {
            $0.selectedMethod = method.id
            $0.message = nil
        }
        do {
            try await device.broker.requestCode(card: pass.cardID, method: method.id, on: target.identity)
        } catch {
            device.recordRefusal(error, at: "verification")
            return await tap(.choosingMethod, { $0.message = "The code could not be sent." })
        }
        return await tap(.enteringCode)
    }

    /// What to show after a code that was not taken.
    private struct Correction {
        var phase: AddPassState.Phase
        var message: String
        var blocksMethod = false
    }

    /// Nil: the code was right.
    private func check(_ code: String, for pass: WalletPass, on target: SimulatedDevice) async -> Correction? {
        show(.verifying) { $0.message = nil }
        do {
            target.set(try await device.broker.enterCode(code, card: pass.cardID, on: target.identity), for: pass.id)
            return nil
        } catch {
            device.recordRefusal(error, at: "activation")
            return switch (error as? BrokerError).flatMap({ CodeRefusal(rawValue: $0.reason) }) {
            case .wrong, .missing: Correction(phase: .enteringCode, message: "The code is not correct.")
            case .expired: Correction(phase: .choosingMethod, message: "The code has expired.")
            case .retriesExceeded: Correction(phase: .choosingMethod, message: "Too many wrong codes.", blocksMethod: true)
            case nil: Correction(phase: .enteringCode, message: "The code could not be checked.")
            }
        }
    }

    /// One question to the broker. Nil: it failed, and the customer has been told; or the flow is over.
    private func answer<Value: Sendable>(_ step: String, _ question: () async throws -> Value) async -> Value? {
        do {
            let value = try await question()
            return state.phase.isOver ? nil : value
        } catch {
            guard !state.phase.isOver else { return nil }
            device.recordRefusal(error, at: step)
            await fail(PKAddPaymentPassError.systemCancelled.passKitError)
            return nil
        }
    }
}
