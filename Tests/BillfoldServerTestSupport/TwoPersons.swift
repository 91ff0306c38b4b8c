import BillfoldPayments
package import BillfoldServer
package import BillfoldStorage
import BillfoldTestSupport
package import BillfoldWeb
import Crypto

extension OperatorIdentity {
    /// Who asks for an action.
    package static let asking = Self(name: "lin", roles: [.viewer, .operator, .approver], isSignedIn: true)
    /// Who approves it.
    package static let approving = Self(name: "wang", roles: [.viewer, .approver], isSignedIn: true)
}

/// Two persons who settle the notices of one store.
package struct TwoPersons: Sendable {
    package let queue: ApprovalQueue

    /// Puts the operators' tables into the store.
    package init(settling office: UnmatchedNoticeOffice, in database: any Database, clock: any WallClock) async throws {
        try await MigrationRunner(OperatorRecords.migrations, clock: clock, logger: TestStore.logger).run(on: database)
        let drawn = DrawnBytes()
        queue = try ApprovalQueue(
            database: database, clock: clock, random: RandomBytes { drawn.next($0) },
            audit: ChainedOperatorAudit(
                links: AuditChain(key: SymmetricKey(data: [UInt8](repeating: 1, count: 32))), owner: try MerchantID("installation")),
            mode: .test, policy: .twoPersons, actions: office.actions, logger: TestStore.logger)
    }

    /// One asks for a settlement.
    ///
    /// - `shown`: What they say that they saw, where it is not the notice's own summary.
    package func ask(
        _ notice: UnmatchedNoticeView, _ way: String, belongsTo: String? = nil, shown: String? = nil
    ) async throws -> ApprovalRequest {
        let place = belongsTo.map { #","belongsTo":"\#($0)""# } ?? ""
        return try await queue.request(
            kind: notice.action, subject: notice.id,
            detail: #"{"way":"\#(way)","shown":"\#(shown ?? notice.summary)"\#(place),"reason":"both books were looked at"}"#, by: .asking)
    }

    /// One asks for a settlement and the other approves it.
    package func settle(
        _ notice: UnmatchedNoticeView, _ way: String, belongsTo: String? = nil, shown: String? = nil
    ) async throws -> ApprovalRequest {
        try await queue.approve(ask(notice, way, belongsTo: belongsTo, shown: shown).id, by: .approving)
    }
}
