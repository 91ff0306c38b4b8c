import BillfoldEvents
import BillfoldPayments
import BillfoldStorage

/// The issuer host's tables, beside those of the payment books.
enum ProvisioningSchema {
    static let migrations: [Migration] =
        PaymentsSchema.migrations + [
            CardRecords.migration, SessionRecords.migration, CallerKeyRecords.migration, ProgrammeRecords.migration,
            PassDataRecords.migration, DecisionRecords.migration, AllowListRecords.migration, TokenRecords.migration,
            ActionRecords.migration, ReviewRecords.migration, MessageRecords.migration, CodeSendRecords.migration,
            CardHoldRecords.migration, LostDeviceRecords.migration, UsedCodeRecords.migration, CardRecords.fetchMigration,
            ActionRecords.resolutionMigration, SuspensionRecords.migration, CardEventRecords.migration,
            CardImportRecords.migration, ChangeFeedRecords.migration, TokenRecords.listMigration,
            CustomerRecords.migration, ActionRecords.attemptsMigration,
        ] + EventsSchema.migrations(of: "tokens", from: 15, runsWith: "tokens-0014-action-attempts")
}
