import BillfoldPayments
import BillfoldStorage
import MiniPrograms

/// The rows of authorization codes. A code is kept as its keyed hash: whoever has it gets tokens.
enum OAuthCodeRecords {
    static let purpose = "oauth-code"

    static let migration = Migration(
        "wallet-0012-oauth-codes",
        [
            """
            CREATE TABLE wallet_oauth_codes (
                hash $BLOB NOT NULL PRIMARY KEY, account $BLOB NOT NULL, app TEXT NOT NULL, client TEXT NOT NULL, scopes TEXT NOT NULL,
                issued_at BIGINT NOT NULL, used_at BIGINT, ended_at BIGINT)
            """,
            "CREATE INDEX wallet_oauth_codes_by_user ON wallet_oauth_codes (account, app)",
            "CREATE INDEX wallet_oauth_codes_by_age ON wallet_oauth_codes (issued_at)",
        ])

    struct Code: Sendable {
        var account: TimeOrderedID
        var app: String
        var client: String
        var scopes: Set<String>
        var issuedAt: Timestamp
        var usedAt: Timestamp?
        /// When the user took back what it was given for.
        var endedAt: Timestamp?

        var issued: CodeExchange.IssuedCode {
            CodeExchange.IssuedCode(
                appID: app, authClientID: client, issuedAt: issuedAt.microseconds / 1_000_000, isUsed: usedAt != nil)
        }
    }

    static func insert(_ code: Code, hash: KeyedHash, in tx: any Transaction) throws {
        try tx.execute(
            """
            INSERT INTO wallet_oauth_codes (hash, account, app, client, scopes, issued_at) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """,
            [
                .blob(hash.bytes), code.account.sqlValue, .text(code.app), .text(code.client), .text(ScopeList.text(code.scopes)),
                .integer(code.issuedAt.microseconds),
            ])
    }

    static func find(_ hash: KeyedHash, in tx: any Transaction) throws -> Code? {
        try tx.query(
            "SELECT account, app, client, scopes, issued_at, used_at, ended_at FROM wallet_oauth_codes WHERE hash = ?", [.blob(hash.bytes)]
        ).first.map { row in
            Code(
                account: try row.timeOrderedID(0), app: try row.text(1), client: try row.text(2),
                scopes: ScopeList.scopes(try row.text(3)), issuedAt: try row.timestamp(4),
                usedAt: try row.optionalTimestamp(5),
                endedAt: try row.optionalTimestamp(6))
        }
    }

    /// Uses a code, once: of all who present it at the same time one gets true.
    static func take(_ hash: KeyedHash, at now: Timestamp, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "UPDATE wallet_oauth_codes SET used_at = ? WHERE hash = ? AND used_at IS NULL AND ended_at IS NULL",
            [.integer(now.microseconds), .blob(hash.bytes)]) == 1
    }

    /// Ends a user's codes for a mini program. Before tokens are: an exchange under way holds its code's row, and its tokens are then there.
    static func end(_ account: TimeOrderedID, app: String, at now: Timestamp, in tx: any Transaction) throws {
        try tx.execute(
            "UPDATE wallet_oauth_codes SET ended_at = ? WHERE account = ? AND app = ? AND ended_at IS NULL",
            [.integer(now.microseconds), account.sqlValue, .text(app)])
    }

    static func delete(issuedBefore instant: Timestamp, in tx: any Transaction) throws {
        try tx.execute("DELETE FROM wallet_oauth_codes WHERE issued_at < ?", [.integer(instant.microseconds)])
    }
}
