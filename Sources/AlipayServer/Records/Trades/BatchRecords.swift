import BillfoldJSON
import BillfoldPayments
import BillfoldStorage

/// A batch of refunds (`refund_fastpay_by_platform_nopwd`, or `…_pwd` once a person of the merchant confirmed it). Its number stands for one content for ever.
struct RefundBatch: Sendable, Hashable {
    /// What has to be known to work it off and to tell of it.
    struct Detail: Sendable, Hashable, Codable {
        var items: [Item]
        var notifyURL: String?
        /// Of the call, and so of its notification.
        var charset: String
        var signType: String
        /// Of its refunds; nil is ``RefundRoute/batch``.
        var route: RefundRoute?
    }

    struct Item: Sendable, Hashable, Codable {
        var tradeNo: String
        /// In CNY.
        var amount: String
        var reason: String
        /// `SUCCESS` or an error, once it is decided.
        var outcome: String?
        /// The id of the trade that it refunded.
        var trade: String?
    }

    var merchant: MerchantID
    var number: String
    var id: TimeOrderedID
    /// Of what the merchant sent.
    var fingerprint: [UInt8]
    var detail: Detail
    var version: Int64
    var createdAt: Timestamp
    /// When its last item was decided.
    var settledAt: Timestamp?
}

/// The rows of batches.
enum BatchRecords {
    static let migration = Migration(
        "alipay-0007-batches",
        [
            """
            CREATE TABLE alipay_batches (
                merchant TEXT NOT NULL, number TEXT NOT NULL, id $BLOB NOT NULL, fingerprint $BLOB NOT NULL, detail $BLOB NOT NULL,
                version BIGINT NOT NULL, created_at BIGINT NOT NULL, settled_at BIGINT, PRIMARY KEY (merchant, number))
            """,
            "CREATE UNIQUE INDEX alipay_batches_by_id ON alipay_batches (merchant, id)",
        ])

    private static let columns = "merchant, number, id, fingerprint, detail, version, created_at, settled_at"

    /// Returns false where the merchant has a batch of that number.
    static func insert(_ batch: RefundBatch, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "INSERT INTO alipay_batches (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [
                batch.merchant.sqlValue, .text(batch.number), batch.id.sqlValue, .blob(batch.fingerprint),
                .blob(try JSONDocument.encode(batch.detail)), .integer(batch.version), .integer(batch.createdAt.microseconds),
                .optional(batch.settledAt),
            ]) == 1
    }

    /// Stores what became of its items, if nobody changed the batch in between. `version` counts up.
    static func update(_ batch: RefundBatch, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "UPDATE alipay_batches SET detail = ?, settled_at = ?, version = version + 1 WHERE merchant = ? AND id = ? AND version = ?",
            [
                .blob(try JSONDocument.encode(batch.detail)), .optional(batch.settledAt), batch.merchant.sqlValue,
                batch.id.sqlValue, .integer(batch.version),
            ]) == 1
    }

    /// What a batch's number stands for.
    static func fingerprint(_ content: String) -> [UInt8] { RequestFingerprint(texts: [content]).bytes }

    static func find(_ number: String, merchant: MerchantID, in tx: any Transaction) throws -> RefundBatch? {
        try batches("WHERE merchant = ? AND number = ?", [merchant.sqlValue, .text(number)], in: tx).first
    }

    static func find(_ id: TimeOrderedID, merchant: MerchantID, in tx: any Transaction) throws -> RefundBatch? {
        try batches("WHERE merchant = ? AND id = ?", [merchant.sqlValue, id.sqlValue], in: tx).first
    }

    private static func batches(_ condition: String, _ bindings: [SQLValue], in tx: any Transaction) throws -> [RefundBatch] {
        try tx.query("SELECT \(columns) FROM alipay_batches \(condition)", bindings).map { row in
            RefundBatch(
                merchant: try MerchantID(row.text(0)), number: try row.text(1), id: try row.timeOrderedID(2),
                fingerprint: try row.blob(3), detail: try JSONDocument.decode(RefundBatch.Detail.self, row.blob(4)),
                version: try row.integer(5), createdAt: try row.timestamp(6), settledAt: try row.optionalTimestamp(7))
        }
    }
}
