import BillfoldPayments
import BillfoldStorage

/// The rows of token pairs: one for each exchanged code, whose tokens change with every refresh. Tokens are kept as keyed hashes.
enum OAuthTokenRecords {
    static let accessPurpose = "oauth-access"
    static let refreshPurpose = "oauth-refresh"

    static let migration = Migration(
        "wallet-0013-oauth-tokens",
        [
            """
            CREATE TABLE wallet_oauth_tokens (
                code_hash $BLOB NOT NULL PRIMARY KEY, account $BLOB NOT NULL, app TEXT NOT NULL, client TEXT NOT NULL,
                scopes TEXT NOT NULL, access_hash $BLOB NOT NULL, access_until BIGINT NOT NULL, refresh_hash $BLOB NOT NULL,
                refresh_until BIGINT NOT NULL, previous_refresh_hash $BLOB, issued_at BIGINT NOT NULL, ended_at BIGINT)
            """,
            "CREATE UNIQUE INDEX wallet_oauth_tokens_by_access ON wallet_oauth_tokens (access_hash)",
            "CREATE UNIQUE INDEX wallet_oauth_tokens_by_refresh ON wallet_oauth_tokens (refresh_hash)",
            "CREATE INDEX wallet_oauth_tokens_by_previous ON wallet_oauth_tokens (previous_refresh_hash)",
            "CREATE INDEX wallet_oauth_tokens_by_user ON wallet_oauth_tokens (account, app)",
        ])

    struct Tokens: Sendable {
        /// Of the code that they were given for, and their name for ever.
        var code: KeyedHash
        var account: TimeOrderedID
        var app: String
        var client: String
        var scopes: Set<String>
        var access: KeyedHash
        var accessUntil: Timestamp
        var refresh: KeyedHash
        var refreshUntil: Timestamp
        /// When this pair was given.
        var issuedAt: Timestamp
        var endedAt: Timestamp?
    }

    static func insert(_ tokens: Tokens, in tx: any Transaction) throws {
        try tx.execute(
            """
            INSERT INTO wallet_oauth_tokens (code_hash, account, app, client, scopes, access_hash, access_until, refresh_hash,
                refresh_until, issued_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .blob(tokens.code.bytes), tokens.account.sqlValue, .text(tokens.app), .text(tokens.client),
                .text(ScopeList.text(tokens.scopes)), .blob(tokens.access.bytes), .integer(tokens.accessUntil.microseconds),
                .blob(tokens.refresh.bytes), .integer(tokens.refreshUntil.microseconds), .integer(tokens.issuedAt.microseconds),
            ])
    }

    /// Puts a new pair in the place of the one that has this refresh token. Returns false when another refresh was first, or they have ended.
    static func rotate(_ old: KeyedHash, to tokens: Tokens, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            """
            UPDATE wallet_oauth_tokens SET access_hash = ?, access_until = ?, refresh_hash = ?, refresh_until = ?,
                previous_refresh_hash = ?, issued_at = ?
            WHERE code_hash = ? AND refresh_hash = ? AND ended_at IS NULL
            """,
            [
                .blob(tokens.access.bytes), .integer(tokens.accessUntil.microseconds), .blob(tokens.refresh.bytes),
                .integer(tokens.refreshUntil.microseconds), .blob(old.bytes), .integer(tokens.issuedAt.microseconds),
                .blob(tokens.code.bytes), .blob(old.bytes),
            ]) == 1
    }

    static func find(access: KeyedHash, in tx: any Transaction) throws -> Tokens? { try find("access_hash", access, in: tx) }
    static func find(refresh: KeyedHash, in tx: any Transaction) throws -> Tokens? { try find("refresh_hash", refresh, in: tx) }
    /// By a refresh token that was rotated last.
    static func find(previousRefresh: KeyedHash, in tx: any Transaction) throws -> Tokens? {
        try find("previous_refresh_hash", previousRefresh, in: tx)
    }

    private static func find(_ column: String, _ hash: KeyedHash, in tx: any Transaction) throws -> Tokens? {
        try tx.query(
            """
            SELECT code_hash, account, app, client, scopes, access_hash, access_until, refresh_hash, refresh_until, issued_at, ended_at
            FROM wallet_oauth_tokens WHERE \(column) = ?
            """, [.blob(hash.bytes)]
        ).first.map { row in
            Tokens(
                code: KeyedHash(stored: try row.blob(0)), account: try row.timeOrderedID(1), app: try row.text(2),
                client: try row.text(3), scopes: ScopeList.scopes(try row.text(4)), access: KeyedHash(stored: try row.blob(5)),
                accessUntil: try row.timestamp(6), refresh: KeyedHash(stored: try row.blob(7)), refreshUntil: try row.timestamp(8),
                issuedAt: try row.timestamp(9), endedAt: try row.optionalTimestamp(10))
        }
    }

    static func end(code: KeyedHash, at now: Timestamp, in tx: any Transaction) throws {
        try tx.execute(
            "UPDATE wallet_oauth_tokens SET ended_at = ? WHERE code_hash = ? AND ended_at IS NULL",
            [.integer(now.microseconds), .blob(code.bytes)])
    }

    /// Ends a user's tokens for a mini program.
    static func end(_ account: TimeOrderedID, app: String, at now: Timestamp, in tx: any Transaction) throws {
        try tx.execute(
            "UPDATE wallet_oauth_tokens SET ended_at = ? WHERE account = ? AND app = ? AND ended_at IS NULL",
            [.integer(now.microseconds), account.sqlValue, .text(app)])
    }
}
