import BillfoldStorage
import UnionPay

/// The orders that merchants pushed.
enum UnionPayPushRecords {
    static let migrations = [
        Migration(
            "unionpaygateway-0002-pushed-orders",
            [
                """
                CREATE TABLE unionpay_pushed_order (mer_id TEXT NOT NULL, order_id TEXT NOT NULL, txn_time TEXT NOT NULL, tn TEXT NOT NULL,
                amount BIGINT NOT NULL, currency TEXT NOT NULL, text TEXT, echo TEXT NOT NULL, back_url TEXT NOT NULL, pay_timeout TEXT,
                plan TEXT NOT NULL, paid BIGINT NOT NULL, pushed_at BIGINT NOT NULL, PRIMARY KEY (mer_id, order_id, txn_time))
                """,
                "CREATE UNIQUE INDEX unionpay_pushed_order_tn ON unionpay_pushed_order (tn)",
            ])
    ]

    private static let columns = """
        mer_id, order_id, txn_time, tn, amount, currency, text, echo, back_url, pay_timeout, plan, paid, pushed_at
        """

    /// Returns false where there is one of its triple, as when two copies of a message come at once, or of its number.
    static func insert(_ order: UnionPayPushedOrder, in transaction: any Transaction) throws -> Bool {
        try transaction.execute(
            "INSERT INTO unionpay_pushed_order (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [
                .text(order.key.merchant.description), .text(order.key.order.description), .text(order.key.time.description),
                .text(order.number.description), .integer(order.amount), .text(order.currency), .optional(order.text),
                .text(try UnionPayGatewayRecords.json(order.echo)), .text(order.backURL), .optional(order.payTimeout?.description),
                .text(try UnionPayGatewayRecords.json(order.plan)), .integer(order.isPaid ? 1 : 0), .integer(order.pushedAt.microseconds),
            ]) == 1
    }

    static func find(_ number: TransactionNumber, in transaction: any Transaction) throws -> UnionPayPushedOrder? {
        try transaction.query(
            "SELECT \(columns) FROM unionpay_pushed_order WHERE tn = ?", [.text(number.description)]
        ).first.map(read)
    }

    /// The order that was pushed by this triple.
    static func find(_ key: TransactionKey, in transaction: any Transaction) throws -> UnionPayPushedOrder? {
        try transaction.query(
            "SELECT \(columns) FROM unionpay_pushed_order WHERE mer_id = ? AND order_id = ? AND txn_time = ?",
            [.text(key.merchant.description), .text(key.order.description), .text(key.time.description)]
        ).first.map(read)
    }

    /// Whether the merchant has pushed under this order number, at whatever time.
    static func isUsed(_ order: OrderID, by merchant: MerchantID, in transaction: any Transaction) throws -> Bool {
        try !transaction.query(
            "SELECT tn FROM unionpay_pushed_order WHERE mer_id = ? AND order_id = ?",
            [.text(merchant.description), .text(order.description)]
        ).isEmpty
    }

    /// Returns false where it was paid before.
    static func markPaid(_ number: TransactionNumber, in transaction: any Transaction) throws -> Bool {
        try transaction.execute(
            "UPDATE unionpay_pushed_order SET paid = 1 WHERE tn = ? AND paid = 0", [.text(number.description)]) == 1
    }

    private static func read(_ row: Row) throws -> UnionPayPushedOrder {
        UnionPayPushedOrder(
            key: TransactionKey(
                merchant: try MerchantID(row.text(0)), order: try OrderID(row.text(1)), time: try BeijingTime(row.text(2))),
            number: try TransactionNumber(row.text(3)), amount: try row.integer(4), currency: try row.text(5),
            text: try row.optionalText(6), echo: try UnionPayGatewayRecords.decode([String: String].self, row.text(7)),
            backURL: try row.text(8), payTimeout: try row.optionalText(9).map { try BeijingTime($0) },
            plan: try UnionPayGatewayRecords.decode(FaultPlan.self, row.text(10)), isPaid: try row.integer(11) != 0,
            pushedAt: Timestamp(microseconds: try row.integer(12)))
    }
}
