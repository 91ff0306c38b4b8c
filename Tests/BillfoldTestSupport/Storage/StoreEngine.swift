public import BillfoldStorage
import BillfoldStorageSQLite
import Foundation
import Logging
import Synchronization

/// The stores that every suite which writes is run on.
///
/// Usage: `@Test(arguments: StoreEngine.available) func … (engine: StoreEngine) async throws { try await engine.withDatabase { … } }`.
public enum StoreEngine: String, Sendable, CaseIterable, CustomStringConvertible {
    case sqlite = "SQLite"

    public var description: String { rawValue }

    /// The engines that this machine can run.
    public static var available: [StoreEngine] { allCases }

    /// Runs `body` with an empty database of its own and takes it away afterwards.
    public func withDatabase<Value: Sendable>(
        _ body: @Sendable (any BillfoldStorage.Database) async throws -> Value
    ) async throws -> Value {
        try await withStore { try await body($0.database) }
    }

    /// As ``withDatabase(_:)``, for tests that open the same store again.
    public func withStore<Value: Sendable>(_ body: @Sendable (TestStore) async throws -> Value) async throws -> Value {
        let folder = try TemporaryFolder()
        let path = folder.path("store.sqlite")
        let store = try await TestStore {
            try SQLiteDatabase(SQLiteConfiguration(path: path), logger: TestStore.logger)
        }
        let value: Value
        do {
            value = try await body(store)
        } catch {
            try? await store.close()
            throw error
        }
        try await store.close()
        return value
    }
}
