public import BillfoldStorage
import GRDBSQLite

/// The settings that decide whether an acknowledged write survives a power cut, as the connection reports them.
///
/// GRDB's pool sets `synchronous` to NORMAL after its user's preparation; nothing short of reading the value back shows it,
/// and only a power cut would.
public struct SQLiteSettings: Sendable, Hashable {
    /// 2 is FULL: every commit syncs the write-ahead log.
    public var synchronous: Int64
    public var journalMode: String
    public var foreignKeys: Int64

    public init(synchronous: Int64, journalMode: String, foreignKeys: Int64) {
        self.synchronous = synchronous
        self.journalMode = journalMode
        self.foreignKeys = foreignKeys
    }

    /// - Throws: `unsafe-settings`, naming the value found and the one that is due.
    public func requireSafe() throws(StorageError) {
        guard synchronous == 2 else { throw unsafe("synchronous is \(synchronous), it must be 2 (FULL)") }
        guard journalMode == "wal" else { throw unsafe("journal_mode is \(journalMode), it must be wal") }
        guard foreignKeys == 1 else { throw unsafe("foreign_keys is \(foreignKeys), it must be 1") }
    }

    private func unsafe(_ reason: String) -> StorageError { StorageError(code: .unsafeSettings, reason: reason) }

    /// Applies what must be set outside a transaction.
    static func apply(_ configuration: SQLiteConfiguration, to connection: OpaquePointer) throws {
        try SQLiteStatement.run("PRAGMA synchronous=FULL", on: connection)
        try SQLiteStatement.run("PRAGMA foreign_keys=ON", on: connection)
        try SQLiteStatement.run("PRAGMA cache_size=-\(configuration.cacheKibibytes)", on: connection)
        // Statement journals of savepoints stay in memory; nothing durable lives there.
        try SQLiteStatement.run("PRAGMA temp_store=MEMORY", on: connection)
    }

    static func read(from connection: OpaquePointer) throws -> Self {
        Self(
            synchronous: try SQLiteStatement.value("PRAGMA synchronous", on: connection).integer(0),
            journalMode: try SQLiteStatement.value("PRAGMA journal_mode", on: connection).text(0),
            foreignKeys: try SQLiteStatement.value("PRAGMA foreign_keys", on: connection).integer(0))
    }
}
