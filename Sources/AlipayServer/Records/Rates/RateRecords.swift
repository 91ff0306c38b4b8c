import BillfoldMoney
import BillfoldStorage

/// The published rates: each row is CNY for one major unit of a currency from an instant on.
enum RateRecords {
    static let migration = Migration(
        "alipay-0002-rates",
        [
            """
            CREATE TABLE alipay_rates (
                currency TEXT NOT NULL, published_at BIGINT NOT NULL, rate TEXT NOT NULL, PRIMARY KEY (currency, published_at))
            """
        ])

    /// Publishing a rate twice for one instant keeps the first.
    static func publish(_ quote: RateFile.Quote, in tx: any Transaction) throws {
        try tx.execute(
            "INSERT INTO alipay_rates (currency, published_at, rate) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [.text(quote.currency.alphabeticCode), .integer(quote.publishedAt.microseconds), .text(quote.rate.description)])
    }

    /// The rate that holds at an instant, if it is not older than `lifetime`.
    static func current(
        _ currency: Currency, at now: Timestamp, within lifetime: Duration? = nil, in tx: any Transaction
    ) throws -> RateFile.Quote? {
        let oldest = lifetime.map { now.advanced(by: .zero - $0).microseconds } ?? .min
        return try tx.query(
            """
            SELECT currency, published_at, rate FROM alipay_rates WHERE currency = ? AND published_at <= ? AND published_at >= ?
            ORDER BY published_at DESC LIMIT 1
            """,
            [.text(currency.alphabeticCode), .integer(now.microseconds), .integer(oldest)]
        ).first.map(read)
    }

    /// The rates that hold at an instant, one per currency.
    static func all(at now: Timestamp, within lifetime: Duration? = nil, in tx: any Transaction) throws -> [RateFile.Quote] {
        let currencies = try tx.query(
            "SELECT DISTINCT currency FROM alipay_rates WHERE published_at <= ? ORDER BY currency", [.integer(now.microseconds)])
        return try currencies.compactMap { try current(Currency($0.text(0)), at: now, within: lifetime, in: tx) }
    }

    private static func read(_ row: Row) throws -> RateFile.Quote {
        RateFile.Quote(
            currency: try Currency(row.text(0)), rate: try ExactDecimal(row.text(2)), publishedAt: try row.timestamp(1))
    }
}
