import BillfoldPayments
import BillfoldStorage

/// The gateway's tables, beside those of the payment books. Keys start with the merchant; rates are the installation's.
enum AlipaySchema {
    static let migrations: [Migration] =
        PaymentsSchema.migrations + [
            MerchantRecords.migration, RateRecords.migration, TradeOrderRecords.migration, TradeRecords.migration, RefundRecords.migration,
            NotificationRecords.migration, BatchRecords.migration, DailyCallRecords.migration, RefundRecords.sharesMigration,
            RefundRecords.owedMigration, TradeRecords.walletMigration, RefundRecords.walletMigration, SellerBalanceRecords.migration,
            SellerBalanceRecords.splitMigration, PayoutRecords.migration, NotificationRecords.detailsMigration, TradeRecords.listMigration,
        ]
}
