import BillfoldStorage

/// The rows of accounts and of the names that they log in with.
enum AccountRecords {
    static let migration = Migration(
        "wallet-0001-accounts",
        [
            """
            CREATE TABLE wallet_accounts (
                id $BLOB NOT NULL PRIMARY KEY, number TEXT NOT NULL UNIQUE, name TEXT NOT NULL, state TEXT NOT NULL,
                masked_login TEXT NOT NULL, login_hash TEXT NOT NULL, login_failures BIGINT NOT NULL, login_locked_until BIGINT,
                payment_hash TEXT NOT NULL, payment_failures BIGINT NOT NULL, payment_locked_until BIGINT, created_at BIGINT NOT NULL)
            """,
            "CREATE TABLE wallet_logins (name TEXT NOT NULL PRIMARY KEY, account $BLOB NOT NULL)",
            "CREATE INDEX wallet_logins_by_account ON wallet_logins (account)",
        ])

    private static let columns = """
        id, number, name, state, masked_login, login_hash, login_failures, login_locked_until, payment_hash, payment_failures,
        payment_locked_until, created_at
        """

    /// Returns false when the number or one of the names is taken; the caller then throws, so that nothing stays.
    static func insert(_ account: WalletAccount, logins: [LoginName], in tx: any Transaction) throws -> Bool {
        let inserted = try tx.execute(
            """
            INSERT INTO wallet_accounts (id, number, name, state, masked_login, login_hash, login_failures, payment_hash,
                payment_failures, created_at)
            VALUES (?, ?, ?, ?, ?, ?, 0, ?, 0, ?) ON CONFLICT DO NOTHING
            """,
            [
                account.id.sqlValue, .text(account.number), .text(account.name), .text(account.state.rawValue),
                .text(account.maskedLogin), .text(account.login.hash), .text(account.payment.hash),
                .integer(account.createdAt.microseconds),
            ])
        guard inserted == 1 else { return false }
        for login in logins {
            let named = try tx.execute(
                "INSERT INTO wallet_logins (name, account) VALUES (?, ?) ON CONFLICT DO NOTHING",
                [.text(login.description), account.id.sqlValue])
            guard named == 1 else { return false }
        }
        return true
    }

    static func find(_ id: TimeOrderedID, in tx: any Transaction) throws -> WalletAccount? {
        try tx.query("SELECT \(columns) FROM wallet_accounts WHERE id = ?", [id.sqlValue]).first.map(read)
    }

    static func find(number: String, in tx: any Transaction) throws -> WalletAccount? {
        try tx.query("SELECT \(columns) FROM wallet_accounts WHERE number = ?", [.text(number)]).first.map(read)
    }

    static func find(login: LoginName, in tx: any Transaction) throws -> WalletAccount? {
        let rows = try tx.query("SELECT account FROM wallet_logins WHERE name = ?", [.text(login.description)])
        return try rows.first.flatMap { try find($0.timeOrderedID(0), in: tx) }
    }

    /// The names that an account logs in with, in the order of their texts.
    static func logins(of account: TimeOrderedID, in tx: any Transaction) throws -> [String] {
        try tx.query("SELECT name FROM wallet_logins WHERE account = ? ORDER BY name", [account.sqlValue]).map { try $0.text(0) }
    }

    static func all(limit: Int, in tx: any Transaction) throws -> [WalletAccount] {
        try tx.query("SELECT \(columns) FROM wallet_accounts ORDER BY id LIMIT ?", [.integer(Int64(limit))]).map(read)
    }

    /// Counts a wrong try; the last of `limit` tries locks the password until `until` and starts the count anew. One statement, so
    /// that tries at the same time are each counted. Returns false when the password is locked already: then nothing is counted.
    static func countFailure(
        _ kind: WalletAccount.PasswordKind, of id: TimeOrderedID, limit: Int64, until: Timestamp, at now: Timestamp,
        in tx: any Transaction
    ) throws -> Bool {
        let name = kind.rawValue
        return try tx.execute(
            """
            UPDATE wallet_accounts SET
                \(name)_locked_until = CASE WHEN \(name)_failures + 1 >= ? THEN ? ELSE \(name)_locked_until END,
                \(name)_failures = CASE WHEN \(name)_failures + 1 >= ? THEN 0 ELSE \(name)_failures + 1 END
            WHERE id = ? AND (\(name)_locked_until IS NULL OR \(name)_locked_until <= ?)
            """,
            [
                .integer(limit), .integer(until.microseconds), .integer(limit), id.sqlValue, .integer(now.microseconds),
            ]) == 1
    }

    /// Takes a right try. Returns false when the password is locked or was changed since it was compared, or the account is frozen:
    /// the try then counts for nothing, and must look like a wrong one.
    static func takeSuccess(
        _ kind: WalletAccount.PasswordKind, of id: TimeOrderedID, hash: String, at now: Timestamp, in tx: any Transaction
    ) throws -> Bool {
        let name = kind.rawValue
        return try tx.execute(
            """
            UPDATE wallet_accounts SET \(name)_failures = 0, \(name)_locked_until = NULL
            WHERE id = ? AND \(name)_hash = ? AND state = 'active' AND (\(name)_locked_until IS NULL OR \(name)_locked_until <= ?)
            """, [id.sqlValue, .text(hash), .integer(now.microseconds)]) == 1
    }

    /// Returns false when the account is in that state already.
    static func setState(_ state: WalletAccount.State, of id: TimeOrderedID, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "UPDATE wallet_accounts SET state = ? WHERE id = ? AND state <> ?",
            [.text(state.rawValue), id.sqlValue, .text(state.rawValue)]) == 1
    }

    private static func read(_ row: Row) throws -> WalletAccount {
        func password(_ column: Int) throws -> WalletAccount.Password {
            WalletAccount.Password(
                hash: try row.text(column), failures: try row.integer(column + 1),
                lockedUntil: try row.optionalInteger(column + 2).map { Timestamp(microseconds: $0) })
        }
        return WalletAccount(
            id: try row.timeOrderedID(0), number: try row.text(1), name: try row.text(2), state: try row.named(3),
            maskedLogin: try row.text(4), login: try password(5), payment: try password(8), createdAt: try row.timestamp(11))
    }
}
