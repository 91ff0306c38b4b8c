public import BillfoldStorage

/// Which rows are forgotten, and up to when they were, so that a check does not miss them.
public enum RetentionRecords {
    static let migration = Migration(
        "payments-0013-retention",
        ["CREATE TABLE retention_marks (name TEXT NOT NULL PRIMARY KEY, until BIGINT NOT NULL)"], runsWith: "payments-0012-awaited")

    /// The mark of idempotency keys.
    public static let keys = "idempotency_keys"
    /// Where the last whole round through the keys ended.
    static let keysRound = "idempotency_keys.round"
    /// The mark of messages.
    public static let outbox = "outbox"

    /// Rows that were made before this instant may be gone; `nil` while none is.
    public static func mark(_ name: String, in tx: any Transaction) throws -> Timestamp? {
        try tx.query("SELECT until FROM retention_marks WHERE name = ?", [.text(name)]).first.map { try $0.timestamp(0) }
    }

    /// Moves a mark forward; it never goes back. Call it in the transaction that removes the first row.
    public static func move(_ name: String, to instant: Timestamp, in tx: any Transaction) throws {
        try tx.execute(
            "INSERT INTO retention_marks (name, until) VALUES (?, ?) ON CONFLICT DO NOTHING", [.text(name), .integer(instant.microseconds)])
        try tx.execute(
            "UPDATE retention_marks SET until = ? WHERE name = ? AND until < ?",
            [.integer(instant.microseconds), .text(name), .integer(instant.microseconds)])
    }

    /// Which keys of an operation are forgotten.
    public enum Keys: String, Sendable {
        /// Those that have an answer.
        case answered = "result IS NOT NULL"
        /// Those that stand for what the request made, which has a name of its own. A refusal has none, and stays.
        case ofObjects = "(result IS NULL OR LENGTH(result) = 16)"
    }

    /// Forgets keys of some operations that were taken within a span of time, oldest first, at most `limit` of them.
    static func forgetKeys(
        _ keys: Keys, of operations: [String], from start: Timestamp, to end: Timestamp, limit: Int, in tx: any Transaction
    ) throws -> Int {
        let names = operations.map { _ in "?" }.joined(separator: ", ")
        let condition = "created_at >= ? AND created_at < ? AND \(keys.rawValue) AND operation IN (\(names))"
        let values: [SQLValue] = [.integer(start.microseconds), .integer(end.microseconds)] + operations.map(SQLValue.text)
        return try tx.execute(
            """
            DELETE FROM idempotency_keys WHERE (caller, operation, key) IN
                (SELECT caller, operation, key FROM idempotency_keys WHERE \(condition) ORDER BY created_at LIMIT ?) AND \(condition)
            """, values + [.integer(Int64(limit))] + values)
    }

    /// Forgets an owner's messages that were made before an instant and delivered or taken back, or that a person discarded before another:
    /// at most `limit` of them.
    static func forgetMessages(
        of merchant: String, before end: Timestamp, discardedBefore discarded: Timestamp, limit: Int, in tx: any Transaction
    ) throws -> Int {
        // Ids are in the order of their making, and the primary key is in that of the ids.
        let condition = """
            merchant = ? AND id < ? AND created_at < ?
            AND (state = 'done' OR state = 'withdrawn' OR (state = 'discarded' AND due_at < ?))
            """
        let values: [SQLValue] = [
            .text(merchant), TimeOrderedID(lowestAt: end).sql, .integer(end.microseconds), .integer(discarded.microseconds),
        ]
        return try tx.execute(
            """
            DELETE FROM outbox WHERE (merchant, id) IN
                (SELECT merchant, id FROM outbox WHERE \(condition) ORDER BY merchant, id LIMIT ?) AND \(condition)
            """, values + [.integer(Int64(limit))] + values)
    }

    /// The owner that follows one in the outbox, or the first.
    static func ownerOfMessages(after last: String?, in tx: any Transaction) throws -> String? {
        try tx.query(
            "SELECT merchant FROM outbox\(last == nil ? "" : " WHERE merchant > ?") ORDER BY merchant LIMIT 1",
            last.map { [.text($0)] } ?? []
        ).first?.text(0)
    }

    /// Forgets rows of a table by a condition on one instant in them, at most `limit` of them.
    ///
    /// - Parameters:
    ///   - table: Its name goes into the SQL as it is.
    ///   - key: The primary key's columns.
    ///   - condition: Which rows, in SQL, with the values that it names.
    ///   - values: One for each `?` of the condition, in its order.
    ///   - limit: The most rows to remove in this call. Fewer removed means that none is left.
    ///   - tx: Removes the rows. No mark is moved here; the caller moves one in the same transaction where a check needs it.
    public static func forget(
        _ table: String, key: [String], where condition: String, _ values: [SQLValue], limit: Int, in tx: any Transaction
    ) throws -> Int {
        let columns = key.joined(separator: ", ")
        return try tx.execute(
            "DELETE FROM \(table) WHERE (\(columns)) IN (SELECT \(columns) FROM \(table) WHERE \(condition) LIMIT ?) AND \(condition)",
            values + [.integer(Int64(limit))] + values)
    }
}
