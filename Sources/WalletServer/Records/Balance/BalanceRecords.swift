import BillfoldMoney
import BillfoldStorage

/// What a customer has: free, and held for payments that are not settled.
struct Balance: Sendable, Hashable {
    var available: Amount
    var held: Amount
}

/// The rows of balances. The ledger is the truth; these rows are what refuses an overdraft, in one conditional statement each, and
/// they change in the transaction that books the entry.
enum BalanceRecords {
    static let migration = Migration(
        "wallet-0003-balances",
        [
            """
            CREATE TABLE wallet_balances (
                account $BLOB NOT NULL, currency TEXT NOT NULL, available BIGINT NOT NULL, held BIGINT NOT NULL,
                PRIMARY KEY (account, currency), CHECK (available >= 0), CHECK (held >= 0))
            """
        ])

    static func open(account: TimeOrderedID, currency: Currency, in tx: any Transaction) throws {
        try tx.execute(
            "INSERT INTO wallet_balances (account, currency, available, held) VALUES (?, ?, 0, 0) ON CONFLICT DO NOTHING",
            [account.sqlValue, .text(currency.alphabeticCode)])
    }

    static func find(_ account: TimeOrderedID, _ currency: Currency, in tx: any Transaction) throws -> Balance {
        let row = try tx.query(
            "SELECT available, held FROM wallet_balances WHERE account = ? AND currency = ?",
            [account.sqlValue, .text(currency.alphabeticCode)]
        ).first
        return Balance(
            available: Amount(minorUnits: try row?.integer(0) ?? 0, currency: currency),
            held: Amount(minorUnits: try row?.integer(1) ?? 0, currency: currency))
    }

    /// Returns false, changing nothing, when there is no such balance.
    static func credit(_ amount: Amount, _ account: TimeOrderedID, in tx: any Transaction) throws -> Bool {
        try change("available = available + ?", with: [amount], amount: amount, account: account, whereSQL: "", in: tx)
    }

    /// Returns false, changing nothing, when there is less.
    static func debit(_ amount: Amount, _ account: TimeOrderedID, in tx: any Transaction) throws -> Bool {
        try change("available = available - ?", with: [amount], amount: amount, account: account, whereSQL: " AND available >= ?", in: tx)
    }

    /// Sets an amount aside. Returns false, changing nothing, when there is less.
    static func hold(_ amount: Amount, _ account: TimeOrderedID, in tx: any Transaction) throws -> Bool {
        try change(
            "available = available - ?, held = held + ?", with: [amount, amount], amount: amount, account: account,
            whereSQL: " AND available >= ?", in: tx)
    }

    /// Gives up what was set aside: it was paid.
    static func capture(_ amount: Amount, _ account: TimeOrderedID, in tx: any Transaction) throws -> Bool {
        try change("held = held - ?", with: [amount], amount: amount, account: account, whereSQL: " AND held >= ?", in: tx)
    }

    /// Gives back what was set aside.
    static func release(_ amount: Amount, _ account: TimeOrderedID, in tx: any Transaction) throws -> Bool {
        try change(
            "available = available + ?, held = held - ?", with: [amount, amount], amount: amount, account: account,
            whereSQL: " AND held >= ?", in: tx)
    }

    /// The sums over all accounts.
    static func totals(_ currency: Currency, in tx: any Transaction) throws -> Balance {
        let row = try tx.query(
            """
            SELECT CAST(COALESCE(SUM(available), 0) AS BIGINT), CAST(COALESCE(SUM(held), 0) AS BIGINT) FROM wallet_balances
            WHERE currency = ?
            """, [.text(currency.alphabeticCode)])[0]
        return Balance(
            available: Amount(minorUnits: try row.integer(0), currency: currency),
            held: Amount(minorUnits: try row.integer(1), currency: currency))
    }

    private static func change(
        _ assignments: String, with amounts: [Amount], amount: Amount, account: TimeOrderedID, whereSQL: String, in tx: any Transaction
    ) throws -> Bool {
        guard amount.isPositive else { throw WalletError(code: .invalidAmount, reason: "an amount is more than nothing") }
        var bindings = amounts.map { SQLValue.integer($0.minorUnits) } + [account.sqlValue, .text(amount.currency.alphabeticCode)]
        if !whereSQL.isEmpty { bindings.append(.integer(amount.minorUnits)) }
        return try tx.execute(
            "UPDATE wallet_balances SET \(assignments) WHERE account = ? AND currency = ?\(whereSQL)", bindings) == 1
    }
}
