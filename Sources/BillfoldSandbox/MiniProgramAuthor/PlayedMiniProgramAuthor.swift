package import AsyncHTTPClient
package import BillfoldDiagnosis
import BillfoldTrace
package import Hummingbird

/// The author of mini programs, put together: what publishes them, and the server behind them.
///
/// Two programs: the Tea Counter, whose scripts are packed and signed, and Postcards, whose pages lie on the author's server.
package struct PlayedMiniProgramAuthor: Sendable {
    /// Where the other parties are: origins without a path.
    package struct Configuration: Sendable {
        /// The wallet, which is the platform too, as its own origin says it.
        package var wallet: String
        /// The author's own, as containers and browsers reach it.
        package var author: String
        /// The merchant of express orders.
        package var alipayMerchant: String
        /// The phones with the super app, as browsers reach them.
        package var superApp: String
        /// The scheme of the super app, to which the wallet's cashier leads back.
        package var scheme: String
        /// What the author registers itself with.
        package var onboardingKey: Secret<String>

        package init(
            wallet: String, author: String, alipayMerchant: String, superApp: String, scheme: String = SuperAppPhone.scheme,
            onboardingKey: Secret<String>
        ) {
            self.wallet = wallet
            self.author = author
            self.alipayMerchant = alipayMerchant
            self.superApp = superApp
            self.scheme = scheme
            self.onboardingKey = onboardingKey
        }
    }

    /// Runs beside the listener.
    package let publisher: AuthorPublisher
    private let routes: MiniProgramAuthorRoutes

    /// - Parameters:
    ///   - configuration: Where the others are.
    ///   - keys: Where the author's private keys lie; made where they are not there yet.
    ///   - surroundings: A store that no other party uses.
    ///   - client: Must not follow redirects.
    package init(_ configuration: Configuration, keys: PartyKeys, surroundings: PartySurroundings, client: HTTPClient) throws {
        try self.init(
            configuration, keys: keys, surroundings: surroundings,
            onboarding: HTTPMerchantConnection(origin: configuration.wallet, client: client),
            wallet: HTTPAlipayPlusConnection(origin: configuration.wallet, client: client),
            merchant: HTTPMerchantConnection(origin: configuration.alipayMerchant, client: client),
            cashier: HTTPCashierDoor(origin: configuration.wallet, client: client))
    }

    /// - Parameters:
    ///   - configuration: Where the others are.
    ///   - keys: Where the author's private keys lie; made where they are not there yet.
    ///   - surroundings: A store that no other party uses.
    ///   - onboarding: Leads to the wallet's origin, for the registration.
    ///   - wallet: Leads there for signed calls.
    ///   - merchant: Leads to the merchant of express orders.
    ///   - cashier: Opens sessions of the wallet's web cashier.
    init(
        _ configuration: Configuration, keys: PartyKeys, surroundings: PartySurroundings, onboarding: any MerchantConnection,
        wallet: any AlipayPlusConnection, merchant: any MerchantConnection, cashier: any CashierDoor
    ) throws {
        let programs = AuthorProgram.all
        let authorKeys = try AuthorKeys(keys, programs: programs)
        let reporter = surroundings.reporter
        let registration = AuthorRegistration(
            line: PartyLine(from: .author, to: .wallet, connection: onboarding, reporter: reporter),
            credential: configuration.onboardingKey.reveal(), keys: authorKeys, programs: programs)
        let line = AuthorLine(registration: registration, connection: wallet, surroundings: surroundings)
        publisher = AuthorPublisher(line: line, keys: authorKeys, programs: programs, origin: configuration.author)
        routes = MiniProgramAuthorRoutes(
            service: AuthorService(
                surroundings: surroundings, line: line, clients: authorKeys.clients, programs: programs,
                merchant: PartyLine(from: .author, to: .merchant, connection: merchant, reporter: reporter), cashier: cashier,
                wallet: configuration.wallet, scheme: configuration.scheme,
                faults: PartyFaults(database: surroundings.database, operations: AuthorService.operations)),
            pages: try AuthorPages(superApp: configuration.superApp))
    }

    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) { routes.addRoutes(to: router) }
}
