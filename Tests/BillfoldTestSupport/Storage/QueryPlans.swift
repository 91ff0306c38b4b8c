public import BillfoldStorage
import BillfoldStorageSQLite
import GRDBSQLite

/// Keeps the queries of a body, so that the engine can be asked how it would run them.
public final class QueryRecorder: Transaction {
    private let inner: any Transaction
    public private(set) var queries: [String] = []

    public init(_ inner: any Transaction) { self.inner = inner }

    public func query(_ sql: String, _ bindings: [SQLValue]) throws -> [Row] {
        queries.append(sql)
        return try inner.query(sql, bindings)
    }

    public func execute(_ sql: String, _ bindings: [SQLValue]) throws -> Int { try inner.execute(sql, bindings) }
    public func executeBatch(_ batch: [Statement]) throws -> [Int] { try inner.executeBatch(batch) }
}

/// How SQLite would run queries, in its own words.
public enum QueryPlans {
    public struct Failure: Error {
        public var query: String
    }

    /// The plans of the queries that a read makes in a SQLite store, one line for each step.
    public static func plans(
        in database: any Database, of read: @escaping @Sendable (any Transaction) throws -> Void
    ) async throws -> [String] {
        guard let store = database as? SQLiteDatabase else { throw Failure(query: "not a SQLite store") }
        let queries = try await database.write { tx in
            let recorder = QueryRecorder(tx)
            try read(recorder)
            return recorder.queries
        }
        var connection: OpaquePointer?
        defer { sqlite3_close_v2(connection) }
        guard sqlite3_open_v2(store.configuration.path, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK else {
            throw Failure(query: "the store cannot be opened")
        }
        var lines: [String] = []
        for query in queries {
            var statement: OpaquePointer?
            defer { sqlite3_finalize(statement) }
            guard sqlite3_prepare_v2(connection, "EXPLAIN QUERY PLAN \(query)", -1, &statement, nil) == SQLITE_OK else {
                throw Failure(query: query)
            }
            while sqlite3_step(statement) == SQLITE_ROW {
                if let text = sqlite3_column_text(statement, 3) { lines.append(String(cString: text)) }
            }
        }
        return lines
    }
}
