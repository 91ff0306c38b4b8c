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

    /// Makes writes ready, each to be run any number of times while this connection is there.
    func ready(_ writes: [[Statement]]) throws -> [ReadyWrite] {
        try writes.map { statements in try ReadyWrite(statements.map { (try handle(of: $0.sql), $0.bindings) }) }
    }

    /// Runs writes, `group` of them to a synced commit.
    func run(_ writes: ArraySlice<ReadyWrite>, group: Int) throws {
        var index = writes.startIndex
        while index < writes.endIndex {
            let end = min(index + group, writes.endIndex)
            try commit { for write in writes[index..<end] { try run(write) } }
            index = end
        }
    }

    /// What the body runs becomes one synced commit.
    func commit(_ body: () throws -> Void) throws {
        try step(handle(of: "BEGIN IMMEDIATE"))
        try body()
        try step(handle(of: "COMMIT"))
    }

    func run(_ write: ReadyWrite) throws {
        for statement in write.statements {
            try bind(statement.values, to: statement.handle)
            try step(statement.handle)
        }
    }

    private func handle(of sql: String) throws -> OpaquePointer {
        if let found = prepared[sql] { return found }
        var made: OpaquePointer?
        try check(sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil))
        guard let made else { throw Failure(code: SQLITE_MISUSE, message: "empty statement") }
        prepared[sql] = made
        return made
    }

    private func bind(_ values: [ReadyWrite.Value], to handle: OpaquePointer) throws {
        for (index, value) in values.enumerated() {
            let position = Int32(index + 1)
            switch value {
            case .null: try check(sqlite3_bind_null(handle, position))
            case .integer(let integer): try check(sqlite3_bind_int64(handle, position, integer))
            case .text(let bytes): try check(sqlite3_bind_text(handle, position, bytes.baseAddress, Int32(bytes.count), nil))
            case .blob(let bytes): try check(sqlite3_bind_blob(handle, position, bytes.baseAddress, Int32(bytes.count), nil))
            }
        }
    }

    private func step(_ handle: OpaquePointer) throws {
        var code = sqlite3_step(handle)
        while code == SQLITE_ROW { code = sqlite3_step(handle) }
        guard code == SQLITE_DONE else { throw Failure(code: code, message: String(cString: sqlite3_errmsg(connection))) }
        sqlite3_reset(handle)
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw Failure(code: code, message: String(cString: sqlite3_errmsg(connection))) }
    }
}

/// A write whose statements are prepared, with its values where SQLite may read them for as long as this lives. Nothing of it changes
/// once it is made.
final class ReadyWrite: @unchecked Sendable {
    fileprivate enum Value {
        case null
        case integer(Int64)
        case text(UnsafeBufferPointer<CChar>)
        case blob(UnsafeRawBufferPointer)
    }

    fileprivate let statements: [(handle: OpaquePointer, values: [Value])]
    private let memory: UnsafeMutableRawBufferPointer

    fileprivate init(_ given: [(handle: OpaquePointer, bindings: [SQLValue])]) throws {
        let texts = given.flatMap(\.bindings).map(Self.bytes)
        memory = .allocate(byteCount: max(1, texts.reduce(0) { $0 + $1.count }), alignment: 16)
        var (place, next) = (0, 0)
        var made: [(handle: OpaquePointer, values: [Value])] = []
        for (handle, bindings) in given {
            var values: [Value] = []
            for binding in bindings {
                let bytes = texts[next]
                let copy = UnsafeMutableRawBufferPointer(rebasing: memory[place..<place + bytes.count])
                copy.copyBytes(from: bytes)
                (place, next) = (place + bytes.count, next + 1)
                switch binding {
                case .null: values.append(.null)
                case .integer(let integer): values.append(.integer(integer))
                case .text: values.append(.text(UnsafeBufferPointer(copy.bindMemory(to: CChar.self))))
                case .blob: values.append(.blob(UnsafeRawBufferPointer(copy)))
                }
            }
            made.append((handle, values))
        }
        statements = made
    }

    deinit { memory.deallocate() }

    private static func bytes(_ value: SQLValue) -> [UInt8] {
        switch value {
        case .null, .integer: []
        case .text(let text): Array(text.utf8)
        case .blob(let bytes): bytes
        }
    }
}
