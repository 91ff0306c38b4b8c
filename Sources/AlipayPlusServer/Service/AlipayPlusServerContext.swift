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
    /// Ids of payments, which acquirers are given.
    let issued: IssuedIdentifiers
    /// What wallets know our requests by.
    let requests: WalletRequests
    /// Whose notices those are that name no acquirer.
    let noticeOwner = MerchantID(own: "gateway")
    let trace: AcquiringGatewayTrace
    let metrics: AlipayPlusServerMetrics
    let logger: Logger

    init(
        configuration: AlipayPlusServerConfiguration, database: any Database, parties: PartyRegister, store: CollectionStore,
        http: any HTTPSender, addresses: AddressPolicy, clock: any WallClock, identifiers: IdentifierSource, trace: AcquiringGatewayTrace,
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
        issued = IssuedIdentifiers(key: configuration.keys.hashing, source: identifiers)
        requests = store.requests
        self.trace = trace
        self.metrics = metrics
        self.logger = logger
    }

    /// Tells operators about a notice that is stored.
    func tell(_ heard: Collector.Heard?) {
        guard case .kept(let notice?)? = heard else { return }
        metrics.alarm("unmatched-notice")
        logger.critical(
            "a wallet has collected what is not in the books", metadata: ["notice": "\(notice.id)", "says": "\(notice.summary)"])
    }

    /// Tells operators that a notice is open again.
    func reopened(_ notice: TimeOrderedID, _ note: String) {
        metrics.alarm("unmatched-notice-reopened")
        logger.critical("a wallet does not take back what is not in the books", metadata: ["notice": "\(notice)", "note": "\(note)"])
    }

    /// The keyed hash under which a payment code or a token is kept.
    func hash(_ secret: String, purpose: String) -> KeyedHash {
        KeyedHash(of: secret.utf8, purpose: purpose, key: configuration.keys.hashing)
    }
}
