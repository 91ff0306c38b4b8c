import BillfoldPayments
package import BillfoldStorage

/// Something that the bank reported of a card, and what became of it.
package struct StoredCardEvent: Sendable, Hashable {
    package enum Effect: String, Sendable, Hashable, Codable, CaseIterable {
        /// Something was asked of a network.
        case applied
        /// Nothing had to be asked of anybody.
        case noted
        /// The bank reported something later of the same card, which stands.
        case overtaken
    }

    /// The bank's name for it.
    package var id: String
    package var card: String
    package var kind: CardEvent
    package var occurredAt: Timestamp
    package var effect: Effect
    /// How many actions of networks it asked for.
    package var asked: Int
    package var at: Timestamp
    /// The bank's own words.
    package var remark: String?
}

/// The rows of what the bank's back end reported of its cards. They stay: an event's id stands for one event for ever.
package enum CardEventRecords {
    static let migration = Migration(
        "bank-0001-card-events",
        [
            """
            CREATE TABLE bank_card_events (
                event_id TEXT NOT NULL PRIMARY KEY, card TEXT NOT NULL, kind TEXT NOT NULL, occurred_at BIGINT NOT NULL,
                effect TEXT NOT NULL, asked BIGINT NOT NULL, at BIGINT NOT NULL, remark TEXT)
            """,
            "CREATE INDEX bank_card_events_by_card ON bank_card_events (card, kind, occurred_at)",
            "CREATE INDEX bank_card_events_by_age ON bank_card_events (at, event_id)",
        ])

    private static let columns = "event_id, card, kind, occurred_at, effect, asked, at, remark"

    static func insert(_ row: StoredCardEvent, in tx: any Transaction) throws {
        try tx.execute(
            "INSERT INTO bank_card_events (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .text(row.id), .text(row.card), .text(row.kind.rawValue), .integer(row.occurredAt.microseconds),
                .text(row.effect.rawValue), .integer(Int64(row.asked)), .integer(row.at.microseconds), .optional(row.remark),
            ])
    }

    static func find(_ id: String, in tx: any Transaction) throws -> StoredCardEvent? {
        try tx.query("SELECT \(columns) FROM bank_card_events WHERE event_id = ?", [.text(id)]).first.map(read)
    }

    /// When each kind of event happened to a card, last.
    static func latest(card: String, in tx: any Transaction) throws -> [CardEvent: Timestamp] {
        let rows = try tx.query("SELECT kind, MAX(occurred_at) FROM bank_card_events WHERE card = ? GROUP BY kind", [.text(card)])
        return Dictionary(try rows.map { (try $0.named(0), try $0.timestamp(1)) }) { first, _ in first }
    }

    /// Events as they came, newest first; of one card, or of all.
    ///
    /// - Parameters:
    ///   - card: `nil` for all.
    ///   - position: The instant and id of the row behind which to begin.
    ///   - limit: How many at most.
    ///   - tx: Where they are read.
    package static func list(
        card: String? = nil, after position: [SQLValue]? = nil, limit: Int, in tx: any Transaction
    ) throws -> [StoredCardEvent] {
        let conditions = (card == nil ? [] : ["card = ?"]) + (position == nil ? [] : ["(at, event_id) < (?, ?)"])
        return try tx.query(
            """
            SELECT \(columns) FROM bank_card_events \(conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND "))
            ORDER BY at DESC, event_id DESC LIMIT ?
            """, (card.map { [.text($0)] } ?? []) + (position ?? []) + [.integer(Int64(limit))]
        ).map(read)
    }

    private static func read(_ row: Row) throws -> StoredCardEvent {
        StoredCardEvent(
            id: try row.text(0), card: try row.text(1), kind: try row.named(2), occurredAt: try row.timestamp(3), effect: try row.named(4),
            asked: Int(try row.integer(5)), at: try row.timestamp(6),
            remark: try row.optionalText(7))
    }
}
