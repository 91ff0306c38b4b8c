import BillfoldPayments
import BillfoldStorage

/// The rows of notifications and of every attempt to deliver them. The message itself lies in the outbox under the same id.
enum NotificationRecords {
    static let migration = Migration(
        "alipay-0006-notifications",
        [
            """
            CREATE TABLE alipay_notifications (
                merchant TEXT NOT NULL, id $BLOB NOT NULL, trade_id $BLOB NOT NULL, notify_id TEXT NOT NULL, kind TEXT NOT NULL,
                says TEXT NOT NULL, url TEXT NOT NULL, state TEXT NOT NULL, created_at BIGINT NOT NULL, settled_at BIGINT,
                PRIMARY KEY (merchant, id))
            """,
            "CREATE UNIQUE INDEX alipay_notifications_by_name ON alipay_notifications (merchant, notify_id)",
            "CREATE INDEX alipay_notifications_of_trade ON alipay_notifications (merchant, trade_id, id)",
            "CREATE INDEX alipay_notifications_parked ON alipay_notifications (merchant, id) WHERE state = 'parked'",
            """
            CREATE TABLE alipay_notification_attempts (
                merchant TEXT NOT NULL, notification $BLOB NOT NULL, number BIGINT NOT NULL, at BIGINT NOT NULL, status BIGINT,
                reply $BLOB NOT NULL, note TEXT NOT NULL, PRIMARY KEY (merchant, notification, number, at))
            """,
        ])

    /// What an attempt took, and why it did not count.
    static let detailsMigration = Migration(
        "alipay-0016-attempt-details", DeliveryRecords.details(of: "alipay_notification_attempts"))

    static let deliveries = DeliveryRecords("alipay_notifications", attempts: "alipay_notification_attempts", owner: "merchant")

    private static let columns = "merchant, id, trade_id, notify_id, kind, says, url, state, created_at, settled_at"

    static func insertion(_ row: NotificationRow) -> Statement {
        Statement(
            "INSERT INTO alipay_notifications (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                row.merchant.sqlValue, row.id.sqlValue, row.trade.sqlValue, .text(row.notifyID), .text(row.kind), .text(row.says),
                .text(row.url), .text(row.state.rawValue), .integer(row.createdAt.microseconds), .optional(row.settledAt),
            ])
    }

    static func find(_ id: TimeOrderedID, merchant: MerchantID, in tx: any Transaction) throws -> NotificationRow? {
        try rows("WHERE merchant = ? AND id = ?", [merchant.sqlValue, id.sqlValue], in: tx).first
    }

    static func find(notifyID: String, merchant: MerchantID, in tx: any Transaction) throws -> NotificationRow? {
        try rows("WHERE merchant = ? AND notify_id = ?", [merchant.sqlValue, .text(notifyID)], in: tx).first
    }

    static func all(of trade: TimeOrderedID, merchant: MerchantID, in tx: any Transaction) throws -> [NotificationRow] {
        try rows("WHERE merchant = ? AND trade_id = ? ORDER BY id", [merchant.sqlValue, trade.sqlValue], in: tx)
    }

    /// A merchant's notifications, the last first.
    static func latest(_ merchant: MerchantID, limit: Int, in tx: any Transaction) throws -> [NotificationRow] {
        try rows("WHERE merchant = ? ORDER BY id DESC LIMIT ?", [merchant.sqlValue, .integer(Int64(limit))], in: tx)
    }

    /// What waits for an operator, the oldest first.
    static func parked(_ merchant: MerchantID, limit: Int, in tx: any Transaction) throws -> [NotificationRow] {
        try rows(
            "WHERE merchant = ? AND state = 'parked' ORDER BY id LIMIT ?", [merchant.sqlValue, .integer(Int64(limit))], in: tx)
    }

    private static func rows(_ condition: String, _ bindings: [SQLValue], in tx: any Transaction) throws -> [NotificationRow] {
        try tx.query("SELECT \(columns) FROM alipay_notifications \(condition)", bindings).map { row in
            NotificationRow(
                id: try row.timeOrderedID(1), merchant: try MerchantID(row.text(0)), trade: try row.timeOrderedID(2),
                notifyID: try row.text(3), kind: try row.text(4), says: try row.text(5), url: try row.text(6),
                state: try row.known(7), createdAt: try row.timestamp(8), settledAt: try row.optionalTimestamp(9))
        }
    }
}
