import BillfoldStorage
import GRDBSQLite

/// A prepared statement, run through SQLite's C interface.
///
/// GRDB's own statement objects cost more than the small statements of a payment themselves; its connections are used,
/// its per-row machinery is not.
struct SQLiteStatement {
    let handle: OpaquePointer
    let connection: OpaquePointer
    /// The connection's.
    let values: BindingBuffer

    /// Prepares `sql` and refuses anything after its first statement.
    static func prepare(
        _ sql: String, on connection: OpaquePointer, values: BindingBuffer = BindingBuffer()
    ) throws(StorageError) -> Self {
        var sql = sql
        var handle: OpaquePointer?
        var trailing = false
        let code = sql.withUTF8 { text -> CInt in
            guard let start = UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self) else { return SQLITE_ERROR }
            var tail: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v3(connection, start, CInt(text.count), UInt32(SQLITE_PREPARE_PERSISTENT), &handle, &tail)
            if let tail {
                let consumed = tail - start
                trailing = text[consumed...].contains { $0 > 0x20 && $0 != 0x3B }
            }
            return code
        }
        guard code == SQLITE_OK, let handle else { throw .sqlite(code, connection) }
        if trailing {
            sqlite3_finalize(handle)
            throw StorageError(code: .invalidStatement, reason: "more than one statement in a text")
        }
        return Self(handle: handle, connection: connection, values: values)
    }

    var readsOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    func finalize() { sqlite3_finalize(handle) }

    /// Runs to the end and returns the number of rows changed.
    func execute(_ bindings: [SQLValue]) throws(StorageError) -> Int {
        defer { values.clear() }
        try bind(bindings)
        let before = sqlite3_total_changes(connection)
        var code = sqlite3_step(handle)
        while code == SQLITE_ROW { code = sqlite3_step(handle) }
        guard code == SQLITE_DONE else { throw failure(code) }
        // `changes` keeps the number of the statement before when this one changes nothing (a CREATE, say).
        let changed = sqlite3_total_changes(connection) == before ? 0 : Int(sqlite3_changes(connection))
        sqlite3_reset(handle)
        return changed
    }

    func query(_ bindings: [SQLValue]) throws(StorageError) -> [Row] {
        defer { values.clear() }
        try bind(bindings)
        var rows: [Row] = []
        let columns = sqlite3_column_count(handle)
        while true {
            let code = sqlite3_step(handle)
            if code == SQLITE_DONE { break }
            guard code == SQLITE_ROW else { throw failure(code) }
            var values: [SQLValue] = []
            values.reserveCapacity(Int(columns))
            for column in 0..<columns { values.append(try value(column)) }
            rows.append(Row(values))
        }
        sqlite3_reset(handle)
        return rows
    }

    private func failure(_ code: CInt) -> StorageError {
        let error = StorageError.sqlite(code, connection)
        sqlite3_reset(handle)
        return error
    }

    private func bind(_ bindings: [SQLValue]) throws(StorageError) {
        guard sqlite3_bind_parameter_count(handle) == bindings.count else {
            throw StorageError(
                code: .invalidStatement,
                reason: "\(bindings.count) bindings for \(sqlite3_bind_parameter_count(handle)) placeholders")
        }
        values.reserve(bindings.reduce(0) { $0 + $1.byteCount })
        var index: CInt = 0
        for binding in bindings {
            index += 1
            let code: CInt
            switch binding {
            case .null: code = sqlite3_bind_null(handle, index)
            case .integer(let value): code = sqlite3_bind_int64(handle, index, value)
            case .text(var text):
                let bytes = text.withUTF8 { values.copy(UnsafeRawBufferPointer($0)) }
                try PortableStatement.check(text: bytes)
                // An empty buffer may have no address, and SQLite would take that for NULL.
                let start = bytes.isEmpty ? nil : bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                code =
                    start.map { sqlite3_bind_text(handle, index, $0, CInt(bytes.count), nil) }
                    ?? sqlite3_bind_text(handle, index, "", 0, transient)
            case .blob(let blob):
                let bytes = blob.withUnsafeBytes { values.copy($0) }
                code =
                    bytes.isEmpty
                    ? sqlite3_bind_zeroblob(handle, index, 0) : sqlite3_bind_blob(handle, index, bytes.baseAddress, CInt(bytes.count), nil)
            }
            guard code == SQLITE_OK else { throw .sqlite(code, connection) }
        }
    }

    private func value(_ column: CInt) throws(StorageError) -> SQLValue {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
        case SQLITE_TEXT:
            guard let start = sqlite3_column_text(handle, column) else { return .text("") }
            let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
            return .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let count = Int(sqlite3_column_bytes(handle, column))
            guard count > 0, let start = sqlite3_column_blob(handle, column) else { return .blob([]) }
            return .blob([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
        default:
            sqlite3_reset(handle)
            throw StorageError(code: .unexpectedValue, reason: "column \(column) holds a floating-point number")
        }
    }

    /// Prepares, runs and finalises a statement of the adapter's own.
    static func run(_ sql: String, on connection: OpaquePointer) throws(StorageError) {
        let statement = try prepare(sql, on: connection)
        defer { statement.finalize() }
        _ = try statement.query([])
    }

    /// The first row of a query of the adapter's own.
    static func value(_ sql: String, on connection: OpaquePointer) throws(StorageError) -> Row {
        let statement = try prepare(sql, on: connection)
        defer { statement.finalize() }
        return try statement.query([]).first ?? Row([])
    }
}

extension SQLValue {
    fileprivate var byteCount: Int {
        switch self {
        case .null, .integer: 0
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        }
    }
}

/// Tells SQLite to copy what it is given. The macro `SQLITE_TRANSIENT` is this cast, which the importer leaves out.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
