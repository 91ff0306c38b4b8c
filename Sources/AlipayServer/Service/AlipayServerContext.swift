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
    let trades: TradeRegister
    let notifications = NotificationRegister()
    let store: TradeStore
    let http: any HTTPSender
    let addresses: AddressPolicy
    let clock: any WallClock
    let identifiers: IdentifierSource
    /// Names by which wallets take a repetition for what it is.
    let names: DerivedIdentifiers
    /// Whose notices those are that name no merchant.
    let noticeOwner = MerchantID(own: "gateway")
    /// Rung where a commit leaves something to be delivered.
    let bell = OutboxBell()
    let trace: OrderGatewayTrace
    let metrics: AlipayServerMetrics
    let logger: Logger

    init(
        configuration: AlipayServerConfiguration, database: any Database, merchants: MerchantRegister, store: TradeStore,
        http: any HTTPSender, addresses: AddressPolicy, clock: any WallClock, identifiers: IdentifierSource, trace: OrderGatewayTrace,
        metrics: AlipayServerMetrics, logger: Logger
    ) {
        self.configuration = configuration
        self.database = database
        self.merchants = merchants
        orders = OrderRegister(database: database)
        trades = TradeRegister(database: database)
        self.store = store
        self.http = http
        self.addresses = addresses
        self.clock = clock
        self.identifiers = identifiers
        names = DerivedIdentifiers(key: configuration.keys.hashing)
        self.trace = trace
        self.metrics = metrics
        self.logger = logger
    }

    /// A refund's id, by which the wallet credits it once: the same for the same number of the same trade, also where the books have lost that
    /// it was asked for.
    func refund(_ requestNo: String, of trade: Trade) -> TimeOrderedID {
        names.id("refund", of: [trade.merchant.description, trade.id.description, requestNo], at: trade.id.instant)
    }

    /// As ``refund(_:of:)``, of the refund that a cancellation is: a trade has one.
    func cancellation(of trade: Trade) -> TimeOrderedID {
        names.id("cancellation", of: [trade.merchant.description, trade.id.description], at: trade.id.instant)
    }

    func wallet(_ id: String) -> AlipayServerConfiguration.Wallet? { configuration.wallets.first { $0.id == id } }
}
