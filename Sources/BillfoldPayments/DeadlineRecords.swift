public import BillfoldStorage

/// The rows of deadlines.
public enum DeadlineRecords {
    static let migration = Migration(
        "payments-0008-deadlines",
        [
            """
            CREATE TABLE deadlines (
                merchant TEXT NOT NULL, subject $BLOB NOT NULL, kind TEXT NOT NULL, due_at BIGINT NOT NULL, attempt BIGINT NOT NULL,
                PRIMARY KEY (merchant, subject, kind))
            """,
            "CREATE INDEX deadlines_by_time ON deadlines (due_at)",
        ])

    /// The statement that arms a deadline. One that is armed already stays as it is.
    public static func arming(_ deadline: Deadline) -> Statement {
        Statement(
            "INSERT INTO deadlines (merchant, subject, kind, due_at, attempt) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [
                deadline.merchant.sql, deadline.subject.sql, .text(deadline.kind), .integer(deadline.dueAt.microseconds),
                .integer(deadline.attempt),
            ])
    }

    /// The statement that removes a deadline, if there is one.
    public static func disarming(_ kind: String, subject: TimeOrderedID, merchant: MerchantID) -> Statement {
        Statement(
            "DELETE FROM deadlines WHERE merchant = ? AND subject = ? AND kind = ?", [merchant.sql, subject.sql, .text(kind)])
    }

    /// The deadline of this kind that the subject has now; `nil` where none is armed.
    public static func find(
        _ kind: String, subject: TimeOrderedID, merchant: MerchantID, in tx: any Transaction
    ) throws -> Deadline? {
        try tx.query(
            "SELECT due_at, attempt FROM deadlines WHERE merchant = ? AND subject = ? AND kind = ?",
            [merchant.sql, subject.sql, .text(kind)]
        ).first.map { row in
            Deadline(
                merchant: merchant, subject: subject, kind: kind, dueAt: Timestamp(microseconds: try row.integer(0)),
                attempt: try row.integer(1))
        }
    }

    /// Claims what is due, oldest first, and leases it. A lease is in its owner's time, like the row.
    ///
    /// - Parameters:
    ///   - due: Says what is due.
    ///   - held: What this process has under way, and claims no second time, however far time was moved meanwhile.
    static func claim(
        limit: Int, lease: Duration, due: DueTimes, held: Set<Deadline.Key> = [], in tx: any Transaction
    ) throws -> [Deadline] {
        let (isDue, values) = due.condition(owner: "merchant")
        let rows = try tx.query(
            "SELECT merchant, subject, kind, due_at, attempt FROM deadlines WHERE \(isDue) ORDER BY due_at LIMIT ?",
            values + [.integer(Int64(limit + held.count))])
        let found = try rows.map { row in
            Deadline(
                merchant: try MerchantID(row.text(0)), subject: try TimeOrderedID(bytes: row.blob(1)), kind: try row.text(2),
                dueAt: Timestamp(microseconds: try row.integer(3)), attempt: try row.integer(4) + 1)
        }
        let free = found.filter { !held.contains($0.key) }.prefix(limit)
        let changed = try tx.executeBatch(
            free.map { deadline in
                Statement(
                    """
                    UPDATE deadlines SET due_at = ?, attempt = attempt + 1
                    WHERE merchant = ? AND subject = ? AND kind = ? AND attempt = ? AND due_at = ?
                    """,
                    [
                        .integer(due.now(of: deadline.merchant.description).advanced(by: lease).microseconds), deadline.merchant.sql,
                        deadline.subject.sql, .text(deadline.kind), .integer(deadline.attempt - 1), .integer(deadline.dueAt.microseconds),
                    ])
            })
        return zip(free, changed).filter { $0.1 == 1 }.map(\.0)
    }

    /// Stores what the handler wants. Returns false when the lease was lost, or the handler removed the deadline itself.
    @discardableResult
    static func finish(_ deadline: Deadline, _ outcome: DeadlineOutcome, in tx: any Transaction) throws -> Bool {
        let key: [SQLValue] = [deadline.merchant.sql, deadline.subject.sql, .text(deadline.kind), .integer(deadline.attempt)]
        switch outcome {
        case .done:
            return try tx.execute("DELETE FROM deadlines WHERE merchant = ? AND subject = ? AND kind = ? AND attempt = ?", key) == 1
        case .again(let instant):
            return try tx.execute(
                "UPDATE deadlines SET due_at = ? WHERE merchant = ? AND subject = ? AND kind = ? AND attempt = ?",
                [.integer(instant.microseconds)] + key) == 1
        }
    }
}
