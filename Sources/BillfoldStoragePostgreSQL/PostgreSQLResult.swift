import BillfoldStorage
import CLibpq

/// One result of libpq, released with the value. All columns are in the binary format.
final class PostgreSQLResult {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { PQclear(handle) }

    var status: ExecStatusType { PQresultStatus(handle) }

    /// The command's tag without its counts: `COMMIT`, `ROLLBACK`.
    var tag: String { PQcmdStatus(handle).map { String(cString: $0) } ?? "" }

    var changedRows: Int { PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }

    var failure: PostgreSQLFailure {
        guard let state = field(CInt(UInt8(ascii: "C"))) else {
            return .connectionLost(PQresultErrorMessage(handle).map { trimmed(String(cString: $0)) } ?? "the connection was lost")
        }
        // The primary message alone: the detail line quotes values of rows.
        return .server(state: state, message: field(CInt(UInt8(ascii: "M"))) ?? "no message")
    }

    var rowCount: Int { Int(PQntuples(handle)) }

    func rows() throws(StorageError) -> [Row] {
        let columns = PQnfields(handle)
        let types = (0..<columns).map { PQftype(handle, $0) }
        var rows: [Row] = []
        rows.reserveCapacity(rowCount)
        for row in 0..<CInt(rowCount) {
            var values: [SQLValue] = []
            values.reserveCapacity(Int(columns))
            for column in 0..<columns { values.append(try value(row: row, column: column, type: types[Int(column)])) }
            rows.append(Row(values))
        }
        return rows
    }

    private func value(row: CInt, column: CInt, type: Oid) throws(StorageError) -> SQLValue {
        if PQgetisnull(handle, row, column) == 1 { return .null }
        guard let start = PQgetvalue(handle, row, column) else { return .null }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(handle, row, column)))
        switch type {
        case PostgreSQLType.int8, PostgreSQLType.int4, PostgreSQLType.int2:
            // Two's complement, big-endian: the first byte carries the sign.
            let sign: Int64 = (bytes.first ?? 0) >= 0x80 ? -1 : 0
            return .integer(bytes.reduce(sign) { $0 << 8 | Int64($1) })
        case PostgreSQLType.bool:
            return .integer(bytes.first == 1 ? 1 : 0)
        case PostgreSQLType.text, PostgreSQLType.varchar, PostgreSQLType.name, PostgreSQLType.bpchar, PostgreSQLType.unknown:
            return .text(String(decoding: bytes, as: UTF8.self))
        case PostgreSQLType.bytea:
            return .blob([UInt8](bytes))
        case PostgreSQLType.numeric:
            throw StorageError(
                code: .unexpectedValue, reason: "column \(column) is NUMERIC: SUM of BIGINT is; write CAST(SUM(…) AS BIGINT)")
        default:
            throw StorageError(code: .unexpectedValue, reason: "column \(column) has the type \(type), which no portable store has")
        }
    }

    private func field(_ code: CInt) -> String? { PQresultErrorField(handle, code).map { String(cString: $0) } }
}

/// Object identifiers of the types that portable SQL meets (PostgreSQL's `pg_type.dat`).
enum PostgreSQLType {
    static let bool: Oid = 16
    static let bytea: Oid = 17
    static let name: Oid = 19
    static let int8: Oid = 20
    static let int2: Oid = 21
    static let int4: Oid = 23
    static let text: Oid = 25
    static let unknown: Oid = 705
    static let bpchar: Oid = 1042
    static let varchar: Oid = 1043
    static let numeric: Oid = 1700

    /// What a binding is declared as. A null is left for the server to infer.
    static func of(_ value: SQLValue) -> Oid {
        switch value {
        case .null: 0
        case .integer: int8
        case .text: text
        case .blob: bytea
        }
    }
}

/// libpq's messages end in a line feed.
func trimmed(_ message: String) -> String {
    String(message.reversed().drop { $0.isNewline || $0 == " " }.reversed())
}
