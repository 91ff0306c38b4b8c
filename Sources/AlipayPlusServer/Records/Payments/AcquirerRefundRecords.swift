import BillfoldJSON
import BillfoldPayments
import BillfoldStorage

/// The rows of refunds. An acquirer's request id stands for one refund for ever.
enum AcquirerRefundRecords {
    static let migration = Migration(
        "alipayplus-0004-refunds",
        [
            """
            CREATE TABLE alipay_plus_refunds (
                acquirer TEXT NOT NULL, request_id TEXT NOT NULL, id $BLOB NOT NULL, payment $BLOB NOT NULL, state TEXT NOT NULL,
                part $BLOB NOT NULL, reason TEXT NOT NULL, failure TEXT, created_at BIGINT NOT NULL, done_at BIGINT,
                PRIMARY KEY (acquirer, request_id))
            """,
            "CREATE UNIQUE INDEX alipay_plus_refunds_by_id ON alipay_plus_refunds (acquirer, id)",
            "CREATE INDEX alipay_plus_refunds_of_payment ON alipay_plus_refunds (acquirer, payment, id)",
            "CREATE INDEX alipay_plus_refunds_done ON alipay_plus_refunds (acquirer, done_at) WHERE state = 'success'",
        ])

    private static let columns = "acquirer, request_id, id, payment, state, part, reason, failure, created_at, done_at"

    /// Returns false where the request id is taken.
    static func insert(_ refund: AcquirerRefund, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "INSERT INTO alipay_plus_refunds (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [
                refund.acquirer.sqlValue, .text(refund.requestID), refund.id.sqlValue, refund.payment.sqlValue,
                .text(refund.state.rawValue),
                .blob(try JSONDocument.encode(refund.part)), .text(refund.reason), .optional(refund.failure),
                .integer(refund.createdAt.microseconds), .optional(refund.doneAt),
            ]) == 1
    }

    /// Stores how it ended. Returns false when it had ended before.
    static func finish(_ refund: AcquirerRefund, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "UPDATE alipay_plus_refunds SET state = ?, failure = ?, done_at = ? WHERE acquirer = ? AND id = ? AND state = 'processing'",
            [
                .text(refund.state.rawValue), .optional(refund.failure),
                .optional(refund.doneAt), refund.acquirer.sqlValue, refund.id.sqlValue,
            ]) == 1
    }

    static func find(_ id: TimeOrderedID, acquirer: MerchantID, in tx: any Transaction) throws -> AcquirerRefund? {
        try refunds("WHERE acquirer = ? AND id = ?", [acquirer.sqlValue, id.sqlValue], in: tx).first
    }

    static func find(requestID: String, acquirer: MerchantID, in tx: any Transaction) throws -> AcquirerRefund? {
        try refunds("WHERE acquirer = ? AND request_id = ?", [acquirer.sqlValue, .text(requestID)], in: tx).first
    }

    static func all(of payment: TimeOrderedID, acquirer: MerchantID, in tx: any Transaction) throws -> [AcquirerRefund] {
        try refunds("WHERE acquirer = ? AND payment = ? ORDER BY created_at, id", [acquirer.sqlValue, payment.sqlValue], in: tx)
    }

    /// An acquirer's refunds that were done in a time, in that order.
    static func done(_ acquirer: MerchantID, in time: Range<Timestamp>, limit: Int, in tx: any Transaction) throws -> [AcquirerRefund] {
        try refunds(
            "WHERE acquirer = ? AND state = 'success' AND done_at >= ? AND done_at < ? ORDER BY done_at, id LIMIT ?",
            [
                acquirer.sqlValue, .integer(time.lowerBound.microseconds), .integer(time.upperBound.microseconds), .integer(Int64(limit)),
            ], in: tx)
    }

    private static func refunds(_ condition: String, _ bindings: [SQLValue], in tx: any Transaction) throws -> [AcquirerRefund] {
        try tx.query("SELECT \(columns) FROM alipay_plus_refunds \(condition)", bindings).map { row in
            AcquirerRefund(
                acquirer: try MerchantID(row.text(0)), requestID: try row.text(1), id: try row.timeOrderedID(2),
                payment: try row.timeOrderedID(3), state: try row.known(4),
                part: try JSONDocument.decode(CollectionMoney.Part.self, row.blob(5)), reason: try row.text(6),
                failure: try row.optionalText(7), createdAt: try row.timestamp(8), doneAt: try row.optionalTimestamp(9))
        }
    }
}
