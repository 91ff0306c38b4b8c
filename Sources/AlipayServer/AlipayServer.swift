public import BillfoldPayments
public import BillfoldServer
public import BillfoldStorage
public import BillfoldTrace
public import Hummingbird
public import ServiceLifecycle

/// The order gateway: merchants, orders, trades, refunds, notifications and bills, with their books.
///
/// Several processes on one store behave as one: what it holds in memory spares readings and decides nothing. Of a store that is not shared,
/// a process has one gateway, which knows that merchants have changed by having changed them.
public struct AlipayServer: Sendable {
    let context: AlipayServerContext
    let link: WalletLinkRoutes
    let gateway: OrderGatewayRoutes
    let confirmation: RefundConfirmationRoutes
    package let onboarding: MerchantOnboarding
    package let rates: Rates
    /// Delivers notifications and wallets' refunds.
    package let outboxWorker: OutboxWorker
    /// Closes and finishes trades when it is time.
    package let deadlineWorker: DeadlineWorker
    /// Forgets what no rule needs.
    package let retentionWorker: RetentionWorker

    /// The tables, in the order in which they must be made.
    public static let migrations: [Migration] = AlipaySchema.migrations

    /// Refuses an unsafe configuration with `configuration-invalid`.
    ///
    /// - Parameters:
    ///   - configuration: Checked here, before anything else is made.
    ///   - database: The gateway's own store, on which ``migrations`` have run.
    ///   - http: Reaches merchants and wallets. Its policy must know no private origins: merchants' own are checked here.
    ///   - addresses: Which addresses merchants may name for notifications, besides the origins they are registered with.
    ///   - trace: Is told what the gateway says and hears, decoded and masked.
    ///   - identifiers: The system's randomness in production; it also makes nonces and trade numbers.
    ///   - surroundings: What the servers of a process share; its clock, uptime, metrics and logger are used here.
    public init(
        configuration: AlipayServerConfiguration, database: any Database, http: any HTTPSender, addresses: AddressPolicy,
        trace: any TraceSink, identifiers: IdentifierSource, surroundings: ServerSurroundings
    ) throws(AlipayServerError) {
        try configuration.validate()
        let context = AlipayServerContext(
            configuration: configuration, database: database, merchants: MerchantRegister(database: database, keys: configuration.keys),
            store: TradeStore(
                audit: AuditChain(key: configuration.keys.audit), composer: NotificationComposer(identifiers: identifiers),
                identifiers: identifiers, refundWindowLength: configuration.refundWindow),
            http: http, addresses: addresses, clock: surroundings.clock, identifiers: identifiers,
            trace: OrderGatewayTrace(sink: trace, clock: surroundings.clock, identifiers: identifiers, mode: configuration.mode),
            metrics: AlipayServerMetrics(factory: surroundings.metrics), logger: surroundings.logger)
        self.context = context
        let limiter = RateLimiter(limit: configuration.callRate, uptime: surroundings.uptime)
        let checks = ModernChecks(context: context, limiter: limiter)
        let trades = TradeService(context: context)
        let batches = RefundBatches(context: context)
        let bills = Bills(context: context)
        let intake = OrderIntake(context: context, checks: checks)
        link = WalletLinkRoutes(
            service: WalletLinkService(
                context: context, intake: intake, results: PaymentResults(context: context)),
            context: context)
        let passwords = RefundPasswords(
            cost: configuration.passwordCost, identifiers: identifiers, uptime: surroundings.uptime)
        let legacy = LegacyGateway(
            context: context, limiter: limiter, trades: trades, batches: batches, files: ForexFiles(context: context))
        let confirmation = RefundConfirmation(context: context, legacy: legacy, passwords: passwords)
        gateway = OrderGatewayRoutes(
            context: context,
            modern: ModernGateway(
                context: context, checks: checks, trades: trades, bills: bills, creation: TradeCreation(context: context, intake: intake)),
            legacy: legacy, confirmation: confirmation, bills: bills)
        self.confirmation = try RefundConfirmationRoutes(confirmation: confirmation)
        onboarding = MerchantOnboarding(context: context, passwords: passwords)
        rates = Rates(database: database)
        var outbox = OutboxWorker.Configuration()
        outbox.lease = configuration.lease
        outbox.schedules = NotificationComposer.schedules
        outbox.schedules[WalletRefund.schedule] = WalletRefund.retries
        outboxWorker = OutboxWorker(
            database: database, sender: OrderGatewaySender(context: context), clock: surroundings.clock, random: identifiers,
            configuration: outbox, bell: context.bell, logger: surroundings.logger)
        var deadlines = DeadlineWorker.Configuration()
        deadlines.lease = configuration.lease
        deadlineWorker = DeadlineWorker(
            database: database, handler: TradeDeadlines(context: context, trades: trades, batches: batches), clock: surroundings.clock,
            configuration: deadlines,
            logger: surroundings.logger)
        retentionWorker = RetentionWorker(
            database: database, rules: Self.retention, clock: surroundings.clock, logger: surroundings.logger)
    }

    /// Orders are known by their content and trades by their merchants' numbers, for ever. What was decided of a payment is known by its
    /// key alone: a wallet may ask for it, or withdraw it, at any time.
    static let retention: [RetentionRule] = [.keys(of: [WalletLinkService.orderOperation, WalletLinkService.tradeOperation]), .messages]

    /// What operators see of this gateway's books.
    package var backOffice: AlipayBackOffice { AlipayBackOffice(context: context) }

    /// What operators may have done after a second person approved it.
    package var actions: AlipayActions { AlipayActions(backOffice: backOffice) }

    /// Payments of trades that the books do not know: an action of the kind `gateway-settle-notice`.
    package var notices: UnmatchedNoticeOffice { UnmatchedPayments(context: context).office }

    /// What runs beside the listeners.
    public var workers: [any Service] { [outboxWorker, deadlineWorker, retentionWorker] }

    /// For the listener: a call that is too large is answered in its own form up to so many bytes (`ServerLimits.drainedBodies`).
    public static let drainedBodies = [OrderGatewayRoutes.path: 33_554_432]

    /// Adds the public interface to a router, usually `ServerSurroundings.router(for:context:)` of surroundings whose error mapping is
    /// `ErrorMapping.withAlipay()`.
    public func addRoutes<Context: CallerContext>(to router: some RouterMethods<Context>) {
        gateway.add(to: router)
        confirmation.add(to: router)
        link.add(to: router)
        if let key = context.configuration.onboardingKey {
            MerchantOnboardingRoutes(onboarding: onboarding, key: key, context: context).add(to: router)
        }
    }
}

extension RateWatch {
    /// - Parameter file: Reads the rates' file as it is now.
    package convenience init(_ server: AlipayServer, file: @escaping @Sendable () throws -> [UInt8]) {
        self.init(context: server.context, rates: server.rates, file: file)
    }
}
