import BillfoldPayments
import BillfoldStorage

/// How often a merchant called what it may call so often a day: all processes count together.
enum DailyCallRecords {
    static let migration = Migration(
        "alipay-0008-daily-calls",
        [
            """
            CREATE TABLE alipay_daily_calls (
                merchant TEXT NOT NULL, service TEXT NOT NULL, day TEXT NOT NULL, calls BIGINT NOT NULL,
                PRIMARY KEY (merchant, service, day))
            """
        ])

    /// Counts one call. Returns false where the day's calls are used up.
    ///
    /// - Parameter day: In China. Earlier days are forgotten.
    static func admit(_ service: String, of merchant: MerchantID, day: String, limit: Int64, in tx: any Transaction) throws -> Bool {
        let name: [SQLValue] = [merchant.sqlValue, .text(service), .text(day)]
        let isFirst = try tx.execute(
            "INSERT INTO alipay_daily_calls (merchant, service, day, calls) VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING", name)
        if isFirst == 1 { try tx.execute("DELETE FROM alipay_daily_calls WHERE merchant = ? AND service = ? AND day <> ?", name) }
        return try tx.execute(
            "UPDATE alipay_daily_calls SET calls = calls + 1 WHERE merchant = ? AND service = ? AND day = ? AND calls < ?",
            name + [.integer(limit)]) == 1
    }
}
