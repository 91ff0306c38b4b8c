import BillfoldPayments
import BillfoldStorage

/// The rows of payment codes. A code is kept as its keyed hash: whoever has it can pay.
enum PaymentCodeRecords {
    static let migration = Migration(
        "alipayplus-0005-codes",
        [
            """
            CREATE TABLE alipay_plus_codes (
                hash $BLOB NOT NULL PRIMARY KEY, wallet TEXT NOT NULL, customer TEXT NOT NULL, issued_at BIGINT NOT NULL,
                expires_at BIGINT NOT NULL, payment $BLOB)
            """,
            "CREATE INDEX alipay_plus_codes_by_age ON alipay_plus_codes (expires_at)",
        ])

    /// A code is of no use after its minute; what it paid knows its payment.
    static let retention = RetentionRule.ended("alipay_plus_codes", key: ["hash"], where: "expires_at < ?")

    struct Found: Sendable {
        var wallet: String
        var customer: String
        var expiresAt: Timestamp
        var isUsed: Bool
    }

    /// Returns false where there is such a code already: another is drawn.
    static func insert(
        _ hash: KeyedHash, wallet: String, customer: String, from now: Timestamp, to end: Timestamp, in tx: any Transaction
    ) throws -> Bool {
        try tx.execute(
            "INSERT INTO alipay_plus_codes (hash, wallet, customer, issued_at, expires_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [.blob(hash.bytes), .text(wallet), .text(customer), .integer(now.microseconds), .integer(end.microseconds)]) == 1
    }

    static func find(_ hash: KeyedHash, in tx: any Transaction) throws -> Found? {
        try tx.query("SELECT wallet, customer, expires_at, payment FROM alipay_plus_codes WHERE hash = ?", [.blob(hash.bytes)]).first.map {
            Found(
                wallet: try $0.text(0), customer: try $0.text(1), expiresAt: try $0.timestamp(2), isUsed: try $0.optionalBlob(3) != nil)
        }
    }

    /// Takes a code for a payment: it pays once. Returns false where another payment has it, or its time has ended.
    static func take(_ hash: KeyedHash, for payment: TimeOrderedID, at now: Timestamp, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "UPDATE alipay_plus_codes SET payment = ? WHERE hash = ? AND payment IS NULL AND expires_at > ?",
            [payment.sqlValue, .blob(hash.bytes), .integer(now.microseconds)]) == 1
    }
}
