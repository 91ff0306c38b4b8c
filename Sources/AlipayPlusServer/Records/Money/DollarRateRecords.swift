import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// The rows of rates: how much of a currency one US dollar costs, since when.
enum DollarRateRecords {
    static let migration = Migration(
        "alipayplus-0002-rates",
        [
            """
            CREATE TABLE alipay_plus_rates (
                currency TEXT NOT NULL, published_at BIGINT NOT NULL, per_dollar TEXT NOT NULL, PRIMARY KEY (currency, published_at))
            """
        ])

    /// Stores rates that hold from an instant on. Doing it again changes nothing.
    static func publish(_ rates: [(currency: Currency, rate: ExactDecimal)], at instant: Timestamp, in tx: any Transaction) throws {
        var isNew = false
        for (currency, rate) in rates {
            let rows = try tx.execute(
                "INSERT INTO alipay_plus_rates (currency, published_at, per_dollar) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [.text(currency.alphabeticCode), .integer(instant.microseconds), .text(rate.description)])
            isNew = isNew || rows > 0
        }
        if isNew { try GenerationRecords.ratesChanged(in: tx) }
    }

    /// Every rate that was ever published, of each currency the latest first.
    static func all(in tx: any Transaction) throws -> [(currency: Currency, rate: ExactDecimal, since: Timestamp)] {
        try tx.query("SELECT currency, per_dollar, published_at FROM alipay_plus_rates ORDER BY currency, published_at DESC", []).map {
            (try Currency($0.text(0)), try ExactDecimal($0.text(1)), try $0.timestamp(2))
        }
    }
}
