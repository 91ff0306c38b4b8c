package import BillfoldPayments
package import BillfoldStorage

/// The rows of one chain, in order, and whether the chain of hashes over them holds.
package struct AuditTrail: Sendable, Hashable {
    package var rows: [AuditRow]
    package var verdict: AuditChain.Verdict

    package init(rows: [AuditRow], verdict: AuditChain.Verdict) {
        self.rows = rows
        self.verdict = verdict
    }
}

/// The operators' audit trail: one hash chain for the installation, in the payments store's audit rows.
package struct ChainedOperatorAudit: OperatorAudit {
    /// The chain's name, for `AuditChain.verify(_:)`.
    package static let chain = "operators"

    private let links: AuditChain
    /// The shard that the installation's own rows live in.
    package let owner: MerchantID

    /// - Parameters:
    ///   - links: Holds the key, which lies outside the database.
    ///   - owner: The shard that the installation's own rows live in.
    package init(links: AuditChain, owner: MerchantID) {
        self.links = links
        self.owner = owner
    }

    package func append(_ action: OperatorAction, in transaction: any Transaction) throws {
        try AuditRecords.append(
            to: Self.chain, by: action.actor, action: action.action, object: action.object, result: action.result, at: action.at,
            merchant: owner, linking: links, in: transaction)
    }

    /// Whether every row is as it was written; names the first that is not.
    package func verify(in database: any Database) async throws -> AuditChain.Verdict { try await trail(in: database).verdict }

    /// Every row in order, and whether they are as they were written.
    package func trail(in database: any Database) async throws -> AuditTrail {
        let owner = owner
        let rows = try await database.read { try AuditRecords.rows(of: Self.chain, merchant: owner, in: $0) }
        return AuditTrail(rows: rows, verdict: links.verify(rows))
    }
}
