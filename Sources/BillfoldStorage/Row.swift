/// One row of a query's result, read by column position.
///
/// Positions rather than names: the query that lists the columns stands beside the code that reads them, and an engine
/// adapter then need not build a dictionary per row.
public struct Row: Sendable, Hashable {
    public let values: [SQLValue]

    public init(_ values: [SQLValue]) { self.values = values }

    /// Throws `unexpected-value` for another type, `NULL`, or a column that is not there. So do the others.
    public func integer(_ column: Int) throws -> Int64 {
        guard case .integer(let value) = try value(column) else { throw mismatch(column, "an integer") }
        return value
    }

    /// As ``integer(_:)``, for a text.
    public func text(_ column: Int) throws -> String {
        guard case .text(let value) = try value(column) else { throw mismatch(column, "text") }
        return value
    }

    /// As ``integer(_:)``, for bytes.
    public func blob(_ column: Int) throws -> [UInt8] {
        guard case .blob(let value) = try value(column) else { throw mismatch(column, "a blob") }
        return value
    }

    /// `nil` for `NULL`; otherwise as ``integer(_:)``.
    public func optionalInteger(_ column: Int) throws -> Int64? {
        try value(column) == .null ? nil : integer(column)
    }

    /// `nil` for `NULL`; otherwise as ``text(_:)``.
    public func optionalText(_ column: Int) throws -> String? { try value(column) == .null ? nil : text(column) }

    /// `nil` for `NULL`; otherwise as ``blob(_:)``.
    public func optionalBlob(_ column: Int) throws -> [UInt8]? { try value(column) == .null ? nil : blob(column) }

    private func value(_ column: Int) throws -> SQLValue {
        guard values.indices.contains(column) else {
            throw StorageError(code: .unexpectedValue, reason: "the row has \(values.count) columns, none at \(column)")
        }
        return values[column]
    }

    private func mismatch(_ column: Int, _ expected: String) -> StorageError {
        StorageError(code: .unexpectedValue, reason: "column \(column) does not hold \(expected)")
    }
}
