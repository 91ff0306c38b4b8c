import BillfoldDiagnosis
import BillfoldStorage
import BillfoldStoragePostgreSQL
import Logging
import Testing

/// Needs a PostgreSQL server: where none is installed, only its absence is tested.
struct BillfoldStoragePostgreSQLExample {
    // Example
    let migrations = [Migration("shop-0001-paid", ["CREATE TABLE paid (payment TEXT NOT NULL PRIMARY KEY)"])]

    /// `connection` may hold a password: `host=db1,db2 dbname=billfold user=billfold sslmode=verify-full`.
    func openStore(_ connection: Secret<String>, logger: Logger) async throws -> PostgreSQLDatabase {
        let database = try await PostgreSQLDatabase(
            PostgreSQLConfiguration(connection: connection, isolation: .serializable),
            randomness: SystemRandomNumberGenerator(), logger: logger)
        // Any number of processes may do this at once.
        try await MigrationRunner(migrations, clock: SystemClock(), logger: logger).run(on: database)
        return database
    }

    /// Notes a payment once: the body inserts its key, and so may run again.
    func note(_ payment: String, in database: PostgreSQLDatabase) async throws {
        try await database.writeRepeatably { transaction in
            _ = try transaction.execute("INSERT INTO paid (payment) VALUES (?) ON CONFLICT DO NOTHING", [.text(payment)])
        }
    }
    // End

    private let logger = Logger(label: "example") { _ in SwiftLogNoOpLogHandler() }

    @Test(.enabled(if: ExampleServer.isInstalled, "PostgreSQL is not installed")) func example() async throws {
        let database = try await openStore(ExampleServer.connection(), logger: logger)
        try await note("P-1", in: database)
        try await note("P-1", in: database)
        let found = try await database.read { try $0.query("SELECT payment FROM paid").map { try $0.text(0) } }
        #expect(found == ["P-1"])
        try await database.close()
    }

    @Test func serverThatIsNotThereIsUnavailable() async {
        let error = await #expect(throws: StorageError.self) {
            try await StorageDeadline.$current.withValue(.now + .milliseconds(200)) {
                try await openStore(Secret("host=127.0.0.1 port=1 user=nobody dbname=none"), logger: logger)
            }
        }
        #expect(error?.code == .unavailable)
    }
}
