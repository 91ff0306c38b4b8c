import BillfoldPayments
import BillfoldStorage

/// Why the bank holds a token suspended. The network knows one suspension of the bank's; what ends one cause ends no other.
enum SuspensionCause: String, Sendable, Hashable, CaseIterable {
    /// The card is blocked.
    case card
    /// The device is lost.
    case device
    /// The fraud team looks at the token.
    case review
    /// Somebody asked for it: an operator, or the bank's back end about this very token.
    case person
}

/// The rows of what holds tokens suspended on the bank's side.
enum SuspensionRecords {
    /// What was suspended before causes were kept counts as suspended with its card, its device and its review, where these are blocked,
    /// lost and waiting.
    static let migration = Migration(
        "tokens-0012-suspensions",
        [
            "CREATE TABLE token_suspensions (token TEXT NOT NULL, cause TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (token, cause))",
            """
            INSERT INTO token_suspensions (token, cause, at) SELECT tokens.reference, 'card', tokens.changed_at FROM tokens
            JOIN provisioning_cards ON provisioning_cards.id = tokens.card
            WHERE tokens.suspended_by LIKE '%ISSUER%' AND provisioning_cards.status = 'blocked'
            """,
            """
            INSERT INTO token_suspensions (token, cause, at) SELECT tokens.reference, 'device', tokens.changed_at FROM tokens
            JOIN token_lost_devices ON token_lost_devices.secure_element = tokens.secure_element
            WHERE tokens.suspended_by LIKE '%ISSUER%'
            """,
            """
            INSERT INTO token_suspensions (token, cause, at) SELECT reference, 'review', changed_at FROM tokens
            WHERE suspended_by LIKE '%ISSUER%'
            AND reference IN (SELECT token FROM token_reviews WHERE state = 'waiting')
            """,
        ])

    static func list(token: String, in tx: any Transaction) throws -> Set<SuspensionCause> {
        Set(try tx.query("SELECT cause FROM token_suspensions WHERE token = ?", [.text(token)]).map { try $0.named(0) })
    }

    /// What every token is held for that is held for something.
    static func all(in tx: any Transaction) throws -> [String: Set<SuspensionCause>] {
        let rows = try tx.query("SELECT token, cause FROM token_suspensions")
        return Dictionary(try rows.map { (try $0.text(0), [try $0.named(1)]) }) { $0.union($1) }
    }

    /// Doing it again changes nothing.
    static func insert(_ cause: SuspensionCause, token: String, at now: Timestamp, in tx: any Transaction) throws {
        try tx.execute(
            "INSERT INTO token_suspensions (token, cause, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [.text(token), .text(cause.rawValue), .integer(now.microseconds)])
    }

    /// Returns whether the token was held for that cause.
    static func remove(_ cause: SuspensionCause, token: String, in tx: any Transaction) throws -> Bool {
        try tx.execute("DELETE FROM token_suspensions WHERE token = ? AND cause = ?", [.text(token), .text(cause.rawValue)]) == 1
    }

    static func removeAll(token: String, in tx: any Transaction) throws {
        try tx.execute("DELETE FROM token_suspensions WHERE token = ?", [.text(token)])
    }
}
