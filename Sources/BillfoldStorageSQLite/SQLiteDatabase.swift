public import BillfoldStorage
import GRDB
import GRDBSQLite
public import Logging

/// A store in one SQLite file: many readers, one writer whose commits are grouped and synced.
public final class SQLiteDatabase: InspectableDatabase {
    /// What the writer has done so far, and what lies in its log.
    public struct Statistics: Sendable, Hashable {
        /// Commits, each with one sync.
        public var groups: Int
        /// Writes that those commits acknowledged or refused.
        public var writes: Int
        /// Pages in the write-ahead log; it grows for as long as a read stays open.
        public var walPages: Int
    }

    /// As read back from the writer's connection after it was opened.
    public let settings: SQLiteSettings
    public let configuration: SQLiteConfiguration

    private let connections: StoreConnections
    private let committer: GroupCommitter
    private let lock: FileLock

    /// Opens the file, asserts its settings, and takes it for this process alone.
    ///
    /// - Throws: `StorageError` with `in-use` when another process has the file, `unsafe-settings` when a setting that
    ///   durability rests on does not hold, `store-ill` when the file is no database.
    public convenience init(_ configuration: SQLiteConfiguration, logger: Logger) throws {
        try self.init(configuration, logger: logger, beforeCheck: [])
    }

    /// - Parameter beforeCheck: Pragmas run between setting up the connection and reading it back; tests weaken it here.
    package init(_ configuration: SQLiteConfiguration, logger: Logger, beforeCheck: [String]) throws {
        guard configuration.path.hasPrefix("/") || !configuration.path.contains(":") else {
            throw StorageError(code: .unsafeSettings, reason: "the store must be a file")
        }
        let lock = try FileLock(path: configuration.path + ".lock")
        try StoreFile(path: configuration.path).prepare()
        let connections = try StoreConnections(configuration, logger: logger, beforeCheck: beforeCheck)
        guard let settings = connections.open?.settings else { throw StorageError(code: .unavailable, reason: "the store is closed") }
        self.configuration = configuration
        self.settings = settings
        self.connections = connections
        self.lock = lock
        committer = GroupCommitter(connections: connections, configuration: configuration, logger: logger)
        logger.info(
            "store opened",
            metadata: ["engine": "\(engine)", "synchronous": "\(settings.synchronous)", "journal_mode": "\(settings.journalMode)"])
    }

    /// The file's lock keeps other processes out.
    public var isShared: Bool { false }

    public var engine: String { "SQLite \(String(cString: sqlite3_libversion()))" }

    public var durabilitySettings: [String: String] {
        [
            "synchronous": "\(settings.synchronous)", "journal_mode": settings.journalMode,
            "foreign_keys": "\(settings.foreignKeys)",
        ]
    }

    public var statistics: Statistics {
        let counts = committer.counts
        return Statistics(groups: counts.groups, writes: counts.writes, walPages: connections.open?.wal.pages ?? 0)
    }

    /// Why the store takes no writes at the moment: a full disk, a failed sync, a file system that is read-only, a file that is gone. From
    /// then on the store tries once a second to be well again, and this is `nil` when it is.
    public var illness: StorageError? { committer.illness }

    public func probe() async throws {
        try await withCheckedThrowingContinuation { continuation in committer.probe { continuation.resume(with: $0) } }
    }

    public func write<Result: Sendable>(
        resolve: (@Sendable (any Transaction) throws -> Result?)?,
        _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) async throws -> Result {
        let deadline = StorageDeadline.current
        return try await withCheckedThrowingContinuation { continuation in
            committer.submit(Write(deadline: deadline, continuation: continuation, body: OwnTime.carried(body)))
        }
    }

    public func read<Result: Sendable>(
        _ consistency: ReadConsistency, _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) async throws -> Result {
        try Self.requireTime()
        let pool = try opened().pool
        return try await withCheckedThrowingContinuation { continuation in
            pool.asyncRead { access in
                continuation.resume(with: Swift.Result { try Self.perform(body, access.get()) }.mapError { OpenStore.translate($0) })
            }
        }
    }

    public func lookup<Result: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) async throws -> Result {
        try Self.requireTime()
        if let result = try opened().lookups.perform(body) { return result }
        return try await read(.strong, body)
    }

    /// The connections. While an ill store could not be opened anew there are none, and it is not read either.
    private func opened() throws -> OpenStore {
        guard let open = connections.open else {
            throw committer.illness ?? StorageError(code: .unavailable, reason: "the store is closed, or is being opened anew")
        }
        return open
    }

    private static func requireTime() throws {
        if let deadline = StorageDeadline.current, deadline <= .now {
            throw StorageError(code: .unavailable, reason: "the deadline ended before the read began")
        }
    }

    /// GRDB keeps each reader's statements; they are stepped here without its row machinery.
    private static func perform<Result>(_ body: (any Transaction) throws -> Result, _ database: GRDB.Database) throws -> Result {
        let values = BindingBuffer()
        let transaction = SQLiteTransaction(writes: false) { sql in
            try PortableStatement.check(sql)
            guard let connection = database.sqliteConnection else {
                throw StorageError(code: .unavailable, reason: "the connection is closed")
            }
            do {
                return SQLiteStatement(
                    handle: try database.cachedStatement(sql: sql).sqliteStatement, connection: connection, values: values)
            } catch { throw OpenStore.translate(error) }
        }
        defer { transaction.end() }
        let result = try body(transaction)
        if let failure = transaction.failure { throw failure }
        return result
    }

    /// Lends a reader's connection, inside its own read transaction, to the adapter's maintenance.
    func readConnection(_ use: @escaping @Sendable (Swift.Result<OpaquePointer, any Error>) -> Void) {
        let pool: DatabasePool
        do { pool = try opened().pool } catch { return use(.failure(error)) }
        pool.asyncRead { access in
            use(
                Swift.Result {
                    guard let connection = try access.get().sqliteConnection else {
                        throw StorageError(code: .unavailable, reason: "the connection is closed")
                    }
                    return connection
                }.mapError { OpenStore.translate($0) })
        }
    }

    public func close() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            committer.close { [connections, committer, lock] first in
                continuation.resume(
                    with: Swift.Result {
                        guard first else { return }
                        try connections.close(illness: committer.illness)
                        lock.release()
                    })
            }
        }
    }
}
