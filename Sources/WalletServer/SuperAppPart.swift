import BillfoldServer
import Hummingbird
import MiniPrograms

/// The wallet as a super app, put together: the OAuth server and the platform.
struct SuperAppPart: Sendable {
    let calls: SuperAppCalls
    let office: MiniProgramOffice
    private let routes: OAuthRoutes
    private let users: UserSessionRoutes
    private let authors: AuthorRoutes
    private let delivery: DeliveryRoutes
    private let onboarding: SuperAppOnboarding?
    private let consent: ConsentRoutes
    private let contracts: ContractRoutes

    init(
        _ side: WalletConfiguration.SuperApp, context: WalletContext, service pages: WalletPageService, passwords: PasswordService,
        uptime: @escaping @Sendable () -> Duration
    ) {
        let authorizations = SuperAppAuthorizationService(
            context: context, side: side, passwords: passwords, limiter: RateLimiter(limit: side.userRate, uptime: uptime))
        let envelope = OpenAPIEnvelope(
            context: context, side: side, signers: SignerRegister(database: context.database),
            limiter: RateLimiter(limit: side.callRate, uptime: uptime))
        let sessions = SuperAppSessions(context: context, accounts: pages.accounts)
        let (releases, shelf) = (ReleaseService(context: context), DeliveryService(context: context, side: side))
        let office = MiniProgramOffice(context: context, side: side, releases: releases, delivery: shelf)
        self.office = office
        calls = SuperAppCalls(context: context, authorizations: authorizations)
        routes = OAuthRoutes(
            envelope: envelope, sessions: sessions, authorizations: authorizations,
            tokens: TokenService(context: context, side: side, authorizations: authorizations))
        users = UserSessionRoutes(sessions: sessions)
        authors = AuthorRoutes(
            envelope: envelope, intake: PackageIntake(context: context, side: side), releases: releases, delivery: shelf, context: context)
        consent = ConsentRoutes(service: pages, consent: ConsentService(authorizations: authorizations), side: side)
        contracts = ContractRoutes(service: pages, authorizations: authorizations, side: side)
        delivery = DeliveryRoutes(sessions: sessions, service: shelf, promotions: PromotionCode(host: side.codeHost))
        onboarding = side.onboardingKey.map { SuperAppOnboarding(office: office, side: side, key: $0, context: context) }
    }

    func addRoutes<Context: CallerContext>(to router: some RouterMethods<Context>) {
        routes.add(to: router)
        users.add(to: router)
        authors.add(to: router)
        delivery.add(to: router)
        onboarding?.add(to: router)
        consent.add(to: router)
        contracts.add(to: router)
    }
}
