import BillfoldPayments
import BillfoldStorage

extension TradeRecords {
    /// A list is read in the order of making: an index for each way to narrow it, with that order in it.
    static let listMigration = Migration(
        "alipay-0017-lists",
        [
            "CREATE INDEX alipay_trades_by_age ON alipay_trades (merchant, created_at, id)",
            "CREATE INDEX alipay_trades_by_status ON alipay_trades (merchant, status, created_at, id)",
        ])

    /// A part of a merchant's trades, the newest first.
    static func list(_ filter: ListFilter, status: TradeStatus?, merchant: MerchantID, in tx: any Transaction) throws -> [Trade] {
        let clause = filter.clause(status.map { [("status = ?", .text($0.rawValue))] } ?? [])
        return try trades("WHERE merchant = ?\(clause.sql)", [merchant.sqlValue] + clause.values, in: tx)
    }
}
