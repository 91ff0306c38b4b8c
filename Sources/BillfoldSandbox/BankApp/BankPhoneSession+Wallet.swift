import PassKitSimulator

// What the customer does in the wallet, away from the bank's app: proving later, and removing a card.
extension BankPhoneSession {
    /// From the app's button to the pass that waits.
    func finishSetUp(card id: String) {
        let passes = screen.passes + (screen.watch?.passes ?? [])
        guard let pass = passes.first(where: { $0.card == id && $0.state == .requiresActivation }) else { return }
        show { $0.front = .wallet }
        if !pass.methods.isEmpty { openSetUp(pass: pass.id) }
    }

    func openSetUp(pass id: String) {
        guard let pass = pass(id) else { return }
        show { $0.setUp = .init(pass: id, phase: .choosing, methods: pass.methods) }
    }

    func requestCode(by method: String) async {
        guard let setUp = screen.setUp, let chosen = setUp.methods.first(where: { $0.id == method }) else { return }
        show {
            $0.setUp?.phase = .sending
            $0.setUp?.message = nil
        }
        do {
            try await device.requestCode(for: setUp.pass, by: method)
            if VerificationMethod(identifier: chosen.id, type: chosen.type, value: chosen.value).opensApp {
                show { $0.setUp = nil }
                openPrompt(pass: setUp.pass)
            } else {
                show { $0.setUp?.phase = .entering }
            }
        } catch {
            show {
                $0.setUp?.phase = .choosing
                $0.setUp?.message = "The code could not be sent."
            }
        }
    }

    func enter(code: String) async {
        guard let setUp = screen.setUp else { return }
        show {
            $0.setUp?.phase = .verifying
            $0.setUp?.message = nil
        }
        do {
            try await device.enterCode(code, for: setUp.pass)
            readPasses()
            show { $0.setUp = nil }
        } catch {
            let refusal = (error as? BrokerError).flatMap { CodeRefusal(rawValue: $0.reason) }
            show {
                $0.setUp?.phase = refusal == .expired || refusal == .retriesExceeded ? .choosing : .entering
                $0.setUp?.message =
                    switch refusal {
                    case .wrong, .missing: "The code is not correct."
                    case .expired: "The code has expired."
                    case .retriesExceeded: "Too many wrong codes: ask for the proof in another way."
                    case nil: "The code could not be checked."
                    }
            }
        }
        readPasses()
    }

    func remove(pass id: String) async {
        do { try await device.removePass(id) } catch {
            show { $0.problem = .init(code: "pass-not-removed", reason: "The wallet could not remove the card.") }
        }
        readPasses()
    }

    /// The wallet opened the bank's app, which asks the customer who is logged in.
    func openPrompt(pass id: String) {
        guard let pass = pass(id) else { return }
        show {
            $0.front = .bank
            $0.prompt = .init(
                pass: id, title: "Is this you?",
                text: "A wallet wants to use your card ending in \(pass.suffix). Say yes only if you are adding it yourself.", isBusy: false
            )
        }
    }

    /// The customer said yes: the bank tells the network, and the pass follows.
    func confirm() async {
        guard let prompt = screen.prompt, let pass = device.allPasses.first(where: { $0.id == prompt.pass }) else { return }
        guard let app else {
            return show { $0.prompt?.problem = "Log in to the bank's app first." }
        }
        show {
            $0.prompt?.isBusy = true
            $0.prompt?.problem = nil
        }
        do {
            try await app.activate(pass)
            readPasses()
            show { $0.prompt = nil }
        } catch {
            show {
                $0.prompt?.isBusy = false
                $0.prompt?.problem = "The bank could not take it. Please verify in another way."
            }
        }
        readPasses()
    }
}

extension SimulatedDevice {
    /// The phone's own passes and those of its watch.
    var allPasses: [WalletPass] { passes + (pairedWatch?.passes ?? []) }

    /// The watch where the secure element is its own, else this device.
    func holder(_ secureElement: String) -> SimulatedDevice {
        pairedWatch.flatMap { $0.configuration.secureElementID == secureElement ? $0 : nil } ?? self
    }
}
