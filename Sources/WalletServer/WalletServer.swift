public import BillfoldPayments
public import BillfoldServer
public import BillfoldStorage
public import BillfoldTrace
import BillfoldWeb
public import Hummingbird
public import ServiceLifecycle

/// A wallet: customers' accounts in a double-entry ledger, its app's pages, and the cashier for phones without the app.
///
/// It holds nothing that matters in memory. Several processes on one store behave as one.
public struct WalletServer: Sendable {
    let context: WalletContext
    let checkouts: CheckoutService
    package let backOffice: WalletBackOffice
    private let outboxWorker: OutboxWorker
    /// Forgets what no rule needs.
    package let retentionWorker: RetentionWorker
    private let cashierRoutes: CashierRoutes
    private let walletRoutes: WalletRoutes
    private let linkRoutes: OrderGatewayLinkRoutes
    private let alipayPlus: AlipayPlusPart?
    private let superApp: SuperAppPart?
    private let assets: PageAssets

    /// The tables, in the order in which they must be made.
    public static let migrations: [Migration] = WalletSchema.migrations

    /// Refuses an unsafe configuration with `configuration-invalid`.
    ///
    /// `http` reaches the gateway; `random` makes session tokens and salts, and is the system's randomness in production.
    public init(
        configuration: WalletConfiguration, database: any Database, http: any HTTPSender, trace: any TraceSink,
        identifiers: IdentifierSource, random: RandomBytes, surroundings: ServerSurroundings
    ) throws {
        try configuration.validate()
        let context = WalletContext(
            configuration: configuration, database: database, http: http, clock: surroundings.clock, identifiers: identifiers,
            random: random,
            trace: WalletTrace(sink: trace, clock: surroundings.clock, identifiers: identifiers, mode: configuration.mode),
            logger: surroundings.logger, metrics: surroundings.metrics)
        self.context = context
        let link = OrderGatewayLink(context: context)
        let passwords = try PasswordService(context: context, uptime: surroundings.uptime)
        let sender = PaymentSender(context: context, link: link)
        let accounts = AccountService(context: context, passwords: passwords)
        checkouts = CheckoutService(context: context, link: link, passwords: passwords, sender: sender)
        let service = WalletPageService(context: context, accounts: accounts, pages: WalletPages(configuration: configuration))
        superApp = configuration.superApp.map {
            SuperAppPart($0, context: context, service: service, passwords: passwords, uptime: surroundings.uptime)
        }
        backOffice = WalletBackOffice(context: context, accounts: accounts, miniPrograms: superApp?.office)
        var outbox = OutboxWorker.Configuration()
        outbox.lease = configuration.requestLease
        outbox.schedules = [PaymentSender.kind: PaymentSender.schedule, AlipayPlusNotifier.kind: AlipayPlusNotifier.schedule]
        alipayPlus = try configuration.alipayPlus.map { try AlipayPlusPart($0, context: context, service: service, passwords: passwords) }
        outboxWorker = OutboxWorker(
            database: database, sender: WalletSender(payments: sender, notices: alipayPlus?.notifier), clock: surroundings.clock,
            random: identifiers, configuration: outbox,
            logger: surroundings.logger)
        retentionWorker = RetentionWorker(
            database: database, rules: Self.retention, clock: surroundings.clock, logger: surroundings.logger)
        cashierRoutes = CashierRoutes(
            service: service, checkouts: checkouts, limiter: RateLimiter(limit: configuration.checkoutRate, uptime: surroundings.uptime))
        walletRoutes = WalletRoutes(service: service, bills: BillService(context: context), checkouts: checkouts)
        linkRoutes = OrderGatewayLinkRoutes(service: OrderGatewayLinkService(context: context), context: context)
        assets = PageAssets(try PageSet.wallet.assets(with: ["billfold.css", "billfold.svg", "wallet.css"]))
    }

    /// A refund is known by its request's id for ever. A checkout that led to no payment, and a token or contract that nobody can use any
    /// more, say nothing.
    static let retention: [RetentionRule] = [
        .keys(of: [OrderGatewayLinkService.refundOperation]), .messages,
        .ended("wallet_sessions", key: ["token_hash"], where: "expires_at < ?", kept: .zero),
        .ended("wallet_checkouts", key: ["id"], where: "hold IS NULL AND expires_at < ?"),
        .ended("wallet_oauth_tokens", key: ["code_hash"], where: "access_until < ? AND refresh_until < ?"),
        .ended("wallet_contracts", key: ["hash"], where: "signed_at IS NULL AND expires_at < ?"),
    ]

    /// The owner of the wallet's ledger and audit rows.
    package var owner: MerchantID { context.configuration.owner }

    /// The super app's own calls for its users; nil where the wallet hosts no mini programs.
    package var superAppCalls: SuperAppCalls? { superApp?.calls }

    /// What operators may have done after a second person approved it.
    package var actions: WalletActions { WalletActions(backOffice: backOffice) }

    /// What the gateway says of payments that the books do not know: an action of the kind `wallet-settle-notice`.
    package var notices: UnmatchedNoticeOffice { WalletNotices(context: context).office }

    /// What runs beside the listeners.
    public var workers: [any Service] { [outboxWorker, retentionWorker] + (alipayPlus.map { [$0.enrolment] } ?? []) }

    /// In bytes, of the largest body that a route takes: uploaded packages, where the wallet hosts mini programs.
    public var largestBody: Int { context.configuration.superApp?.maximumPackageBytes ?? 0 }

    /// In bytes, of the longest request line that a route takes: the app switch brings a whole order, percent-encoded, in its address.
    public static let longestAddress = 65_536

    /// For the listener: a merchant's own page posts its order to the cashier (`ListenerConfiguration.foreignForms`).
    package static let foreignForms: Set<String> = [CashierRoutes.path]

    /// Delivers what the outbox holds now, and returns how many messages that were.
    @discardableResult
    func deliverOnce() async throws -> Int { try await outboxWorker.runOnce() }

    /// Adds pages and interface to a router, usually `ServerSurroundings.router(for:context:)` of surroundings whose error mapping is
    /// `ErrorMapping.withWallet()`.
    public func addRoutes<Context: CallerContext>(to router: some RouterMethods<Context>) {
        assets.add(to: router, under: "/wallet/assets")
        cashierRoutes.add(to: router)
        walletRoutes.add(to: router)
        linkRoutes.add(to: router)
        alipayPlus?.routes.add(to: router)
        superApp?.addRoutes(to: router)
    }
}
