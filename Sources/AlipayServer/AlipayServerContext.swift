import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Logging

/// What the parts of the gateway share. A class: every part holds it, and what a request captures of a part is one reference.
final class AlipayServerContext: Sendable {
    let configuration: AlipayServerConfiguration
    let database: any Database
    let merchants: MerchantRegister
    let orders: OrderRegister
    let store: TradeStore
    let http: any HTTPSender
    let addresses: AddressPolicy
    let clock: any WallClock
    let identifiers: IdentifierSource
    /// Whose notices those are that name no merchant.
    let noticeOwner = MerchantID(own: "gateway")
    /// Rung where a commit leaves something to be delivered.
    let bell = OutboxBell()
    /// Trades as they were opened, by their numbers: their payments need not look them up.
    let opened = Remembered<String, Trade>()
    /// Notifications that are handed over: their first attempts need not read them back.
    let frozen = Remembered<TimeOrderedID, FrozenNotification>()
    let trace: GatewayTrace
    let metrics: AlipayServerMetrics
    let logger: Logger

    init(
        configuration: AlipayServerConfiguration, database: any Database, merchants: MerchantRegister, store: TradeStore,
        http: any HTTPSender, addresses: AddressPolicy, clock: any WallClock, identifiers: IdentifierSource, trace: GatewayTrace,
        metrics: AlipayServerMetrics, logger: Logger
    ) {
        self.configuration = configuration
        self.database = database
        self.merchants = merchants
        orders = OrderRegister(database: database)
        self.store = store
        self.http = http
        self.addresses = addresses
        self.clock = clock
        self.identifiers = identifiers
        self.trace = trace
        self.metrics = metrics
        self.logger = logger
    }

    func wallet(_ id: String) -> AlipayServerConfiguration.Wallet? { configuration.wallets.first { $0.id == id } }
}
