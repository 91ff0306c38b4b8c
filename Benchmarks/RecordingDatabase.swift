import BillfoldStorage
import BillfoldStorageSQLite
import Synchronization

/// Passes everything on, and keeps what the first write with a certain statement consisted of.
final class RecordingDatabase: Database {
    let inner: SQLiteDatabase
    /// Where everything is passed on to: the store, or another that keeps another write.
    private let next: any Database
    private let sql: String
    private let kept = Mutex<[Statement]>([])

    /// - Parameters:
    ///   - inner: The store.
    ///   - sql: A part of the statement that tells the write from others.
    ///   - next: On the same store, and keeps another write.
    init(_ inner: SQLiteDatabase, keeping sql: String, through next: RecordingDatabase? = nil) {
        (self.inner, self.sql, self.next) = (inner, sql, next ?? inner)
    }

    var isShared: Bool { next.isShared }
    /// The statements of a write that is to be repeated as the bound.
    var recorded: [Statement] { kept.withLock { $0 } }

    func write<Result: Sendable>(
        resolve: (@Sendable (any Transaction) throws -> Result?)?, _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) async throws -> Result {
        guard recorded.isEmpty else { return try await next.write(resolve: resolve, body) }
        return try await next.write(resolve: resolve) { [self] tx in
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
        try await next.read(consistency, body)
    }

    func lookup<Result: Sendable>(_ body: @escaping @Sendable (any Transaction) throws -> Result) async throws -> Result {
        try await next.lookup(body)
    }

    func close() async throws { try await next.close() }
}
