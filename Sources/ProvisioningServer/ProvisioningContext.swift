import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Logging
import Metrics

/// What the parts of the host share.
struct ProvisioningContext: Sendable {
    let configuration: ProvisioningConfiguration
    let database: any Database
    let vault: CardVault
    let cardSource: any CardSource
    let callerKeys: CallerKeys
    let networkKeys: KeyRegister<NetworkKeys>
    let http: any HTTPSender
    let clock: any WallClock
    let identifiers: IdentifierSource
    let trace: ProvisioningTrace
    let logger: Logger
    let metrics: any MetricsFactory
    /// What follows a change of a card.
    var cardObservers: [any CardObserver] = []

    /// The programme with the longest prefix of the number.
    func programme(network: CardScheme, numberPrefix: String) -> Programme? {
        func length(_ programme: Programme) -> Int {
            programme.numberPrefixes.filter { numberPrefix.hasPrefix($0) }.map(\.utf8.count).max() ?? 0
        }
        return configuration.programmes.filter { $0.network == network && length($0) > 0 }.max { length($0) < length($1) }
    }

    func programme(of card: StoredCard) throws(ProvisioningError) -> Programme {
        guard let programme = configuration.programmes.first(where: { $0.id == card.programme }) else {
            throw ProvisioningError(code: .configurationInvalid, reason: "the card's programme is not configured")
        }
        return programme
    }
}
