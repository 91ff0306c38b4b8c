import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Logging
import Metrics

/// What the parts of the host share. A class: every part holds it, and what a request captures of a part is one reference.
final class ProvisioningContext: Sendable {
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
    let cardObservers: [any CardObserver]
    let sessions: SessionRegister
    let cards: CardRegister

    init(
        configuration: ProvisioningConfiguration, database: any Database, vault: CardVault, cardSource: any CardSource,
        callerKeys: CallerKeys, networkKeys: KeyRegister<NetworkKeys>, http: any HTTPSender, clock: any WallClock,
        identifiers: IdentifierSource, trace: ProvisioningTrace, logger: Logger, metrics: any MetricsFactory,
        cardObservers: [any CardObserver] = [], sessions: SessionRegister? = nil, cards: CardRegister? = nil
    ) {
        self.configuration = configuration
        self.database = database
        self.vault = vault
        self.cardSource = cardSource
        self.callerKeys = callerKeys
        self.networkKeys = networkKeys
        self.http = http
        self.clock = clock
        self.identifiers = identifiers
        self.trace = trace
        self.logger = logger
        self.metrics = metrics
        self.cardObservers = cardObservers
        self.sessions = sessions ?? SessionRegister(database: database)
        self.cards = cards ?? CardRegister(database: database)
    }

    /// The same, and these follow changes of cards.
    func observed(by cardObservers: [any CardObserver]) -> ProvisioningContext {
        ProvisioningContext(
            configuration: configuration, database: database, vault: vault, cardSource: cardSource, callerKeys: callerKeys,
            networkKeys: networkKeys, http: http, clock: clock, identifiers: identifiers, trace: trace, logger: logger, metrics: metrics,
            cardObservers: cardObservers, sessions: sessions, cards: cards)
    }

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
