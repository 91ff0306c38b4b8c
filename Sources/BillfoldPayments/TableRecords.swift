public import BillfoldStorage

/// Whole tables, read in pages: for checks, which look at every row and hold few of them.
public enum TableRecords {
    static let page = 500

    /// Calls `body` for every row of a table, in the order of its key.
    ///
    /// - Parameters:
    ///   - table: Its name goes into the SQL as it is.
    ///   - key: The columns of the primary key. They come first in each row.
    ///   - columns: What follows the key.
    ///   - condition: Which rows, in SQL, with the values that it names.
    ///   - tx: Reads every page; it stays open until the last row is seen.
    ///   - body: Looks at one row. What it throws ends the walk and reaches the caller.
    public static func each(
        _ table: String, key: [String], columns: [String] = [], where condition: (sql: String, values: [SQLValue])? = nil,
        in tx: any Transaction, _ body: (Row) throws -> Void
    ) throws {
        let order = key.joined(separator: ", ")
        let beyond = "(\(order)) > (\(key.map { _ in "?" }.joined(separator: ", ")))"
        var last: [SQLValue] = []
        while true {
            let conditions = (condition.map { ["(\($0.sql))"] } ?? []) + (last.isEmpty ? [] : [beyond])
            let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
            let rows = try tx.query(
                "SELECT \((key + columns).joined(separator: ", ")) FROM \(table)\(filter) ORDER BY \(order) LIMIT \(page)",
                (condition?.values ?? []) + last)
            for row in rows { try body(row) }
            guard rows.count == page, let end = rows.last else { return }
            last = Array(end.values.prefix(key.count))
        }
    }

    /// The keys of rows to which another table has no row, at most ``StoreFindings/limit`` of them.
    ///
    /// - Parameters:
    ///   - other: The table that lacks a row; `o` in the SQL.
    ///   - table: The table whose rows are looked at; `t` in the SQL.
    ///   - columns: Of the rows, as `t.name`.
    ///   - join: What a row of the other table, `o`, must fulfil.
    ///   - column: One of the other table's that is never null.
    ///   - condition: Which rows `t` are looked at.
    ///   - tx: Reads both tables, in one statement.
    public static func without(
        _ other: String, table: String, columns: [String], on join: String, absent column: String,
        where condition: (sql: String, values: [SQLValue])? = nil, in tx: any Transaction
    ) throws -> [Row] {
        let filter = condition.map { " AND (\($0.sql))" } ?? ""
        return try tx.query(
            """
            SELECT \(columns.joined(separator: ", ")) FROM \(table) t LEFT JOIN \(other) o ON \(join)
            WHERE o.\(column) IS NULL\(filter) LIMIT \(StoreFindings.limit)
            """, condition?.values ?? [])
    }

    /// Whether there is a row.
    public static func has(_ table: String, _ keys: [(column: String, value: SQLValue)], in tx: any Transaction) throws -> Bool {
        let condition = keys.map { "\($0.column) = ?" }.joined(separator: " AND ")
        return try tx.query("SELECT 1 FROM \(table) WHERE \(condition) LIMIT 1", keys.map(\.value)).isEmpty == false
    }

    /// The sum of a column, and how many rows there are.
    public static func sum(
        of column: String, _ table: String, where condition: (sql: String, values: [SQLValue]), in tx: any Transaction
    ) throws -> (sum: Int64, rows: Int64) {
        let row = try tx.query(
            "SELECT CAST(COALESCE(SUM(\(column)), 0) AS BIGINT), COUNT(*) FROM \(table) WHERE \(condition.sql)", condition.values)[0]
        return (try row.integer(0), try row.integer(1))
    }
}
