package import BillfoldStorage
import BillfoldTrace
package import Logging

/// What each provisioning party of the sandbox is given: a store of its own, the time, where to report, and randomness.
package struct PartySurroundings: Sendable {
    /// With ``migrations`` applied.
    package var database: any Database
    package var clock: any WallClock
    package var reporter: PartyReporter
    package var random: @Sendable () -> UInt64
    package var logger: Logger

    /// The tables of any one party.
    package static let migrations: [Migration] = PartyRecords.migrations

    package init(
        database: any Database, clock: any WallClock, reporter: PartyReporter, random: @escaping @Sendable () -> UInt64, logger: Logger
    ) {
        self.database = database
        self.clock = clock
        self.reporter = reporter
        self.random = random
        self.logger = logger
    }

    /// Milliseconds since 1970.
    var milliseconds: Int64 { clock.now().microseconds / 1_000 }

    func bytes(_ count: Int) -> [UInt8] {
        var generator = InjectedGenerator(draw: random)
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}

extension Party {
    static let bankApp: Party = "bank-app"
    static let device: Party = "device"
    static let broker: Party = "broker"
    static let network: Party = "network"
    static let issuer: Party = "issuer"
    static let processor: Party = "processor"
    /// The author of mini programs: its tools and its server, as the wallet names them.
    static let author: Party = "author"
    static let miniProgram: Party = "mini-program"
}

extension Correlation {
    /// One attempt to provision a card: made by the device, sent beside every request that belongs to it. A test aid: nothing is
    /// decided upon it.
    static let attempt = "provisioning.attempt"
    static let token = "provisioning.token"
    /// One run of a mini program: made by the super app on a phone, sent beside the requests of its scripts. A test aid, as above.
    static let run = "mini-program.run"
}
