import BillfoldPayments
import BillfoldStorage

/// The rows of contracts for automatic debit that merchants prepared. The address's token is kept as its keyed hash.
enum ContractRecords {
    static let purpose = "oauth-contract"

    static let migration = Migration(
        "wallet-0014-contracts",
        [
            """
            CREATE TABLE wallet_contracts (
                hash $BLOB NOT NULL PRIMARY KEY, client TEXT NOT NULL, terms TEXT NOT NULL, created_at BIGINT NOT NULL,
                expires_at BIGINT NOT NULL, account $BLOB, app TEXT, signed_at BIGINT)
            """
        ])

    struct Contract: Sendable {
        var client: String
        /// What the user agrees to, in the merchant's words.
        var terms: String
        var expiresAt: Timestamp
        var signedAt: Timestamp?
    }

    static func insert(_ contract: Contract, hash: KeyedHash, at now: Timestamp, in tx: any Transaction) throws {
        try tx.execute(
            """
            INSERT INTO wallet_contracts (hash, client, terms, created_at, expires_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [
                .blob(hash.bytes), .text(contract.client), .text(contract.terms), .integer(now.microseconds),
                .integer(contract.expiresAt.microseconds),
            ])
    }

    static func find(_ hash: KeyedHash, in tx: any Transaction) throws -> Contract? {
        try tx.query("SELECT client, terms, expires_at, signed_at FROM wallet_contracts WHERE hash = ?", [.blob(hash.bytes)]).first
            .map { row in
                Contract(
                    client: try row.text(0), terms: try row.text(1), expiresAt: try row.timestamp(2),
                    signedAt: try row.optionalTimestamp(3))
            }
    }

    /// Signs a contract, once. Returns false where somebody signed it already, or its time has ended.
    static func sign(_ hash: KeyedHash, by account: TimeOrderedID, app: String, at now: Timestamp, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "UPDATE wallet_contracts SET account = ?, app = ?, signed_at = ? WHERE hash = ? AND signed_at IS NULL AND expires_at > ?",
            [account.sqlValue, .text(app), .integer(now.microseconds), .blob(hash.bytes), .integer(now.microseconds)]) == 1
    }
}
