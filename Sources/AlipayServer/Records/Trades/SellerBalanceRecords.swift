import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// Payouts, and what they and the receivers of split payments left for refunds.
///
/// Balances are sums over postings, so no payment waits for another. Whoever was never paid out, and never split a payment, has every
/// payment still, and its refunds need no look. For whom was, a row holds a lower bound of the balance at which refunds and payouts take
/// turns; payments make the balance larger than it says, so it is summed anew only where it does not suffice.
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

    /// Merchants whose payments were split before that was noted. `paid_out` is more than nothing once anything but a refund has left.
    static let splitMigration = Migration(
        "alipay-0014-split-balances",
        [
            """
            UPDATE alipay_seller_balances SET paid_out = 1 WHERE paid_out = 0 AND EXISTS (
                SELECT 1 FROM ledger_postings WHERE ledger_postings.merchant = alipay_seller_balances.merchant
                AND ledger_postings.currency = alipay_seller_balances.currency AND ledger_postings.template = 'trade-split')
            """,
            """
            INSERT INTO alipay_seller_balances (merchant, currency, paid_out, available)
            SELECT DISTINCT merchant, currency, 1, 0 FROM ledger_postings WHERE template = 'trade-split' ON CONFLICT DO NOTHING
            """,
        ])

    /// Notes that receivers got a part of a payment: the merchant has less than it was paid, and its refunds look at the balance from now
    /// on. Only the first such payment holds the row.
    static func split(_ amount: Int64, _ currency: Currency, of merchant: MerchantID, in tx: any Transaction) throws {
        guard amount > 0 else { return }
        try add(currency, of: merchant, in: tx)
        try tx.execute(
            "UPDATE alipay_seller_balances SET paid_out = ? WHERE merchant = ? AND currency = ? AND paid_out = 0",
            [.integer(amount), merchant.sqlValue, .text(currency.alphabeticCode)])
    }

    /// Looks whether the receivers of split payments have what a refund takes back from them: the receiver that has not, nil where all
    /// have.
    static func missing(_ shares: [TakenShare], _ currency: Currency, of merchant: MerchantID, in tx: any Transaction) throws -> String? {
        guard !shares.isEmpty else { return nil }
        // The merchant's row stands for its receivers', too: they are paid out behind it.
        _ = try hold(currency, of: merchant, in: tx)
        let taken = Dictionary(shares.map { ($0.receiver, $0.settlement) }, uniquingKeysWith: +)
        for (receiver, amount) in taken.sorted(by: { $0.key < $1.key }) {
            guard try balance(of: TradeBooks.receiver(receiver), currency, merchant, in: tx) >= amount else { return receiver }
        }
        return nil
    }

    /// Takes what a refund costs from a merchant's balance. False where there is less.
    static func take(_ amount: Amount, of merchant: MerchantID, in tx: any Transaction) throws -> Bool {
        guard amount.isPositive else { return true }
        let row = try hold(amount.currency, of: merchant, in: tx)
        guard row.paidOut > 0 else { return true }
        return try take(amount, of: merchant, leaving: row, paidOut: row.paidOut, in: tx)
    }

    /// Stores a payout once. Nil where its request stands for one already, and false where the merchant or the receiver has less.
    static func payOut(_ payout: Payout, in tx: any Transaction) throws -> Bool? {
        let row = try hold(payout.amount.currency, of: payout.merchant, in: tx)
        guard try PayoutRecords.insert(payout, in: tx) else { return nil }
        if let receiver = payout.receiver {
            let account = TradeBooks.receiver(receiver)
            guard try balance(of: account, payout.amount.currency, payout.merchant, in: tx) >= payout.amount.minorUnits else {
                return false
            }
        } else {
            // Without one before, the bound is nothing, and the balance is summed.
            let (paidOut, overflow) = row.paidOut.addingReportingOverflow(payout.amount.minorUnits)
            guard !overflow, try take(payout.amount, of: payout.merchant, leaving: row, paidOut: paidOut, in: tx) else { return false }
        }
        try tx.executeBatch([TradeBooks.payout(payout)])
        return true
    }

    /// What we owe an account.
    private static func balance(
        of account: LedgerAccount, _ currency: Currency, _ merchant: MerchantID, in tx: any Transaction
    ) throws -> Int64 {
        try -LedgerRecords.balance(of: account, currency, merchant: merchant, in: tx).minorUnits
    }

    private struct Row {
        var paidOut: Int64
        var available: Int64
    }

    /// Whoever holds the row decides alone until the write ends: refunds of different trades would both see the last cent.
    private static func hold(_ currency: Currency, of merchant: MerchantID, in tx: any Transaction) throws -> Row {
        let key: [SQLValue] = [merchant.sqlValue, .text(currency.alphabeticCode)]
        try add(currency, of: merchant, in: tx)
        // Changes nothing, and holds the row.
        try tx.execute("UPDATE alipay_seller_balances SET paid_out = paid_out WHERE merchant = ? AND currency = ?", key)
        let row = try tx.query("SELECT paid_out, available FROM alipay_seller_balances WHERE merchant = ? AND currency = ?", key)[0]
        return Row(paidOut: try row.integer(0), available: try row.integer(1))
    }

    private static func add(_ currency: Currency, of merchant: MerchantID, in tx: any Transaction) throws {
        try tx.execute(
            "INSERT INTO alipay_seller_balances (merchant, currency, paid_out, available) VALUES (?, ?, 0, 0) ON CONFLICT DO NOTHING",
            [merchant.sqlValue, .text(currency.alphabeticCode)])
    }

    private static func take(
        _ amount: Amount, of merchant: MerchantID, leaving row: Row, paidOut: Int64, in tx: any Transaction
    ) throws -> Bool {
        var available = row.available
        if available < amount.minorUnits {
            available = try balance(of: TradeBooks.merchant(merchant), amount.currency, merchant, in: tx)
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
