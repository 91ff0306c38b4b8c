import AppContainer
import BillfoldDiagnosis
import BillfoldTrace
import CodeReader
import Foundation
import MiniPrograms
import WalletAPI

/// One phone in a visitor's hands with the super app on it: the container and the Wallet services at work, for one user after another.
@MainActor
package final class SuperAppPhone {
    /// That the wallet's pages lead back to.
    package nonisolated static let scheme = "billfoldsuperapp"

    package let id: String
    package var screen: SuperAppScreen { feed.screen }
    let feed: ScreenFeed<SuperAppScreen>

    /// What there is for the user who is signed in.
    private struct Account {
        var user: SuperAppServer.User
        var shelf: ProgramShelf
        /// What was agreed to on this phone, whichever run asked.
        var scopes = MemoryScopeCache()
    }

    private let surroundings: SuperAppSurroundings
    private let network: SwitchedNetwork
    private let server: SuperAppServer
    private var account: Account?
    private var run: PhoneRun?
    /// Who answers: each run has one of its own, and so has the home page.
    private var person = PhonePerson()
    /// Grows when something else is begun: what was begun before has no more say.
    private var turn = 0
    private var isSigningIn = false

    init(id: String, surroundings: SuperAppSurroundings) {
        self.id = id
        self.surroundings = surroundings
        network = SwitchedNetwork(surroundings.network)
        server = SuperAppServer(origin: surroundings.wallet, network: network, reporter: surroundings.reporter)
        feed = ScreenFeed(SuperAppScreen(session: id, people: surroundings.people))
        meet(PhonePerson())
    }

    /// From now on somebody new is asked; who was asked before is gone.
    private func meet(_ next: PhonePerson) {
        person.leaves()
        person = next
        next.onChange = { [weak self] sheet in self?.feed.show { $0.sheet = sheet } }
        feed.show { $0.sheet = next.sheet }
    }

    // MARK: Taps

    /// Carries out what the person did. Refuses what the screen does not offer (`not-on-screen`), and lists what it offers.
    package func perform(_ tap: SuperAppTap) throws(SandboxRefusal) {
        guard offers(tap) else { throw .notOnScreen(tap.action, offers: offered) }
        feed.show { $0.problem = nil }
        switch tap.action {
        case .signIn:
            isSigningIn = true
            feed.show { $0.loading = "Logging in" }
            begin { try await $0.signIn(tap.value ?? "", password: Secret(tap.secret ?? ""), isCurrent: $1) }
        case .signOut: signOut()
        case .open: open(tap.value ?? "", LaunchOptions())
        case .openLink: openLink(tap.value ?? "", isFromLink: true)
        case .scan: begin { phone, _ in await phone.scan() }
        case .event: run?.event(tap.value ?? "", text: tap.text, dataset: tap.dataset ?? [:])
        case .back: if run?.back() != true { close() }
        case .close: close()
        case .agree, .confirm, .allow, .finish, .choose: person.answers(.yes(tap.value ?? ""))
        case .refuse, .cancel, .decline: person.answers(.no)
        case .comeBack: _ = person.comesBack()
        case .leaveScanner: person.leavesScanner()
        case .dismissToast: run?.dismissToast()
        case .network:
            network.isOn = tap.value == "on"
            feed.show { $0.isOffline = tap.value == "on" ? nil : true }
        }
    }

    /// All that can be done with the phone now.
    private var offered: [TapOffer] {
        SuperAppTap.Action.allCases.compactMap { action in
            let values = values(of: action)
            guard values?.isEmpty != true, offers(SuperAppTap(action, values?.first)) else { return nil }
            return TapOffer(action, of: values, isTyped: action == .signIn || action == .openLink)
        }
    }

    /// What an action's value may be; nil where it takes none, or any text.
    private func values(of action: SuperAppTap.Action) -> [String]? {
        switch action {
        case .open: screen.apps.map(\.appId)
        case .event: (screen.program?.controls ?? []).map(\.handler)
        case .choose: (screen.sheet?.items ?? []).indices.map(String.init)
        case .network: ["off", "on"]
        default: nil
        }
    }

    private func offers(_ tap: SuperAppTap) -> Bool {
        let kind = screen.sheet?.kind
        return switch tap.action {
        case .signIn: screen.place == .login && !isSigningIn
        case .signOut, .scan: screen.place == .home && kind == nil
        case .open: screen.place == .home && kind == nil && screen.apps.contains { $0.appId == tap.value }
        case .openLink: (screen.place == .home || screen.place == .program) && kind == nil
        case .event:
            screen.place == .program && kind == nil && screen.program?.controls?.contains { $0.handler == tap.value } == true
        case .back: screen.place == .program && kind == nil
        case .close: screen.place == .program || screen.place == .opening
        case .agree, .refuse: kind == .consent
        case .comeBack: kind == .cashier
        case .leaveScanner: kind == .scanner
        case .confirm: [.alert, .confirm, .prompt].contains(kind)
        case .cancel: [.confirm, .prompt, .choices, .scene].contains(kind)
        case .choose: kind == .choices && Int(tap.value ?? "").map { screen.sheet?.items?.indices.contains($0) == true } == true
        case .allow, .decline: kind == .link
        case .finish: kind == .scene
        case .dismissToast: screen.toast != nil
        case .network: tap.value == "on" || tap.value == "off"
        }
    }

    /// Begins something that takes its time. The step is given a question: whether it still matters.
    private func begin(_ step: @escaping @MainActor (SuperAppPhone, _ isCurrent: @MainActor () -> Bool) async throws -> Void) {
        turn += 1
        let mine = turn
        Task { [weak self] in
            guard let self else { return }
            do { try await step(self) { mine == self.turn } } catch { if mine == turn { show(problem: error) } }
        }
    }

    private func show(problem error: any Error) {
        let problem: SuperAppScreen.Problem =
            switch error {
            case let error as any CodedError
            where error is SandboxRefusal || error is PlatformRefusal || error is MiniProgramError || error is AppContainerError:
                .init(code: error.code.description, reason: error.reason)
            case is RequestingHost.NoAnswer: .init(code: "no-answer", reason: "the wallet does not answer")
            default: .init(code: "failed", reason: "that did not work")
            }
        feed.show {
            $0.problem = problem
            if $0.place == .opening { $0.place = .home }
        }
    }

    // MARK: The user

    private func signIn(_ name: String, password: Secret<String>, isCurrent: () -> Bool) async throws {
        defer {
            isSigningIn = false
            feed.show { $0.loading = nil }
        }
        let user = try await server.signIn(name, password)
        do {
            let shelf = try await surroundings.shelves.shelf(of: user, server, surroundings)
            let apps = try await server.apps(for: user)
            guard isCurrent() else { return await server.signOut(user) }
            account = Account(user: user, shelf: shelf)
            feed.show {
                $0.user = user.name
                $0.place = .home
                $0.people = []
                $0.apps = apps
            }
        } catch {
            await server.signOut(user)
            throw error
        }
    }

    /// What the platform lists now; the old list stays where it does not answer.
    private func refresh() {
        guard let user = account?.user else { return }
        Task { [weak self, server] in
            guard let apps = try? await server.apps(for: user), self?.account?.user.number == user.number else { return }
            self?.feed.show { $0.apps = apps }
        }
    }

    private func signOut() {
        guard let account else { return }
        close()
        self.account = nil
        Task { [server] in await server.signOut(account.user) }
        feed.show { $0 = SuperAppScreen(session: $0.session, people: surroundings.people).following($0) }
    }

    // MARK: Mini programs

    private func open(_ appID: String, _ options: LaunchOptions) {
        guard let account else { return }
        if let run, run.program.appId == appID { return run.reopen(options) }
        close(leads: .opening)
        begin { phone, isCurrent in
            let opened = try await account.shelf.open(appID, from: PhonePlatform(server: phone.server, user: account.user))
            if isCurrent() { try phone.start(opened, for: account, options: options) }
        }
    }

    private func start(_ opened: OpenedMiniProgram, for account: Account, options: LaunchOptions) throws {
        let (id, reporter, person) = (surroundings.reporter.makeName(), surroundings.reporter, PhonePerson())
        let run = PhoneRun(id: id, opened: opened, person: person, reporter: reporter)
        let services = services(for: account, person, run.correlation)
        let (events, continuation) = AsyncStream.makeStream(of: PhoneHost.Event.self)
        let setup = surroundings.setup(
            opened, user: account.user, services: services, person: person, run: id, network: network,
            screen: PhoneHost(continuation, lines: run.lineCount))
        let instance = try surroundings.instance(of: setup, isScript: opened.metadata.webPage == nil)
        self.run = run
        meet(person)
        run.onChange = { [weak self, weak run] in self?.show(run) }
        run.onEnd = { [weak self, weak run] error in
            continuation.finish()
            guard let self, let run, self.run === run, let error else { return }
            close()
            show(problem: error)
        }
        run.onNavigate = { [weak self, weak run] appID, options in
            if let self, let run, self.run === run { open(appID, options) }
        }
        run.onLeave = { [weak self, weak run] in
            if let self, let run, self.run === run { close() }
        }
        reporter.report(
            .note, from: .superApp, to: .superApp, "open mini program", correlation: run.correlation,
            fields: [
                .init("appId", opened.metadata.appID), .init("releaseVersion", opened.metadata.version.description),
                .init("offline", opened.offlineReason ?? "no"),
            ])
        feed.show {
            $0.place = .program
            $0.program = run.program
            $0.story = surroundings.story(id)
        }
        show(run)
        run.start(instance, hearing: events, options: options)
    }

    /// The Wallet services, as somebody is asked by them.
    private func services(for account: Account, _ person: PhonePerson, _ about: [String: String]) -> WalletServices {
        let (user, reporter) = (account.user, surroundings.reporter)
        let links = TableDeepLinkService()
        let cashier = PhoneCashier(person: person, wallet: surroundings.wallet, network: network) { isAnswer, title, status in
            reporter.report(
                isAnswer ? .response : .request, from: isAnswer ? .wallet : .superApp, to: isAnswer ? .superApp : .wallet, title,
                correlation: about, fields: status.isEmpty ? [] : [.init("status", status)],
                problem: status == "no answer" ? "no answer" : nil)
        }
        let services = WalletServices(
            oauth: ConsentingOAuthService(
                backend: PhoneAuthorizations(server: server, user: user, about: about), page: PhoneConsent(person: person),
                cache: account.scopes, userID: { user.number }),
            payment: CashierPaymentService(cashier: cashier, allowsLoopback: true),
            code: PhoneScanner(person: person, decoder: surroundings.decoder), deepLink: links, member: PhoneMember(user: user))
        PhoneScenes(person: person, services: services) { [weak self, weak person] text in
            if let self, self.person === person { openLink(text, isFromLink: false) }
        }.register(in: links, linkScheme: surroundings.linkScheme)
        return services
    }

    private func show(_ run: PhoneRun?) {
        guard let run, self.run === run else { return }
        feed.show {
            $0.program = run.program
            $0.calls = run.calls
            $0.deliveries = run.deliveries
            $0.toast = run.toast
            $0.loading = run.loading
        }
    }

    private func close(leads place: SuperAppScreen.Place = .home) {
        turn += 1
        let closed = run
        run = nil
        meet(PhonePerson())
        closed?.end()
        feed.show {
            $0.place = place
            $0.program = nil
            $0.toast = nil
            $0.loading = nil
            $0.deliveries = []
        }
        if place == .home { refresh() }
    }

    // MARK: Links and codes

    /// What a text opens: a mini program, or nothing but its own words.
    private func openLink(_ text: String, isFromLink: Bool) {
        let (scheme, host) = (surroundings.linkScheme, surroundings.codeHost)
        let scanned = ScannedText(text, promotion: [PromotionCode(host: host)], isPaymentCode: CodeLinkRule.alipayPlus.accepts) {
            try MiniProgramLink($0, schemes: [scheme], hosts: [host])
        }
        switch scanned {
        case .miniProgram(let link):
            guard link.environment == .release else {
                return show(problem: SandboxRefusal(code: "not-released", reason: "the link is of a build that is not released"))
            }
            let query = link.pageQuery.isEmpty ? "" : "?" + MiniProgramLink.text(of: link.pageQuery)
            open(
                link.appID,
                LaunchOptions(
                    page: (link.page ?? "") + query,
                    query: Dictionary(link.query.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }), scene: link.source ?? "",
                    isFromLink: isFromLink))
        case .webPage(let address): tell("A web page", address)
        case .payment(let text): tell("A code of Alipay+", text)
        case .text(let text): tell("The code says", text)
        }
    }

    private func tell(_ title: String, _ text: String) {
        var sheet = SuperAppScreen.Sheet(.alert, title: title)
        (sheet.text, sheet.confirm) = (String(text.prefix(500)), "OK")
        Task { [person] in _ = await person.asks(sheet) }
    }

    private func scan() async {
        guard account != nil else { return }
        let result = await PhoneScanner(person: person, decoder: surroundings.decoder).scan(with: IAPWalletScannerOption())
        if let code = result.code {
            openLink(code, isFromLink: true)
        } else if let failure = result.failure, failure.code != .userCancel {
            show(problem: SandboxRefusal(code: "nothing-found", reason: failure.reason))
        }
    }

    /// The system opens the app with an address: the way back from the wallet's pages, or a link. Refuses with `url-unexpected` what nothing
    /// here waits for.
    package func open(_ address: String) throws(SandboxRefusal) {
        if address.hasPrefix(Self.scheme + "://"), person.comesBack() { return }
        guard account != nil, address.hasPrefix(surroundings.linkScheme + "://") else {
            throw SandboxRefusal(code: "url-unexpected", reason: "nothing here waits for that address", status: 409)
        }
        let link = try? MiniProgramLink(address, schemes: [surroundings.linkScheme])
        guard let run, link?.appID != run.program.appId else { return openLink(address, isFromLink: true) }
        // What runs is not replaced behind the person's back.
        var sheet = SuperAppScreen.Sheet(.link, title: "Somebody else")
        sheet.text = "a mini program, in place of this one"
        Task { [weak self, person] in
            guard case .yes = await person.asks(sheet), let self, self.person === person else { return }
            openLink(address, isFromLink: true)
        }
    }

    /// A message of the page in the frame. Without a page there is nobody to answer.
    func receive(_ frame: SuperAppFrame) throws(SandboxRefusal) {
        guard let run, run.program.kind == .web else {
            throw SandboxRefusal(code: "not-on-screen", reason: "no page is open", status: 409)
        }
        run.receive(frame.text, origin: frame.origin, hasTap: frame.hasTap)
    }

    /// A picture for the scanner that is open.
    func receive(_ picture: CodePicture) throws(SandboxRefusal) {
        guard screen.sheet?.kind == .scanner else {
            throw SandboxRefusal(code: "not-on-screen", reason: "no scanner is open", status: 409)
        }
        person.gives(picture)
    }

    /// The page has posted what came up to a number.
    func acknowledge(deliveriesUpTo number: Int) { run?.acknowledge(deliveriesUpTo: number) }

    /// Whether somebody looks at it.
    var isWatched: Bool { feed.isWatched }

    /// The phone is put away: nobody is signed in on it any more.
    func putAway() {
        signOut()
        close()
        feed.finish()
    }
}

extension SuperAppScreen {
    /// A new screen after another.
    fileprivate func following(_ last: SuperAppScreen) -> SuperAppScreen {
        var next = self
        next.revision = last.revision
        return next
    }
}
