import BillfoldDiagnosis
public import BillfoldStorage
import BillfoldStoragePostgreSQL
import BillfoldStorageSQLite
import Foundation
import Synchronization

/// The stores that every suite which writes is run on.
///
/// Usage: `@Test(arguments: StoreEngine.available) func … (engine: StoreEngine) async throws { try await engine.withDatabase { … } }`.
/// PostgreSQL is a private server that the test process starts, or the one that `BILLFOLD_TEST_POSTGRESQL` (a connection
/// string) names.
public enum StoreEngine: String, Sendable, CaseIterable, CustomStringConvertible {
    case sqlite = "SQLite"
    case postgreSQLReadCommitted = "PostgreSQL READ COMMITTED"
    /// With serialisation failures thrown in besides those the server finds.
    case postgreSQLSerializable = "PostgreSQL SERIALIZABLE with injected 40001"

    public var description: String { rawValue }

    /// The engines that this machine can run. What it cannot is said aloud.
    public static let available: [StoreEngine] = {
        if PostgreSQLCluster.binaries != nil || namedServer != nil { return allCases }
        print("SKIPPED: PostgreSQL is not installed (/usr/lib/postgresql) and BILLFOLD_TEST_POSTGRESQL is not set; only SQLite is tested")
        return [.sqlite]
    }()

    static let namedServer = ProcessInfo.processInfo.environment["BILLFOLD_TEST_POSTGRESQL"]

    /// Seed of the injected faults; `BILLFOLD_TEST_SEED` repeats a run.
    public static let seed: UInt64 = {
        let seed = ProcessInfo.processInfo.environment["BILLFOLD_TEST_SEED"].flatMap { UInt64($0) } ?? 4_711
        print("fault seed: \(seed) (BILLFOLD_TEST_SEED)")
        return seed
    }()

    /// Runs `body` with an empty database of its own and takes it away afterwards.
    public func withDatabase<Value: Sendable>(_ body: @Sendable (any Database) async throws -> Value) async throws -> Value {
        try await withStore { try await body($0.database) }
    }

    /// As ``withDatabase(_:)``, for tests that open the same store again.
    public func withStore<Value: Sendable>(_ body: @Sendable (TestStore) async throws -> Value) async throws -> Value {
        switch self {
        case .sqlite: try await withSQLite(body)
        case .postgreSQLReadCommitted: try await Self.permits.during { try await withPostgreSQL(.readCommitted, nil, body) }
        case .postgreSQLSerializable:
            try await Self.permits.during {
                try await withPostgreSQL(.serializable, FaultyDatabase.Faults(serializationFailures: 100), body)
            }
        }
    }

    /// How many tests hold a store of the shared server at once: each has a pool of connections, and the server takes only so many.
    private static let permits = Permits(6)

    private func withSQLite<Value: Sendable>(_ body: @Sendable (TestStore) async throws -> Value) async throws -> Value {
        let folder = try TemporaryFolder()
        let path = folder.path("store.sqlite")
        let store = try await TestStore { try SQLiteDatabase(SQLiteConfiguration(path: path), logger: TestStore.logger) }
        return try await finishing(store, body) {}
    }

    private func withPostgreSQL<Value: Sendable>(
        _ isolation: PostgreSQLConfiguration.Isolation, _ faults: FaultyDatabase.Faults?,
        _ body: @Sendable (TestStore) async throws -> Value
    ) async throws -> Value {
        let schema = "t\(getpid())_\(Self.nextSchema())"
        let connection = try Self.connection(schema: schema)
        let store = try await TestStore {
            let database = try await PostgreSQLDatabase(
                PostgreSQLConfiguration(connection: Secret(connection), isolation: isolation),
                randomness: SeededStoreGenerator(seed: Self.seed), logger: TestStore.logger)
            guard let faults else { return database }
            return FaultyDatabase(database, seed: Self.seed, faults: faults)
        }
        try await store.database.write { _ = try $0.execute("CREATE SCHEMA \(schema)") }
        return try await finishing(store, body) {
            try? await store.database.write { _ = try $0.execute("DROP SCHEMA \(schema) CASCADE") }
        }
    }

    private func finishing<Value: Sendable>(
        _ store: TestStore, _ body: @Sendable (TestStore) async throws -> Value, _ cleanUp: @Sendable () async -> Void
    ) async throws -> Value {
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await body(store)) } catch { outcome = .failure(error) }
        await cleanUp()
        try await store.close()
        return try outcome.get()
    }

    /// A connection string whose unqualified names live in `schema`.
    static func connection(schema: String) throws -> String {
        if let namedServer { return namedServer + " options='-csearch_path=\(schema)'" }
        return try PostgreSQLCluster.shared.get().connection(schema: schema)
    }

    private static let schemas = Mutex(0)
    private static func nextSchema() -> Int {
        schemas.withLock { number in
            number += 1
            return number
        }
    }
}
