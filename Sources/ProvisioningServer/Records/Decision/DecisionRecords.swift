import ApplePay
import BillfoldJSON
import BillfoldPayments
package import BillfoldStorage
import Foundation

/// An answer to a network, with what led to it.
package struct StoredDecision: Sendable, Hashable {
    package var network: CardScheme
    /// The network's name for the request.
    package var requestID: String
    package var id: TimeOrderedID
    /// `nil` when no card of ours has the number.
    package var card: String?
    package var token: String
    /// The network's reference for the card number, if it has made one.
    package var primaryAccountIdentifier: String
    package var decision: Decision
    package var inputs: DecisionInputs
    /// The attempt that the request belongs to, where a test tells it. Nothing is decided by it.
    package var attempt: String?

    package var at: Timestamp { inputs.at }
}

/// The rows of decisions. They are written once.
package enum DecisionRecords {
    static let migration = Migration(
        "tokens-0001-decisions",
        [
            """
            CREATE TABLE token_decisions (
                network TEXT NOT NULL, request_id TEXT NOT NULL, id $BLOB NOT NULL, card TEXT, token TEXT NOT NULL,
                account_identifier TEXT NOT NULL, secure_element TEXT NOT NULL, colour TEXT NOT NULL, decision $BLOB NOT NULL, inputs $BLOB NOT NULL, attempt TEXT,
                at BIGINT NOT NULL, PRIMARY KEY (network, request_id))
            """,
            "CREATE INDEX token_decisions_by_card ON token_decisions (card, secure_element, at)",
            "CREATE INDEX token_decisions_by_token ON token_decisions (token)",
            "CREATE INDEX token_decisions_by_age ON token_decisions (id)",
        ])

    private static let columns = "network, request_id, id, card, token, account_identifier, decision, inputs, attempt"

    static func insert(_ row: StoredDecision, in tx: any Transaction) throws {
        try tx.execute(
            """
            INSERT INTO token_decisions (\(columns), secure_element, colour, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(row.network.rawValue), .text(row.requestID), row.id.sqlValue, .optional(row.card),
                .text(row.token), .text(row.primaryAccountIdentifier), .blob(try JSONDocument.encode(row.decision)),
                .blob(try JSONDocument.encode(row.inputs)), .optional(row.attempt),
                .text(row.inputs.device.secureElement), .text(row.decision.colour.rawValue), .integer(row.at.microseconds),
            ])
    }

    /// When the card was let into the secure element, oldest first.
    static func provisionings(card: String, secureElement: String, in tx: any Transaction) throws -> [Timestamp] {
        try tx.query(
            "SELECT at FROM token_decisions WHERE card = ? AND secure_element = ? AND colour <> 'red' ORDER BY at",
            [.text(card), .text(secureElement)]
        ).map { try $0.timestamp(0) }
    }

    /// The card's tokens in other secure elements that were let in since an instant and that the network has not told of yet.
    static func countUntold(
        card: String, outside secureElement: String, since instant: Timestamp, in tx: any Transaction
    ) throws -> Int {
        let row = try tx.query(
            """
            SELECT COUNT(DISTINCT token) FROM token_decisions
            WHERE card = ? AND secure_element <> ? AND colour <> 'red' AND at > ?
                AND NOT EXISTS (SELECT 1 FROM tokens WHERE tokens.reference = token_decisions.token)
            """, [.text(card), .text(secureElement), .integer(instant.microseconds)])[0]
        return Int(try row.integer(0))
    }

    package static func find(network: CardScheme, requestID: String, in tx: any Transaction) throws -> StoredDecision? {
        try tx.query(
            "SELECT \(columns) FROM token_decisions WHERE network = ? AND request_id = ?", [.text(network.rawValue), .text(requestID)]
        ).first.map(read)
    }

    /// The latest decision about a token, of those at one instant the gravest; all are of one network, and of one card of ours.
    package static func find(token: String, in tx: any Transaction) throws -> StoredDecision? {
        try tx.query(
            """
            SELECT \(columns) FROM token_decisions WHERE token = ? ORDER BY at DESC,
                CASE colour WHEN 'red' THEN 0 WHEN 'orange' THEN 1 WHEN 'yellow' THEN 2 ELSE 3 END, id DESC LIMIT 1
            """, [.text(token)]
        ).first.map(read)
    }

    /// Whose a token is since the first decision about it: its network, and its card once a number of ours was asked about.
    static func owner(token: String, in tx: any Transaction) throws -> (network: CardScheme, card: String?)? {
        try tx.query(
            "SELECT network, card FROM token_decisions WHERE token = ? ORDER BY CASE WHEN card IS NULL THEN 1 ELSE 0 END, id LIMIT 1",
            [.text(token)]
        ).first.map { (try $0.scheme(0), try $0.optionalText(1)) }
    }

    /// Decisions, newest first; of one card, or of all.
    package static func list(card: String? = nil, limit: Int, in tx: any Transaction) throws -> [StoredDecision] {
        try tx.query(
            "SELECT \(columns) FROM token_decisions \(card == nil ? "" : "WHERE card = ?") ORDER BY id DESC LIMIT ?",
            (card.map { [.text($0)] } ?? []) + [.integer(Int64(limit))]
        ).map(read)
    }

    private static func read(_ row: Row) throws -> StoredDecision {
        StoredDecision(
            network: try row.scheme(0), requestID: try row.text(1), id: try row.timeOrderedID(2), card: try row.optionalText(3),
            token: try row.text(4), primaryAccountIdentifier: try row.text(5),
            decision: try JSONDocument.decode(Decision.self, row.blob(6)),
            inputs: try JSONDocument.decode(DecisionInputs.self, row.blob(7)), attempt: try row.optionalText(8))
    }
}

extension Row {
    func scheme(_ column: Int) throws -> CardScheme { try named(column) }

    /// A column that holds one of an enumeration's names.
    func named<Name: RawRepresentable<String>>(_ column: Int, as type: Name.Type = Name.self) throws -> Name {
        guard let name = Name(rawValue: try text(column)) else {
            throw StorageError(code: .unexpectedValue, reason: "column \(column) names no \(Name.self)")
        }
        return name
    }
}
