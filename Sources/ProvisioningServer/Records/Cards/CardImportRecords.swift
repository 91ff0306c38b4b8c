import BillfoldPayments
package import BillfoldStorage

/// A part of an import that was taken, with what became of its cards.
package struct StoredImportPart: Sendable, Hashable {
    /// The bank's name for the import.
    package var importID: String
    package var number: Int64
    package var created: Int
    package var changed: Int
    package var unchanged: Int
    package var overtaken: Int
    package var refused: Int
    package var at: Timestamp
}

/// The rows of imports: a job that was interrupted finds out from them where to go on.
package enum CardImportRecords {
    static let migration = Migration(
        "bank-0002-card-imports",
        [
            """
            CREATE TABLE bank_card_imports (
                import TEXT NOT NULL, part BIGINT NOT NULL, created BIGINT NOT NULL, changed BIGINT NOT NULL, unchanged BIGINT NOT NULL,
                overtaken BIGINT NOT NULL, refused BIGINT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (import, part))
            """,
            "ALTER TABLE provisioning_cards ADD COLUMN is_imported BIGINT NOT NULL DEFAULT 0",
        ])

    private static let columns = "import, part, created, changed, unchanged, overtaken, refused, at"

    static func insert(_ row: StoredImportPart, in tx: any Transaction) throws {
        let counts = [row.created, row.changed, row.unchanged, row.overtaken, row.refused].map { SQLValue.integer(Int64($0)) }
        try tx.execute(
            "INSERT INTO bank_card_imports (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [.text(row.importID), .integer(row.number)] + counts + [.integer(row.at.microseconds)])
    }

    /// An import's parts in the order of their numbers.
    ///
    /// - Parameters:
    ///   - importID: The bank's name for it.
    ///   - number: Of the part behind which to begin.
    ///   - limit: How many at most.
    ///   - tx: Where they are read.
    static func list(_ importID: String, after number: SQLValue?, limit: Int, in tx: any Transaction) throws -> [StoredImportPart] {
        try tx.query(
            "SELECT \(columns) FROM bank_card_imports WHERE import = ? AND part > ? ORDER BY part LIMIT ?",
            [.text(importID), number ?? .integer(-1), .integer(Int64(limit))]
        ).map(read)
    }

    static func find(_ importID: String, part: Int64, in tx: any Transaction) throws -> StoredImportPart? {
        try tx.query("SELECT \(columns) FROM bank_card_imports WHERE import = ? AND part = ?", [.text(importID), .integer(part)])
            .first.map(read)
    }

    private static func read(_ row: Row) throws -> StoredImportPart {
        StoredImportPart(
            importID: try row.text(0), number: try row.integer(1), created: Int(try row.integer(2)), changed: Int(try row.integer(3)),
            unchanged: Int(try row.integer(4)), overtaken: Int(try row.integer(5)), refused: Int(try row.integer(6)),
            at: try row.timestamp(7))
    }
}
