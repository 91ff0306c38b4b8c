import ApplePayApp
package import PassKitSimulator

/// One phone in a visitor's hands, running the bank's app: `ApplePayApp` at work on a simulated device, with a watch beside it.
@MainActor
package final class BankPhoneSession {
    package let id: String
    package private(set) var device: SimulatedDevice
    package var screen: BankScreen { feed.screen }

    let feed: ScreenFeed<BankScreen>
    let surroundings: BankSurroundings
    var app: BankApp?
    /// Cards that somebody saw in this app, as they were last: what the wallet draws its passes with.
    private var seen: [IssuerCard] = []
    /// What the app leaves for its extension of the wallet.
    let container = SharedContainer()
    /// While the app leaves it.
    var leaving: Task<Void, Never>?
    /// What the wallet lists of the bank's cards, while the list is open.
    var offer: WalletOffer?
    private var work: [Task<Void, Never>] = []
    private var customer: String?
    /// Whose phone it was taken up as, and whose it is now.
    private let named: String?
    private var owner: String?

    init(id: String, model: BankPhoneModel, owner: String?, surroundings: BankSurroundings) {
        self.id = id
        self.surroundings = surroundings
        (named, self.owner) = (owner, owner)
        device = surroundings.device(model, owner)
        feed = ScreenFeed(BankScreen(session: id, model: model, customers: surroundings.customers))
        readPasses()
        work.append(
            Task { [weak self, pause = surroundings.pause] in
                while !Task.isCancelled {
                    await self?.look()
                    do { try await pause() } catch { return }
                }
            })
    }

    /// Carries out what the customer did. Refuses what the screen does not offer (`not-on-screen`), and lists what it offers.
    package func perform(_ tap: BankTap) throws(SandboxRefusal) {
        let offers = screen.offers(sheetAt: device.addPassSheet?.state.phase)
        guard offers.contains(where: { $0.action == tap.action.rawValue && $0.takes(tap.value) }) else {
            throw .notOnScreen(tap.action, offers: offers)
        }
        let value = tap.value ?? ""
        switch tap.action {
        case .logIn:
            takeUpPhone(of: value)
            begin { await $0.logIn(value) }
        case .logOut: logOut()
        case .switchTo:
            show {
                $0.front = BankScreen.Front(rawValue: value) ?? $0.front
                // Whoever goes to the wallet has read what became of it.
                if $0.front == .wallet { $0.outcome = nil }
                $0.offers = nil
            }
        case .refresh: begin { await $0.readCards() }
        case .add: begin { await $0.add(value) }
        case .finishSetUp: finishSetUp(card: value)
        case .continue: show { $0.outcome = nil }
        case .verifyPass: openSetUp(pass: value)
        case .requestPassCode: begin { await $0.requestCode(by: value) }
        case .enterPassCode: begin { await $0.enter(code: value) }
        case .laterPass: show { $0.setUp = nil }
        case .removePass: begin { await $0.remove(pass: value) }
        case .listOffers: begin { await $0.listOffers() }
        case .closeOffers: show { $0.offers = nil }
        case .addOffer: begin { await $0.addOffer(value) }
        case .confirm: begin { await $0.confirm() }
        case .decline: show { $0.prompt = nil }
        default: if let action = tap.onSheet { device.addPassSheet?.perform(action) }
        }
    }

    /// Every screen from now on, the current one first.
    package func screens() -> AsyncStream<BankScreen> { feed.screens() }

    /// Ends the session: the phone is put away, as if its app were killed.
    func close() {
        for each in work { each.cancel() }
        device.addPassSheet?.perform(.cancel)
        feed.finish()
    }

    /// Answers the message of a page that the app shows inside itself. Refuses where nobody is logged in (`not-on-screen`).
    package func answer(_ message: String) async throws(SandboxRefusal) -> String {
        guard let app else {
            throw SandboxRefusal(code: "not-on-screen", reason: "the app shows its pages to whoever is logged in", status: 409)
        }
        let answer = await SimulatedDevice.$current.withValue(device) { await app.answer(message) }
        readPasses()
        if device.addPassSheet == nil { show { $0.sheet = nil } }
        return answer
    }

    func show(_ change: (inout BankScreen) -> Void) {
        feed.show { screen in
            change(&screen)
            screen.faults = device.faults
        }
    }

    private func begin(_ step: @escaping @MainActor (BankPhoneSession) async -> Void) {
        work.append(
            SimulatedDevice.$current.withValue(device) {
                Task { [weak self] in
                    guard let self else { return }
                    await step(self)
                }
            })
    }

    func pass(_ id: String?) -> BankScreen.Pass? {
        (screen.passes + (screen.watch?.passes ?? [])).first { $0.id == id }
    }

    // MARK: Log-in and cards

    /// A customer of the bank's own holds a phone of their own: cards of several people on one account are judged together.
    private func takeUpPhone(of customer: String) {
        let owner = named ?? (screen.customers.contains { $0.id == customer } ? nil : customer)
        guard owner != self.owner else { return }
        self.owner = owner
        device = surroundings.device(screen.model, owner)
        readPasses()
    }

    private func logIn(_ id: String) async {
        let chosen = screen.customers.first { $0.id == id } ?? .init(id: id, name: id, detail: "")
        customer = id
        show {
            $0.customer = chosen
            $0.isLoading = true
            $0.problem = nil
        }
        do {
            let session = try await surroundings.backEnd.openSession(
                customer: id, device: device.configuration.secureElementID)
            guard customer == id else { return }
            app = BankApp(session: session, device: device, surroundings: surroundings) { [weak self] in self?.follow() }
            await look()
            leaveSnapshot()
            await readCards()
        } catch {
            logOut()
            report(error)
        }
    }

    private func logOut() {
        app = nil
        customer = nil
        container.snapshot = nil
        show {
            $0.customer = nil
            $0.cards = []
            $0.inbox = []
            $0.outcome = nil
            $0.prompt = nil
            $0.problem = nil
            $0.isLoading = false
        }
    }

    /// The cards, and what the app may offer for each.
    func readCards() async {
        guard let app else { return }
        show {
            $0.isLoading = true
            $0.problem = nil
        }
        do {
            let cards = try await app.readCards()
            guard self.app === app else { return }
            seen = seen.filter { old in !app.cards.contains { $0.id == old.id } } + app.cards
            show {
                $0.cards = cards
                $0.isLoading = false
            }
            readPasses()
        } catch {
            report(error)
        }
    }

    func report(_ error: any Error) {
        let problem =
            switch error {
            case let refusal as SandboxRefusal: BankScreen.Problem(code: refusal.code, reason: refusal.reason)
            case let error as ApplePayAppError:
                BankScreen.Problem(
                    code: error.serverCode ?? error.code.description, reason: BankApp.sentence(for: error.serverCode ?? ""))
            default: BankScreen.Problem(code: "bank-unanswered", reason: "The bank does not answer. Please try again in a moment.")
            }
        show {
            $0.isLoading = false
            $0.problem = problem
        }
    }

    // MARK: The sheet

    private func add(_ card: String) async {
        guard let app else { return }
        let links = device.openedLinks.count
        show { $0.outcome = nil }
        let result = await app.add(card)
        let attempt = screen.sheet?.selectedDevice.flatMap { surroundings.attempt(device.holder($0)) }
        readPasses()
        leaveSnapshot()
        show { $0.sheet = nil }
        await readCards()
        // The wallet opened the app for the proof: the customer is asked here, and not told how it ended.
        if device.openedLinks.count > links, case .pendingActivation(let pass) = result {
            return openPrompt(pass: pass.serialNumber)
        }
        var outcome = outcome(of: result)
        outcome.story = attempt.flatMap(surroundings.story)
        show { $0.outcome = outcome }
    }

    /// Shows the sheet, state by state, until it is over.
    func follow() {
        guard let sheet = device.addPassSheet else { return }
        show { $0.sheet = sheet.state }
        let states = sheet.states()
        work.append(
            Task { [weak self] in
                for await state in states where !state.phase.isOver { self?.show { if $0.sheet != nil { $0.sheet = state } } }
            })
    }

    private func outcome(of result: AddPassOutcome) -> BankScreen.Outcome {
        switch result {
        case .added(let added), .pendingActivation(let added):
            let holder = added.device == .watch ? device.pairedWatch ?? device : device
            guard let pass = holder.passes.first(where: { $0.id == added.serialNumber }) else {
                return .init(kind: .pending, title: "Added", text: result.customerText)
            }
            return .init(added: pass, device: "your \(holder.configuration.kind.rawValue)")
        case .cancelled: return .cancelled
        case .unknown(let error):
            return .init(kind: .unknown, title: "Not certain yet", text: result.customerText, code: error.code.description)
        case .failed(let error): return .init(refused: error.serverCode ?? error.code.description, text: result.customerText)
        }
    }

    // MARK: What changes by itself

    /// Reads passes and messages, while somebody looks at the phone.
    private func look() async {
        guard feed.isWatched || customer != nil else { return }
        // A broker that does not answer leaves the passes as they were: the device cannot know better.
        try? await device.refreshPasses()
        readPasses()
        // The issuer hears of a new pass a little later than the wallet; until then the app's button is behind.
        if isBehind { begin { await $0.readCards() } }
        if let customer, let messages = try? await surroundings.messages.messages(of: customer), self.customer == customer {
            show { $0.inbox = messages }
        }
    }

    private var isBehind: Bool {
        guard screen.sheet == nil, screen.front == .bank else { return false }
        return screen.cards.contains { card in
            card.button.kind == .add && screen.passes.contains { $0.card == card.id }
                || card.button.kind == .addToWatch && screen.watch?.passes.contains { $0.card == card.id } == true
        }
    }

    /// Draws the passes that the devices hold now, and asks the app for its buttons where they changed.
    func readPasses() {
        let passes = device.passes.map(drawn)
        let watch = device.pairedWatch.map { watch in
            BankScreen.Watch(
                name: watch.configuration.name, isReachable: watch.configuration.isReachable, passes: watch.passes.map(drawn))
        }
        let isChanged = passes != screen.passes || watch != screen.watch
        show {
            $0.passes = passes
            $0.watch = watch
        }
        if isChanged, screen.sheet == nil, app != nil { begin { await $0.readCards() } }
    }

    private func drawn(_ pass: WalletPass) -> BankScreen.Pass {
        var drawn = BankScreen.Pass(pass)
        if let card = seen.card(of: pass) {
            drawn.card = card.id
            drawn.network = card.network
            drawn.displayName = card.displayName
        }
        return drawn
    }
}
