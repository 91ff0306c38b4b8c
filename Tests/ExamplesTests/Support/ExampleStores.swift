import BillfoldDiagnosis
import BillfoldStorage
import BillfoldStoragePostgreSQL
import BillfoldTestSupport

// What examples need and do not show: every import of an example's own file is printed on a page.

/// Runs `body` with a folder that is removed afterwards.
@discardableResult
func withExampleFolder<Value: Sendable>(_ body: @Sendable (String) async throws -> Value) async throws -> Value {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    return try await body(folder.path)
}

/// Runs `body` with a store that has an example's tables and is removed afterwards.
@discardableResult
func withExampleStore<Value: Sendable>(
    _ migrations: [Migration], _ body: @Sendable (any Database) async throws -> Value
) async throws -> Value {
    try await StoreEngine.sqlite.withDatabase { database in
        try await MigrationRunner(migrations, clock: SystemClock(), logger: TestStore.logger).run(on: database)
        return try await body(database)
    }
}

/// The PostgreSQL server that the tests start for themselves where one is installed.
enum ExampleServer {
    static var isInstalled: Bool { PostgreSQLCluster.binaries != nil }

    /// Leads to a schema of the examples' own.
    static func connection() async throws -> Secret<String> {
        let connection = Secret(try PostgreSQLCluster.shared.get().connection(schema: "example"))
        let database = try await PostgreSQLDatabase(
            PostgreSQLConfiguration(connection: connection), randomness: SystemRandomNumberGenerator(), logger: TestStore.logger)
        try await database.write { _ = try $0.execute("CREATE SCHEMA IF NOT EXISTS example") }
        try await database.close()
        return connection
    }
}
