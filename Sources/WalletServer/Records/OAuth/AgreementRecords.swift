import BillfoldStorage

/// The rows of users' agreements. What a user has agreed to with a mini program is the union of its rows that were not withdrawn.
enum AgreementRecords {
    static let migration = Migration(
        "wallet-0011-agreements",
        [
            """
            CREATE TABLE wallet_agreements (
                account $BLOB NOT NULL, app TEXT NOT NULL, id $BLOB NOT NULL, scopes TEXT NOT NULL, agreed_at BIGINT NOT NULL,
                withdrawn_at BIGINT, PRIMARY KEY (account, app, id))
            """
        ])

    struct Agreement: Sendable {
        var id: TimeOrderedID
        var app: String
        var scopes: Set<String>
        var agreedAt: Timestamp
    }

    static func insert(_ agreement: Agreement, account: TimeOrderedID, in tx: any Transaction) throws {
        try tx.execute(
            "INSERT INTO wallet_agreements (account, app, id, scopes, agreed_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [
                account.sqlValue, .text(agreement.app), agreement.id.sqlValue, .text(ScopeList.text(agreement.scopes)),
                .integer(agreement.agreedAt.microseconds),
            ])
    }

    /// Those that hold, the oldest first; of every mini program where none is named.
    static func live(_ account: TimeOrderedID, app: String? = nil, in tx: any Transaction) throws -> [Agreement] {
        try tx.query(
            """
            SELECT id, app, scopes, agreed_at FROM wallet_agreements
            WHERE account = ? AND withdrawn_at IS NULL\(app == nil ? "" : " AND app = ?") ORDER BY app, id
            """, [account.sqlValue] + (app.map { [.text($0)] } ?? [])
        ).map { row in
            Agreement(
                id: try row.timeOrderedID(0), app: try row.text(1), scopes: ScopeList.scopes(try row.text(2)),
                agreedAt: try row.timestamp(3))
        }
    }

    /// Keeps a user's agreements with a mini program as they are until this write is done: whoever withdraws them waits, and then finds
    /// what was issued under them.
    static func hold(_ account: TimeOrderedID, app: String, in tx: any Transaction) throws {
        try tx.execute(
            "UPDATE wallet_agreements SET withdrawn_at = NULL WHERE account = ? AND app = ? AND withdrawn_at IS NULL",
            [account.sqlValue, .text(app)])
    }

    /// Returns how many were withdrawn.
    static func withdraw(_ account: TimeOrderedID, app: String, at now: Timestamp, in tx: any Transaction) throws -> Int {
        try tx.execute(
            "UPDATE wallet_agreements SET withdrawn_at = ? WHERE account = ? AND app = ? AND withdrawn_at IS NULL",
            [.integer(now.microseconds), account.sqlValue, .text(app)])
    }
}

/// Scopes in one column: names hold no blanks.
enum ScopeList {
    static func text(_ scopes: Set<String>) -> String { scopes.sorted().joined(separator: " ") }
    static func scopes(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }
}
