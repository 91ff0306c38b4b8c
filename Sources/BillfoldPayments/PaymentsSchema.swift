public import BillfoldStorage

/// The tables of the payment books. Every primary key starts with the merchant, so that one payment touches one shard; the
/// exception is idempotency, whose caller is the merchant's authenticated identity.
public enum PaymentsSchema {
    /// In the order in which they must run. Additive: a released migration never changes.
    public static let migrations: [Migration] = [
        IdempotencyRecords.migration, OrderRecords.migration, LedgerRecords.migration, PaymentRecords.migration,
        AuditRecords.migration, ModificationRecords.migration, OutboxRecords.migration, DeadlineRecords.migration,
        AlarmRecords.migration,
    ]
}
