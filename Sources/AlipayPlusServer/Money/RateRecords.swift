import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// The rows of rates: how much of a currency one US dollar costs, since when.
enum RateRecords {
    static let migration = Migration(
        "alipayplus-0002-rates",
        [
            """
            CREATE TABLE alipay_plus_rates (
                currency TEXT NOT NULL, published_at BIGINT NOT NULL, per_dollar TEXT NOT NULL, PRIMARY KEY (currency, published_at))
            """
        ])

    static func put(_ rate: ExactDecimal, of currency: Currency, at instant: Timestamp, in tx: any Transaction) throws {
        try tx.execute(
            "INSERT INTO alipay_plus_rates (currency, published_at, per_dollar) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [.text(currency.alphabeticCode), .integer(instant.microseconds), .text(rate.description)])
    }

    /// What holds at an instant; a dollar costs a dollar.
    static func current(_ currency: Currency, at now: Timestamp, in tx: any Transaction) throws -> (rate: ExactDecimal, since: Timestamp)? {
        if currency == .usd { return (try ExactDecimal("1"), Timestamp(microseconds: 0)) }
        return try tx.query(
            """
            SELECT per_dollar, published_at FROM alipay_plus_rates WHERE currency = ? AND published_at <= ?
            ORDER BY published_at DESC LIMIT 1
            """, [.text(currency.alphabeticCode), .integer(now.microseconds)]
        ).first.map { (try ExactDecimal($0.text(0)), try $0.timestamp(1)) }
    }
}
