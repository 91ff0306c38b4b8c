import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldStoragePostgreSQL
import BillfoldStorageSQLite
import Foundation
import Logging

/// Opens the store that `--database` names and brings its schema up to date.
enum StoreOpening {
    /// The store in a data folder.
    static let fileName = "billfold.sqlite"

    /// - Parameters:
    ///   - choice: A file for SQLite, or a PostgreSQL connection string; without one, a file in the data folder.
    ///   - kind: Whose store it is to be. One that is another server's is refused with `store-kind-differs`.
    static func open(
        _ choice: String?, folder: DataFolder, mode: ServerMode, kind: StoreKind, clock: any WallClock, logger: Logger
    ) async throws -> any Database {
        var logger = logger
        logger[metadataKey: "store"] = "\(kind.name)"
        // A dozen parties of the sandbox have a store each.
        if kind.isSandbox { logger.logLevel = max(logger.logLevel, .notice) }
        let database: any Database
        if let choice, isPostgreSQL(choice) {
            database = try await PostgreSQLDatabase(
                PostgreSQLConfiguration(connection: Secret(choice)), randomness: SystemRandomNumberGenerator(), logger: logger)
        } else {
            database = try SQLiteDatabase(SQLiteConfiguration(path: choice ?? folder.path(fileName)), logger: logger)
        }
        do {
            try kind.refuseOthers(await MigrationRunner.applied(in: database).map(\.name))
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
