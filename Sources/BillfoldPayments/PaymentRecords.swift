import BillfoldMoney
public import BillfoldStorage

/// The rows of payment attempts.
public enum PaymentRecords {
    static let migration = Migration(
        "payments-0004-payments",
        [
            """
            CREATE TABLE payments (
                merchant TEXT NOT NULL, id $BLOB NOT NULL, order_id $BLOB NOT NULL, currency TEXT NOT NULL, amount BIGINT NOT NULL,
                state TEXT NOT NULL, evidence BIGINT NOT NULL, refunded BIGINT NOT NULL, reserved BIGINT NOT NULL,
                version BIGINT NOT NULL, external_key TEXT NOT NULL, acquirer_reference TEXT, settlement_day TEXT, reason TEXT,
                alarm TEXT, detail $BLOB NOT NULL, audit_sequence BIGINT NOT NULL, audit_hash $BLOB NOT NULL,
                created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
                PRIMARY KEY (merchant, id), UNIQUE (merchant, external_key), CHECK (reserved >= 0), CHECK (refunded >= 0))
            """,
            "CREATE INDEX payments_by_order ON payments (merchant, order_id)",
            "CREATE INDEX payments_by_settlement_day ON payments (merchant, settlement_day)",
        ])

    static let columns = """
        id, order_id, currency, amount, evidence, refunded, reserved, version, external_key, acquirer_reference, settlement_day, \
        reason, alarm, detail, audit_sequence, audit_hash, created_at, updated_at
        """
    private static let byID = "SELECT \(columns) FROM payments WHERE merchant = ? AND id = ?"
    private static let byExternalKey = "SELECT \(columns) FROM payments WHERE merchant = ? AND external_key = ?"
    private static let byOrder = "SELECT \(columns) FROM payments WHERE merchant = ? AND order_id = ? ORDER BY id"
    private static let byDay = "SELECT \(columns) FROM payments WHERE merchant = ? AND settlement_day = ? ORDER BY id"
    private static let alarming = "SELECT \(columns) FROM payments WHERE merchant = ? AND alarm IS NOT NULL ORDER BY id"

    /// One of the merchant's; `nil` where there is none of this id.
    public static func find(_ id: TimeOrderedID, merchant: MerchantID, in tx: any Transaction) throws -> Payment? {
        try tx.query(byID, [merchant.sql, id.sql]).first.map { try payment($0, merchant: merchant) }
    }

    /// Finds the payment by the key under which the acquirer knows it.
    public static func find(externalKey: String, merchant: MerchantID, in tx: any Transaction) throws -> Payment? {
        try tx.query(byExternalKey, [merchant.sql, .text(externalKey)]).first.map { try payment($0, merchant: merchant) }
    }

    /// The attempts to pay an order, the oldest first.
    public static func find(order: TimeOrderedID, merchant: MerchantID, in tx: any Transaction) throws -> [Payment] {
        try tx.query(byOrder, [merchant.sql, order.sql]).map { try payment($0, merchant: merchant) }
    }

    /// The payments that the acquirer settled on a day, `yyyyMMdd`.
    public static func find(settlementDay: String, merchant: MerchantID, in tx: any Transaction) throws -> [Payment] {
        try tx.query(byDay, [merchant.sql, .text(settlementDay)]).map { try payment($0, merchant: merchant) }
    }

    /// Which payments are listed page by page.
    public enum Listing: Sendable, Hashable {
        /// Those that the acquirer settled on a day, `yyyyMMdd`.
        case settlementDay(String)
        /// Those begun at an instant or later. An id tells when its payment was begun.
        case begunFrom(Timestamp)
    }

    /// At most `limit` payments in the order of their ids, which is that of their beginning.
    ///
    /// - Parameters:
    ///   - listing: Those settled on one day, or those begun from an instant on.
    ///   - last: The last payment of the page before; `nil` for the first page.
    ///   - limit: The size of a full page. One more than is shown tells whether another page follows.
    ///   - merchant: Whose payments are told of; no other's are.
    ///   - tx: The read that sees them. Pages of different reads may see different states.
    public static func page(
        of listing: Listing, after last: TimeOrderedID?, limit: Int, merchant: MerchantID, in tx: any Transaction
    ) throws -> [Payment] {
        let (condition, value): (String, SQLValue) =
            switch listing {
            case .settlementDay(let day): ("settlement_day = ?", .text(day))
            case .begunFrom(let start): ("id >= ?", TimeOrderedID(lowestAt: start).sql)
            }
        return try tx.query(
            "SELECT \(columns) FROM payments WHERE merchant = ? AND \(condition) AND id > ? ORDER BY id LIMIT ?",
            [merchant.sql, value, last?.sql ?? .blob([]), .integer(Int64(limit))]
        ).map { try payment($0, merchant: merchant) }
    }

    /// The payments that wait for a person.
    public static func withAlarms(merchant: MerchantID, in tx: any Transaction) throws -> [Payment] {
        try tx.query(alarming, [merchant.sql]).map { try payment($0, merchant: merchant) }
    }

    /// Payments begun before an instant about which a message is still awaited, oldest first.
    public static func unsettled(
        createdBefore instant: Timestamp, limit: Int, merchant: MerchantID, in tx: any Transaction
    ) throws -> [Payment] {
        // In the words of the index `payments_awaited`: of placeholders an engine cannot know that the index serves.
        let isUnsettled = PaymentState.allCases.filter { !$0.isSettled }.map { "state = '\($0.rawValue)'" }.joined(separator: " OR ")
        return try tx.query(
            """
            SELECT \(columns) FROM payments WHERE merchant = ? AND (\(isUnsettled)) AND created_at < ?
                ORDER BY created_at LIMIT ?
            """, [merchant.sql, .integer(instant.microseconds), .integer(Int64(limit))]
        ).map { try payment($0, merchant: merchant) }
    }

    static func insert(_ payment: Payment, in tx: any Transaction) throws {
        let inserted = try tx.execute(
            """
            INSERT INTO payments (merchant, \(columns), state)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [
                payment.merchant.sql, payment.id.sql, payment.order.sql, .text(payment.currency.alphabeticCode),
                .integer(payment.standing.amount), .integer(payment.standing.evidence.rawValue), .integer(payment.standing.refunded),
                .integer(payment.reserved), .integer(payment.version), .text(payment.externalKey), .optional(payment.acquirerReference),
                .optional(payment.settlementDay), .optional(payment.reason), .optional(payment.alarm?.rawValue), .blob(payment.detail),
                .integer(payment.auditHead.sequence), .blob(payment.auditHead.hash), .integer(payment.createdAt.microseconds),
                .integer(payment.updatedAt.microseconds), .text(payment.state.rawValue),
            ])
        guard inserted == 1 else {
            throw PaymentsError(code: .externalKeyTaken, reason: "another payment carries this acquirer key or id")
        }
    }

    /// Stores a change that follows `payment.version - 1`. Returns false when another writer was there first: read again and
    /// decide again.
    static func update(_ payment: Payment, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            """
            UPDATE payments SET state = ?, evidence = ?, refunded = ?, reserved = ?, version = version + 1, acquirer_reference = ?,
                settlement_day = ?, reason = ?, alarm = ?, audit_sequence = ?, audit_hash = ?, updated_at = ?
            WHERE merchant = ? AND id = ? AND version = ?
            """,
            [
                .text(payment.state.rawValue), .integer(payment.standing.evidence.rawValue), .integer(payment.standing.refunded),
                .integer(payment.reserved), .optional(payment.acquirerReference), .optional(payment.settlementDay),
                .optional(payment.reason),
                .optional(payment.alarm?.rawValue), .integer(payment.auditHead.sequence), .blob(payment.auditHead.hash),
                .integer(payment.updatedAt.microseconds), payment.merchant.sql, payment.id.sql, .integer(payment.version - 1),
            ]) == 1
    }

    /// Lays hands on part of what was captured. One conditional statement holds the limit, even where everything above fails.
    static func reserve(_ amount: Int64, on payment: Payment, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            """
            UPDATE payments SET reserved = reserved + ?, evidence = ?, version = version + 1, audit_sequence = ?, audit_hash = ?,
                updated_at = ?
            WHERE merchant = ? AND id = ? AND version = ? AND reserved + ? <= amount
            """,
            [
                .integer(amount), .integer(payment.standing.evidence.rawValue), .integer(payment.auditHead.sequence),
                .blob(payment.auditHead.hash),
                .integer(payment.updatedAt.microseconds), payment.merchant.sql, payment.id.sql, .integer(payment.version),
                .integer(amount),
            ]) == 1
    }

    static func payment(_ row: Row, merchant: MerchantID) throws -> Payment {
        var payment = Payment(
            merchant: merchant, id: try TimeOrderedID(bytes: row.blob(0)), order: try TimeOrderedID(bytes: row.blob(1)),
            currency: try Currency(row.text(2)),
            standing: PaymentStanding(
                amount: try row.integer(3), evidence: PaymentEvidence(rawValue: try row.integer(4)), refunded: try row.integer(5)),
            externalKey: try row.text(8), detail: try row.blob(13), createdAt: Timestamp(microseconds: try row.integer(16)))
        payment.reserved = try row.integer(6)
        payment.version = try row.integer(7)
        payment.acquirerReference = try row.optionalText(9)
        payment.settlementDay = try row.optionalText(10)
        payment.reason = try row.optionalText(11)
        payment.alarm = try row.optionalText(12).map(PaymentTransition.Alarm.init(stored:))
        payment.auditHead = AuditHead(sequence: try row.integer(14), hash: try row.blob(15))
        payment.updatedAt = Timestamp(microseconds: try row.integer(17))
        return payment
    }
}
