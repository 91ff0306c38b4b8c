/// One row of a query's result, read by column position.
///
/// Positions rather than names: the query that lists the columns stands beside the code that reads them, and an engine
/// adapter then need not build a dictionary per row.
public struct Row: Sendable, Hashable {
    public let values: [SQLValue]

    public init(_ values: [SQLValue]) { self.values = values }

    public func integer(_ column: Int) throws -> Int64 {
        guard case .integer(let value) = values[column] else { throw mismatch(column, "an integer") }
        return value
    }

    public func text(_ column: Int) throws -> String {
        guard case .text(let value) = values[column] else { throw mismatch(column, "text") }
        return value
    }

    public func blob(_ column: Int) throws -> [UInt8] {
        guard case .blob(let value) = values[column] else { throw mismatch(column, "a blob") }
        return value
    }

    public func optionalInteger(_ column: Int) throws -> Int64? {
        values[column] == .null ? nil : try integer(column)
    }

    public func optionalText(_ column: Int) throws -> String? { values[column] == .null ? nil : try text(column) }

    public func optionalBlob(_ column: Int) throws -> [UInt8]? { values[column] == .null ? nil : try blob(column) }

    private func mismatch(_ column: Int, _ expected: String) -> StorageError {
        StorageError(code: .unexpectedValue, reason: "column \(column) does not hold \(expected)")
    }
}
