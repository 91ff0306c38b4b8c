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
            ActionRecords.resolutionMigration,
        ] + EventsSchema.migrations(of: "tokens", from: 12, runsWith: "tokens-0011-action-resolutions")
}
