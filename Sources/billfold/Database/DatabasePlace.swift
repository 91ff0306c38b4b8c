import BillfoldDiagnosis
import BillfoldStorage
import BillfoldStoragePostgreSQL
import BillfoldStorageSQLite
import Foundation
import Logging

/// Where a store is: a SQLite file, or a PostgreSQL server.
enum DatabasePlace {
    case file(String)
    case server(Secret<String>)

    /// A libpq connection string (`host=… dbname=…`) or URI names a server; everything else is a file.
    init(_ text: String) {
        self = StoreOpening.isPostgreSQL(text) ? .server(Secret(text)) : .file(text)
    }

    /// Whether there is such a file; a server is asked when it is opened.
    var exists: Bool {
        switch self {
        case .file(let path): FileManager.default.fileExists(atPath: path)
        case .server: true
        }
    }

    private static func isEmpty(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) == 0
    }

    /// Refuses with `no-store` a file that is not there, and an empty one: the engine would take it for a new store, and write to it.
    func requireStore() throws(CommandFailure) {
        guard case .file(let path) = self else { return }
        guard exists else { throw CommandFailure(.refused, code: "no-store", reason: "there is no store at \(path)") }
        guard !Self.isEmpty(path) else { throw CommandFailure(.refused, code: "no-store", reason: "\(path) is empty") }
    }

    /// - Parameter mustExist: Whether a file that is not there is refused (`no-store`) instead of made.
    func open(_ logger: Logger, mustExist: Bool = false) async throws -> any InspectableDatabase {
        if mustExist { try requireStore() }
        switch self {
        case .file(let path): return try SQLiteDatabase(SQLiteConfiguration(path: path), logger: logger)
        case .server(let connection):
            return try await PostgreSQLDatabase(
                PostgreSQLConfiguration(connection: connection, isolation: .serializable),
                randomness: SystemRandomNumberGenerator(), logger: logger)
        }
    }
}
