import ArgumentParser
import BillfoldServer
import BillfoldStorage
import Foundation

/// `db migrate`: what a server does at its start, done beforehand.
struct DatabaseMigrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Bring a store's schema up to date.",
        discussion: "Whose store it is is read from the store. A new one needs --kind.")

    @OptionGroup var options: DatabaseOptions
    @Option(help: "The servers' data folder, which holds the store without --database. (default: .billfold)") var data: String?
    @Flag(help: "Say what would run, and change nothing.") var dryRun = false
    @Option(
        help: "Whose a new store is to be: \(StoreKinds.known.all.map(\.name).joined(separator: ", ")).",
        transform: { text in
            guard let kind = StoreKinds.known[text] else {
                throw ValidationError("The kinds are \(StoreKinds.known.all.map(\.name).joined(separator: ", ")).")
            }
            return kind
        }) var kind: StoreKind?

    func run() async throws {
        try await options.answer {
            let (logger, place) = (options.logger, options.place(in: data))
            // A file is made for a kind, and for nothing else.
            if kind == nil, !dryRun, !place.exists { throw Self.kindMissing }
            let database = try await place.open(logger, mustExist: dryRun)
            let known: StoreKind
            let names: [String]
            do {
                let applied = try await MigrationRunner.applied(in: database).map(\.name)
                if let kind { try StoreKinds.known.refuse(applied, unlessOf: kind) }
                guard let found = try StoreKinds.known.kind(of: applied) ?? kind else { throw Self.kindMissing }
                if applied.isEmpty { try await Self.refuseTables(of: database) }
                let runner = options.runner(found, logger)
                known = found
                names = dryRun ? try await runner.pending(on: database) : try await runner.run(on: database)
            } catch {
                try? await database.close()
                throw error
            }
            try await database.close()
            let verb = dryRun ? "pending" : "applied"
            return DatabaseAnswer(
                text: names.isEmpty ? "The schema is up to date." : names.map { "\(verb)  \($0)" }.joined(separator: "\n"),
                object: [verb: names, "engine": database.engine, "kind": known.name])
        }
    }

    /// A store that none of ours has migrated is new only while it is empty.
    private static func refuseTables(of database: any InspectableDatabase) async throws {
        let tables = try await database.tableNames().filter { !$0.hasPrefix("billfold_") }
        guard let first = tables.first else { return }
        throw CommandFailure(
            .refused, code: "store-unknown",
            reason: "the store holds \(tables.count) tables that no server of this program made, such as \(first)")
    }

    private static let kindMissing = CommandFailure(
        .usage, code: "store-kind-missing",
        reason: "the store is new: say with --kind whose it is to be (\(StoreKinds.known.all.map(\.name).joined(separator: ", ")))")
}
