import BillfoldStorage

/// The rows of one-time codes that were sent: when and by which method, never the code.
enum CodeSendRecords {
    static let migration = Migration(
        "tokens-0007-code-sends",
        [
            """
            CREATE TABLE token_code_sends (
                network TEXT NOT NULL, request_id TEXT NOT NULL, token TEXT NOT NULL, method TEXT NOT NULL, at BIGINT NOT NULL,
                PRIMARY KEY (network, request_id))
            """,
            "CREATE INDEX token_code_sends_by_token ON token_code_sends (token, at)",
        ])

    static func insert(
        network: CardScheme, requestID: String, token: String, method: String, at now: Timestamp, in tx: any Transaction
    ) throws {
        try tx.execute(
            "INSERT INTO token_code_sends (network, request_id, token, method, at) VALUES (?, ?, ?, ?, ?)",
            [.text(network.rawValue), .text(requestID), .text(token), .text(method), .integer(now.microseconds)])
    }

    /// Gives a send back that certainly did not happen.
    static func remove(network: CardScheme, requestID: String, in tx: any Transaction) throws {
        try tx.execute(
            "DELETE FROM token_code_sends WHERE network = ? AND request_id = ?", [.text(network.rawValue), .text(requestID)])
    }

    /// How many were sent for any token of a card.
    static func count(card: String, since instant: Timestamp, in tx: any Transaction) throws -> Int {
        let row = try tx.query(
            """
            SELECT COUNT(*) FROM token_code_sends
            WHERE token IN (SELECT token FROM token_decisions WHERE card = ?) AND at > ?
            """, [.text(card), .integer(instant.microseconds)])[0]
        return Int(try row.integer(0))
    }

    static func count(token: String, since instant: Timestamp, in tx: any Transaction) throws -> Int {
        let row = try tx.query(
            "SELECT COUNT(*) FROM token_code_sends WHERE token = ? AND at > ?", [.text(token), .integer(instant.microseconds)])[0]
        return Int(try row.integer(0))
    }
}
