import BillfoldStorage
import Foundation
import GRDBSQLite

/// A connection with `synchronous` lowered to NORMAL, as GRDB leaves it: the log is not synced at a commit. It exists to
/// show that the power-cut test can fail.
struct WeakSQLite {
    private let connection: OpaquePointer

    init(path: String) throws {
        var connection: OpaquePointer?
        guard sqlite3_open(path, &connection) == SQLITE_OK, let connection else {
            throw StorageError(code: .unavailable, reason: "the file cannot be opened")
        }
        self.connection = connection
        try run("PRAGMA journal_mode=WAL")
        try run("PRAGMA synchronous=FULL")
        for table in StorageDriver.tables { try run(table) }
        // The tables are on the disk; what follows is not synced.
        try run("PRAGMA wal_checkpoint(TRUNCATE)")
        try run("PRAGMA synchronous=NORMAL")
    }

    func run(writes: Int64, _ report: Report) throws {
        report.line("ready")
        for number in 0..<writes {
            try run("BEGIN IMMEDIATE")
            try run("INSERT INTO entry (lane, number, note) VALUES (0, \(number), 'weak')")
            try run("INSERT INTO posting (lane, number, side, amount) VALUES (0, \(number), 0, 1), (0, \(number), 1, -1)")
            try run("COMMIT")
            report.line("ack 0 \(number)")
        }
    }

    private func run(_ sql: String) throws {
        guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else {
            throw StorageError(code: .invalidStatement, reason: String(cString: sqlite3_errmsg(connection)))
        }
    }
}
