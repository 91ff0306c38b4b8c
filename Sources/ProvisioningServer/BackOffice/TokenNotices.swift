import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import HTTPTypes
import Logging
import Metrics

/// What networks verifiably tell of tokens that belong to no card in the books, and how two persons settle it.
///
/// A failover to a standby that lags loses the decision that let a token be made, and a card that was just opened. The token is in the
/// books by the network's word, and pays; nobody but people can say whose it is.
struct TokenNotices: Sendable {
    static let action = "token-settle-notice"
    static let assign = UnmatchedNoticeOffice.Way("assign", "It belongs to the card whose id is named below")
    static let delete = UnmatchedNoticeOffice.Way("delete", "It is nobody’s: have the network delete it")

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

    var office: UnmatchedNoticeOffice {
        let issuer = context.host.configuration.issuer
        return UnmatchedNoticeOffice(
            action: Self.action, database: context.database, owners: { [issuer] }, clock: context.host.clock,
            links: AuditChain(key: context.host.configuration.keys.audit), errors: ErrorMapping().withProvisioning(),
            ways: { _ in [Self.assign, Self.delete] }, book: book)
    }

    @Sendable private func book(
        _ decision: UnmatchedNoticeOffice.Decision, in tx: any Transaction
    ) throws -> UnmatchedNoticeOffice.Effect {
        let reference = decision.notice.reference
        if decision.way == Self.assign.name {
            guard let card = decision.belongsTo else {
                throw ProvisioningError(code: .cardNotFound, reason: "name the card that it belongs to")
            }
            try TokenIntake(context: context).assign(card, to: reference, at: decision.at, in: tx)
            return .init("token \(reference) belongs to card \(card)")
        }
        guard let token = try TokenRecords.find(reference, in: tx) else { throw Self.noToken }
        let answer = try ActionDesk(context: context).ask(
            .delete, on: ActionTarget(token), because: .other, by: decision.people, at: decision.at, in: tx)
        guard case .asked = answer else {
            throw ServerError(code: .conflict, reason: "the token is deleted, or being deleted: close the notice", status: .conflict)
        }
        return .init("the network is asked to delete token \(reference)")
    }

    static var noToken: ProvisioningError { ProvisioningError(code: .tokenNotFound, reason: "there is no such token") }
}
