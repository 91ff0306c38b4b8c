import BillfoldPayments
import BillfoldStorage

/// The rows of alarms. Each stays until an operator clears it.
enum AcquirerPaymentAlarmRecords {
    static let migration = Migration(
        "alipayplus-0007-alarms",
        [
            """
            CREATE TABLE alipay_plus_alarms (
                acquirer TEXT NOT NULL, subject $BLOB NOT NULL, kind TEXT NOT NULL, payment $BLOB NOT NULL, note TEXT NOT NULL,
                raised_at BIGINT NOT NULL, cleared_at BIGINT, cleared_by TEXT, PRIMARY KEY (acquirer, subject, kind))
            """,
            "CREATE INDEX alipay_plus_alarms_open ON alipay_plus_alarms (acquirer, raised_at) WHERE cleared_at IS NULL",
        ])

    /// The statements that raise an alarm; one that is open stays as it is, and one that was dealt with comes back.
    static func raising(_ alarm: AcquirerPaymentAlarm) -> [Statement] {
        let note = SQLValue.text(String(alarm.note.prefix(300)))
        return [
            Statement(
                """
                UPDATE alipay_plus_alarms SET note = ?, raised_at = ?, cleared_at = NULL, cleared_by = NULL
                WHERE acquirer = ? AND subject = ? AND kind = ? AND cleared_at IS NOT NULL
                """,
                [
                    note, .integer(alarm.raisedAt.microseconds), alarm.acquirer.sqlValue, alarm.subject.sqlValue,
                    .text(alarm.kind.rawValue),
                ]),
            Statement(
                """
                INSERT INTO alipay_plus_alarms (acquirer, subject, kind, payment, note, raised_at) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """,
                [
                    alarm.acquirer.sqlValue, alarm.subject.sqlValue, .text(alarm.kind.rawValue), alarm.payment.sqlValue, note,
                    .integer(alarm.raisedAt.microseconds),
                ]),
        ]
    }

    /// The open alarms, oldest first.
    static func open(_ acquirer: MerchantID, limit: Int, in tx: any Transaction) throws -> [AcquirerPaymentAlarm] {
        try alarms("ORDER BY raised_at LIMIT ?", acquirer: acquirer, bindings: [.integer(Int64(limit))], in: tx)
    }

    /// An alarm, where it is open.
    static func find(
        _ kind: AcquirerPaymentAlarm.Kind, of subject: TimeOrderedID, acquirer: MerchantID, in tx: any Transaction
    ) throws -> AcquirerPaymentAlarm? {
        try alarms("AND subject = ? AND kind = ?", acquirer: acquirer, bindings: [subject.sqlValue, .text(kind.rawValue)], in: tx).first
    }

    private static func alarms(
        _ condition: String, acquirer: MerchantID, bindings: [SQLValue], in tx: any Transaction
    ) throws -> [AcquirerPaymentAlarm] {
        try tx.query(
            """
            SELECT payment, subject, kind, note, raised_at FROM alipay_plus_alarms
            WHERE acquirer = ? AND cleared_at IS NULL \(condition)
            """, [acquirer.sqlValue] + bindings
        ).map { row in
            AcquirerPaymentAlarm(
                acquirer: acquirer, payment: try row.timeOrderedID(0), subject: try row.timeOrderedID(1),
                kind: try row.known(2), note: try row.text(3), raisedAt: try row.timestamp(4))
        }
    }

    /// Marks an alarm as dealt with. Returns false when it is not open.
    static func clear(
        _ kind: AcquirerPaymentAlarm.Kind, of subject: TimeOrderedID, acquirer: MerchantID, by name: String, at now: Timestamp,
        in tx: any Transaction
    ) throws -> Bool {
        try tx.execute(
            """
            UPDATE alipay_plus_alarms SET cleared_at = ?, cleared_by = ?
            WHERE acquirer = ? AND subject = ? AND kind = ? AND cleared_at IS NULL
            """,
            [.integer(now.microseconds), .text(name), acquirer.sqlValue, subject.sqlValue, .text(kind.rawValue)]) == 1
    }
}
