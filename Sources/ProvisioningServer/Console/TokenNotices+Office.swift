import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import HTTPTypes

extension TokenNotices {
    static let action = "token-settle-notice"
    static let assign = UnmatchedNoticeOffice.Way("assign", "It belongs to the card whose id is named below")
    static let delete = UnmatchedNoticeOffice.Way("delete", "It is nobody’s: have the network delete it")

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
        let answer = try ActionQueue(context: context).ask(
            .delete, on: ActionTarget(token), because: .other, by: decision.people, at: decision.at, in: tx)
        guard case .asked = answer else {
            throw ServerError(code: .conflict, reason: "the token is deleted, or being deleted: close the notice", status: .conflict)
        }
        return .init("the network is asked to delete token \(reference)")
    }
}
