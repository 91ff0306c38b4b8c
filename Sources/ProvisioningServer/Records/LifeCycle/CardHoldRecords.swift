import BillfoldPayments
import BillfoldStorage

/// The rows of what the bank reported of a card, which holds whatever the processor says until the bank takes it back.
enum CardHoldRecords {
    static let migration = Migration(
        "tokens-0008-card-holds",
        [
            """
            CREATE TABLE token_card_holds (
                card TEXT NOT NULL, event TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (card, event))
            """
        ])

    static func list(card: String, in tx: any Transaction) throws -> Set<CardEvent> {
        Set(try tx.query("SELECT event FROM token_card_holds WHERE card = ?", [.text(card)]).map { try $0.named(0) })
    }

    /// Doing it again changes nothing.
    static func insert(_ event: CardEvent, card: String, at now: Timestamp, in tx: any Transaction) throws {
        try tx.execute(
            "INSERT INTO token_card_holds (card, event, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [.text(card), .text(event.rawValue), .integer(now.microseconds)])
    }

    /// Returns whether there was one.
    static func remove(_ events: [CardEvent], card: String, in tx: any Transaction) throws -> Bool {
        try events.count { event in
            try tx.execute("DELETE FROM token_card_holds WHERE card = ? AND event = ?", [.text(card), .text(event.rawValue)]) == 1
        } > 0
    }
}

extension CardEvent {
    /// The reports that an unblocking takes back.
    static let endedByUnblocking: [CardEvent] = [.blocked, .lost, .stolen]

    /// What a card is after such a report, whatever its processor says; `nil` for reports that hold nothing.
    var heldStatus: StoredCard.Status? {
        switch self {
        case .blocked, .lost, .stolen: .blocked
        case .closed, .fraudClosure: .closed
        case .unblocked, .replaced, .expiryChanged: nil
        }
    }
}

extension StoredCard.Status {
    /// The graver of this and what the bank reported.
    func held(by holds: Set<CardEvent>) -> Self {
        let all = [self] + holds.compactMap(\.heldStatus)
        return [.closed, .blocked].first(where: all.contains) ?? self
    }
}

extension CardRecords {
    static func set(_ status: StoredCard.Status, card id: String, at now: Timestamp, in tx: any Transaction) throws {
        try tx.execute(
            "UPDATE provisioning_cards SET status = ?, updated_at = ? WHERE id = ?",
            [.text(status.rawValue), .integer(now.microseconds), .text(id)])
    }
}
