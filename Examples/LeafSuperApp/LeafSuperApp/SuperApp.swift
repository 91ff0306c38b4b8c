import AppContainer
import Foundation
import MiniPrograms
import PaymentCrypto
import WalletAPI

/// The super app: who is signed in, the mini programs on the device, and the Wallet services that they call.
@MainActor
final class SuperApp {
    /// What there is for the user who is signed in.
    private struct Account {
        let user: WalletServer.User
        let shelf: ProgramShelf
        let scopes = MemoryScopeCache()
    }

    let person = Person()
    let returns = Returns()
    private let settings: Settings
    private let server: WalletServer
    /// Where the device keeps mini programs and what they store: it outlives the app.
    private let folder: URL
    private let cookies = MiniProgramCookies()
    private var account: Account?

    init(settings: Settings, folder: URL) {
        self.settings = settings
        self.folder = folder
        server = WalletServer(origin: settings.wallet, network: Network())
    }

    /// Signs in, and gives the mini programs that the platform has for this user.
    func signIn() async throws -> [WalletServer.Listing] {
        let user = try await server.signIn(settings.name, settings.password)
        let shelf = ProgramShelf(
            keys: try await server.platformKeys(), archives: ZipPackage(), container: WalletServer.container,
            folder: folder.appendingPathComponent("programs/\(user.number)"))
        account = Account(user: user, shelf: shelf)
        return try await server.programs(for: user)
    }

    /// Starts a mini program: the newest version that is here, or, the first time, the one that the platform gives.
    func open(_ appID: String) async throws -> ProgramRun? {
        guard let account else { return nil }
        let opened = try await account.shelf.open(appID, from: WalletPlatform(server: server, user: account.user))
        let (events, continuation) = AsyncStream.makeStream(of: ScreenHost.Event.self)
        return ProgramRun(opened, setup(opened, for: account, ScreenHost(events: continuation)), hearing: events, person: person)
    }

    private func setup(_ opened: OpenedMiniProgram, for account: Account, _ screen: ScreenHost) -> MiniProgramSetup {
        let metadata = opened.metadata
        let grant = MiniProgramGrant(
            features: Set(metadata.features), requestDomains: DomainList(metadata.serverDomains, allowsPlainHTTP: settings.isLocal),
            webPageDomains: DomainList(metadata.webPageDomains, allowsPlainHTTP: settings.isLocal),
            customInterfaces: metadata.customInterfaces)
        let services = services(for: account)
        let (person, network) = (person, server.network)
        let policy = DeepLinkPolicy(scenes: Set(metadata.scenes), hosts: Set(metadata.webPageDomains))
        let links = DeepLinkWorkflow(
            services: services, policy: { $0 == metadata.appID ? policy : nil },
            approve: { prompt in
                let texts = person.texts
                return await person.agrees(texts.title(of: prompt), nil, yes: texts[.open], no: texts[.cancel])
            })
        let now: @Sendable () -> Double = { Date().timeIntervalSince1970 * 1_000 }
        let requesting = RequestingHost(domains: grant.requestDomains, cookies: cookies, now: now, screen: screen) {
            try await network.send($0)
        }
        return MiniProgramSetup(
            code: opened.code,
            identity: MiniProgramIdentity(
                appID: metadata.appID, name: metadata.name, logo: metadata.logo, version: metadata.version.description,
                authClientID: metadata.authClientID, isFromAlipayConnect: metadata.workspace == .connect, userID: account.user.number),
            grant: grant,
            host: WalletHost(
                services: services, authorization: AuthorizationWorkflow(services: services), deepLinks: links, screen: requesting),
            store: FileMiniProgramStore(folder: folder.appendingPathComponent("storage")), clock: now, seed: .random(in: 0 ... .max))
    }

    /// The Wallet services. This app registers no scanner: `my.scan` is answered that there is none.
    private func services(for account: Account) -> WalletServices {
        let user = account.user
        let links = TableDeepLinkService()
        links.register(scheme: "https") { address, _ in
            Task { @MainActor in await Browser.open(address) }
            return true
        }
        return WalletServices(
            oauth: ConsentingOAuthService(
                backend: Authorizations(server: server, user: user), page: ConsentAlert(person: person), cache: account.scopes,
                userID: { user.number }),
            payment: CashierPaymentService(
                cashier: WebCashier(server: server, returns: returns, scheme: settings.scheme), allowsLoopback: settings.isLocal),
            deepLink: links, member: MemberService(user: user))
    }
}
