import BillfoldStorage
import GRDBSQLite

extension StorageError {
    /// Classes of SQLite's result codes (https://www.sqlite.org/rescode.html), after the connection's last call failed.
    static func sqlite(_ code: CInt, _ connection: OpaquePointer, file: String = #fileID, line: Int = #line) -> StorageError {
        let extended = sqlite3_extended_errcode(connection)
        let detail = extended & 0xFF == code & 0xFF ? extended : code
        // SQLite's message names tables and columns, never bound values.
        let message = sqlite3_errmsg(connection).map { String(cString: $0) } ?? "no message"
        return sqlite(detail, message: message, file: file, line: line)
    }

    static func sqlite(_ code: CInt, message: String, file: String = #fileID, line: Int = #line) -> StorageError {
        StorageError(code: classify(code), reason: "\(message) (SQLite \(code))", engineCode: "\(code)", file: file, line: line)
    }

    private static func classify(_ code: CInt) -> Code {
        // SQLITE_CONSTRAINT_PRIMARYKEY, _UNIQUE and _ROWID: constraint (19) with 6, 8 and 10 in the second byte.
        switch code {
        case 19 | 6 << 8, 19 | 8 << 8, 19 | 10 << 8: return .uniqueViolation
        default: break
        }
        switch code & 0xFF {
        case SQLITE_CONSTRAINT: return .constraintViolation
        case SQLITE_BUSY, SQLITE_LOCKED: return .serializationFailure
        case SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_CORRUPT, SQLITE_NOTADB: return .storeIll
        case SQLITE_CANTOPEN, SQLITE_NOMEM, SQLITE_INTERRUPT, SQLITE_PROTOCOL: return .unavailable
        case SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_RANGE: return .unexpectedValue
        default: return .invalidStatement
        }
    }
}
