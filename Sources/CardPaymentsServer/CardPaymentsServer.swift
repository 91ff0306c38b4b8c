import ApplePay
package import BillfoldEvents
public import BillfoldPayments
public import BillfoldServer
public import BillfoldStorage
public import BillfoldTrace
import Foundation
public import Hummingbird
public import ServiceLifecycle

/// The merchant's server: orders, payments by wallet token, settlement by the acquirer.
///
/// It holds nothing that matters in memory. Several processes on one store behave as one.
public struct CardPaymentsServer: Sendable {
    package let service: CardPaymentsService
    package let routes: CardPaymentsRoutes
    /// Delivers what the outbox holds.
    package let outboxWorker: OutboxWorker
    /// Asks the acquirer when it is time.
    package let deadlineWorker: DeadlineWorker
    /// Forgets what no rule needs.
    package let retentionWorker: RetentionWorker
    /// Tells merchants' back ends what has happened.
    package let events: EventPart

    /// The tables, in the order in which they must be made.
    public static let migrations: [Migration] = CardPaymentsSchema.migrations

    /// Refuses an unsafe configuration with `configuration-invalid`.
    ///
    /// - Parameters:
    ///   - configuration: Merchants, keys, the acquirer and times, read once.
    ///   - database: Holds the books. The tables of ``migrations`` have to be there before the server is used.
    ///   - http: Reaches the acquirer.
    ///   - trace: Takes what the server says and hears, decoded and masked.
    ///   - identifiers: The system's randomness in production; it also makes nonces.
    ///   - surroundings: What the process shares: its clocks, logger, metrics.
    public init(
        configuration: CardPaymentsConfiguration, database: any Database, http: any HTTPSender, trace: any TraceSink,
        identifiers: IdentifierSource, surroundings: ServerSurroundings
    ) throws(CardPaymentsError) {
        try configuration.validate()
        let metrics = CardPaymentsMetrics(factory: surroundings.metrics)
        let messageTrace = MessageTrace(
            sink: trace, clock: surroundings.clock, identifiers: identifiers, mode: configuration.mode)
        events = EventPart(
            configuration: EventConfiguration(mode: configuration.mode, hashing: configuration.keys.hashing, prefix: "/v1"),
            database: database, http: http, identifiers: identifiers, clock: surroundings.clock, logger: surroundings.logger)
        var store = PaymentStore(
            books: PaymentBooks(acquirer: "unionpay"), auditKey: configuration.keys.audit,
            queryAfter: configuration.querySchedule.first ?? .seconds(1))
        store.follower = PaymentEvents(identifiers: identifiers)
        let context = ServiceContext(
            configuration: configuration,
            merchants: MerchantProfileRegister(configuration.merchants, takesOwn: configuration.takesOwnMerchants), database: database,
            store: store, events: events.dispatcher, clock: surroundings.clock, identifiers: identifiers,
            connection: UnionPayConnection(
                http: http, timeout: configuration.answerTimeout, trace: messageTrace, metrics: metrics),
            messages: AcquirerMessages(configuration: configuration, identifiers: identifiers), trace: messageTrace, metrics: metrics,
            logger: surroundings.logger)
        let sender = AcquirerSender(context: context)
        service = CardPaymentsService(
            context: context, verifier: TokenVerifier(trust: configuration.tokenTrust), sender: sender,
            orderLimiter: RateLimiter(limit: configuration.orderRate, uptime: surroundings.uptime),
            queryLimiter: RateLimiter(limit: RateLimit(perSecond: 1, burst: 5), uptime: surroundings.uptime),
            // Three at once, then one in 15 seconds: its clock runs slower. Whoever holds the secret of an order could else have the
            // acquirer asked without end.
            resultLimiter: RateLimiter(limit: RateLimit(perSecond: 1, burst: 3)) { [uptime = surroundings.uptime] in uptime() / 15 })
        routes = CardPaymentsRoutes(service: service)
        var outbox = OutboxWorker.Configuration()
        outbox.kinds = .except(EventPart.outboxKind)
        outbox.lease = configuration.requestLease
        outbox.schedules = [
            // A deduct that never left is offered again for a short while; what may have left is asked about.
            AcquirerMessages.Kind.consume.rawValue: .fixed([.seconds(2), .seconds(4), .seconds(8), .seconds(30)]),
            // The customer waits for the number, and nothing is taken without it.
            AcquirerMessages.Kind.push.rawValue: .fixed([.seconds(2), .seconds(4), .seconds(8)]),
            AcquirerMessages.Kind.refund.rawValue: .exponential(base: .seconds(2), cap: .seconds(300), attempts: 20),
            AcquirerMessages.Kind.void.rawValue: .exponential(base: .seconds(2), cap: .seconds(60), attempts: 20),
            AcquirerMessages.Kind.reversal.rawValue: .exponential(base: .seconds(2), cap: .seconds(300), attempts: 100),
        ]
        outboxWorker = OutboxWorker(
            database: database, sender: sender, clock: surroundings.clock, random: identifiers, configuration: outbox,
            logger: surroundings.logger)
        var deadlines = DeadlineWorker.Configuration()
        deadlines.lease = configuration.requestLease
        // A silent acquirer holds each query for the whole of its time to answer.
        deadlines.batch = 256
        deadlineWorker = DeadlineWorker(
            database: database, handler: OutcomeQueries(context: context), clock: surroundings.clock, configuration: deadlines,
            logger: surroundings.logger)
        retentionWorker = RetentionWorker(
            database: database, rules: Self.retention, clock: surroundings.clock, logger: surroundings.logger)
    }

    /// An order is known by its reference and a payment by its token, for ever. Nothing but its key tells a repeated refund or
    /// cancellation from a second one: those keys stay.
    static let retention: [RetentionRule] = [
        .keys(of: [
            CardPaymentsService.orderOperation, CardPaymentsService.paymentOperation, CardPaymentsService.numberOperation,
        ]),
        .messages, EventPart.retention,
    ]

    /// What operators see of this server's books.
    package var backOffice: CardPaymentsBackOffice {
        let context = service.context
        return CardPaymentsBackOffice(
            database: context.database, merchants: context.configuration.merchants.map(\.id),
            takesOwnMerchants: context.configuration.takesOwnMerchants, clock: context.clock,
            links: AuditChain(key: context.configuration.keys.audit), rounding: context.configuration.rounding,
            follower: context.store.follower)
    }

    /// What the acquirer notified of transactions that the books do not know, and how two persons settle it: an action of the kind
    /// `card-settle-notice`.
    package var notices: UnmatchedNoticeOffice {
        let context = service.context
        return UnmatchedNoticeOffice(
            action: "card-settle-notice", database: context.database, owners: { context.merchants.all.map(\.id) }, clock: context.clock,
            links: AuditChain(key: context.configuration.keys.audit), errors: ErrorMapping().withCardPayments(),
            ways: NoticeSettlement.ways(of:), place: NoticeSettlement.place(of:_:_:in:), book: NoticeSettlement(context: context).settle)
    }

    /// What runs beside the listeners.
    public var workers: [any Service] { [outboxWorker, deadlineWorker, retentionWorker] + events.workers }

    /// Adds the API to a router, usually `ServerSurroundings.router(for:context:)` of surroundings whose error
    /// mapping is `ErrorMapping.withCardPayments()`.
    public func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let router = router.group().add(middleware: RefusalTeller<Context>(trace: service.context.trace))
        routes.add(to: router)
        events.addRoutes(to: router) { [service] request in try await service.merchant(bearer: request.bearer).id }
    }
}
