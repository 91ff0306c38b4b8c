public import BillfoldStorage

/// The rows of the audit chains. They are only ever added.
public enum AuditRecords {
    static let migration = Migration(
        "payments-0005-audit",
        [
            """
            CREATE TABLE audit_rows (
                merchant TEXT NOT NULL, chain TEXT NOT NULL, sequence BIGINT NOT NULL, at BIGINT NOT NULL, actor TEXT NOT NULL,
                action TEXT NOT NULL, object TEXT NOT NULL, result TEXT NOT NULL, previous $BLOB NOT NULL, hash $BLOB NOT NULL,
                PRIMARY KEY (merchant, chain, sequence))
            """
        ])

    /// The statement that adds a row. Two writers that follow the same row collide on the primary key: only one succeeds.
    public static func insertion(_ row: AuditRow, merchant: MerchantID) -> Statement {
        Statement(
            """
            INSERT INTO audit_rows (merchant, chain, sequence, at, actor, action, object, result, previous, hash)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                merchant.sql, .text(row.chain), .integer(row.sequence), .integer(row.at.microseconds), .text(row.actor),
                .text(row.action), .text(row.object), .text(row.result), .blob(row.previous), .blob(row.hash),
            ])
    }

    /// Adds a row to a chain whose head is not kept elsewhere, such as the operators' chain.
    ///
    /// Two processes may read the same head. The loser's insert affects no row and it tries again on the new head.
    public static func append(
        to chain: String, by actor: String, action: String, object: String, result: String, at: Timestamp, merchant: MerchantID,
        linking links: AuditChain, in tx: any Transaction
    ) throws {
        try tx.changing("the audit chain \(chain)") { _ in
            let head = try head(of: chain, merchant: merchant, in: tx)
            let row = links.link(chain: chain, after: head, at: at, actor: actor, action: action, object: object, result: result)
            let insertion = insertion(row, merchant: merchant)
            if try tx.execute(insertion.sql + " ON CONFLICT DO NOTHING", insertion.bindings) == 1 { return () }
            return nil
        }
    }

    /// The end of a chain, from its last row; ``AuditHead/start`` where it has none.
    public static func head(of chain: String, merchant: MerchantID, in tx: any Transaction) throws -> AuditHead {
        let rows = try tx.query(
            "SELECT sequence, hash FROM audit_rows WHERE merchant = ? AND chain = ? ORDER BY sequence DESC LIMIT 1",
            [merchant.sql, .text(chain)])
        guard let row = rows.first else { return .start }
        return AuditHead(sequence: try row.integer(0), hash: try row.blob(1))
    }

    /// The names of an owner's chains that sort before `last`, from the end: payments' chains are named by ids, so the payment begun
    /// last comes first.
    public static func chains(
        of merchant: MerchantID, before last: String? = nil, limit: Int, in tx: any Transaction
    ) throws -> [String] {
        try tx.query(
            "SELECT DISTINCT chain FROM audit_rows WHERE merchant = ?\(last == nil ? "" : " AND chain < ?") ORDER BY chain DESC LIMIT ?",
            [merchant.sql] + (last.map { [.text($0)] } ?? []) + [.integer(Int64(limit))]
        ).map { try $0.text(0) }
    }

    /// A chain's rows in order, for ``AuditChain/verify(_:)``.
    public static func rows(of chain: String, merchant: MerchantID, in tx: any Transaction) throws -> [AuditRow] {
        try tx.query(
            """
            SELECT sequence, at, actor, action, object, result, previous, hash FROM audit_rows
            WHERE merchant = ? AND chain = ? ORDER BY sequence
            """, [merchant.sql, .text(chain)]
        ).map { row in
            AuditRow(
                chain: chain, sequence: try row.integer(0), at: Timestamp(microseconds: try row.integer(1)), actor: try row.text(2),
                action: try row.text(3), object: try row.text(4), result: try row.text(5), previous: try row.blob(6),
                hash: try row.blob(7))
        }
    }
}
