import BillfoldJSON
import BillfoldPayments
import BillfoldStorage

/// The rows of verified orders: one per content.
enum TradeOrderRecords {
    static let migration = Migration(
        "alipay-0003-orders",
        [
            """
            CREATE TABLE alipay_orders (
                merchant TEXT NOT NULL, id $BLOB NOT NULL, fingerprint $BLOB NOT NULL, detail $BLOB NOT NULL, content $BLOB NOT NULL,
                created_at BIGINT NOT NULL, PRIMARY KEY (merchant, id))
            """,
            "CREATE UNIQUE INDEX alipay_orders_by_content ON alipay_orders (merchant, fingerprint)",
        ])

    /// Stores the order, or finds the one of the same content: the same string is the same order, however often it is shown.
    static func intern(_ order: TradeOrder, fingerprint: RequestFingerprint, in tx: any Transaction) throws -> TradeOrder {
        let detail = try JSONDocument.encode(order.detail, sortsKeys: false)
        let inserted = try tx.execute(
            """
            INSERT INTO alipay_orders (merchant, id, fingerprint, detail, content, created_at) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """,
            [
                order.merchant.sqlValue, order.id.sqlValue, .blob(fingerprint.bytes), .blob(detail),
                .blob(order.text), .integer(order.createdAt.microseconds),
            ])
        if inserted == 1 {
            assert((try? JSONDocument.decode(TradeOrder.Detail.self, detail)) == order.detail, "the order reads back as another one")
            return order
        }
        let rows = try tx.query(
            "SELECT id, detail, content, created_at FROM alipay_orders WHERE merchant = ? AND fingerprint = ?",
            [order.merchant.sqlValue, .blob(fingerprint.bytes)])
        guard let row = rows.first else {
            throw PaymentsError(code: .contended, reason: "an order was stored and is not readable yet")
        }
        return try read(row, merchant: order.merchant)
    }

    static func find(_ id: TimeOrderedID, merchant: MerchantID, in tx: any Transaction) throws -> TradeOrder? {
        try tx.query(
            "SELECT id, detail, content, created_at FROM alipay_orders WHERE merchant = ? AND id = ?", [merchant.sqlValue, id.sqlValue]
        ).first.map { try read($0, merchant: merchant) }
    }

    /// The order of a trade.
    static func order(of trade: Trade, in tx: any Transaction) throws -> TradeOrder {
        guard let order = try find(trade.order, merchant: trade.merchant, in: tx) else { throw missing }
        return order
    }

    static let missing = PaymentsError(code: .corruptRecord, reason: "a trade has no order")

    private static func read(_ row: Row, merchant: MerchantID) throws -> TradeOrder {
        TradeOrder(
            merchant: merchant, id: try row.timeOrderedID(0), detail: try JSONDocument.decode(TradeOrder.Detail.self, row.blob(1)),
            text: try row.blob(2), createdAt: try row.timestamp(3))
    }
}

extension MerchantID {
    var sqlValue: SQLValue { .text(description) }
}
