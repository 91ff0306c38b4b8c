import BillfoldPayments
import BillfoldStorage

/// The rows of sessions. A token is stored as its keyed hash alone.
enum SessionRecords {
    static let migration = Migration(
        "provisioning-0002-sessions",
        [
            """
            CREATE TABLE provisioning_sessions (
                token_hash $BLOB NOT NULL PRIMARY KEY, id $BLOB NOT NULL, customer TEXT NOT NULL, device TEXT NOT NULL,
                created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL)
            """,
            "CREATE INDEX provisioning_sessions_by_age ON provisioning_sessions (expires_at)",
        ])

    static func insert(_ session: AppSession, token: KeyedHash, in tx: any Transaction) throws {
        try tx.execute(
            """
            INSERT INTO provisioning_sessions (token_hash, id, customer, device, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """,
            [
                .blob(token.bytes), session.id.sqlValue, .text(session.customer), .text(session.device),
                .integer(session.createdAt.microseconds), .integer(session.expiresAt.microseconds),
            ])
    }

    /// The session of a token, ended ones included for a day.
    static func find(token: KeyedHash, in tx: any Transaction) throws -> AppSession? {
        try tx.query(
            "SELECT id, customer, device, created_at, expires_at FROM provisioning_sessions WHERE token_hash = ?", [.blob(token.bytes)]
        ).first.map { row in
            AppSession(
                id: try row.timeOrderedID(0), customer: try row.text(1), device: try row.text(2), createdAt: try row.timestamp(3),
                expiresAt: try row.timestamp(4))
        }
    }

    /// Forgets sessions that ended before an instant.
    static func forget(endedBefore instant: Timestamp, in tx: any Transaction) throws {
        try tx.execute("DELETE FROM provisioning_sessions WHERE expires_at < ?", [.integer(instant.microseconds)])
    }
}
