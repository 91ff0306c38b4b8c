import BillfoldPayments
import BillfoldStorage

/// The rows of callers' keys: keyed hashes alone.
enum CallerKeyRecords {
    static let migration = Migration(
        "provisioning-0003-caller-keys",
        [
            """
            CREATE TABLE provisioning_caller_keys (
                key_hash $BLOB NOT NULL PRIMARY KEY, caller TEXT NOT NULL, created_at BIGINT NOT NULL, revoked_at BIGINT)
            """
        ])

    /// Returns false when the key is known already.
    static func insert(_ key: KeyedHash, for caller: String, at now: Timestamp, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "INSERT INTO provisioning_caller_keys (key_hash, caller, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [.blob(key.bytes), .text(caller), .integer(now.microseconds)]) == 1
    }

    /// Makes a key usable by a caller, whoever had it and whether or not it had ended.
    static func use(_ key: KeyedHash, for caller: String, at now: Timestamp, in tx: any Transaction) throws {
        if try insert(key, for: caller, at: now, in: tx) { return }
        try tx.execute(
            "UPDATE provisioning_caller_keys SET caller = ?, revoked_at = NULL WHERE key_hash = ?", [.text(caller), .blob(key.bytes)])
    }

    static func revokeAll(at now: Timestamp, in tx: any Transaction) throws {
        try tx.execute("UPDATE provisioning_caller_keys SET revoked_at = ? WHERE revoked_at IS NULL", [.integer(now.microseconds)])
    }

    /// Returns false when the key was not in use.
    static func revoke(_ key: KeyedHash, at now: Timestamp, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "UPDATE provisioning_caller_keys SET revoked_at = ? WHERE key_hash = ? AND revoked_at IS NULL",
            [.integer(now.microseconds), .blob(key.bytes)]) == 1
    }

    /// Who uses a key; `nil` for one that is unknown or has ended.
    static func caller(of key: KeyedHash, in tx: any Transaction) throws -> String? {
        try tx.query("SELECT caller FROM provisioning_caller_keys WHERE key_hash = ? AND revoked_at IS NULL", [.blob(key.bytes)])
            .first.map { try $0.text(0) }
    }

    /// Whether a key was in use once, and is not any more.
    static func hasEnded(_ key: KeyedHash, in tx: any Transaction) throws -> Bool {
        try !tx.query("SELECT caller FROM provisioning_caller_keys WHERE key_hash = ? AND revoked_at IS NOT NULL", [.blob(key.bytes)])
            .isEmpty
    }
}
