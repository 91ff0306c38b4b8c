import BillfoldStorage
import UnionPay

/// A notification that waits to be sent or was sent.
struct UnionPayGatewayNotification: Sendable {
    struct Content: Sendable, Codable {
        var fields: [String: String]
        /// Its signature is broken when it is sent, as the plan says.
        var isCorrupt: Bool
    }

    var merchant: String
    var id: [UInt8]
    var order: String
    var time: String
    var url: String
    /// Signed only when it is sent.
    var content: Content
    var dueAt: Timestamp
    var attempt: Int
}

enum UnionPayGatewayNotificationRecords {
    static func insert(_ notification: UnionPayGatewayNotification, in transaction: any Transaction) throws {
        try transaction.execute(
            """
            INSERT INTO unionpay_notification (mer_id, id, order_id, txn_time, url, fields, due_at, attempt, state)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(notification.merchant), .blob(notification.id), .text(notification.order), .text(notification.time),
                .text(notification.url), .text(try UnionPayGatewayRecords.json(notification.content)),
                .integer(notification.dueAt.microseconds),
                .integer(Int64(notification.attempt)), "waiting",
            ])
    }

    /// Takes what is due and moves it out of other senders' reach for as long as an answer may take.
    static func claim(at now: Timestamp, limit: Int, in transaction: any Transaction) throws -> [UnionPayGatewayNotification] {
        let rows = try transaction.query(
            """
            SELECT mer_id, id, order_id, txn_time, url, fields, due_at, attempt FROM unionpay_notification
            WHERE state = ? AND due_at <= ? ORDER BY due_at, id LIMIT \(limit)
            """, ["waiting", .integer(now.microseconds)])
        let leaseEnd = now.advanced(by: NotificationSchedule.answerWithin + .seconds(5))
        var claimed: [UnionPayGatewayNotification] = []
        for row in rows {
            let notification = UnionPayGatewayNotification(
                merchant: try row.text(0), id: try row.blob(1), order: try row.text(2), time: try row.text(3), url: try row.text(4),
                content: try UnionPayGatewayRecords.decode(UnionPayGatewayNotification.Content.self, row.text(5)),
                dueAt: Timestamp(microseconds: try row.integer(6)),
                attempt: Int(try row.integer(7)))
            let changed = try transaction.execute(
                "UPDATE unionpay_notification SET due_at = ? WHERE mer_id = ? AND id = ? AND state = ? AND due_at = ?",
                [
                    .integer(leaseEnd.microseconds), .text(notification.merchant), .blob(notification.id), "waiting",
                    .integer(notification.dueAt.microseconds),
                ])
            if changed == 1 { claimed.append(notification) }
        }
        return claimed
    }

    /// Records one attempt: acknowledged, to be sent again at `next`, or given up.
    static func finish(
        _ notification: UnionPayGatewayNotification, status: Int?, isAcknowledged: Bool, next: Timestamp?, in transaction: any Transaction
    ) throws {
        let state = isAcknowledged ? "acknowledged" : next == nil ? "given-up" : "waiting"
        try transaction.execute(
            "UPDATE unionpay_notification SET state = ?, status = ?, attempt = attempt + 1, due_at = ? WHERE mer_id = ? AND id = ?",
            [
                .text(state), status.map { .integer(Int64($0)) } ?? .null, .integer((next ?? notification.dueAt).microseconds),
                .text(notification.merchant), .blob(notification.id),
            ])
    }

    /// Takes back what was not sent yet, when the transaction is reversed.
    static func cancel(of key: TransactionKey, in transaction: any Transaction) throws {
        try transaction.execute(
            "UPDATE unionpay_notification SET state = ? WHERE mer_id = ? AND order_id = ? AND txn_time = ? AND state = ?",
            [
                "cancelled", .text(key.merchant.description), .text(key.order.description), .text(key.time.description), "waiting",
            ])
    }

    /// State and number of sends of every notification of an order.
    static func list(order: String, in transaction: any Transaction) throws -> [(state: String, attempts: Int64, status: Int64?)] {
        try transaction.query(
            "SELECT state, attempt, status FROM unionpay_notification WHERE order_id = ? ORDER BY id", [.text(order)]
        ).map { (try $0.text(0), try $0.integer(1), try $0.optionalInteger(2)) }
    }
}
