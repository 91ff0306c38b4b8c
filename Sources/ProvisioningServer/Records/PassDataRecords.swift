import BillfoldPayments
import BillfoldStorage

/// The rows of pass-data requests: one for each session and nonce, written once, with the answer that every repetition gets.
enum PassDataRecords {
    struct Request: Sendable, Hashable {
        var session: TimeOrderedID
        var nonce: [UInt8]
        /// SHA-256 over nonce and signature: one challenge belongs to one session.
        var challenge: [UInt8]
        var fingerprint: RequestFingerprint
        var card: String
        /// Of the one-time code in the activation data, where the network's form has one.
        var authenticationCode: KeyedHash?
        /// ``PassDataAnswer/json``.
        var result: [UInt8]
        var at: Timestamp
    }

    /// What a session's nonce was used for before.
    struct Earlier: Sendable {
        var fingerprint: [UInt8]
        var result: [UInt8]
    }

    static let migration = Migration(
        "provisioning-0005-pass-data",
        [
            """
            CREATE TABLE provisioning_pass_data (
                session $BLOB NOT NULL, nonce $BLOB NOT NULL, challenge $BLOB NOT NULL, fingerprint $BLOB NOT NULL, card TEXT NOT NULL,
                authentication_code $BLOB, result $BLOB NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (session, nonce))
            """,
            "CREATE UNIQUE INDEX provisioning_pass_data_by_challenge ON provisioning_pass_data (challenge)",
            "CREATE INDEX provisioning_pass_data_by_card ON provisioning_pass_data (card, at)",
        ])

    static func find(session: TimeOrderedID, nonce: [UInt8], in tx: any Transaction) throws -> Earlier? {
        try tx.query(
            "SELECT fingerprint, result FROM provisioning_pass_data WHERE session = ? AND nonce = ?",
            [session.sqlValue, .blob(nonce)]
        ).first.map { Earlier(fingerprint: try $0.blob(0), result: try $0.blob(1)) }
    }

    /// Returns false when the session's nonce, or the challenge, was used before.
    static func insert(_ request: Request, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            """
            INSERT INTO provisioning_pass_data (session, nonce, challenge, fingerprint, card, authentication_code, result, at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [
                request.session.sqlValue, .blob(request.nonce), .blob(request.challenge), .blob(request.fingerprint.bytes),
                .text(request.card), request.authenticationCode.map { SQLValue.blob($0.bytes) } ?? .null, .blob(request.result),
                .integer(request.at.microseconds),
            ]) == 1
    }

    /// Whether this host put that one-time code into activation data for the card since an instant.
    static func isIssued(
        authenticationCode: KeyedHash, card: String, since instant: Timestamp, in tx: any Transaction
    ) throws -> Bool {
        try !tx.query(
            "SELECT at FROM provisioning_pass_data WHERE card = ? AND at >= ? AND authentication_code = ?",
            [.text(card), .integer(instant.microseconds), .blob(authenticationCode.bytes)]
        ).isEmpty
    }
}
