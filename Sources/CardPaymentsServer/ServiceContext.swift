import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Logging

/// What the parts of the server share. A class: every part holds it, and what a request captures of a part is one reference.
final class ServiceContext: Sendable {
    let configuration: CardPaymentsConfiguration
    let merchants: MerchantRegister
    let database: any Database
    let store: PaymentStore
    let clock: any WallClock
    let identifiers: IdentifierSource
    let connection: UnionPayConnection
    let messages: AcquirerMessages
    let trace: MessageTrace
    let metrics: CardPaymentsMetrics
    let settlements = SettlementNews()
    let logger: Logger

    init(
        configuration: CardPaymentsConfiguration, merchants: MerchantRegister, database: any Database, store: PaymentStore,
        clock: any WallClock, identifiers: IdentifierSource, connection: UnionPayConnection, messages: AcquirerMessages,
        trace: MessageTrace, metrics: CardPaymentsMetrics, logger: Logger
    ) {
        self.configuration = configuration
        self.merchants = merchants
        self.database = database
        self.store = store
        self.clock = clock
        self.identifiers = identifiers
        self.connection = connection
        self.messages = messages
        self.trace = trace
        self.metrics = metrics
        self.logger = logger
    }

    func merchant(_ id: MerchantID) -> MerchantProfile? { merchants.all.first { $0.id == id } }

    func merchant(acquirerID: AcquirerMerchantID) -> MerchantProfile? {
        merchants.all.first { $0.acquirerID == acquirerID }
    }

    /// Tells operators about an alarm. What concerns a payment also stays in ``AlarmRecords`` until an operator clears it.
    func alarm(_ kind: String, payment: TimeOrderedID) {
        metrics.alarm(kind)
        logger.critical("a payment needs a person", metadata: ["alarm": "\(kind)", "payment": "\(payment)"])
    }
}
