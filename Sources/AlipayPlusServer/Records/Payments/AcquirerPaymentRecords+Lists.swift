import BillfoldPayments
import BillfoldStorage

extension AcquirerPaymentRecords {
    /// A list is read in the order of making: an index for each way to narrow it, with that order in it.
    static let listMigration = Migration(
        "alipayplus-0012-lists",
        [
            "CREATE INDEX alipay_plus_payments_by_age ON alipay_plus_payments (acquirer, created_at, id)",
            "CREATE INDEX alipay_plus_payments_by_state ON alipay_plus_payments (acquirer, state, created_at, id)",
        ])

    /// A part of an acquirer's payments, the newest first.
    static func list(
        _ filter: ListFilter, state: CollectionStanding.State?, acquirer: MerchantID, in tx: any Transaction
    ) throws -> [AcquirerPayment] {
        let clause = filter.clause(state.map { [("state = ?", .text($0.rawValue))] } ?? [])
        return try payments("WHERE acquirer = ?\(clause.sql)", [acquirer.sqlValue] + clause.values, in: tx)
    }
}
