public import BillfoldPayments
public import BillfoldServer
public import BillfoldStorage
public import BillfoldTrace
public import Hummingbird
public import ServiceLifecycle

/// The acquiring gateway of Alipay+: acquirers, wallets, payments, refunds, codes, quotes and notifications, with their books.
///
/// It holds nothing that matters in memory. Several processes on one store behave as one.
public struct AlipayPlusServer: Sendable {
    let context: AlipayPlusServerContext
    let envelope: EnvelopeRoutes
    let pages: AuthorizationRoutes
    /// What the payment sheet is drawn from.
    public let cashier: CashierDesk
    public let onboarding: Onboarding
    public let quotes: Quotes
    /// Delivers notifications and wallets' errands.
    public let outboxWorker: OutboxWorker
    /// Ends payments, and asks wallets, when it is time.
    public let deadlineWorker: DeadlineWorker

    /// The tables, in the order in which they must be made.
    public static let migrations: [Migration] = AlipayPlusSchema.migrations

    /// Refuses an unsafe configuration with `configuration-invalid`.
    ///
    /// - `http`: Reaches acquirers and wallets. Its policy must know no private origins: acquirers' own are checked here.
    /// - `identifiers`: The system's randomness in production; it also makes codes and references.
    public init(
        configuration: AlipayPlusServerConfiguration, database: any Database, http: any HTTPSender, addresses: AddressPolicy,
        trace: any TraceSink, identifiers: IdentifierSource, surroundings: ServerSurroundings
    ) throws(AlipayPlusServerError) {
        try configuration.validate()
        let context = AlipayPlusServerContext(
            configuration: configuration, database: database, parties: PartyRegister(database: database),
            store: CollectionStore(
                audit: AuditChain(key: configuration.keys.audit), identifiers: identifiers,
                composer: NotificationComposer(identifiers: identifiers), inquiries: configuration.inquiries),
            http: http, addresses: addresses, clock: surroundings.clock, identifiers: identifiers,
            trace: GatewayTrace(sink: trace, clock: surroundings.clock, identifiers: identifiers, mode: configuration.mode),
            metrics: AlipayPlusServerMetrics(factory: surroundings.metrics), logger: surroundings.logger)
        self.context = context
        let codes = CodeDesk(context: context)
        let collector = Collector(context: context, wallets: WalletClient(context: context))
        let authorizations = AuthorizationService(context: context, wallets: collector.wallets)
        pages = AuthorizationRoutes(service: authorizations)
        cashier = CashierDesk(context: context, codes: codes)
        onboarding = Onboarding(context: context)
        quotes = Quotes(database: database)
        envelope = EnvelopeRoutes(
            context: context,
            acquirerAPI: AcquirerAPI(
                service: AcquirerService(
                    context: context, intake: PaymentIntake(context: context), cashier: cashier, collector: collector,
                    authorizations: authorizations)),
            walletAPI: WalletAPI(
                service: WalletService(context: context, codes: codes, collector: collector, authorizations: authorizations)),
            limiter: RateLimiter(limit: configuration.callRate, uptime: surroundings.uptime))
        var outbox = OutboxWorker.Configuration()
        outbox.lease = configuration.lease
        outbox.schedules = WalletErrand.schedules
        outbox.schedules[NotificationComposer.schedule] = .fixed(NotificationComposer.waits)
        outboxWorker = OutboxWorker(
            database: database, sender: GatewaySender(context: context, collector: collector), clock: surroundings.clock,
            random: identifiers, configuration: outbox, logger: surroundings.logger)
        var deadlines = DeadlineWorker.Configuration()
        deadlines.lease = configuration.lease
        deadlineWorker = DeadlineWorker(
            database: database, handler: PaymentDeadlines(context: context, collector: collector), clock: surroundings.clock,
            configuration: deadlines, logger: surroundings.logger)
    }

    /// What runs beside the listeners.
    public var workers: [any Service] { [outboxWorker, deadlineWorker] }

    /// Adds the public interface to a router, usually `ServerSurroundings.router(for:context:)` of surroundings whose error mapping is
    /// `ErrorMapping.withAlipayPlus()`.
    public func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        envelope.add(to: router)
        pages.add(to: router)
        if let key = context.configuration.onboardingKey {
            OnboardingRoutes(onboarding: onboarding, key: key, context: context).add(to: router)
        }
    }
}
