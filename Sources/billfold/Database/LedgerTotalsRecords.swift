import BillfoldStorage

/// The ledger's sums over all merchants, which only an operator's check asks for: it reads every posting.
enum LedgerTotalsRecords {
    struct Total {
        var currency: String
        var postings: Int64
        /// In minor units; zero in a sound ledger.
        var sum: Int64
    }

    /// One source of postings whose legs do not cancel out.
    struct Imbalance {
        var merchant: String
        /// The payment or other source, in hexadecimal digits.
        var source: String
        var currency: String
        var sum: Int64
    }

    static func totals(in transaction: any Transaction) throws -> [Total] {
        try transaction.query(
            "SELECT currency, COUNT(*), CAST(SUM(amount) AS BIGINT) FROM ledger_postings GROUP BY currency ORDER BY currency"
        ).map { Total(currency: try $0.text(0), postings: try $0.integer(1), sum: try $0.integer(2)) }
    }

    static func imbalances(in transaction: any Transaction) throws -> [Imbalance] {
        try transaction.query(
            """
            SELECT merchant, source, currency, CAST(SUM(amount) AS BIGINT) FROM ledger_postings
            GROUP BY merchant, source, currency HAVING SUM(amount) <> 0 ORDER BY merchant, source LIMIT 100
            """
        ).map { row in
            let source = try row.blob(1).map { String($0 >> 4, radix: 16) + String($0 & 0x0F, radix: 16) }.joined()
            return Imbalance(merchant: try row.text(0), source: source, currency: try row.text(2), sum: try row.integer(3))
        }
    }
}
