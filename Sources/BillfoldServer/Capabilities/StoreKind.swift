package import BillfoldPayments
package import BillfoldStorage
import HTTPTypes

/// What a store holds, told by the migrations that ran on it: one kind for each server and for the sandbox's parties.
package struct StoreKind: Sendable {
    /// What `--kind` takes.
    package let name: String
    /// Whose store it is, for people.
    package let owner: String
    /// Those of every component, in the order in which the server runs them, after ``StoreMode/migrations``.
    package let own: [Migration]
    /// Whether a party of the sandbox keeps it.
    package let isSandbox: Bool
    /// What its rows must agree about; `nil` where nothing is known of them but their tables.
    package let check: (@Sendable (AuditChain?) -> any StoreCheck)?

    package init(
        name: String, owner: String, own: [Migration], isSandbox: Bool = false, check: (@Sendable (AuditChain?) -> any StoreCheck)? = nil
    ) {
        self.name = name
        self.owner = owner
        self.own = own
        self.isSandbox = isSandbox
        self.check = check
    }

    package var migrations: [Migration] { StoreMode.migrations + own }
}

/// The kinds of stores that a program knows. `serve` and the `db` commands know a store by this list alone.
package struct StoreKinds: Sendable {
    package let all: [StoreKind]

    /// - Parameter kinds: Some may be there more than once: parties of the sandbox share a kind.
    package init(_ kinds: [StoreKind]) {
        var names: Set<String> = []
        all = kinds.filter { names.insert($0.name).inserted }
    }

    package subscript(name: String) -> StoreKind? { all.first { $0.name == name } }

    /// The components whose tables no other kind has.
    private func marks(of kind: StoreKind) -> Set<String> {
        let others = all.filter { $0.name != kind.name }.flatMap { $0.own.map(\.component) }
        return Set(kind.own.map(\.component)).subtracting(others)
    }

    /// The kinds of which a store has tables that no other kind has. A sound store has one; a new one has none.
    private func among(_ applied: [String]) -> [StoreKind] {
        let components = Set(applied.map { Migration($0, []).component })
        return all.filter { !marks(of: $0).isDisjoint(with: components) }
    }

    /// The kind of a store by the migrations that ran on it; `nil` for one that has none yet, or none but the first that every
    /// server shares.
    ///
    /// - Throws: `store-mixed` for the tables of several kinds, `store-unknown` for tables of none.
    package func kind(of applied: [String]) throws(ServerError) -> StoreKind? {
        let kinds = among(applied)
        guard kinds.count < 2 else {
            throw Self.refusal(
                .storeMixed, "the store holds tables of \(kinds.map(\.owner).joined(separator: " and of ")): each needs a store of its own")
        }
        let known = Set((kinds.first.map { [$0] } ?? all).flatMap { $0.migrations.map(\.component) })
        if let strange = applied.first(where: { !known.contains(Migration($0, []).component) }) {
            throw Self.refusal(.storeUnknown, "the store has the migration \(strange), which no server of this program knows")
        }
        return kinds.first
    }

    /// The kind of a store that must have one.
    package func existing(in database: any Database) async throws -> StoreKind {
        guard let kind = try kind(of: await MigrationRunner.applied(in: database).map(\.name)) else {
            throw Self.refusal(.storeUnknown, "the store holds the tables of no server of this program")
        }
        return kind
    }

    /// Refuses with `store-kind-differs` a store that holds the tables of another kind and none of the wanted one.
    package func refuse(_ applied: [String], unlessOf wanted: StoreKind) throws(ServerError) {
        let kinds = among(applied)
        guard kinds.isEmpty || kinds.contains(where: { $0.name == wanted.name }) else {
            throw Self.refusal(.storeKindDiffers, "the store is that of \(kinds[0].owner), not of \(wanted.owner)")
        }
    }

    private static func refusal(_ code: ServerError.Code, _ reason: String) -> ServerError {
        ServerError(code: code, reason: reason, status: .internalServerError)
    }
}
