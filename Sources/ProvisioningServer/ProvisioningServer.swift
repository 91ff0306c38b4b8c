import BillfoldEvents
public import BillfoldPayments
public import BillfoldServer
public import BillfoldStorage
public import BillfoldTrace
public import Hummingbird
public import PaymentCrypto
public import ServiceLifecycle

/// The issuer's host: customers' cards, app sessions, encrypted pass data.
///
/// Whatever was promised lies in the store, so that several processes on one store behave as one. Only the rates of pass-data requests
/// (``ProvisioningConfiguration/cardRate``, ``ProvisioningConfiguration/deviceRate``) are counted in each process: several allow as many
/// times as much.
public struct ProvisioningServer: Sendable {
    let context: ProvisioningContext
    /// What the bank's app and back end ask for.
    let appRoutes: AppRoutes
    public let callerKeys: CallerKeys
    /// The bank's remote switches.
    package let switches: ProvisioningSwitches
    /// Decisions about tokens and their life; `nil` where none is configured.
    package let tokens: TokenPart?
    /// Forgets what no rule needs.
    package let retentionWorker: RetentionWorker

    /// The tables, in the order in which they must be made.
    public static let migrations: [Migration] = ProvisioningSchema.migrations

    /// Refuses an unsafe configuration with `configuration-invalid`.
    ///
    /// - Parameters:
    ///   - configuration: Checked here, before anything else is made.
    ///   - database: The host's own store, on which ``migrations`` have run.
    ///   - cardSource: Where customers' cards come from.
    ///   - http: Reaches networks and processor.
    ///   - trace: Is told what the host says and hears, decoded and masked.
    ///   - identifiers: The system's randomness in production; it also makes tokens and nonces.
    ///   - surroundings: What the servers of a process share; its clock, uptime, metrics and logger are used here.
    public init(
        configuration: ProvisioningConfiguration, database: any Database, cardSource: any CardSource, http: any HTTPSender,
        trace: any TraceSink, identifiers: IdentifierSource, surroundings: ServerSurroundings
    ) throws(ProvisioningError) {
        try configuration.validate()
        callerKeys = CallerKeys(database: database, hashing: configuration.keys.hashing, clock: surroundings.clock)
        let host = ProvisioningContext(
            configuration: configuration, database: database,
            vault: CardVault(sealer: configuration.keys.sealer, hashing: configuration.keys.hashing), cardSource: cardSource,
            callerKeys: callerKeys, networkKeys: KeyRegister(configuration.networkKeys), http: http, clock: surroundings.clock,
            identifiers: identifiers,
            trace: ProvisioningTrace(
                sink: trace, clock: surroundings.clock, identifiers: identifiers, mode: configuration.mode),
            logger: surroundings.logger, metrics: surroundings.metrics)
        tokens = configuration.tokens.map { TokenPart(host: host, configuration: $0) }
        let context = tokens.map { host.observed(by: [$0.follower]) } ?? host
        self.context = context
        switches = ProvisioningSwitches(context: context)
        appRoutes = AppRoutes(
            sessions: AppSessions(context: context), cards: CustomerCards(context: context),
            passData: PassDataService(context: context, uptime: surroundings.uptime), context: context)
        retentionWorker = RetentionWorker(
            database: database, rules: Self.retention, clock: surroundings.clock, logger: surroundings.logger)
    }

    /// A decision's answer is kept for ever, under its key. Of pass data everything stays: a challenge is good once.
    static let retention: [RetentionRule] = [
        .keys(of: [CodeService.operation, CustomerService.operation]), .messages, EventPart.retention,
        .ended("provisioning_sessions", key: ["token_hash"], where: "expires_at < ?", kept: .seconds(86_400)),
    ]

    /// Exchanges the networks' keys from the next request on, as when one is rotated.
    public func replace(networkKeys: NetworkKeys) { context.networkKeys.replace(networkKeys) }

    /// Exchanges the keys that open what networks send, the newest first. Refuses an empty list with `configuration-invalid`, and one for
    /// a host that decides nothing.
    public func replace(decisionKeys: [P256PrivateKey]) throws(ProvisioningError) {
        guard let tokens, !decisionKeys.isEmpty else {
            throw ProvisioningError(code: .configurationInvalid, reason: "no key opens the account numbers that networks send")
        }
        tokens.context.decisionKeys.replace(decisionKeys)
    }

    /// The bank, which owns the trail of what is done here.
    package var issuer: BillfoldPayments.MerchantID { context.configuration.issuer }

    /// What runs beside the listeners.
    public var workers: [any Service] { (tokens?.workers ?? []) + [retentionWorker] }

    /// Adds the API to a router, usually `ServerSurroundings.router(for:context:)` of surroundings whose error mapping is
    /// `ErrorMapping.withProvisioning()`.
    public func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        appRoutes.add(to: router)
        tokens?.addRoutes(to: router)
    }
}

extension ProvisioningServer {
    /// The back office for a console; `nil` where nothing is decided here.
    package var desk: IssuerDesk? {
        tokens.map { IssuerDesk(context: context, switches: switches, office: $0.backOffice) }
    }
}
