import BillfoldPayments
import BillfoldStorage

/// The wallet's tables, beside those of the payment books; those of the super app stand last.
enum WalletSchema {
    static let migrations: [Migration] =
        PaymentsSchema.migrations + [
            AccountRecords.migration, SessionRecords.migration, BalanceRecords.migration, HoldRecords.migration, RefundRecords.migration,
            CheckoutRecords.migration, HoldRecords.contradictionsMigration, HoldRecords.bookMigration, AlipayPlusPaymentRecords.migration,
            SignerRecords.migration, AgreementRecords.migration, OAuthCodeRecords.migration, OAuthTokenRecords.migration,
            ContractRecords.migration, MiniProgramRecords.migration,
        ]
}
