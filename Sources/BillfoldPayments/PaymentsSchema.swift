public import BillfoldStorage

/// The tables of the payment books. Every primary key starts with the merchant, so that one payment touches one shard; the
/// exception is idempotency, whose caller is the merchant's authenticated identity.
public enum PaymentsSchema {
    /// In the order in which they must run. Additive: a released migration never changes.
    public static let migrations: [Migration] = [
        IdempotencyRecords.migration, OrderRecords.migration, LedgerRecords.migration, PaymentRecords.migration,
        AuditRecords.migration, ModificationRecords.migration, OutboxRecords.migration, DeadlineRecords.migration,
        AlarmRecords.migration, inOrder, unsettled, awaited, UnmatchedNoticeRecords.migration, RetentionRecords.migration,
        OrderRecords.lists, ModificationRecords.answers,
    ]

    /// Lists of an order's or a day's rows are wanted in the order of their ids. An index that does not hold it is passed over for
    /// the primary key, and every list reads all that the merchant ever booked.
    private static let inOrder = Migration(
        "payments-0010-indexes-in-order",
        [
            "DROP INDEX payments_by_order", "CREATE INDEX payments_by_order ON payments (merchant, order_id, id)",
            "DROP INDEX payments_by_settlement_day",
            "CREATE INDEX payments_by_settlement_day ON payments (merchant, settlement_day, id)",
            "DROP INDEX modifications_by_payment", "CREATE INDEX modifications_by_payment ON modifications (merchant, payment_id, id)",
            "DROP INDEX modifications_by_settlement_day",
            "CREATE INDEX modifications_by_settlement_day ON modifications (merchant, settlement_day, id)",
        ])

    /// What is still awaited is a handful of rows among all that were ever booked: the index holds no others.
    private static let unsettled = Migration(
        "payments-0011-unsettled",
        [
            """
            CREATE INDEX payments_unsettled ON payments (merchant, created_at)
                WHERE state IN ('created', 'authorised', 'submitted', 'accepted', 'unknown')
            """
        ])

    /// The same index by comparisons: to look a state up in a list, SQLite makes a table for each row that is written.
    private static let awaited = Migration(
        "payments-0012-awaited",
        [
            """
            CREATE INDEX payments_awaited ON payments (merchant, created_at)
                WHERE state = 'created' OR state = 'authorised' OR state = 'submitted' OR state = 'accepted' OR state = 'unknown'
            """,
            "DROP INDEX payments_unsettled",
        ])
}
