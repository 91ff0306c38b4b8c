import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Logging

/// What the parts of the gateway share.
struct AlipayPlusServerContext: Sendable {
    let configuration: AlipayPlusServerConfiguration
    let database: any Database
    let parties: PartyRegister
    let store: CollectionStore
    let http: any HTTPSender
    let addresses: AddressPolicy
    let clock: any WallClock
    let identifiers: IdentifierSource
    let trace: GatewayTrace
    let metrics: AlipayPlusServerMetrics
    let logger: Logger

    /// The keyed hash under which a payment code or a token is kept.
    func hash(_ secret: String, purpose: String) -> KeyedHash {
        KeyedHash(of: secret.utf8, purpose: purpose, key: configuration.keys.hashing)
    }
}
