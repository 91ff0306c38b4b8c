import BillfoldPayments
import BillfoldStorage

/// What was told to an acquirer, and how that went.
struct NotificationRow: Sendable, Hashable {
    enum State: String, Sendable, Hashable {
        /// Under way, or between two attempts.
        case waiting
        /// Acknowledged by a signed S.
        case settled
        /// Given up after the last attempt; an operator can send it again.
        case parked
    }

    var id: TimeOrderedID
    var acquirer: MerchantID
    var payment: TimeOrderedID
    /// `payment`, or what happened to an authorisation.
    var kind: String
    /// What it said: the result's code.
    var says: String
    var url: String
    var state: State
    var createdAt: Timestamp
    var settledAt: Timestamp?

    struct Attempt: Sendable, Hashable {
        var number: Int64
        var at: Timestamp
        /// The HTTP status; none where there was no answer.
        var status: Int64?
        /// The first bytes of the reply.
        var reply: [UInt8]
        var note: String
    }
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

    private static let columns = "acquirer, id, payment, kind, says, url, state, created_at, settled_at"

    static func insertion(_ row: NotificationRow) -> Statement {
        Statement(
            "INSERT INTO alipay_plus_notifications (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                row.acquirer.sqlValue, row.id.sqlValue, row.payment.sqlValue, .text(row.kind), .text(row.says), .text(row.url),
                .text(row.state.rawValue), .integer(row.createdAt.microseconds), .optional(row.settledAt),
            ])
    }

    /// Notes an attempt. The same attempt is noted once.
    static func note(
        _ attempt: NotificationRow.Attempt, of id: TimeOrderedID, acquirer: MerchantID, in tx: any Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO alipay_plus_notification_attempts (acquirer, notification, number, at, status, reply, note)
            VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [
                acquirer.sqlValue, id.sqlValue, .integer(attempt.number), .integer(attempt.at.microseconds),
                attempt.status.map { .integer($0) } ?? .null, .blob(attempt.reply), .text(attempt.note),
            ])
    }

    static func settle(_ id: TimeOrderedID, acquirer: MerchantID, at now: Timestamp, in tx: any Transaction) throws {
        try tx.execute(
            "UPDATE alipay_plus_notifications SET state = 'settled', settled_at = ? WHERE acquirer = ? AND id = ? AND state <> 'settled'",
            [.integer(now.microseconds), acquirer.sqlValue, id.sqlValue])
    }

    static func park(_ id: TimeOrderedID, acquirer: MerchantID, in tx: any Transaction) throws {
        try tx.execute(
            "UPDATE alipay_plus_notifications SET state = 'parked' WHERE acquirer = ? AND id = ? AND state = 'waiting'",
            [acquirer.sqlValue, id.sqlValue])
    }

    /// It is under way again: an operator sends it once more.
    static func resume(_ id: TimeOrderedID, acquirer: MerchantID, in tx: any Transaction) throws {
        try tx.execute(
            "UPDATE alipay_plus_notifications SET state = 'waiting', settled_at = NULL WHERE acquirer = ? AND id = ?",
            [acquirer.sqlValue, id.sqlValue])
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

    static func attempts(of id: TimeOrderedID, acquirer: MerchantID, in tx: any Transaction) throws -> [NotificationRow.Attempt] {
        try tx.query(
            """
            SELECT number, at, status, reply, note FROM alipay_plus_notification_attempts
            WHERE acquirer = ? AND notification = ? ORDER BY at, number
            """, [acquirer.sqlValue, id.sqlValue]
        ).map { row in
            NotificationRow.Attempt(
                number: try row.integer(0), at: try row.timestamp(1), status: try row.optionalInteger(2), reply: try row.blob(3),
                note: try row.text(4))
        }
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
