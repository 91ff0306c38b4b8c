import BillfoldMoney
public import BillfoldStorage

/// The rows of refunds, voids and reversals.
public enum ModificationRecords {
    static let migration = Migration(
        "payments-0006-modifications",
        [
            """
            CREATE TABLE modifications (
                merchant TEXT NOT NULL, id $BLOB NOT NULL, payment_id $BLOB NOT NULL, kind TEXT NOT NULL, currency TEXT NOT NULL,
                amount BIGINT NOT NULL, state TEXT NOT NULL, evidence BIGINT NOT NULL, version BIGINT NOT NULL,
                external_key TEXT NOT NULL, acquirer_reference TEXT, settlement_day TEXT, reason TEXT, detail $BLOB NOT NULL,
                created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
                PRIMARY KEY (merchant, id), UNIQUE (merchant, external_key), CHECK (amount > 0))
            """,
            "CREATE INDEX modifications_by_payment ON modifications (merchant, payment_id)",
            "CREATE INDEX modifications_by_settlement_day ON modifications (merchant, settlement_day)",
        ])

    static let answers = Migration("payments-0015-answers", ["ALTER TABLE modifications ADD COLUMN answer TEXT"])

    static let columns = """
        id, payment_id, kind, currency, amount, evidence, version, external_key, acquirer_reference, settlement_day, reason, detail, \
        created_at, updated_at, answer
        """

    /// One of the merchant's; `nil` where there is none of this id.
    public static func find(_ id: TimeOrderedID, merchant: MerchantID, in tx: any Transaction) throws -> Modification? {
        try tx.query("SELECT \(columns) FROM modifications WHERE merchant = ? AND id = ?", [merchant.sql, id.sql])
            .first.map { try modification($0, merchant: merchant) }
    }

    /// Finds it by the key under which the acquirer knows it.
    public static func find(externalKey: String, merchant: MerchantID, in tx: any Transaction) throws -> Modification? {
        try tx.query(
            "SELECT \(columns) FROM modifications WHERE merchant = ? AND external_key = ?", [merchant.sql, .text(externalKey)]
        ).first.map { try modification($0, merchant: merchant) }
    }

    /// All that undo a payment, the oldest first.
    public static func find(payment: TimeOrderedID, merchant: MerchantID, in tx: any Transaction) throws -> [Modification] {
        try tx.query(
            "SELECT \(columns) FROM modifications WHERE merchant = ? AND payment_id = ? ORDER BY id", [merchant.sql, payment.sql]
        ).map { try modification($0, merchant: merchant) }
    }

    /// Those that the acquirer settled on a day, `yyyyMMdd`, the oldest first.
    public static func find(settlementDay: String, merchant: MerchantID, in tx: any Transaction) throws -> [Modification] {
        try tx.query(
            "SELECT \(columns) FROM modifications WHERE merchant = ? AND settlement_day = ? ORDER BY id",
            [merchant.sql, .text(settlementDay)]
        ).map { try modification($0, merchant: merchant) }
    }

    static func insert(_ modification: Modification, in tx: any Transaction) throws {
        let inserted = try tx.execute(
            """
            INSERT INTO modifications (merchant, \(columns), state)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [
                modification.merchant.sql, modification.id.sql, modification.payment.sql, .text(modification.kind.rawValue),
                .text(modification.amount.currency.alphabeticCode), .integer(modification.amount.minorUnits),
                .integer(modification.evidence.rawValue), .integer(modification.version), .text(modification.externalKey),
                .optional(modification.acquirerReference), .optional(modification.settlementDay), .optional(modification.reason),
                .blob(modification.detail), .integer(modification.createdAt.microseconds),
                .integer(modification.updatedAt.microseconds), .optional(modification.answer), .text(modification.state.rawValue),
            ])
        guard inserted == 1 else {
            throw PaymentsError(code: .externalKeyTaken, reason: "another modification carries this acquirer key or id")
        }
    }

    /// Stores a change that follows `version - 1`; false when another writer was there first.
    static func update(_ modification: Modification, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            """
            UPDATE modifications SET state = ?, evidence = ?, version = version + 1, acquirer_reference = ?, settlement_day = ?,
                answer = ?, updated_at = ?
            WHERE merchant = ? AND id = ? AND version = ?
            """,
            [
                .text(modification.state.rawValue), .integer(modification.evidence.rawValue), .optional(modification.acquirerReference),
                .optional(modification.settlementDay), .optional(modification.answer), .integer(modification.updatedAt.microseconds),
                modification.merchant.sql, modification.id.sql, .integer(modification.version - 1),
            ]) == 1
    }

    static func modification(_ row: Row, merchant: MerchantID) throws -> Modification {
        guard let kind = Modification.Kind(rawValue: try row.text(2)) else {
            throw PaymentsError(code: .corruptRecord, reason: "a stored modification's kind is unknown")
        }
        var result = Modification(
            merchant: merchant, id: try TimeOrderedID(bytes: row.blob(0)), payment: try TimeOrderedID(bytes: row.blob(1)), kind: kind,
            amount: Amount(minorUnits: try row.integer(4), currency: try Currency(row.text(3))), externalKey: try row.text(7),
            reason: try row.optionalText(10), detail: try row.blob(11), at: Timestamp(microseconds: try row.integer(12)))
        result.evidence = PaymentEvidence(rawValue: try row.integer(5))
        result.version = try row.integer(6)
        result.acquirerReference = try row.optionalText(8)
        result.settlementDay = try row.optionalText(9)
        result.updatedAt = Timestamp(microseconds: try row.integer(13))
        result.answer = try row.optionalText(14)
        return result
    }
}
