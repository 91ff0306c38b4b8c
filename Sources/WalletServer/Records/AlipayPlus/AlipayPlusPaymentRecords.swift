import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// The rows of Alipay+'s payments and refunds. They are not the order gateway's, whose books are compared with its own.
enum AlipayPlusPaymentRecords {
    static let migration = Migration(
        "wallet-0009-alipay-plus",
        [
            """
            CREATE TABLE wallet_alipay_plus_payments (
                id $BLOB NOT NULL PRIMARY KEY, request_id TEXT NOT NULL UNIQUE, account $BLOB, state TEXT NOT NULL, version BIGINT NOT NULL,
                refunded BIGINT NOT NULL, facts $BLOB NOT NULL, created_at BIGINT NOT NULL, paid_at BIGINT, CHECK (refunded >= 0))
            """,
            "CREATE INDEX wallet_alipay_plus_payments_by_account ON wallet_alipay_plus_payments (account, id)",
            """
            CREATE TABLE wallet_alipay_plus_refunds (
                id $BLOB NOT NULL PRIMARY KEY, request_id TEXT NOT NULL UNIQUE, payment $BLOB NOT NULL, account $BLOB NOT NULL,
                payee TEXT NOT NULL, amount BIGINT NOT NULL, currency TEXT NOT NULL, at BIGINT NOT NULL)
            """,
            "CREATE INDEX wallet_alipay_plus_refunds_by_account ON wallet_alipay_plus_refunds (account, id)",
        ])

    private static let columns = "id, request_id, account, state, version, refunded, facts, created_at, paid_at"

    /// Returns false where the request id is known.
    static func insert(_ payment: AlipayPlusPayment, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "INSERT INTO wallet_alipay_plus_payments (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [
                payment.id.sqlValue, .text(payment.requestID), payment.account?.sqlValue ?? .null, .text(payment.state.rawValue),
                .integer(payment.version), .integer(payment.refunded), .blob(try JSONDocument.encode(payment.facts)),
                .integer(payment.createdAt.microseconds), .optional(payment.paidAt),
            ]) == 1
    }

    /// Stores what changed. Throws `contended` where somebody else changed it in between.
    static func update(_ payment: AlipayPlusPayment, in tx: any Transaction) throws {
        let changed = try tx.execute(
            """
            UPDATE wallet_alipay_plus_payments SET account = ?, state = ?, version = version + 1, refunded = ?, facts = ?, paid_at = ?
            WHERE id = ? AND version = ?
            """,
            [
                payment.account?.sqlValue ?? .null, .text(payment.state.rawValue), .integer(payment.refunded),
                .blob(try JSONDocument.encode(payment.facts)), .optional(payment.paidAt),
                payment.id.sqlValue, .integer(payment.version),
            ])
        guard changed == 1 else { throw PaymentsError(code: .contended, reason: "the payment is being changed") }
    }

    static func find(_ id: TimeOrderedID, in tx: any Transaction) throws -> AlipayPlusPayment? {
        try tx.query("SELECT \(columns) FROM wallet_alipay_plus_payments WHERE id = ?", [id.sqlValue]).first.map(read)
    }

    static func find(requestID: String, in tx: any Transaction) throws -> AlipayPlusPayment? {
        try tx.query("SELECT \(columns) FROM wallet_alipay_plus_payments WHERE request_id = ?", [.text(requestID)]).first.map(read)
    }

    /// What a customer paid, the newest first.
    static func list(
        _ account: TimeOrderedID, before last: TimeOrderedID?, limit: Int, in tx: any Transaction
    ) throws -> [AlipayPlusPayment] {
        try tx.query(
            """
            SELECT \(columns) FROM wallet_alipay_plus_payments WHERE account = ? AND paid_at IS NOT NULL\(last == nil ? "" : " AND id < ?")
            ORDER BY id DESC LIMIT ?
            """, [account.sqlValue] + (last.map { [$0.sqlValue] } ?? []) + [.integer(Int64(limit))]
        ).map(read)
    }

    private static func read(_ row: Row) throws -> AlipayPlusPayment {
        AlipayPlusPayment(
            id: try row.timeOrderedID(0), requestID: try row.text(1), account: try row.optionalID(2), state: try row.named(3),
            version: try row.integer(4), refunded: try row.integer(5),
            facts: try JSONDocument.decode(AlipayPlusPayment.Facts.self, row.blob(6)), createdAt: try row.timestamp(7),
            paidAt: try row.optionalTimestamp(8))
    }

    // MARK: Refunds

    private static let refundColumns = "id, request_id, payment, account, payee, amount, currency, at"

    static func insert(_ refund: AlipayPlusRefund, in tx: any Transaction) throws {
        try tx.execute(
            "INSERT INTO wallet_alipay_plus_refunds (\(refundColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                refund.id.sqlValue, .text(refund.requestID), refund.payment.sqlValue, refund.account.sqlValue, .text(refund.payee),
                .integer(refund.amount.minorUnits), .text(refund.amount.currency.alphabeticCode), .integer(refund.at.microseconds),
            ])
    }

    static func refund(requestID: String, in tx: any Transaction) throws -> AlipayPlusRefund? {
        try tx.query("SELECT \(refundColumns) FROM wallet_alipay_plus_refunds WHERE request_id = ?", [.text(requestID)]).first.map(
            readRefund)
    }

    /// What went back to a customer, the newest first.
    static func refunds(
        _ account: TimeOrderedID, before last: TimeOrderedID?, limit: Int, in tx: any Transaction
    ) throws -> [AlipayPlusRefund] {
        try tx.query(
            """
            SELECT \(refundColumns) FROM wallet_alipay_plus_refunds WHERE account = ?\(last == nil ? "" : " AND id < ?")
            ORDER BY id DESC LIMIT ?
            """, [account.sqlValue] + (last.map { [$0.sqlValue] } ?? []) + [.integer(Int64(limit))]
        ).map(readRefund)
    }

    private static func readRefund(_ row: Row) throws -> AlipayPlusRefund {
        AlipayPlusRefund(
            id: try row.timeOrderedID(0), requestID: try row.text(1), payment: try row.timeOrderedID(2), account: try row.timeOrderedID(3),
            payee: try row.text(4), amount: Amount(minorUnits: try row.integer(5), currency: try Currency(row.text(6))),
            at: try row.timestamp(7))
    }
}
