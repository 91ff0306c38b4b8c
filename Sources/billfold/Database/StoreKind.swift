import AlipayPlusServer
import AlipayServer
import BillfoldPayments
import BillfoldSandbox
import BillfoldServer
import BillfoldStorage
import CardPaymentsServer
import ProvisioningServer
import WalletServer

/// What a store holds, told by the migrations that ran on it: one kind for each server and for the sandbox's parties.
///
/// `serve` and the `db` commands know a store by this list alone.
struct StoreKind: Sendable {
    /// What `--kind` takes.
    let name: String
    /// Whose store it is, for people.
    let owner: String
    /// Those of every component, in the order in which the server runs them, after ``StoreMode/migrations``.
    let own: [Migration]
    /// What its rows must agree about; `nil` where nothing is known of them but their tables.
    let check: (@Sendable (AuditChain?) -> any StoreCheck)?

    var migrations: [Migration] { StoreMode.migrations + own }

    static let cards = Self(
        name: "cards", owner: "the card-payments server and the console's operators",
        own: CardPaymentsServer.migrations + OperatorRecords.migrations, check: { CardPaymentsServer.check(links: $0) })
    static let alipayGateway = Self(
        name: "alipay-gateway", owner: "the order gateway", own: AlipayServer.migrations, check: { AlipayServer.check(links: $0) })
    static let alipayPlus = Self(
        name: "alipay-plus", owner: "the acquiring gateway", own: AlipayPlusServer.migrations,
        check: { AlipayPlusServer.check(links: $0) })
    static let wallet = Self(
        name: "wallet", owner: "the wallet", own: WalletServer.migrations,
        check: { links in
            (try? MerchantID(WalletPart.owner)).map { WalletServer.check(links: links, owner: $0) } ?? BooksCheck(links: links)
        })
    static let issuer = Self(
        name: "issuer", owner: "the issuer's host", own: ProvisioningServer.migrations, check: { ProvisioningServer.check(links: $0) })
    static let sandboxUnionPay = Self(
        name: "sandbox-unionpay", owner: "the sandbox's UnionPay", own: UnionPayGateway.migrations, check: nil)
    static let sandboxParty = Self(
        name: "sandbox-party", owner: "another party of the sandbox", own: PartySurroundings.migrations, check: nil)

    static let all = [cards, alipayGateway, alipayPlus, wallet, issuer, sandboxUnionPay, sandboxParty]

    var isSandbox: Bool { name.hasPrefix("sandbox-") }

    /// The components whose tables no other kind has.
    private var marks: Set<String> {
        let others = Self.all.filter { $0.name != name }.flatMap { $0.own.map(\.component) }
        return Set(own.map(\.component)).subtracting(others)
    }

    /// The kinds of which a store has tables that no other kind has. A sound store has one; a new one has none.
    static func among(_ applied: [String]) -> [StoreKind] {
        let components = Set(applied.map { Migration($0, []).component })
        return all.filter { !$0.marks.isDisjoint(with: components) }
    }

    /// The kind of a store by the migrations that ran on it; `nil` for one that has none yet, or none but the first that every
    /// server shares.
    ///
    /// - Throws: `store-mixed` for the tables of several kinds, `store-unknown` for tables of none.
    static func of(_ applied: [String]) throws(CommandFailure) -> StoreKind? {
        let kinds = among(applied)
        guard kinds.count < 2 else {
            throw CommandFailure(
                .refused, code: "store-mixed",
                reason: "the store holds tables of \(kinds.map(\.owner).joined(separator: " and of ")): each needs a store of its own")
        }
        let known = Set((kinds.first.map { [$0] } ?? all).flatMap { $0.migrations.map(\.component) })
        if let strange = applied.first(where: { !known.contains(Migration($0, []).component) }) {
            throw CommandFailure(
                .refused, code: "store-unknown", reason: "the store has the migration \(strange), which no server of this program knows")
        }
        return kinds.first
    }

    /// The kind of a store that must have one.
    static func existing(in database: any Database) async throws -> StoreKind {
        guard let kind = try of(await MigrationRunner.applied(in: database).map(\.name)) else {
            throw CommandFailure(.refused, code: "store-unknown", reason: "the store holds the tables of no server of this program")
        }
        return kind
    }

    /// Refuses with `store-kind-differs` a store that holds the tables of another kind and none of this one.
    func refuseOthers(_ applied: [String]) throws(CommandFailure) {
        let kinds = Self.among(applied)
        guard kinds.isEmpty || kinds.contains(where: { $0.name == name }) else {
            throw CommandFailure(
                .refused, code: "store-kind-differs", reason: "the store is that of \(kinds[0].owner), not of \(owner)")
        }
    }
}
