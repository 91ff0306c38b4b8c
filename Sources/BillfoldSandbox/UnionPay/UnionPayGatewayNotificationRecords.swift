import BillfoldStorage
import UnionPay

/// A notification that waits to be sent or was sent.
struct UnionPayGatewayNotification: Sendable {
    struct Content: Sendable, Codable {
        var fields: [String: String]
        /// Its signature is broken when it is sent, as the plan says.
        var isCorrupt: Bool
    }

    /// One time that it was sent, and what came of it.
    struct Attempt: Sendable {
        /// Counted when it is kept.
        var number = 0
        /// When it had ended.
        var at: Timestamp
        var milliseconds: Int64
        /// Of HTTP; none where there was no answer.
        var status: Int?
        /// The reply's first bytes.
        var reply: [UInt8]
        /// Why it did not count: `no-answer` or `wrong-status`.
        var reason: String?
        /// The same in words.
        var note: String
    }

    /// How one stands, with every attempt.
    struct Standing: Sendable {
        var id: [UInt8]
        var merchant: String
        var url: String
        var state: String
        var attempts: Int64
        var status: Int64?
        /// When it is sent next, while it waits.
        var next: Timestamp?
        var log: [Attempt]
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
    /// Until when it is its sender's alone.
    var leaseUntil: Timestamp?
}

enum UnionPayGatewayNotificationRecords {
    static let migrations = [
        Migration(
            "unionpaygateway-0003-attempts",
            [
                """
                CREATE TABLE unionpay_notification_attempt (mer_id TEXT NOT NULL, id $BLOB NOT NULL, number BIGINT NOT NULL,
                at BIGINT NOT NULL, milliseconds BIGINT NOT NULL, status BIGINT, reply $BLOB NOT NULL, reason TEXT, note TEXT NOT NULL,
                PRIMARY KEY (mer_id, id, number))
                """
            ])
    ]

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
    static func claim(_ due: DueTimes, limit: Int, in transaction: any Transaction) throws -> [UnionPayGatewayNotification] {
        let (isDue, values) = due.condition(owner: "mer_id")
        let rows = try transaction.query(
            """
            SELECT mer_id, id, order_id, txn_time, url, fields, due_at, attempt FROM unionpay_notification
            WHERE state = ? AND \(isDue) ORDER BY due_at, id LIMIT \(limit)
            """, ["waiting"] + values)
        var claimed: [UnionPayGatewayNotification] = []
        for row in rows {
            let merchant = try row.text(0)
            let leaseEnd = due.now(of: merchant).advanced(by: NotificationSchedule.answerWithin + .seconds(5))
            let notification = UnionPayGatewayNotification(
                merchant: merchant, id: try row.blob(1), order: try row.text(2), time: try row.text(3), url: try row.text(4),
                content: try UnionPayGatewayRecords.decode(UnionPayGatewayNotification.Content.self, row.text(5)),
                dueAt: Timestamp(microseconds: try row.integer(6)),
                attempt: Int(try row.integer(7)), leaseUntil: leaseEnd)
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

    /// Records one attempt: acknowledged, to be sent again at `next`, or given up. Where the notification was taken back or asked for once
    /// more meanwhile, or is another sender's, the attempt is kept and decides nothing.
    static func finish(
        _ notification: UnionPayGatewayNotification, _ attempt: UnionPayGatewayNotification.Attempt, isAcknowledged: Bool, next: Timestamp?,
        in transaction: any Transaction
    ) throws {
        let state = isAcknowledged ? "acknowledged" : next == nil ? "given-up" : "waiting"
        let status = attempt.status.map { SQLValue.integer(Int64($0)) } ?? .null
        let key: [SQLValue] = [.text(notification.merchant), .blob(notification.id)]
        try transaction.execute(
            """
            UPDATE unionpay_notification SET state = ?, due_at = ? WHERE mer_id = ? AND id = ? AND state = ? AND due_at = ?
            """,
            [.text(state), .integer((next ?? notification.dueAt).microseconds)] + key + [
                "waiting", .integer((notification.leaseUntil ?? notification.dueAt).microseconds),
            ])
        try transaction.execute(
            "UPDATE unionpay_notification SET status = ?, attempt = attempt + 1 WHERE mer_id = ? AND id = ?", [status] + key)
        let number = try transaction.query("SELECT attempt FROM unionpay_notification WHERE mer_id = ? AND id = ?", key).first?.integer(0)
        try transaction.execute(
            """
            INSERT INTO unionpay_notification_attempt (mer_id, id, number, at, milliseconds, status, reply, reason, note)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [
                .text(notification.merchant), .blob(notification.id), .integer(number ?? 0),
                .integer(attempt.at.microseconds), .integer(attempt.milliseconds), status, .blob(attempt.reply), .optional(attempt.reason),
                .text(String(attempt.note.prefix(300))),
            ])
    }

    /// Has one sent once more, now: one that was given up or acknowledged, or that waits. Returns false where there is none.
    static func resend(_ id: [UInt8], of merchant: String, at now: Timestamp, in transaction: any Transaction) throws -> Bool {
        try transaction.execute(
            "UPDATE unionpay_notification SET state = ?, due_at = ? WHERE mer_id = ? AND id = ? AND state <> ?",
            ["waiting", .integer(now.microseconds), .text(merchant), .blob(id), "cancelled"]) == 1
    }

    /// Takes back what was not sent yet, when the transaction is reversed.
    static func cancel(of key: TransactionKey, in transaction: any Transaction) throws {
        try transaction.execute(
            "UPDATE unionpay_notification SET state = ? WHERE mer_id = ? AND order_id = ? AND txn_time = ? AND state = ?",
            [
                "cancelled", .text(key.merchant.description), .text(key.order.description), .text(key.time.description), "waiting",
            ])
    }

    /// Every notification of an order, with the attempts to deliver it.
    static func list(order: String, in transaction: any Transaction) throws -> [UnionPayGatewayNotification.Standing] {
        try transaction.query(
            "SELECT id, mer_id, url, state, attempt, status, due_at FROM unionpay_notification WHERE order_id = ? ORDER BY id",
            [.text(order)]
        ).map { row in
            let (id, merchant, state) = (try row.blob(0), try row.text(1), try row.text(3))
            return UnionPayGatewayNotification.Standing(
                id: id, merchant: merchant, url: try row.text(2), state: state, attempts: try row.integer(4),
                status: try row.optionalInteger(5), next: state == "waiting" ? Timestamp(microseconds: try row.integer(6)) : nil,
                log: try attempts(of: id, merchant: merchant, in: transaction))
        }
    }

    private static func attempts(
        of id: [UInt8], merchant: String, in transaction: any Transaction
    ) throws -> [UnionPayGatewayNotification.Attempt] {
        try transaction.query(
            """
            SELECT number, at, milliseconds, status, reply, reason, note FROM unionpay_notification_attempt
            WHERE mer_id = ? AND id = ? ORDER BY number LIMIT 100
            """, [.text(merchant), .blob(id)]
        ).map { row in
            UnionPayGatewayNotification.Attempt(
                number: Int(try row.integer(0)), at: Timestamp(microseconds: try row.integer(1)), milliseconds: try row.integer(2),
                status: try row.optionalInteger(3).map(Int.init), reply: try row.blob(4), reason: try row.optionalText(5),
                note: try row.text(6))
        }
    }
}
