import BillfoldPayments
import BillfoldStorage

/// What was told to an acquirer, and how that went.
struct NotificationRow: Sendable, Hashable {
    var id: TimeOrderedID
    var acquirer: MerchantID
    var payment: TimeOrderedID
    /// `payment`, or what happened to an authorisation.
    var kind: String
    /// What it said: the result's code.
    var says: String
    var url: String
    var state: DeliveryRecords.State
    var createdAt: Timestamp
    var settledAt: Timestamp?
}

/// The rows of notifications and of every attempt to deliver them. The message itself lies in the outbox under the same id.
enum NotificationRecords {
    static let migration = Migration(
        "alipayplus-0006-notifications",
        [
            """
            CREATE TABLE alipay_plus_notifications (
                acquirer TEXT NOT NULL, id $BLOB NOT NULL, payment $BLOB NOT NULL, kind TEXT NOT NULL, says TEXT NOT NULL,
                url TEXT NOT NULL, state TEXT NOT NULL, created_at BIGINT NOT NULL, settled_at BIGINT, PRIMARY KEY (acquirer, id))
            """,
            "CREATE INDEX alipay_plus_notifications_of_payment ON alipay_plus_notifications (acquirer, payment, id)",
            "CREATE INDEX alipay_plus_notifications_parked ON alipay_plus_notifications (acquirer, id) WHERE state = 'parked'",
            """
            CREATE TABLE alipay_plus_notification_attempts (
                acquirer TEXT NOT NULL, notification $BLOB NOT NULL, number BIGINT NOT NULL, at BIGINT NOT NULL, status BIGINT,
                reply $BLOB NOT NULL, note TEXT NOT NULL, PRIMARY KEY (acquirer, notification, number, at))
            """,
        ])

    /// What an attempt took, and why it did not count.
    static let detailsMigration = Migration(
        "alipayplus-0011-attempt-details", DeliveryRecords.details(of: "alipay_plus_notification_attempts"))

    static let deliveries = DeliveryRecords(
        "alipay_plus_notifications", attempts: "alipay_plus_notification_attempts", owner: "acquirer")

    private static let columns = "acquirer, id, payment, kind, says, url, state, created_at, settled_at"

    static func insertion(_ row: NotificationRow) -> Statement {
        Statement(
            "INSERT INTO alipay_plus_notifications (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                row.acquirer.sqlValue, row.id.sqlValue, row.payment.sqlValue, .text(row.kind), .text(row.says), .text(row.url),
                .text(row.state.rawValue), .integer(row.createdAt.microseconds), .optional(row.settledAt),
            ])
    }

    static func find(_ id: TimeOrderedID, acquirer: MerchantID, in tx: any Transaction) throws -> NotificationRow? {
        try rows("WHERE acquirer = ? AND id = ?", [acquirer.sqlValue, id.sqlValue], in: tx).first
    }

    /// What waits for an operator, the oldest first.
    static func parked(_ acquirer: MerchantID, limit: Int, in tx: any Transaction) throws -> [NotificationRow] {
        try rows(
            "WHERE acquirer = ? AND state = 'parked' ORDER BY id LIMIT ?", [acquirer.sqlValue, .integer(Int64(limit))], in: tx)
    }

    static func all(of payment: TimeOrderedID, acquirer: MerchantID, in tx: any Transaction) throws -> [NotificationRow] {
        try rows("WHERE acquirer = ? AND payment = ? ORDER BY id", [acquirer.sqlValue, payment.sqlValue], in: tx)
    }

    /// An acquirer's notifications, the last first.
    static func latest(_ acquirer: MerchantID, limit: Int, in tx: any Transaction) throws -> [NotificationRow] {
        try rows("WHERE acquirer = ? ORDER BY id DESC LIMIT ?", [acquirer.sqlValue, .integer(Int64(limit))], in: tx)
    }

    private static func rows(_ condition: String, _ bindings: [SQLValue], in tx: any Transaction) throws -> [NotificationRow] {
        try tx.query("SELECT \(columns) FROM alipay_plus_notifications \(condition)", bindings).map { row in
            NotificationRow(
                id: try row.timeOrderedID(1), acquirer: try MerchantID(row.text(0)), payment: try row.timeOrderedID(2),
                kind: try row.text(3), says: try row.text(4), url: try row.text(5), state: try row.known(6),
                createdAt: try row.timestamp(7), settledAt: try row.optionalTimestamp(8))
        }
    }
}
