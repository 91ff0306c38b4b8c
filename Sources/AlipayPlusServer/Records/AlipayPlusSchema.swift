import BillfoldPayments
import BillfoldStorage

/// The gateway's tables, beside those of the payment books. Keys start with the acquirer; parties, rates and codes are the installation's.
enum AlipayPlusSchema {
    static let migrations: [Migration] =
        PaymentsSchema.migrations + [
            PartyRecords.migration, RateRecords.migration, AcquirerPaymentRecords.migration, AcquirerRefundRecords.migration,
            PaymentCodeRecords.migration, NotificationRecords.migration, GatewayAlarmRecords.migration, AuthorizationRecords.migration,
            GenerationRecords.migration, AcquirerPaymentRecords.legRequestsMigration,
        ]
}
