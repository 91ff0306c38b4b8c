import ArgumentParser
import BillfoldPayments
import BillfoldServer
import BillfoldStorage

/// `db check`: structure, schema, mode, whether the ledger balances, and whether the rows fit each other.
struct DatabaseCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a store's structure, schema, mode, ledger and rows.",
        discussion: """
            Whose store it is is read from the store. Exits with 1 when something is wrong. Reads only; a SQLite file must not be in use. \
            With the audit key (--data or --audit-key) every field of every audit row is verified, without it the links between them.
            """)

    @OptionGroup var options: DatabaseOptions
    @OptionGroup var audit: AuditKeyOptions

    func run() async throws {
        try await options.answer {
            let place = options.place(in: audit.data)
            try place.requireStore()
            let (logger, links) = (options.logger, try audit.chain(of: options))
            let database = try await place.open(logger, mustExist: true)
            do {
                let kind = try await StoreKinds.known.existing(in: database)
                let answer = try await Self.check(database, of: kind, by: options.runner(kind, logger), links: links)
                try await database.close()
                return answer
            } catch {
                try? await database.close()
                throw error
            }
        }
    }

    static func check(
        _ database: any InspectableDatabase, of kind: StoreKind, by runner: MigrationRunner, links: AuditChain?
    ) async throws -> DatabaseAnswer {
        let integrity = try await database.integrityProblems()
        let applied = try await MigrationRunner.applied(in: database).map(\.name)
        let pending = try await runner.pending(on: database)
        let unknown = applied.filter { name in !kind.migrations.contains { $0.name == name } }
        let mode = applied.contains("store-0001-mode") ? try await StoreMode.of(database) : nil
        var unbalanced: [LedgerTotalsRecords.Imbalance] = []
        var totals: [LedgerTotalsRecords.Total] = []
        if applied.contains("payments-0003-ledger") {
            totals = try await wholly(database) { try LedgerTotalsRecords.totals(in: $0) }
            unbalanced = try await wholly(database) { try LedgerTotalsRecords.imbalances(in: $0) }
        }
        // Of an older schema, or of a store that is damaged, nothing more can be asked.
        let isComparable = integrity.isEmpty && pending.isEmpty
        var found: (list: [StoreFinding], count: Int) = ([], 0)
        if isComparable { found = try await findings(database, of: kind, links: links) }
        let chains = kind.check == nil ? "none" : links == nil ? "links verified, without the audit key" : "verified with the audit key"
        var lines = ["engine    \(database.engine)"]
        lines += database.durabilitySettings.sorted { $0.key < $1.key }.map { "setting   \($0.key) = \($0.value)" }
        lines.append("kind      \(kind.name): \(kind.owner)")
        lines.append("mode      \(mode?.rawValue ?? "not stamped")")
        lines.append("schema    \(applied.count) migrations applied, \(pending.count) pending")
        lines += totals.map { "ledger    \($0.currency): \($0.postings) postings, sum \($0.sum)" }
        lines.append("audit     \(isComparable ? chains : "not looked at")")
        lines.append("rows      \(isComparable ? kind.check == nil ? "not compared" : "compared" : "not looked at")")
        lines += unbalanced.map { "UNBALANCED  \($0.merchant) \($0.source) \($0.currency): \($0.sum)" }
        lines += integrity.map { "DAMAGED   \($0)" }
        lines += pending.map { "PENDING   \($0)" } + unknown.map { "UNKNOWN   \($0)" }
        lines += found.list.map { "FOUND     \($0.code) \($0.table) \($0.key): expected \($0.expected); found \($0.found)" }
        if found.count > found.list.count { lines.append("FOUND     \(found.count - found.list.count) more") }
        let isGood = integrity.isEmpty && unbalanced.isEmpty && pending.isEmpty && unknown.isEmpty && found.count == 0
        lines.append(isGood ? "The store is sound." : "The store is NOT sound.")
        return DatabaseAnswer(
            text: lines.joined(separator: "\n"),
            object: [
                "engine": database.engine, "settings": database.durabilitySettings, "kind": kind.name,
                "mode": mode?.rawValue ?? "not stamped", "applied": applied, "pending": pending, "unknown": unknown,
                "integrityProblems": integrity, "auditKeyGiven": links != nil,
                "ledger": totals.map { ["currency": $0.currency, "postings": $0.postings, "sum": $0.sum] as [String: Any] },
                "unbalanced": unbalanced.map {
                    ["merchant": $0.merchant, "source": $0.source, "currency": $0.currency, "sum": $0.sum] as [String: Any]
                },
                "findingCount": found.count,
                "findings": found.list.map {
                    ["code": $0.code.description, "table": $0.table, "key": $0.key, "expected": $0.expected, "found": $0.found]
                },
                "passed": isGood,
            ], isGood: isGood)
    }

    /// What the store's own check finds, in one view of the store.
    private static func findings(
        _ database: any InspectableDatabase, of kind: StoreKind, links: AuditChain?
    ) async throws -> (list: [StoreFinding], count: Int) {
        guard let check = kind.check?(links) else { return ([], 0) }
        return try await wholly(database) { tx in
            let findings = StoreFindings()
            try check.run(in: tx, findings)
            return (findings.list, findings.count)
        }
    }

    /// A read that may take as long as the store is large.
    private static func wholly<Result: Sendable>(
        _ database: any InspectableDatabase, _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) async throws -> Result {
        try await StorageDeadline.$current.withValue(.now.advanced(by: .seconds(7 * 86_400))) { try await database.read(body) }
    }
}
