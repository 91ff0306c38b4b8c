import BillfoldStorage
import GRDB
import GRDBSQLite
import Logging

/// Runs groups of bodies on the write connection, one commit per group.
///
/// Two ways to keep one body's refusal from its neighbours: a savepoint around each, or none, and the group run once more
/// with savepoints when somebody refuses. A savepoint makes SQLite copy each page that its body changes after a neighbour
/// did, so the second is the rule; after a refusal the next groups take savepoints at once, for refusals come in clusters.
///
/// `@unchecked Sendable`: every stored property is touched on ``GroupCommitter``'s serial queue alone.
final class GroupWriter: @unchecked Sendable {
    /// What became of a group.
    enum Outcome {
        case committed
        /// Nothing of the group is in the store, and running it again cannot be wrong.
        case rolledBack(StorageError)
        /// The commit itself failed, and not for certain: the group may be there when the file is opened anew.
        case commitUnknown(StorageError)
    }

    private let pool: DatabasePool
    private let wal: WALMonitor
    private let path: String
    private let place: StorePlace
    private let checkpointPages: Int
    private let alarmPages: Int
    private let logger: Logger
    private var cache = StatementCache()
    private var control: [String: SQLiteStatement] = [:]
    private var groupsWithSavepoints = 0
    private var logIsLong = false

    /// The file and its log are where they are to stay.
    init(pool: DatabasePool, wal: WALMonitor, configuration: SQLiteConfiguration, logger: Logger) {
        self.pool = pool
        self.wal = wal
        path = configuration.path
        place = StorePlace(path: path)
        checkpointPages = configuration.checkpointPages
        alarmPages = configuration.walAlarmPages
        self.logger = logger
    }

    /// Runs `group` and whatever `more` hands over while it runs, and commits them together.
    func run(_ group: inout [any PendingWrite], more: () -> (any PendingWrite)?) -> Outcome {
        pool.writeWithoutTransaction { database in
            guard let connection = database.sqliteConnection else {
                return .rolledBack(StorageError(code: .unavailable, reason: "the store is closed"))
            }
            if groupsWithSavepoints > 0 {
                groupsWithSavepoints -= 1
                return separated(&group, more: more, connection)
            }
            if let outcome = together(&group, more: more, connection) { return outcome }
            groupsWithSavepoints = 16
            return separated(&group, more: { nil }, connection)
        }
    }

    /// `nil`: a body refused, everything is rolled back, and the group is to be run with savepoints.
    private func together(
        _ group: inout [any PendingWrite], more: () -> (any PendingWrite)?, _ connection: OpaquePointer
    ) -> Outcome? {
        do {
            try perform("BEGIN IMMEDIATE", connection)
        } catch { return .rolledBack(error) }
        var index = 0
        while index < group.count {
            guard group[index].run(in: transaction(connection)) else {
                rollBack(connection)
                return nil
            }
            index += 1
            if index == group.count, let next = more() { group.append(next) }
        }
        return commit(connection)
    }

    private func separated(
        _ group: inout [any PendingWrite], more: () -> (any PendingWrite)?, _ connection: OpaquePointer
    ) -> Outcome {
        do {
            try perform("BEGIN IMMEDIATE", connection)
            var index = 0
            while index < group.count {
                try perform("SAVEPOINT body", connection)
                let transaction = transaction(connection)
                let accepted = group[index].run(in: transaction)
                // Some errors (a full disk, say) end the whole transaction, the neighbours' work included.
                guard sqlite3_get_autocommit(connection) == 0 else {
                    return .rolledBack(transaction.failure ?? StorageError(code: .unavailable, reason: "SQLite ended the transaction"))
                }
                if !accepted { try perform("ROLLBACK TO body", connection) }
                try perform("RELEASE body", connection)
                index += 1
                if index == group.count, let next = more() { group.append(next) }
            }
        } catch {
            rollBack(connection)
            return .rolledBack(error)
        }
        return commit(connection)
    }

    private func commit(_ connection: OpaquePointer) -> Outcome {
        do {
            try perform("COMMIT", connection)
        } catch {
            rollBack(connection)
            return error.isCertainAbort ? .rolledBack(error) : .commitUnknown(error)
        }
        guard StorePlace(path: path) == place else {
            return .commitUnknown(
                StorageError(code: .storeIll, reason: "the store's file or its log was moved or removed while it was written to"))
        }
        return .committed
    }

    private func rollBack(_ connection: OpaquePointer) {
        guard sqlite3_get_autocommit(connection) == 0 else { return }
        do {
            try perform("ROLLBACK", connection)
        } catch {
            logger.error("a rollback failed", metadata: ["reason": "\(error)"])
        }
    }

    private func transaction(_ connection: OpaquePointer) -> SQLiteTransaction {
        SQLiteTransaction(writes: true) { [self] sql in try cache.statement(sql, on: connection) }
    }

    private func perform(_ sql: String, _ connection: OpaquePointer) throws(StorageError) {
        if control[sql] == nil { control[sql] = try SQLiteStatement.prepare(sql, on: connection) }
        _ = try control[sql]?.execute([])
    }

    /// Copies the log back into the file when it has grown enough. Runs between groups, when nobody waits for the result.
    func checkpointIfDue() -> StorageError? {
        tellOfLongLog()
        guard wal.pages >= checkpointPages else { return nil }
        return pool.writeWithoutTransaction { database in
            guard let connection = database.sqliteConnection else { return nil }
            let code = sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
            // Busy: a reader holds the log; the next group tries again.
            guard code != SQLITE_OK, code & 0xFF != SQLITE_BUSY else { return nil }
            return .sqlite(code, connection)
        }
    }

    private func tellOfLongLog() {
        guard (wal.pages >= alarmPages) != logIsLong else { return }
        logIsLong.toggle()
        let metadata: Logger.Metadata = ["pages": "\(wal.pages)"]
        if logIsLong {
            logger.warning("the write-ahead log is long: a read stays open", metadata: metadata)
        } else {
            logger.notice("the write-ahead log is short again", metadata: metadata)
        }
    }

    /// Commits and syncs something small that changes no row: the number that a file keeps for its user, which nothing here reads.
    func probe() throws {
        try pool.writeWithoutTransaction { database in
            guard let connection = database.sqliteConnection else {
                throw StorageError(code: .unavailable, reason: "the store is closed")
            }
            do {
                try perform("BEGIN IMMEDIATE", connection)
                let number = try SQLiteStatement.value("PRAGMA user_version", on: connection).integer(0)
                try SQLiteStatement.run("PRAGMA user_version=\((number + 1) & 0x7FFF_FFFF)", on: connection)
            } catch {
                rollBack(connection)
                throw error
            }
            switch commit(connection) {
            case .committed: return
            case .rolledBack(let error), .commitUnknown(let error): throw error
            }
        }
    }

    /// Copies the whole log back and empties it, without waiting for readers.
    ///
    /// - Returns: False when a read, here or in another process, keeps the log.
    func copyLogBack() throws -> Bool {
        try pool.writeWithoutTransaction { database in
            guard let connection = database.sqliteConnection else {
                throw StorageError(code: .unavailable, reason: "the store is closed")
            }
            sqlite3_busy_timeout(connection, 0)
            defer { sqlite3_busy_timeout(connection, 5_000) }
            let code = sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
            guard code != SQLITE_OK else { return true }
            guard code & 0xFF == SQLITE_BUSY else { throw StorageError.sqlite(code, connection) }
            return false
        }
    }

    /// Releases the statements, and has SQLite leave the log where it is, should this connection close last.
    func abandon() {
        pool.writeWithoutTransaction { database in
            guard let connection = database.sqliteConnection else { return }
            var keeps: CInt = 1
            sqlite3_file_control(connection, "main", SQLITE_FCNTL_PERSIST_WAL, &keeps)
        }
        releaseStatements()
    }

    /// Copies the whole log back, since the readers, which close last, may not, and releases the statements.
    func finish() {
        pool.writeWithoutTransaction { database in
            guard let connection = database.sqliteConnection else { return }
            let code = sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
            if code != SQLITE_OK {
                // Nothing is lost: the next opening reads the log.
                logger.warning("the log was not copied back at closing", metadata: ["code": "\(code)"])
            }
        }
        releaseStatements()
    }

    private func releaseStatements() {
        cache.removeAll()
        for statement in control.values { statement.finalize() }
        control.removeAll()
    }
}
