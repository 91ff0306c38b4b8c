import AppContainer
import BillfoldDiagnosis
import BillfoldTrace
import CodeReader
import Foundation
import MiniPrograms
import WalletAPI

/// One phone in a visitor's hands with the super app on it: the container and the Wallet services at work, for one user after another.
@MainActor
public final class SuperAppPhone {
    /// That the wallet's pages lead back to.
    public nonisolated static let scheme = "billfoldsuperapp"

    public let id: String
    public var screen: SuperAppScreen { feed.screen }
    let feed: ScreenFeed<SuperAppScreen>

    /// What there is for the user who is signed in.
    private struct Account {
        var user: SuperAppServer.User
        var shelf: ProgramShelf
        var services: WalletServices
        var oauth: ConsentingOAuthService
        var authorization: AuthorizationWorkflow
    }

    private let surroundings: SuperAppSurroundings
    private let person = PhonePerson()
    private var account: Account?
    private var run: PhoneRun?
    /// Grows when something else is begun: what was begun before has no more say.
    private var turn = 0

    init(id: String, surroundings: SuperAppSurroundings) {
        self.id = id
        self.surroundings = surroundings
        feed = ScreenFeed(SuperAppScreen(session: id, people: surroundings.people))
        person.onChange = { [weak self] sheet in self?.feed.show { $0.sheet = sheet } }
    }

    // MARK: Taps

    /// Carries out what the person did. Refuses what the screen does not offer (`not-on-screen`).
    public func perform(_ tap: SuperAppTap) throws(SandboxRefusal) {
        guard offers(tap) else {
            throw SandboxRefusal(code: "not-on-screen", reason: "the phone’s screen offers no \(tap.action.rawValue)", status: 409)
        }
        feed.show { $0.problem = nil }
        switch tap.action {
        case .signIn: begin { try await $0.signIn(tap.value ?? "", Secret(tap.secret ?? "")) }
        case .signOut: signOut()
        case .open: open(tap.value ?? "", LaunchOptions())
        case .openLink: openLink(tap.value ?? "", isFromLink: true)
        case .scan: begin { await $0.scan() }
        case .event: run?.event(tap.value ?? "", text: tap.text, dataset: tap.dataset ?? [:])
        case .back: if run?.back() != true { close() }
        case .close: close()
        case .agree, .confirm, .allow, .finish, .choose: person.answers(.yes(tap.value ?? ""))
        case .refuse, .cancel, .decline: person.answers(.no)
        case .comeBack: person.answers(.cameBack)
        case .leaveScanner: person.leavesScanner()
        case .dismissToast: run?.dismissToast()
        }
    }

    private func offers(_ tap: SuperAppTap) -> Bool {
        let kind = screen.sheet?.kind
        return switch tap.action {
        case .signIn: screen.place == .login
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
        }
    }

    private func begin(_ step: @escaping @MainActor (SuperAppPhone) async throws -> Void) {
        turn += 1
        let mine = turn
        Task { [weak self] in
            guard let self else { return }
            do { try await step(self) } catch { if mine == turn { show(problem: error) } }
        }
    }

    private func show(problem error: any Error) {
        let problem: SuperAppScreen.Problem =
            switch error {
            case let error as SandboxRefusal: .init(code: error.code, reason: error.reason)
            case let error as PlatformRefusal: .init(code: error.code, reason: error.reason)
            case let error as MiniProgramError: .init(code: error.code.description, reason: error.reason)
            case let error as AppContainerError: .init(code: error.code.description, reason: error.reason)
            case is RequestingHost.NoAnswer: .init(code: "no-answer", reason: "the wallet does not answer")
            default: .init(code: "failed", reason: "that did not work")
            }
        feed.show {
            $0.problem = problem
            if $0.place == .opening { $0.place = .home }
        }
    }

    // MARK: The user

    private func signIn(_ name: String, _ password: Secret<String>) async throws {
        let server = surroundings.server
        let user = try await server.signIn(name, password)
        let platform = PhonePlatform(server: server, user: user)
        let shelf = try await surroundings.shelves.shelf(of: user, platform: platform, surroundings)
        let backend = PhoneAuthorizations(server: server, user: user) { [weak self] appID in await self?.correlation(of: appID) ?? [:] }
        let oauth = ConsentingOAuthService(backend: backend, page: PhoneConsent(person: person), userID: { user.number })
        let links = TableDeepLinkService()
        let services = WalletServices(
            oauth: oauth,
            payment: CashierPaymentService(
                cashier: PhoneCashier(person: person, wallet: surroundings.wallet), allowsLoopback: true),
            code: PhoneScanner(person: person, decoder: surroundings.decoder), deepLink: links, member: PhoneMember(user: user))
        PhoneScenes(person: person, services: services) { [weak self] text in self?.openLink(text, isFromLink: false) }
            .register(in: links, linkScheme: surroundings.linkScheme)
        account = Account(
            user: user, shelf: shelf, services: services, oauth: oauth, authorization: AuthorizationWorkflow(services: services))
        func arrive(_ apps: [SuperAppScreen.App]) {
            feed.show {
                $0.user = user.name
                $0.place = .home
                $0.people = []
                $0.apps = apps
            }
        }
        do { arrive(try await server.apps(for: user)) } catch {
            arrive([])
            throw error
        }
    }

    /// What the platform lists now; the old list stays where it does not answer.
    private func refresh() {
        guard let user = account?.user else { return }
        let server = surroundings.server
        Task { [weak self] in
            guard let apps = try? await server.apps(for: user), self?.account?.user.number == user.number else { return }
            self?.feed.show { $0.apps = apps }
        }
    }

    private func signOut() {
        guard let account else { return }
        account.oauth.signOut(userID: account.user.number)
        let (server, user) = (surroundings.server, account.user)
        Task { await server.signOut(user) }
        self.account = nil
        feed.show {
            $0 = SuperAppScreen(session: $0.session, people: surroundings.people).following($0)
        }
    }

    // MARK: Mini programs

    private func correlation(of appID: String) -> [String: String] {
        run.flatMap { $0.program.appId == appID ? $0.correlation : nil } ?? [:]
    }

    private func open(_ appID: String, _ options: LaunchOptions) {
        guard let account else { return }
        if let run, run.program.appId == appID { return run.reopen(options) }
        close(leads: .opening)
        begin { phone in
            let opened = try await account.shelf.open(appID)
            // The person went elsewhere meanwhile.
            guard phone.screen.place == .opening, phone.account?.user.number == account.user.number else { return }
            try phone.start(opened, account, options)
        }
    }

    private func start(_ opened: OpenedMiniProgram, _ account: Account, _ options: LaunchOptions) throws {
        let (id, reporter) = (surroundings.reporter.makeName(), surroundings.reporter)
        let run = PhoneRun(id: id, opened: opened, person: person, reporter: reporter)
        let (events, continuation) = AsyncStream.makeStream(of: PhoneHost.Event.self)
        let setup = surroundings.setup(
            opened, user: account.user, services: account.services, authorization: account.authorization, person: person, run: id,
            screen: PhoneHost(continuation))
        let instance = try surroundings.instance(of: setup, isScript: opened.metadata.webPage == nil)
        self.run = run
        run.onChange = { [weak self, weak run] in self?.show(run) }
        run.onEnd = { [weak self, weak run] error in
            continuation.finish()
            guard let self, let run, self.run === run, let error else { return }
            close()
            show(problem: error)
        }
        run.onNavigate = { [weak self] appID, options in self?.open(appID, options) }
        run.onLeave = { [weak self] in self?.close() }
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
        run.start(instance, events, options)
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
        person.leaves()
        closed?.end()
        if let closed, let account {
            let (authorization, user) = (account.authorization, account.user.number)
            Task { await authorization.forget(userID: user, appID: closed.program.appId) }
        }
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
        let scanned = ScannedText(text, promotion: [PromotionCode(host: host)], isPaymentCode: { _ in false }) {
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
        case .payment(let text), .text(let text): tell("The code says", text)
        }
    }

    private func tell(_ title: String, _ text: String) {
        var sheet = SuperAppScreen.Sheet(.alert, title: title)
        (sheet.text, sheet.confirm) = (String(text.prefix(500)), "OK")
        begin { _ = await $0.person.asks(sheet) }
    }

    private func scan() async {
        guard let account else { return }
        let result = await account.services.code.scan(with: IAPWalletScannerOption())
        if let code = result.code {
            openLink(code, isFromLink: true)
        } else if let failure = result.failure, failure.code != .userCancel {
            show(problem: SandboxRefusal(code: "nothing-found", reason: failure.reason))
        }
    }

    /// The system opens the app with an address: the way back from the wallet's pages, or a link.
    public func open(_ address: String) throws(SandboxRefusal) {
        if screen.sheet?.kind == .cashier, address.hasPrefix(Self.scheme + "://") { return person.answers(.returned(address)) }
        guard account != nil, address.hasPrefix(surroundings.linkScheme + "://") else {
            throw SandboxRefusal(code: "url-malformed", reason: "nothing here waits for that address", status: 400)
        }
        openLink(address, isFromLink: true)
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

    /// The phone is put away.
    func putAway() {
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
