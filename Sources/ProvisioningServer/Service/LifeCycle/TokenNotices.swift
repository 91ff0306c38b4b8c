import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Logging
import Metrics

/// What networks verifiably tell of tokens that belong to no card in the books, and how two persons settle it.
///
/// A failover to a standby that lags loses the decision that let a token be made, and a card that was just opened. The token is in the
/// books by the network's word, and pays; nobody but people can say whose it is.
struct TokenNotices: Sendable {
    let context: TokenContext

    static func source(_ network: CardScheme) -> String { "network:\(network.rawValue)" }
    static func key(_ reference: String) -> String { "token \(reference)" }

    func notice(of told: ToldToken, from network: CardScheme, at now: Timestamp) throws -> UnmatchedNotice {
        UnmatchedNotice(
            owner: context.host.configuration.issuer, id: context.host.identifiers.next(at: now), source: Self.source(network),
            kind: "token", naturalKey: Self.key(told.reference), reference: told.reference, about: told.primaryAccountIdentifier ?? "",
            amount: nil, evidence: try JSONDocument.encode(told), receivedAt: now)
    }

    /// Tells operators about a notice that is stored.
    func tell(_ notice: UnmatchedNotice) {
        Counter(label: "provisioning_alarms_total", dimensions: [("kind", "unmatched-notice")], factory: context.host.metrics).increment()
        context.host.logger.critical(
            "a network tells of a token that belongs to no card in the books",
            metadata: ["notice": "\(notice.id)", "says": "\(notice.summary)"])
    }

    static var noToken: ProvisioningError { ProvisioningError(code: .tokenNotFound, reason: "there is no such token") }
}
