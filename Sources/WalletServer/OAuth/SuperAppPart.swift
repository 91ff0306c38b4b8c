import BillfoldServer
import BillfoldStorage
import Hummingbird
package import MiniPrograms

/// The wallet as a super app, put together: the OAuth server and the platform.
struct SuperAppPart: Sendable {
    let desk: SuperAppDesk
    let office: MiniProgramOffice
    private let routes: OAuthRoutes
    private let users: UserSessionRoutes
    private let authors: AuthorRoutes
    private let delivery: DeliveryRoutes
    private let onboarding: SuperAppOnboarding?
    private let consent: ConsentRoutes
    private let contracts: ContractRoutes

    static let migrations = [
        SignerRecords.migration, AgreementRecords.migration, OAuthCodeRecords.migration, OAuthTokenRecords.migration,
        ContractRecords.migration, MiniProgramRecords.migration,
    ]

    init(
        _ side: WalletConfiguration.SuperApp, _ context: WalletContext, _ pages: WalletDesk, _ passwords: PasswordDesk,
        uptime: @escaping @Sendable () -> Duration
    ) {
        let authorizations = AuthorizationService(
            context: context, side: side, passwords: passwords, limiter: RateLimiter(limit: side.userRate, uptime: uptime))
        let envelope = OpenAPIEnvelope(
            context: context, side: side, signers: SignerRegister(database: context.database),
            limiter: RateLimiter(limit: side.callRate, uptime: uptime))
        let sessions = SuperAppSessions(context: context, accounts: pages.accounts)
        let (releases, shelf) = (ReleaseDesk(context: context), DeliveryDesk(context: context, side: side))
        let office = MiniProgramOffice(context: context, side: side, releases: releases, delivery: shelf)
        self.office = office
        desk = SuperAppDesk(context: context, authorizations: authorizations)
        routes = OAuthRoutes(
            envelope: envelope, sessions: sessions, authorizations: authorizations,
            tokens: TokenService(context: context, side: side, authorizations: authorizations))
        users = UserSessionRoutes(sessions: sessions)
        authors = AuthorRoutes(
            envelope: envelope, intake: PackageIntake(context: context, side: side), releases: releases, delivery: shelf, context: context)
        consent = ConsentRoutes(desk: pages, consent: ConsentDesk(authorizations: authorizations), side: side)
        contracts = ContractRoutes(desk: pages, authorizations: authorizations, side: side)
        delivery = DeliveryRoutes(sessions: sessions, desk: shelf, promotions: PromotionCode(host: side.codeHost))
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

/// The super app's own calls for a user whom the same process knows, such as a phone whose session runs on this server.
///
/// Over HTTP they take the user's session at the wallet.
package struct SuperAppDesk: Sendable {
    let context: WalletContext
    let authorizations: AuthorizationService

    /// Issues a code, or says which scopes the user must agree to first. A refusal is the answer's result. Throws `account-not-found`.
    ///
    /// - `user`: A user's number.
    package func applyAuthCode(_ request: ApplyAuthCodeRequest, user: String) async throws -> ApplyAuthCodeAnswer {
        do {
            return try await authorizations.applyAuthCode(request, by: account(user))
        } catch let refusal as OpenAPIRefusal {
            return ApplyAuthCodeAnswer(result: refusal.result)
        }
    }

    /// Stores that the user agreed to scopes on the page, and returns the agreement's id. Throws `agreement-refused` or `account-not-found`.
    package func agree(to scopes: Set<String>, appID: String, authClientID: String, user: String) async throws -> String {
        do {
            return try await authorizations.agree(to: scopes, appID: appID, clientID: authClientID, by: account(user)).description
        } catch let refusal as OpenAPIRefusal {
            throw WalletError(refusing: refusal)
        }
    }

    /// What the user has agreed to with a mini program. Throws `account-not-found`.
    package func agreedScopes(appID: String, user: String) async throws -> Set<String> {
        try await authorizations.agreements(of: account(user), appID: appID)[appID] ?? []
    }

    /// Takes the user's agreements with a mini program back; codes and tokens under them end. Throws `account-not-found`.
    package func withdraw(appID: String, user: String) async throws {
        try await authorizations.withdraw(appID: appID, by: account(user).id)
    }

    private func account(_ number: String) async throws -> WalletAccount {
        let found = try await context.database.lookup { try AccountRecords.find(number: number, in: $0) }
        guard let found, found.state == .active else { throw WalletError(code: .accountNotFound, reason: "there is no such account") }
        return found
    }
}
