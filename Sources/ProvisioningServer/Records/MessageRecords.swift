import BillfoldPayments
package import BillfoldStorage

/// That a customer was told something; of what was said, only what it was about.
package struct StoredMessage: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable, Encodable {
        case queued, delivered, failed
    }

    package var id: TimeOrderedID
    package var card: String
    /// `SMS`, `e-mail`, `call` or `app`.
    package var channel: String
    /// Masked.
    package var contact: String
    /// For example `one-time code` or `token suspended`.
    package var subject: String
    package var state: State
    package var at: Timestamp
}

/// The rows of messages to customers.
package enum MessageRecords {
    static let migration = Migration(
        "tokens-0006-messages",
        [
            """
            CREATE TABLE token_messages (
                id $BLOB NOT NULL PRIMARY KEY, card TEXT NOT NULL, channel TEXT NOT NULL, contact TEXT NOT NULL, subject TEXT NOT NULL,
                state TEXT NOT NULL, at BIGINT NOT NULL)
            """,
            "CREATE INDEX token_messages_by_card ON token_messages (card, id)",
        ])

    static func insert(_ row: StoredMessage, in tx: any Transaction) throws {
        try tx.execute(
            "INSERT INTO token_messages (id, card, channel, contact, subject, state, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                row.id.sqlValue, .text(row.card), .text(row.channel), .text(row.contact), .text(row.subject), .text(row.state.rawValue),
                .integer(row.at.microseconds),
            ])
    }

    /// Stores how it went, and where it went when that was found out last.
    static func settle(
        _ id: TimeOrderedID, _ state: StoredMessage.State, channel: String? = nil, contact: String? = nil, in tx: any Transaction
    ) throws {
        try tx.execute(
            """
            UPDATE token_messages SET state = ?, channel = COALESCE(?, channel), contact = COALESCE(?, contact)
            WHERE id = ? AND state <> 'delivered'
            """,
            [.text(state.rawValue), .optional(channel), .optional(contact), id.sqlValue])
    }

    /// A card's messages, newest first.
    ///
    /// - Parameters:
    ///   - card: Its id.
    ///   - position: The id of the row behind which to begin.
    ///   - limit: How many at most.
    ///   - tx: Where they are read.
    package static func list(
        card: String, after position: [SQLValue]? = nil, limit: Int = 200, in tx: any Transaction
    ) throws -> [StoredMessage] {
        try tx.query(
            """
            SELECT id, card, channel, contact, subject, state, at FROM token_messages
            WHERE card = ? \(position == nil ? "" : "AND id < ?") ORDER BY id DESC LIMIT ?
            """, [.text(card)] + (position ?? []) + [.integer(Int64(limit))]
        ).map {
            StoredMessage(
                id: try $0.timeOrderedID(0), card: try $0.text(1), channel: try $0.text(2), contact: try $0.text(3),
                subject: try $0.text(4), state: try $0.named(5), at: try $0.timestamp(6))
        }
    }
}
