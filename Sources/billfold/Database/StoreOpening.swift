import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldStoragePostgreSQL
import BillfoldStorageSQLite
import Foundation
import Logging

/// Opens a store that a server uses and brings its schema up to date.
enum StoreOpening {
    /// - Parameters:
    ///   - choice: A file for SQLite, or a PostgreSQL connection string.
    ///   - kinds: Those that may be told apart.
    ///   - kind: Whose store it is to be. One that is another server's is refused with `store-kind-differs`.
    static func open(
        _ choice: String, mode: ServerMode, kind: StoreKind, among kinds: StoreKinds = .known, clock: any WallClock, logger: Logger
    ) async throws -> any Database {
        var logger = logger
        logger[metadataKey: "store"] = "\(kind.name)"
        // A dozen parties of the sandbox have a store each.
        if kind.isSandbox { logger.logLevel = max(logger.logLevel, .notice) }
        let database: any Database
        if isPostgreSQL(choice) {
            database = try await PostgreSQLDatabase(
                PostgreSQLConfiguration(connection: Secret(choice)), randomness: SystemRandomNumberGenerator(), logger: logger)
        } else {
            database = try SQLiteDatabase(SQLiteConfiguration(path: choice), logger: logger)
        }
        do {
            try kinds.refuse(await MigrationRunner.applied(in: database).map(\.name), unlessOf: kind)
            try await MigrationRunner(kind.migrations, clock: clock, logger: logger).run(on: database)
            // A store keeps the mode it was made in: what exists in test mode only never meets production data.
            try await (mode == .test ? StoreMode.test : .production).claim(database)
        } catch {
            try? await database.close()
            throw error
        }
        return database
    }

    static func isPostgreSQL(_ choice: String) -> Bool {
        choice.hasPrefix("postgresql://") || choice.hasPrefix("postgres://")
            || choice.split(separator: " ").contains { word in
                ["host", "hostaddr", "dbname", "service", "port", "user"].contains { word.hasPrefix($0 + "=") }
            }
    }
}
