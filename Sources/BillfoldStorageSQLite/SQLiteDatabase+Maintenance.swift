import BillfoldStorage
import GRDB
import GRDBSQLite

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension SQLiteDatabase {
    /// Runs `integrity_check` and `foreign_key_check` on a consistent view; an empty list is a healthy file.
    public func integrityProblems() async throws -> [String] {
        try await withCheckedThrowingContinuation { continuation in
            readConnection { connection in
                continuation.resume(with: Result { try Self.problems(of: connection.get()) })
            }
        }
    }

    public func tableNames() async throws -> [String] {
        try await read(.strong) { transaction in
            try transaction.query("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
                .map { try $0.text(0) }
        }
    }

    /// Copies a consistent view to a new file while writes go on, checks the copy, and syncs it.
    ///
    /// - Parameter path: Must not exist. The copy has mode 0600 and appears under this name only when it is whole.
    public func backup(to path: String) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            readConnection { source in
                continuation.resume(with: Result { try Self.copy(source.get(), toNew: path) })
            }
        }
    }

    /// As ``backup(to:)``, for a store that another process may have open. SQLite's own locks keep the two apart.
    public static func backUp(file: String, to path: String) throws {
        var source: OpaquePointer?
        let opened = sqlite3_open_v2(file, &source, SQLITE_OPEN_READWRITE, nil)
        defer { sqlite3_close_v2(source) }
        guard opened == SQLITE_OK, let source else {
            throw StorageError(code: .unavailable, reason: "there is no store at \(file)")
        }
        sqlite3_busy_timeout(source, 5_000)
        try copy(source, toNew: path)
    }

    private static func copy(_ source: OpaquePointer, toNew path: String) throws {
        guard access(path, F_OK) != 0 else {
            throw StorageError(code: .unavailable, reason: "the backup's file exists already")
        }
        let partial = StoreFile(path: path + ".partial")
        unlink(partial.path)
        try partial.prepare()
        do {
            try copy(source, to: partial.path)
            try partial.prepare()
            guard rename(partial.path, path) == 0 else {
                throw StorageError(code: .unavailable, reason: "the backup cannot be renamed: \(String(cString: strerror(errno)))")
            }
            try StoreFile(path: path).syncDirectory()
        } catch {
            unlink(partial.path)
            throw error
        }
    }

    private static func copy(_ source: OpaquePointer, to path: String) throws {
        var target: OpaquePointer?
        let opened = sqlite3_open_v2(path, &target, SQLITE_OPEN_READWRITE, nil)
        defer { sqlite3_close_v2(target) }
        guard opened == SQLITE_OK, let target else { throw StorageError(code: .unavailable, reason: "the copy cannot be opened") }
        guard let backup = sqlite3_backup_init(target, "main", source, "main") else {
            throw StorageError.sqlite(sqlite3_errcode(target), target)
        }
        let stepped = sqlite3_backup_step(backup, -1)
        let finished = sqlite3_backup_finish(backup)
        guard stepped == SQLITE_DONE, finished == SQLITE_OK else { throw StorageError.sqlite(finished, target) }
        // A copy is one file: without this it would carry the source's mode and leave a log beside it.
        try SQLiteStatement.run("PRAGMA journal_mode=DELETE", on: target)
        let problems = try problems(of: target)
        guard problems.isEmpty else {
            throw StorageError(code: .storeIll, reason: "the copy is damaged: \(problems[0])")
        }
    }

    private static func problems(of connection: OpaquePointer) throws -> [String] {
        var problems: [String] = []
        let integrity = try SQLiteStatement.prepare("PRAGMA integrity_check(100)", on: connection)
        defer { integrity.finalize() }
        problems += try integrity.query([]).map { try $0.text(0) }.filter { $0 != "ok" }
        let foreignKeys = try SQLiteStatement.prepare("PRAGMA foreign_key_check", on: connection)
        defer { foreignKeys.finalize() }
        problems += try foreignKeys.query([]).map { "\(try $0.text(0)) refers to a row that is not in \(try $0.text(2))" }
        return problems
    }
}
