import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Logging

/// What the parts of the gateway share. A class: every part holds it, and what a request captures of a part is one reference.
final class AlipayPlusServerContext: Sendable {
    let configuration: AlipayPlusServerConfiguration
    let database: any Database
    let parties: PartyRegister
    let rates = RateRegister()
    let store: CollectionStore
    let http: any HTTPSender
    let addresses: AddressPolicy
    let clock: any WallClock
    let identifiers: IdentifierSource
    let trace: GatewayTrace
    let metrics: AlipayPlusServerMetrics
    let logger: Logger

    init(
        configuration: AlipayPlusServerConfiguration, database: any Database, parties: PartyRegister, store: CollectionStore,
        http: any HTTPSender, addresses: AddressPolicy, clock: any WallClock, identifiers: IdentifierSource, trace: GatewayTrace,
        metrics: AlipayPlusServerMetrics, logger: Logger
    ) {
        self.configuration = configuration
        self.database = database
        self.parties = parties
        self.store = store
        self.http = http
        self.addresses = addresses
        self.clock = clock
        self.identifiers = identifiers
        self.trace = trace
        self.metrics = metrics
        self.logger = logger
    }

    /// The keyed hash under which a payment code or a token is kept.
    func hash(_ secret: String, purpose: String) -> KeyedHash {
        KeyedHash(of: secret.utf8, purpose: purpose, key: configuration.keys.hashing)
    }
}
