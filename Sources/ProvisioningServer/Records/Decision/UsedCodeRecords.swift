import BillfoldPayments
import BillfoldStorage

/// The rows of the bank's codes in activation data that a request was let in by: each speaks for one request.
enum UsedCodeRecords {
    static let migration = Migration(
        "tokens-0010-used-codes",
        [
            """
            CREATE TABLE token_used_codes (
                card TEXT NOT NULL, code $BLOB NOT NULL, network TEXT NOT NULL, request_id TEXT NOT NULL, at BIGINT NOT NULL,
                PRIMARY KEY (card, code))
            """
        ])

    /// Returns false when another request used the code.
    static func use(
        _ code: KeyedHash, card: String, network: CardScheme, requestID: String, at now: Timestamp, in tx: any Transaction
    ) throws -> Bool {
        try tx.execute(
            "INSERT INTO token_used_codes (card, code, network, request_id, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [.text(card), .blob(code.bytes), .text(network.rawValue), .text(requestID), .integer(now.microseconds)]) == 1
    }
}
