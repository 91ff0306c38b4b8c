import BillfoldEvents
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Logging

/// What the parts of the server share. A class: every part holds it, and what a request captures of a part is one reference.
final class ServiceContext: Sendable {
    let configuration: CardPaymentsConfiguration
    let merchants: MerchantProfileRegister
    let database: any Database
    let store: PaymentStore
    /// Rung after commits that may have stored events.
    let events: EventDispatcher
    let clock: any WallClock
    let identifiers: IdentifierSource
    /// Ids of orders, payments and modifications: those that callers are given.
    let issued: IssuedIdentifiers
    let connection: UnionPayConnection
    let messages: AcquirerMessages
    let trace: MessageTrace
    let metrics: CardPaymentsMetrics
    let settlements = SettlementNews()
    let logger: Logger

    init(
        configuration: CardPaymentsConfiguration, merchants: MerchantProfileRegister, database: any Database, store: PaymentStore,
        events: EventDispatcher, clock: any WallClock, identifiers: IdentifierSource, connection: UnionPayConnection,
        messages: AcquirerMessages,
        trace: MessageTrace, metrics: CardPaymentsMetrics, logger: Logger
    ) {
        self.configuration = configuration
        self.merchants = merchants
        self.database = database
        self.store = store
        self.events = events
        self.clock = clock
        self.identifiers = identifiers
        issued = IssuedIdentifiers(key: configuration.keys.hashing, source: identifiers)
        self.connection = connection
        self.messages = messages
        self.trace = trace
        self.metrics = metrics
        self.logger = logger
    }

    func merchant(_ id: MerchantID) -> MerchantProfile? { merchants.find(id) }

    func merchant(acquirerID: AcquirerMerchantID) -> MerchantProfile? { merchants.find(acquirerID: acquirerID) }

    /// What the merchant's app hears of a payment that is pending.
    func pendingPolicy(of merchant: MerchantProfile) -> CardPaymentsConfiguration.PendingPolicy {
        merchant.pendingPolicy ?? configuration.pendingPolicy
    }

    /// Tells operators that a row is gone whose message may have left. What the acquirer says of it becomes a notice.
    func lost(_ reason: String) {
        metrics.alarm("row-lost")
        logger.critical("a row whose message was sent is not in the store any more", metadata: ["reason": "\(reason)"])
    }

    /// Tells operators about a notice that is stored. It waits in ``UnmatchedNoticeRecords`` until two persons settle it.
    func tell(_ notice: UnmatchedNotice) {
        metrics.alarm("unmatched-notice")
        logger.critical(
            "the acquirer speaks of something that is not in the books", metadata: ["notice": "\(notice.id)", "says": "\(notice.summary)"])
    }

    /// Tells operators about an alarm. What concerns a payment also stays in ``AlarmRecords`` until an operator clears it.
    func alarm(_ kind: String, payment: TimeOrderedID) {
        metrics.alarm(kind)
        logger.critical("a payment needs a person", metadata: ["alarm": "\(kind)", "payment": "\(payment)"])
    }
}
