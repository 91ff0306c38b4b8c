/// A value as every supported engine can store it. Money is `integer`, ids are 16-byte `blob`s or `text`, instants are
/// `integer` microseconds. There is no floating point.
public enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
}

extension SQLValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByNilLiteral {
    public init(stringLiteral value: String) { self = .text(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(nilLiteral: ()) { self = .null }
}

extension SQLValue {
    /// Null where there is none.
    package static func optional(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
    package static func optional(_ instant: Timestamp?) -> SQLValue { instant.map { .integer($0.microseconds) } ?? .null }
}

/// One SQL statement with `?` placeholders, in the portable subset (see ``Transaction``).
public struct Statement: Sendable, Hashable {
    public var sql: String
    public var bindings: [SQLValue]

    public init(_ sql: String, _ bindings: [SQLValue] = []) {
        self.sql = sql
        self.bindings = bindings
    }
}
