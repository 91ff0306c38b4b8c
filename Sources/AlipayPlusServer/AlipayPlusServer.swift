import AlipayPlus
public import BillfoldPayments
public import BillfoldServer
public import BillfoldStorage
public import BillfoldTrace
import BillfoldWeb
public import Hummingbird
public import ServiceLifecycle

/// The acquiring gateway of Alipay+: acquirers, wallets, payments, refunds, codes, quotes and notifications, with their books.
///
/// It holds nothing that matters in memory. Several processes on one store behave as one.
public struct AlipayPlusServer: Sendable {
    let context: AlipayPlusServerContext
    let envelope: EnvelopeRoutes
    let consents: AuthorizationRoutes
    let options: OptionRoutes
    let sheet: SheetRoutes
    let assets: PageAssets
    /// What the payment sheet is drawn from.
    package let cashier: CashierService
    package let onboarding: PartyOnboarding
    package let quotes: Quotes
    /// Delivers notifications and wallets' errands.
    package let outboxWorker: OutboxWorker
    /// Ends payments, and asks wallets, when it is time.
    package let deadlineWorker: DeadlineWorker
    /// Forgets what no rule needs.
    package let retentionWorker: RetentionWorker

    /// The tables, in the order in which they must be made.
    public static let migrations: [Migration] = AlipayPlusSchema.migrations

    /// Refuses an unsafe configuration with `configuration-invalid`.
    ///
    /// - Parameters:
    ///   - configuration: The gateway's mode, keys, origin and limits.
    ///   - database: Holds all of the gateway's state; ``migrations`` must have been applied to it.
    ///   - http: Reaches acquirers and wallets. Its policy must know no private origins: acquirers' own are checked here.
    ///   - addresses: Judges the addresses that acquirers and their requests name, such as where notifications go.
    ///   - trace: Is told what the gateway exchanges with acquirers and wallets, and what it decides.
    ///   - identifiers: The system's randomness in production; it also makes codes and references.
    ///   - surroundings: The clocks, log and metrics that the gateway shares with the rest of its process.
    public init(
        configuration: AlipayPlusServerConfiguration, database: any Database, http: any HTTPSender, addresses: AddressPolicy,
        trace: any TraceSink, identifiers: IdentifierSource, surroundings: ServerSurroundings
    ) throws(AlipayPlusServerError) {
        try configuration.validate()
        let context = AlipayPlusServerContext(
            configuration: configuration, database: database, parties: PartyRegister(database: database),
            store: CollectionStore(
                audit: AuditChain(key: configuration.keys.audit), identifiers: identifiers,
                requests: WalletRequests(key: configuration.keys.hashing), composer: NotificationComposer(identifiers: identifiers),
                inquiries: configuration.inquiries),
            http: http, addresses: addresses, clock: surroundings.clock, identifiers: identifiers,
            trace: AcquiringGatewayTrace(sink: trace, clock: surroundings.clock, identifiers: identifiers, mode: configuration.mode),
            metrics: AlipayPlusServerMetrics(factory: surroundings.metrics), logger: surroundings.logger)
        self.context = context
        let codes = PaymentCodeService(context: context)
        let collector = Collector(context: context, wallets: WalletClient(context: context))
        let authorizations = AuthorizationService(context: context, wallets: collector.wallets)
        consents = AuthorizationRoutes(service: authorizations)
        cashier = CashierService(context: context, codes: codes)
        let service = OptionService(context: context, cashier: cashier)
        options = OptionRoutes(context: context, service: service)
        sheet = SheetRoutes(
            context: context, service: SheetService(context: context, cashier: cashier),
            pages: SheetPages(context: context, cashier: cashier))
        assets = try Self.sheetAssets()
        onboarding = PartyOnboarding(context: context)
        quotes = Quotes(database: database)
        let unlisted = UnlistedPayments(context: context, collector: collector)
        envelope = EnvelopeRoutes(
            context: context,
            acquirerAPI: AcquirerAPI(
                service: AcquirerService(
                    context: context, intake: PaymentIntake(context: context, unlisted: unlisted), cashier: cashier, collector: collector,
                    authorizations: authorizations, options: service, unlisted: unlisted)),
            walletAPI: WalletAPI(
                service: WalletService(context: context, codes: codes, collector: collector, authorizations: authorizations)),
            limiter: RateLimiter(limit: configuration.callRate, uptime: surroundings.uptime))
        var outbox = OutboxWorker.Configuration()
        outbox.lease = configuration.lease
        outbox.schedules = WalletErrand.schedules
        outbox.schedules[NotificationComposer.schedule] = .fixed(NotificationComposer.waits)
        outboxWorker = OutboxWorker(
            database: database, sender: AcquiringGatewaySender(context: context, collector: collector), clock: surroundings.clock,
            random: identifiers, configuration: outbox, logger: surroundings.logger)
        var deadlines = DeadlineWorker.Configuration()
        deadlines.lease = configuration.lease
        deadlineWorker = DeadlineWorker(
            database: database, handler: PaymentDeadlines(context: context, collector: collector), clock: surroundings.clock,
            configuration: deadlines, logger: surroundings.logger)
        retentionWorker = RetentionWorker(
            database: database, rules: Self.retention, clock: surroundings.clock, logger: surroundings.logger)
    }

    /// A payment and a refund are known by their request ids for ever, refusals by their keys. A consent is known by its key alone, which
    /// stays for as long as it holds.
    static let retention: [RetentionRule] = [
        .keys(of: [PayRequest.api, RefundRequest.api], .ofObjects), AuthorizationRecords.retention, .messages, PaymentCodeRecords.retention,
    ]

    /// What the sheet's pages load: the script, the styles and the sign of the tab.
    private static func sheetAssets() throws(AlipayPlusServerError) -> PageAssets {
        do throws(WebError) {
            return PageAssets(try PageSet.acquiring.assets(with: ["billfold.css", "billfold.svg"]))
        } catch {
            throw AlipayPlusServerError(code: .configurationInvalid, reason: "the sheet's files cannot be read: \(error.reason)")
        }
    }

    /// What operators see of this gateway's books.
    package var backOffice: AlipayPlusBackOffice { AlipayPlusBackOffice(context: context, cashier: cashier) }

    /// What wallets say that they have collected and the books do not know: an action of the kind `acquiring-settle-notice`.
    package var notices: UnmatchedNoticeOffice { UnmatchedCollections(context: context).office() }

    /// What operators may have done by approval.
    package var actions: AlipayPlusActions { AlipayPlusActions(backOffice: backOffice) }

    /// What runs beside the listeners.
    public var workers: [any Service] { [outboxWorker, deadlineWorker, retentionWorker] }

    /// Adds the public interface to a router, usually `ServerSurroundings.router(for:context:)` of surroundings whose error mapping is
    /// `ErrorMapping.withAlipayPlus()`.
    public func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        envelope.add(to: router)
        consents.add(to: router)
        options.add(to: router)
        sheet.add(to: router)
        assets.add(to: router, under: "/alipay-plus/assets")
        if let key = context.configuration.onboardingKey {
            PartyOnboardingRoutes(onboarding: onboarding, key: key, context: context).add(to: router)
        }
    }
}
