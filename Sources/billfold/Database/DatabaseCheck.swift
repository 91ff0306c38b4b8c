import ArgumentParser
import BillfoldStorage

/// `db check`: structure, schema, mode, and whether the ledger balances.
struct DatabaseCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a store's structure, schema, mode and ledger sums.",
        discussion: "Exits with 1 when something is wrong. A SQLite file must not be in use.")

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        try await options.answer {
            let logger = options.logger
            let database = try await options.place.open(logger, mustExist: true)
            do {
                let answer = try await check(database, options.runner(logger))
                try await database.close()
                return answer
            } catch {
                try? await database.close()
                throw error
            }
        }
    }

    private func check(_ database: any InspectableDatabase, _ runner: MigrationRunner) async throws -> DatabaseAnswer {
        let integrity = try await database.integrityProblems()
        let applied = try await MigrationRunner.applied(in: database)
        let pending = try await runner.pending(on: database)
        let names = Set(applied.map(\.name))
        let mode = names.contains("store-0001-mode") ? try await StoreMode.of(database) : nil
        var unbalanced: [LedgerTotalsRecords.Imbalance] = []
        var totals: [LedgerTotalsRecords.Total] = []
        if names.contains("payments-0003-ledger") {
            totals = try await database.read { try LedgerTotalsRecords.totals(in: $0) }
            unbalanced = try await database.read { try LedgerTotalsRecords.imbalances(in: $0) }
        }
        var lines = ["engine    \(database.engine)"]
        lines += database.durabilitySettings.sorted { $0.key < $1.key }.map { "setting   \($0.key) = \($0.value)" }
        lines.append("mode      \(mode?.rawValue ?? "not stamped")")
        lines.append("schema    \(applied.count) migrations applied, \(pending.count) pending")
        lines += totals.map { "ledger    \($0.currency): \($0.postings) postings, sum \($0.sum)" }
        lines += unbalanced.map { "UNBALANCED  \($0.merchant) \($0.source) \($0.currency): \($0.sum)" }
        lines += integrity.map { "DAMAGED   \($0)" }
        let unknown = applied.map(\.name).filter { name in !DatabaseOptions.migrations.contains { $0.name == name } }
        lines += pending.map { "PENDING   \($0)" } + unknown.map { "UNKNOWN   \($0)" }
        let isGood = integrity.isEmpty && unbalanced.isEmpty && pending.isEmpty && unknown.isEmpty
        lines.append(isGood ? "The store is sound." : "The store is NOT sound.")
        return DatabaseAnswer(
            text: lines.joined(separator: "\n"),
            object: [
                "engine": database.engine, "settings": database.durabilitySettings, "mode": mode?.rawValue ?? "not stamped",
                "applied": applied.map(\.name), "pending": pending, "unknown": unknown, "integrityProblems": integrity,
                "ledger": totals.map { ["currency": $0.currency, "postings": $0.postings, "sum": $0.sum] as [String: Any] },
                "unbalanced": unbalanced.map {
                    ["merchant": $0.merchant, "source": $0.source, "currency": $0.currency, "sum": $0.sum] as [String: Any]
                },
                "passed": isGood,
            ], isGood: isGood)
    }
}
