import BillfoldStorage
import BillfoldStorageSQLite
import Synchronization

/// Passes everything on, and keeps what the first write with a certain statement consisted of.
final class RecordingDatabase: Database {
    let inner: SQLiteDatabase
    private let sql: String
    private let kept = Mutex<[Statement]>([])

    /// - Parameter sql: A part of the statement that tells the write from others.
    init(_ inner: SQLiteDatabase, keeping sql: String) { (self.inner, self.sql) = (inner, sql) }

    var isShared: Bool { inner.isShared }
    /// The statements of a write that is to be repeated as the bound.
    var recorded: [Statement] { kept.withLock { $0 } }

    func write<Result: Sendable>(
        resolve: (@Sendable (any Transaction) throws -> Result?)?, _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) async throws -> Result {
        guard recorded.isEmpty else { return try await inner.write(resolve: resolve, body) }
        return try await inner.write(resolve: resolve) { [self] tx in
            let recorder = RecordingTransaction(tx)
            let result = try body(recorder)
            if recorder.statements.contains(where: { $0.sql.contains(sql) }) {
                kept.withLock { $0 = recorder.statements }
            }
            return result
        }
    }

    func read<Result: Sendable>(
        _ consistency: ReadConsistency, _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) async throws -> Result {
        try await inner.read(consistency, body)
    }

    func lookup<Result: Sendable>(_ body: @escaping @Sendable (any Transaction) throws -> Result) async throws -> Result {
        try await inner.lookup(body)
    }

    func close() async throws { try await inner.close() }
}
