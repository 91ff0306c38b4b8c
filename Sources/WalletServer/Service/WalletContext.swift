import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Foundation
import Logging
import Metrics

/// What the parts of the wallet share. A class: every part holds it, and what a request captures of a part is one reference.
final class WalletContext: Sendable {
    let configuration: WalletConfiguration
    let database: any Database
    let http: any HTTPSender
    let clock: any WallClock
    let identifiers: IdentifierSource
    let random: RandomBytes
    let trace: WalletTrace
    let logger: Logger
    let metrics: any MetricsFactory

    init(
        configuration: WalletConfiguration, database: any Database, http: any HTTPSender, clock: any WallClock,
        identifiers: IdentifierSource, random: RandomBytes, trace: WalletTrace, logger: Logger, metrics: any MetricsFactory
    ) {
        self.configuration = configuration
        self.database = database
        self.http = http
        self.clock = clock
        self.identifiers = identifiers
        self.random = random
        self.trace = trace
        self.logger = logger
        self.metrics = metrics
    }

    func now() -> Timestamp { clock.now() }

    func hash(_ value: String, _ purpose: String) -> KeyedHash {
        KeyedHash(of: value.utf8, purpose: purpose, key: configuration.keys.hashing)
    }

    /// Adds a line to the operators' audit trail.
    func audit(
        _ action: String, object: String, result: String, by actor: String, at now: Timestamp, in tx: any Transaction
    ) throws {
        try AuditRecords.append(
            to: ChainedOperatorAudit.chain, by: actor, action: action, object: object, result: EventDetail.storable(result), at: now,
            merchant: configuration.owner, linking: AuditChain(key: configuration.keys.audit), in: tx)
    }

    func count(_ label: String, _ dimensions: [(String, String)] = []) {
        Counter(label: label, dimensions: dimensions, factory: metrics).increment()
    }
}
