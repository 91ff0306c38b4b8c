import BillfoldStorage
import Dispatch
import GRDB
import GRDBSQLite
import Logging

/// One opening of a store's file: its connections, and what was read back of them. A store that was ill is opened anew.
final class OpenStore: Sendable {
    let pool: DatabasePool
    let lookups: LookupConnections
    let wal: WALMonitor
    /// For the writer's queue alone.
    let writer: GroupWriter
    let settings: SQLiteSettings

    /// - Parameter beforeCheck: Pragmas run between setting up the connection and reading it back; tests weaken it here.
    init(_ configuration: SQLiteConfiguration, logger: Logger, beforeCheck: [String]) throws {
        let wal = WALMonitor()
        let pool = try Self.openPool(configuration)
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
            try StoreFile(path: configuration.path).restrict()
        } catch {
            try? pool.close()
            throw error
        }
        self.pool = pool
        self.wal = wal
        lookups = LookupConnections(path: configuration.path, limit: configuration.readers)
        writer = GroupWriter(pool: pool, wal: wal, configuration: configuration, logger: logger)
    }

    /// Copies the log back and closes everything.
    func close() throws {
        writer.finish()
        lookups.close()
        do { try pool.close() } catch { throw Self.translate(error) }
    }

    /// Closes everything and leaves the log as it lies, for the next opening to read: nothing that these connections hold for synced is
    /// believed. Waits for the reads that are under way.
    func abandon() throws {
        // A reader's connection may not write, so that the last one to close copies nothing back. It closes after the writer's.
        try? pool.read { _ in }
        writer.abandon()
        lookups.close()
        guard lookups.areClosed(within: .seconds(5)) else {
            throw StorageError(code: .storeIll, reason: "a lookup holds the file open")
        }
        do { try pool.close() } catch { throw Self.translate(error) }
    }

    static func translate(_ error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        // GRDB's word for a pool that was closed after it was asked for.
        guard error.resultCode != .SQLITE_MISUSE else {
            return StorageError(code: .unavailable, reason: "the store was closed, or is being opened anew")
        }
        return StorageError.sqlite(error.extendedResultCode.rawValue, message: error.message ?? "no message")
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
}
