import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Logging

/// What the parts of the gateway share.
struct AlipayServerContext: Sendable {
    let configuration: AlipayServerConfiguration
    let database: any Database
    let merchants: MerchantRegister
    let store: TradeStore
    let http: any HTTPSender
    let addresses: AddressPolicy
    let clock: any WallClock
    let identifiers: IdentifierSource
    /// Rung where a commit leaves something to be delivered.
    let bell = OutboxBell()
    let trace: GatewayTrace
    let metrics: AlipayServerMetrics
    let logger: Logger

    func wallet(_ id: String) -> AlipayServerConfiguration.Wallet? { configuration.wallets.first { $0.id == id } }
}
