import BillfoldPayments
import BillfoldStorage

/// The gateway's tables, beside those of the payment books. Keys start with the acquirer; parties, rates and codes are the installation's.
enum AlipayPlusSchema {
    static let migrations: [Migration] =
        PaymentsSchema.migrations + [
            AlipayPlusPartyRecords.migration, DollarRateRecords.migration, AcquirerPaymentRecords.migration,
            AcquirerRefundRecords.migration,
            PaymentCodeRecords.migration, NotificationRecords.migration, AcquirerPaymentAlarmRecords.migration,
            AuthorizationRecords.migration,
            GenerationRecords.migration, AcquirerPaymentRecords.legRequestsMigration, NotificationRecords.detailsMigration,
            AcquirerPaymentRecords.listMigration,
        ]
}
