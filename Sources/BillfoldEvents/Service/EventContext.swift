import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Logging

/// What the parts share.
final class EventContext: Sendable {
    let configuration: EventConfiguration
    let database: any Database
    let http: any HTTPSender
    let clock: any WallClock
    /// The time that receivers compare with their own: nobody moves it.
    let realClock: any WallClock
    let identifiers: IdentifierSource
    let bell = OutboxBell()
    let news = EventNews()
    let logger: Logger

    init(
        configuration: EventConfiguration, database: any Database, http: any HTTPSender, clock: any WallClock, realClock: any WallClock,
        identifiers: IdentifierSource, logger: Logger
    ) {
        self.configuration = configuration
        self.database = database
        self.http = http
        self.clock = clock
        self.realClock = realClock
        self.identifiers = identifiers
        self.logger = logger
    }
}
