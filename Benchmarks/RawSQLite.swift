import BillfoldStorage
import GRDBSQLite

/// The SQLite C API with nothing around it: prepared statements, groups of a fixed size, every commit synced.
final class RawSQLite {
    struct Failure: Error {
        var code: Int32
        var message: String
    }

    private var connection: OpaquePointer?
    private var prepared: [String: OpaquePointer] = [:]

    init(path: String, cacheKibibytes: Int) throws {
        try check(sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil))
        for pragma in [
            "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "cache_size=-\(cacheKibibytes)", "wal_autocheckpoint=32768",
        ] {
            try check(sqlite3_exec(connection, "PRAGMA \(pragma)", nil, nil, nil))
        }
    }

    deinit {
        for statement in prepared.values { sqlite3_finalize(statement) }
        sqlite3_close(connection)
    }

    /// Runs each transition's statements, `group` transitions to a commit.
    func run(_ transitions: ArraySlice<[Statement]>, group: Int) throws {
        var index = transitions.startIndex
        while index < transitions.endIndex {
            try run(Statement("BEGIN IMMEDIATE"))
            let end = min(index + group, transitions.endIndex)
            for transition in transitions[index..<end] {
                for statement in transition { try run(statement) }
            }
            try run(Statement("COMMIT"))
            index = end
        }
    }

    private func run(_ statement: Statement) throws {
        let handle: OpaquePointer
        if let found = prepared[statement.sql] {
            handle = found
        } else {
            var made: OpaquePointer?
            try check(sqlite3_prepare_v3(connection, statement.sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil))
            guard let made else { throw Failure(code: SQLITE_MISUSE, message: "empty statement") }
            prepared[statement.sql] = made
            handle = made
        }
        for (index, value) in statement.bindings.enumerated() {
            let position = Int32(index + 1)
            switch value {
            case .null: try check(sqlite3_bind_null(handle, position))
            case .integer(let integer): try check(sqlite3_bind_int64(handle, position, integer))
            case .text(var text):
                try text.withUTF8 { bytes in
                    try bytes.withMemoryRebound(to: CChar.self) {
                        try check(sqlite3_bind_text(handle, position, $0.baseAddress, Int32($0.count), transient))
                    }
                }
            case .blob(let bytes):
                try bytes.withUnsafeBytes { try check(sqlite3_bind_blob(handle, position, $0.baseAddress, Int32($0.count), transient)) }
            }
        }
        var code = sqlite3_step(handle)
        while code == SQLITE_ROW { code = sqlite3_step(handle) }
        guard code == SQLITE_DONE else { throw Failure(code: code, message: String(cString: sqlite3_errmsg(connection))) }
        sqlite3_reset(handle)
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw Failure(code: code, message: String(cString: sqlite3_errmsg(connection))) }
    }
}

/// Tells SQLite to copy what is bound: SQLITE_TRANSIENT, which C spells as a cast that Swift does not import.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
