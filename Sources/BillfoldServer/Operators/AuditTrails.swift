package import BillfoldPayments
package import BillfoldStorage
import HTTPTypes

/// The audit chains of a store: what operators did, by installation and merchant, and what became of each payment.
package struct AuditTrails: Sendable {
    /// Some of an owner's chains, the payments begun last first.
    package struct Page: Sendable, Hashable {
        package struct Chain: Sendable, Hashable {
            package var name: String
            package var trail: AuditTrail
        }

        package var chains: [Chain]
        /// Where the next page begins; `nil` after the last chain.
        package var next: String?
    }

    static let pageSize = 25

    /// One store, and who has chains there.
    private struct Shelf: Sendable {
        var database: any Database
        var owners: [MerchantID]
    }

    private let links: AuditChain
    private var shelves: [Shelf]
    /// Whose chains there are: the installation first, then the merchants, then the owners of other stores.
    package var owners: [MerchantID] { shelves.flatMap(\.owners) }

    /// - Parameters:
    ///   - database: Holds the chains.
    ///   - links: Holds the key, which lies outside the database.
    ///   - owners: The shards of the installation and of the merchants.
    package init(database: any Database, links: AuditChain, owners: [MerchantID]) {
        self.links = links
        shelves = [Shelf(database: database, owners: owners)]
    }

    /// Adds the chains of another store, made with the same key. A name that is known already stays with the store that had it first.
    package mutating func add(_ database: any Database, owners: [MerchantID]) {
        let known = self.owners
        shelves.append(Shelf(database: database, owners: owners.filter { !known.contains($0) }))
    }

    private func database(of owner: MerchantID) throws(ServerError) -> any Database {
        guard let shelf = shelves.first(where: { $0.owners.contains(owner) }) else {
            throw ServerError(code: .notFound, reason: "nobody of that name has audit chains here", status: .notFound)
        }
        return shelf.database
    }

    /// One chain, without rows where nothing was ever written to it.
    package func trail(of owner: MerchantID, _ name: String) async throws -> AuditTrail {
        try await database(of: owner).read { try trail(of: owner, name, in: $0) }
    }

    /// An owner's chains, each one checked.
    package func page(of owner: MerchantID, before last: String? = nil) async throws -> Page {
        try await database(of: owner).read { tx in
            let names = try AuditRecords.chains(of: owner, before: last, limit: Self.pageSize + 1, in: tx)
            let chains = try names.prefix(Self.pageSize).map { Page.Chain(name: $0, trail: try trail(of: owner, $0, in: tx)) }
            return Page(chains: chains, next: names.count > Self.pageSize ? chains.last?.name : nil)
        }
    }

    private func trail(of owner: MerchantID, _ name: String, in tx: any Transaction) throws -> AuditTrail {
        let rows = try AuditRecords.rows(of: name, merchant: owner, in: tx)
        let verdict = links.verify(rows)
        // A payment keeps the end of its chain, so that rows cut off there show too.
        guard case .intact(let head) = verdict, let payment = try payment(name, of: owner, in: tx), payment.auditHead != head else {
            return AuditTrail(rows: rows, verdict: verdict)
        }
        return AuditTrail(rows: rows, verdict: .broken(sequence: min(head.sequence, payment.auditHead.sequence) + 1))
    }

    private func payment(_ chain: String, of owner: MerchantID, in tx: any Transaction) throws -> Payment? {
        guard chain.hasPrefix(Payment.auditChainPrefix),
            let id = try? TimeOrderedID(text: chain.dropFirst(Payment.auditChainPrefix.count))
        else { return nil }
        return try PaymentRecords.find(id, merchant: owner, in: tx)
    }
}
