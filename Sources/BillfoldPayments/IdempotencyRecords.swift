public import BillfoldStorage

/// The rows of idempotency: written in the same transaction as the change they guard, never before and never in a cache.
public enum IdempotencyRecords {
    static let migration = Migration(
        "payments-0001-idempotency",
        [
            """
            CREATE TABLE idempotency_keys (
                caller TEXT NOT NULL, operation TEXT NOT NULL, key TEXT NOT NULL, fingerprint $BLOB NOT NULL, subject $BLOB,
                result $BLOB, created_at BIGINT NOT NULL, PRIMARY KEY (caller, operation, key))
            """,
            "CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at)",
        ])

    /// Takes the key for this transaction, or says what it already stands for.
    ///
    /// - Parameters:
    ///   - key: Whose wish it is and for what; it is never overwritten.
    ///   - fingerprint: Of this request. Another than the stored one is a ``IdempotencyOutcome/conflict``.
    ///   - subject: What the request works on.
    ///   - result: The result, when it is known already; otherwise the key stays ``IdempotencyOutcome/running(subject:)`` until
    ///     ``finish(_:result:in:)``.
    ///   - at: Now; the key's age counts from here.
    ///   - tx: The one that makes the guarded change: both are kept or neither.
    public static func begin(
        _ key: IdempotencyKey, fingerprint: RequestFingerprint, subject: TimeOrderedID? = nil, result: [UInt8]? = nil, at: Timestamp,
        in tx: any Transaction
    ) throws -> IdempotencyOutcome {
        // Insert first: on a conflict the engine waits for whoever inserts the same key, so the read below sees its row.
        let inserted = try tx.execute(
            """
            INSERT INTO idempotency_keys (caller, operation, key, fingerprint, subject, result, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [
                .text(key.caller), .text(key.operation), .text(key.key), .blob(fingerprint.bytes), subject?.sql ?? .null,
                result.map(SQLValue.blob) ?? .null, .integer(at.microseconds),
            ])
        if inserted == 1 { return .unseen }
        guard let outcome = try find(key, fingerprint: fingerprint, in: tx) else {
            throw PaymentsError(code: .contended, reason: "an idempotency key was taken and is not readable yet")
        }
        return outcome
    }

    /// Looks a key up without taking it; `nil` when it is unseen.
    public static func find(
        _ key: IdempotencyKey, fingerprint: RequestFingerprint, in tx: any Transaction
    ) throws -> IdempotencyOutcome? {
        let rows = try tx.query(
            "SELECT fingerprint, subject, result FROM idempotency_keys WHERE caller = ? AND operation = ? AND key = ?",
            [.text(key.caller), .text(key.operation), .text(key.key)])
        guard let row = rows.first else { return nil }
        guard try row.blob(0) == fingerprint.bytes else { return .conflict }
        if let result = try row.optionalBlob(2) { return .finished(result: result) }
        return .running(subject: try row.optionalBlob(1).map { try TimeOrderedID(bytes: $0) })
    }

    /// Stores the final result. The first result stays: a second call changes nothing and returns false.
    @discardableResult
    public static func finish(_ key: IdempotencyKey, result: [UInt8], in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "UPDATE idempotency_keys SET result = ? WHERE caller = ? AND operation = ? AND key = ? AND result IS NULL",
            [.blob(result), .text(key.caller), .text(key.operation), .text(key.key)]) == 1
    }

    /// Gives the key back after a transient failure that had no effect, so that a retry can make progress.
    public static func release(_ key: IdempotencyKey, in tx: any Transaction) throws {
        try tx.execute(
            "DELETE FROM idempotency_keys WHERE caller = ? AND operation = ? AND key = ? AND result IS NULL",
            [.text(key.caller), .text(key.operation), .text(key.key)])
    }

    /// Forgets finished keys older than `instant`. Natural keys (the merchant's reference, the acquirer's key) stay for ever,
    /// so a forgotten key still cannot pay twice. Keep keys at least 25 hours, the longest retry schedule.
    @discardableResult
    public static func forget(before instant: Timestamp, in tx: any Transaction) throws -> Int {
        try tx.execute(
            "DELETE FROM idempotency_keys WHERE created_at < ? AND result IS NOT NULL", [.integer(instant.microseconds)])
    }
}

extension IdempotencyRecords {
    /// The stored result, or `nil` while there is none.
    public static func result(_ key: IdempotencyKey, in tx: any Transaction) throws -> [UInt8]? {
        try tx.query(
            "SELECT result FROM idempotency_keys WHERE caller = ? AND operation = ? AND key = ?",
            [.text(key.caller), .text(key.operation), .text(key.key)]
        ).first.flatMap { try $0.optionalBlob(0) }
    }
}
