public import BillfoldStorage

/// Something about a payment that waits for a person.
public struct PaymentAlarm: Sendable, Hashable {
    public var merchant: MerchantID
    public var payment: TimeOrderedID
    public var kind: PaymentTransition.Alarm
    /// What was heard when it was raised.
    public var note: String
    public var raisedAt: Timestamp
    /// Nil while the alarm is open.
    public var clearedAt: Timestamp?
    public var clearedBy: String?
}

/// The alarms of all payments. Each stays until an operator clears it, and none hides another.
public enum AlarmRecords {
    static let migration = Migration(
        "payments-0009-alarms",
        [
            """
            CREATE TABLE payment_alarms (
                merchant TEXT NOT NULL, payment_id $BLOB NOT NULL, kind TEXT NOT NULL, raised_at BIGINT NOT NULL, note TEXT NOT NULL,
                cleared_at BIGINT, cleared_by TEXT, PRIMARY KEY (merchant, payment_id, kind, raised_at))
            """,
            "CREATE INDEX payment_alarms_open ON payment_alarms (merchant, raised_at) WHERE cleared_at IS NULL",
            "CREATE INDEX payments_alarming ON payments (merchant, id) WHERE alarm IS NOT NULL",
        ])

    private static let columns = "payment_id, kind, note, raised_at, cleared_at, cleared_by"

    /// The open alarms, oldest first.
    public static func open(_ merchant: MerchantID, limit: Int = 1000, in tx: any Transaction) throws -> [PaymentAlarm] {
        try tx.query(
            "SELECT \(columns) FROM payment_alarms WHERE merchant = ? AND cleared_at IS NULL ORDER BY raised_at LIMIT ?",
            [merchant.sql, .integer(Int64(limit))]
        ).map { try alarm($0, merchant: merchant) }
    }

    /// Every alarm that a payment has raised, the cleared ones too, oldest first.
    public static func find(payment: TimeOrderedID, merchant: MerchantID, in tx: any Transaction) throws -> [PaymentAlarm] {
        try tx.query(
            "SELECT \(columns) FROM payment_alarms WHERE merchant = ? AND payment_id = ? ORDER BY raised_at, kind",
            [merchant.sql, payment.sql]
        ).map { try alarm($0, merchant: merchant) }
    }

    /// Marks an alarm as dealt with and writes it to the operators' audit chain. Returns false when it is not open.
    public static func clear(
        _ kind: PaymentTransition.Alarm, payment: TimeOrderedID, merchant: MerchantID, by operatorName: String, reason: String,
        at now: Timestamp, linking links: AuditChain, in tx: any Transaction
    ) throws -> Bool {
        let changed = try tx.execute(
            """
            UPDATE payment_alarms SET cleared_at = ?, cleared_by = ?
            WHERE merchant = ? AND payment_id = ? AND kind = ? AND cleared_at IS NULL
            """, [.integer(now.microseconds), .text(operatorName), merchant.sql, payment.sql, .text(kind.rawValue)])
        guard changed > 0 else { return false }
        let left = try find(payment: payment, merchant: merchant, in: tx).last { $0.clearedAt == nil }
        try tx.execute(
            "UPDATE payments SET alarm = ?, version = version + 1, updated_at = ? WHERE merchant = ? AND id = ?",
            [left.map { .text($0.kind.rawValue) } ?? .null, .integer(now.microseconds), merchant.sql, payment.sql])
        try AuditRecords.append(
            to: "operators", by: operatorName, action: "alarm.clear", object: "payment:\(payment)",
            result: "\(kind.rawValue) \(EventDetail.storable(reason))", at: now, merchant: merchant, linking: links, in: tx)
        return true
    }

    /// Whether an alarm of this kind is open. Callers hold the payment's row.
    static func isOpen(
        _ kind: PaymentTransition.Alarm, payment: TimeOrderedID, merchant: MerchantID, in tx: any Transaction
    ) throws -> Bool {
        try tx.query(
            "SELECT kind FROM payment_alarms WHERE merchant = ? AND payment_id = ? AND kind = ? AND cleared_at IS NULL",
            [merchant.sql, payment.sql, .text(kind.rawValue)]
        ).isEmpty == false
    }

    static func raising(_ kind: PaymentTransition.Alarm, payment: Payment, note: String, at now: Timestamp) -> Statement {
        Statement(
            "INSERT INTO payment_alarms (merchant, payment_id, kind, raised_at, note) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [payment.merchant.sql, payment.id.sql, .text(kind.rawValue), .integer(now.microseconds), .text(note)])
    }

    private static func alarm(_ row: Row, merchant: MerchantID) throws -> PaymentAlarm {
        PaymentAlarm(
            merchant: merchant, payment: try TimeOrderedID(bytes: row.blob(0)), kind: try PaymentTransition.Alarm(stored: row.text(1)),
            note: try row.text(2), raisedAt: Timestamp(microseconds: try row.integer(3)),
            clearedAt: try row.optionalTimestamp(4), clearedBy: try row.optionalText(5))
    }
}

extension PaymentTransition.Alarm {
    init(stored text: String) throws(PaymentsError) {
        guard let alarm = Self(rawValue: text) else {
            throw PaymentsError(code: .corruptRecord, reason: "a stored alarm is unknown")
        }
        self = alarm
    }
}
