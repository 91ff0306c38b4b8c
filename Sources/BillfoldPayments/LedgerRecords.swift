public import BillfoldMoney
public import BillfoldStorage

/// The rows of the double-entry ledger.
///
/// Balances are sums over append-only postings, so no account is a row that every payment must lock. The primary key
/// (merchant, source, template, ordinal, line) makes booking the same fact twice impossible, whatever the code above does.
public enum LedgerRecords {
    static let migration = Migration(
        "payments-0003-ledger",
        [
            """
            CREATE TABLE ledger_postings (
                merchant TEXT NOT NULL, source $BLOB NOT NULL, template TEXT NOT NULL, ordinal BIGINT NOT NULL, line BIGINT NOT NULL,
                account TEXT NOT NULL, currency TEXT NOT NULL, amount BIGINT NOT NULL, at BIGINT NOT NULL,
                PRIMARY KEY (merchant, source, template, ordinal, line))
            """
        ])

    /// The statement that books a filled template. One statement for all legs: an entry cannot be stored in part.
    public static func booking(
        _ template: PostingTemplate, merchant: MerchantID, source: TimeOrderedID, ordinal: Int64 = 0, amount: Int64, fee: Int64 = 0,
        currency: Currency, at: Timestamp
    ) throws(PaymentsError) -> Statement {
        let legs = try template.filled(amount: amount, fee: fee)
        var bindings: [SQLValue] = []
        bindings.reserveCapacity(9 * legs.count)
        for (line, leg) in legs.enumerated() {
            bindings.append(merchant.sql)
            bindings.append(source.sql)
            bindings.append(.text(template.name))
            bindings.append(.integer(ordinal))
            bindings.append(.integer(Int64(line)))
            bindings.append(.text(leg.account.name))
            bindings.append(.text(currency.alphabeticCode))
            bindings.append(.integer(leg.amount))
            bindings.append(.integer(at.microseconds))
        }
        return Statement(insert(legs: legs.count), bindings)
    }

    private static let insertions = (0...8).map { legs in
        """
        INSERT INTO ledger_postings (merchant, source, template, ordinal, line, account, currency, amount, at) VALUES \
        \(Array(repeating: "(?, ?, ?, ?, ?, ?, ?, ?, ?)", count: legs).joined(separator: ", "))
        """
    }

    private static func insert(legs: Int) -> String {
        legs < insertions.count
            ? insertions[legs]
            : "INSERT INTO ledger_postings (merchant, source, template, ordinal, line, account, currency, amount, at) VALUES "
                + Array(repeating: "(?, ?, ?, ?, ?, ?, ?, ?, ?)", count: legs).joined(separator: ", ")
    }

    /// What every account holds in each of its currencies, added up from the postings, in the order of their names.
    public static func trialBalance(_ merchant: MerchantID, in tx: any Transaction) throws -> TrialBalance {
        let rows = try tx.query(
            """
            SELECT account, currency, CAST(SUM(amount) AS BIGINT) FROM ledger_postings
            WHERE merchant = ? GROUP BY account, currency ORDER BY account, currency
            """, [merchant.sql])
        return TrialBalance(
            accounts: try rows.map { row in
                AccountBalance(
                    account: try row.text(0),
                    balance: Amount(minorUnits: try row.integer(2), currency: try Currency(row.text(1))))
            })
    }

    /// What one account holds in one currency, added up from the postings; zero where it has none.
    public static func balance(
        of account: LedgerAccount, _ currency: Currency, merchant: MerchantID, in tx: any Transaction
    ) throws -> Amount {
        let rows = try tx.query(
            """
            SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM ledger_postings
            WHERE merchant = ? AND account = ? AND currency = ?
            """, [merchant.sql, .text(account.name), .text(currency.alphabeticCode)])
        return Amount(minorUnits: try rows[0].integer(0), currency: currency)
    }

    /// The postings of one payment, modification or settlement, in the order of their lines.
    public static func postings(of source: TimeOrderedID, merchant: MerchantID, in tx: any Transaction) throws -> [Posting] {
        try tx.query(
            """
            SELECT template, ordinal, line, account, currency, amount, at FROM ledger_postings
            WHERE merchant = ? AND source = ? ORDER BY at, template, ordinal, line
            """, [merchant.sql, source.sql]
        ).map { row in
            Posting(
                source: source, template: try row.text(0), ordinal: try row.integer(1), line: try row.integer(2),
                account: try row.text(3), amount: Amount(minorUnits: try row.integer(5), currency: try Currency(row.text(4))),
                at: Timestamp(microseconds: try row.integer(6)))
        }
    }
}
