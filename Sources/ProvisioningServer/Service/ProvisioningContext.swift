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
    /// Sessions by the hashes of their tokens. Their rows never change; one that has ended is asked for in the store.
    let sessions: Remembered<KeyedHash, AppSession>
    /// Cards that could be added when they were last read or brought in, by their ids. Anybody may have changed them since: what is made of one
    /// is stored only where the store still has it so.
    let cards: Remembered<String, StoredCard>

    init(
        configuration: ProvisioningConfiguration, database: any Database, vault: CardVault, cardSource: any CardSource,
        callerKeys: CallerKeys, networkKeys: KeyRegister<NetworkKeys>, http: any HTTPSender, clock: any WallClock,
        identifiers: IdentifierSource, trace: ProvisioningTrace, logger: Logger, metrics: any MetricsFactory,
        cardObservers: [any CardObserver] = [], sessions: Remembered<KeyedHash, AppSession> = Remembered(),
        cards: Remembered<String, StoredCard> = Remembered()
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
        self.sessions = sessions
        self.cards = cards
    }

    /// The same, and these follow changes of cards.
    func observed(by cardObservers: [any CardObserver]) -> ProvisioningContext {
        ProvisioningContext(
            configuration: configuration, database: database, vault: vault, cardSource: cardSource, callerKeys: callerKeys,
            networkKeys: networkKeys, http: http, clock: clock, identifiers: identifiers, trace: trace, logger: logger, metrics: metrics,
            cardObservers: cardObservers, sessions: sessions, cards: cards)
    }

    /// Keeps a card that may be added and is not too large, and forgets any other.
    func remember(_ card: StoredCard, mayBeAdded: Bool) {
        if mayBeAdded, card.sealed.count <= 4_096 { cards.keep(card, for: card.id) } else { _ = cards.take(card.id) }
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
