import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import CardPaymentsServer
import Crypto
import Logging

private let drawn = DrawnBytes()

extension OperatorIdentity {
    static let asking = Self(name: "lin", roles: [.viewer, .operator, .approver], isSignedIn: true)
    static let approving = Self(name: "wang", roles: [.viewer, .approver], isSignedIn: true)
}

extension Shop {
    /// The queue through which two persons settle notices.
    func approvals() async throws -> ApprovalQueue {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await MigrationRunner(OperatorRecords.migrations, clock: clock, logger: logger).run(on: database)
        return try ApprovalQueue(
            database: database, clock: clock, random: RandomBytes { drawn.next($0) },
            audit: ChainedOperatorAudit(
                links: AuditChain(key: SymmetricKey(data: [UInt8](repeating: 1, count: 32))),
                owner: try BillfoldPayments.MerchantID("installation")),
            mode: .test, policy: .twoPersons, actions: server.notices.actions, logger: logger)
    }

    /// Asks and approves.
    func settle(
        _ notice: String, _ way: String, shown: String, belongsTo: String? = nil, in queue: ApprovalQueue
    ) async throws -> ApprovalRequest {
        let place = belongsTo.map { #","belongsTo":"\#($0)""# } ?? ""
        let detail = #"{"way":"\#(way)","shown":"\#(shown)"\#(place),"reason":"both books were looked at"}"#
        let asked = try await queue.request(kind: "card-settle-notice", subject: notice, detail: detail, by: .asking)
        return try await queue.approve(asked.id, by: .approving)
    }
}
