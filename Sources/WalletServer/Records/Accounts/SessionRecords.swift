import BillfoldPayments
import BillfoldStorage

/// A customer's stay at the wallet. The cookie's token itself is never stored, only its keyed hash.
struct WalletSession: Sendable, Hashable {
    let token: KeyedHash
    let account: TimeOrderedID
    let createdAt: Timestamp
    let expiresAt: Timestamp
    var usedAt: Timestamp

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.token.matches(rhs.token) }
    func hash(into hasher: inout Hasher) { hasher.combine(token.bytes) }
}

/// The rows of sessions.
enum SessionRecords {
    static let migration = Migration(
        "wallet-0002-sessions",
        [
            """
            CREATE TABLE wallet_sessions (
                token_hash $BLOB NOT NULL PRIMARY KEY, account $BLOB NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL,
                used_at BIGINT NOT NULL)
            """,
            "CREATE INDEX wallet_sessions_by_age ON wallet_sessions (expires_at)",
            "CREATE INDEX wallet_sessions_by_account ON wallet_sessions (account)",
        ])

    static func insert(_ session: WalletSession, in tx: any Transaction) throws {
        try tx.execute(
            """
            INSERT INTO wallet_sessions (token_hash, account, created_at, expires_at, used_at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """,
            [
                .blob(session.token.bytes), session.account.sqlValue, .integer(session.createdAt.microseconds),
                .integer(session.expiresAt.microseconds), .integer(session.usedAt.microseconds),
            ])
    }

    static func find(_ token: KeyedHash, in tx: any Transaction) throws -> WalletSession? {
        try tx.query(
            "SELECT account, created_at, expires_at, used_at FROM wallet_sessions WHERE token_hash = ?", [.blob(token.bytes)]
        ).first.map { row in
            WalletSession(
                token: token, account: try row.timeOrderedID(0), createdAt: try row.timestamp(1), expiresAt: try row.timestamp(2),
                usedAt: try row.timestamp(3))
        }
    }

    static func touch(_ token: KeyedHash, at now: Timestamp, in tx: any Transaction) throws {
        try tx.execute("UPDATE wallet_sessions SET used_at = ? WHERE token_hash = ?", [.integer(now.microseconds), .blob(token.bytes)])
    }

    static func delete(_ token: KeyedHash, in tx: any Transaction) throws {
        try tx.execute("DELETE FROM wallet_sessions WHERE token_hash = ?", [.blob(token.bytes)])
    }

    static func delete(of account: TimeOrderedID, in tx: any Transaction) throws {
        try tx.execute("DELETE FROM wallet_sessions WHERE account = ?", [account.sqlValue])
    }

    static func delete(expiredBy now: Timestamp, in tx: any Transaction) throws {
        try tx.execute("DELETE FROM wallet_sessions WHERE expires_at <= ?", [.integer(now.microseconds)])
    }
}
