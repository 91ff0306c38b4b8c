import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// What a merchant got of its balance on a bank account.
struct Payout: Sendable, Hashable {
    var merchant: MerchantID
    /// Stands for one payout for ever.
    var request: String
    var id: TimeOrderedID
    var amount: Amount
    var by: String
    var reason: String
    var at: Timestamp
}

/// Payouts, and what they left for refunds.
///
/// Balances are sums over postings, so no payment waits for another. Whoever was never paid out has every payment still, and its refunds
/// need no look. For whom was, a row holds a lower bound of the balance at which refunds and payouts take turns; payments make the balance
/// larger than it says, so it is summed anew only where it does not suffice.
enum SellerBalanceRecords {
    static let migration = Migration(
        "alipay-0013-payouts",
        [
            """
            CREATE TABLE alipay_payouts (
                merchant TEXT NOT NULL, request TEXT NOT NULL, id $BLOB NOT NULL, amount BIGINT NOT NULL, currency TEXT NOT NULL,
                requested_by TEXT NOT NULL, reason TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (merchant, request))
            """,
            """
            CREATE TABLE alipay_seller_balances (
                merchant TEXT NOT NULL, currency TEXT NOT NULL, paid_out BIGINT NOT NULL, available BIGINT NOT NULL,
                PRIMARY KEY (merchant, currency))
            """,
        ])

    /// Takes what a refund costs from a merchant's balance. False where there is less.
    static func take(_ amount: Amount, of merchant: MerchantID, in tx: any Transaction) throws -> Bool {
        guard amount.isPositive else { return true }
        let row = try hold(amount.currency, of: merchant, in: tx)
        guard row.paidOut > 0 else { return true }
        return try take(amount, of: merchant, leaving: row, paidOut: row.paidOut, in: tx)
    }

    /// Stores a payout once. Nil where its request stands for one already, and false where the merchant has less.
    static func payOut(_ payout: Payout, in tx: any Transaction) throws -> Bool? {
        let row = try hold(payout.amount.currency, of: payout.merchant, in: tx)
        let isNew = try tx.execute(
            """
            INSERT INTO alipay_payouts (merchant, request, id, amount, currency, requested_by, reason, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """,
            [
                payout.merchant.sqlValue, .text(payout.request), payout.id.sqlValue, .integer(payout.amount.minorUnits),
                .text(payout.amount.currency.alphabeticCode), .text(payout.by), .text(payout.reason), .integer(payout.at.microseconds),
            ])
        guard isNew == 1 else { return nil }
        // Without one before, the bound is nothing, and the balance is summed.
        let (paidOut, overflow) = row.paidOut.addingReportingOverflow(payout.amount.minorUnits)
        guard !overflow, try take(payout.amount, of: payout.merchant, leaving: row, paidOut: paidOut, in: tx) else { return false }
        try tx.executeBatch([TradeBooks.payout(payout)])
        return true
    }

    private struct Row {
        var paidOut: Int64
        var available: Int64
    }

    /// Whoever holds the row decides alone until the write ends: refunds of different trades would both see the last cent.
    private static func hold(_ currency: Currency, of merchant: MerchantID, in tx: any Transaction) throws -> Row {
        let key: [SQLValue] = [merchant.sqlValue, .text(currency.alphabeticCode)]
        try tx.execute(
            "INSERT INTO alipay_seller_balances (merchant, currency, paid_out, available) VALUES (?, ?, 0, 0) ON CONFLICT DO NOTHING", key)
        // Changes nothing, and holds the row.
        try tx.execute("UPDATE alipay_seller_balances SET paid_out = paid_out WHERE merchant = ? AND currency = ?", key)
        let row = try tx.query("SELECT paid_out, available FROM alipay_seller_balances WHERE merchant = ? AND currency = ?", key)[0]
        return Row(paidOut: try row.integer(0), available: try row.integer(1))
    }

    private static func take(
        _ amount: Amount, of merchant: MerchantID, leaving row: Row, paidOut: Int64, in tx: any Transaction
    ) throws -> Bool {
        var available = row.available
        if available < amount.minorUnits {
            available = try -LedgerRecords.balance(
                of: TradeBooks.merchant(merchant), amount.currency, merchant: merchant, in: tx
            ).minorUnits
        }
        guard available >= amount.minorUnits else { return false }
        try tx.execute(
            "UPDATE alipay_seller_balances SET paid_out = ?, available = ? WHERE merchant = ? AND currency = ?",
            [
                .integer(paidOut), .integer(available - amount.minorUnits), merchant.sqlValue, .text(amount.currency.alphabeticCode),
            ])
        return true
    }
}
