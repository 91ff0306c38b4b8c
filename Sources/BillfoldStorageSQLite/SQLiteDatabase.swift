public import BillfoldStorage
import GRDB
import GRDBSQLite
public import Logging

/// A store in one SQLite file: many readers, one writer whose commits are grouped and synced.
public final class SQLiteDatabase: InspectableDatabase {
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

    private let pool: DatabasePool
    private let lookups: LookupConnections
    private let wal: WALMonitor
    private let committer: GroupCommitter
    private let lock: FileLock
    private let logger: Logger

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
        let file = StoreFile(path: configuration.path)
        let lock = try FileLock(path: configuration.path + ".lock")
        try file.prepare()
        let wal = WALMonitor()
        let pool = try Self.openPool(configuration)
        let settings: SQLiteSettings
        do {
            settings = try pool.writeWithoutTransaction { database in
                guard let connection = database.sqliteConnection else {
                    throw StorageError(code: .unavailable, reason: "the connection is closed")
                }
                try SQLiteSettings.apply(configuration, to: connection)
                for pragma in beforeCheck { try SQLiteStatement.run(pragma, on: connection) }
                wal.attach(to: connection)
                return try SQLiteSettings.read(from: connection)
            }
            try settings.requireSafe()
            // The log and its index were made by now.
            try file.restrict()
        } catch {
            try? pool.close()
            throw error
        }
        self.configuration = configuration
        self.settings = settings
        self.pool = pool
        lookups = LookupConnections(path: configuration.path, limit: configuration.readers)
        self.wal = wal
        self.lock = lock
        self.logger = logger
        let writer = GroupWriter(pool: pool, wal: wal, checkpointPages: configuration.checkpointPages, logger: logger)
        committer = GroupCommitter(
            writer: writer, limit: configuration.groupLimit, window: configuration.groupWindow, patience: configuration.groupPatience,
            logger: logger)
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
        return Statistics(groups: counts.groups, writes: counts.writes, walPages: wal.pages)
    }

    /// Why the store takes no writes any more: set by a full disk or a failed sync, cleared only by opening it anew.
    public var illness: StorageError? { committer.illness }

    public func write<Result: Sendable>(
        resolve: (@Sendable (any Transaction) throws -> Result?)?,
        _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) async throws -> Result {
        let deadline = StorageDeadline.current
        return try await withCheckedThrowingContinuation { continuation in
            committer.submit(Write(deadline: deadline, continuation: continuation, body: body))
        }
    }

    public func read<Result: Sendable>(
        _ consistency: ReadConsistency, _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) async throws -> Result {
        try Self.requireTime()
        if wal.pages >= configuration.walAlarmPages {
            logger.warning("the write-ahead log is long: a read stays open", metadata: ["pages": "\(wal.pages)"])
        }
        return try await withCheckedThrowingContinuation { continuation in
            pool.asyncRead { access in
                continuation.resume(with: Swift.Result { try Self.perform(body, access.get()) }.mapError { Self.translate($0) })
            }
        }
    }

    public func lookup<Result: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) async throws -> Result {
        try Self.requireTime()
        if let result = try lookups.perform(body) { return result }
        return try await read(.strong, body)
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
            } catch { throw translate(error) }
        }
        defer { transaction.end() }
        let result = try body(transaction)
        if let failure = transaction.failure { throw failure }
        return result
    }

    private static func translate(_ error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        return StorageError.sqlite(error.extendedResultCode.rawValue, message: error.message ?? "no message")
    }

    /// Lends a reader's connection, inside its own read transaction, to the adapter's maintenance.
    func readConnection(_ use: @escaping @Sendable (Swift.Result<OpaquePointer, any Error>) -> Void) {
        pool.asyncRead { access in
            use(
                Swift.Result {
                    guard let connection = try access.get().sqliteConnection else {
                        throw StorageError(code: .unavailable, reason: "the connection is closed")
                    }
                    return connection
                }.mapError { Self.translate($0) })
        }
    }

    private static func openPool(_ configuration: SQLiteConfiguration) throws -> DatabasePool {
        var grdb = Configuration()
        grdb.label = "billfold"
        grdb.foreignKeysEnabled = true
        grdb.busyMode = .timeout(5)
        grdb.maximumReaderCount = max(configuration.readers, 1)
        // The group writer ends what it begins; GRDB's own check would stop the process instead of reporting.
        grdb.allowsUnsafeTransactions = true
        do {
            return try DatabasePool(path: configuration.path, configuration: grdb)
        } catch { throw translate(error) }
    }

    public func close() async throws {
        let first = await withCheckedContinuation { continuation in
            committer.close { continuation.resume(returning: $0) }
        }
        guard first else { return }
        lookups.close()
        do { try pool.close() } catch { throw Self.translate(error) }
        lock.release()
    }
}
