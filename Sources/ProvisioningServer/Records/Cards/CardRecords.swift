package import BillfoldPayments
package import BillfoldStorage

/// The rows of cards.
package enum CardRecords {
    static let migration = Migration(
        "provisioning-0001-cards",
        [
            """
            CREATE TABLE provisioning_cards (
                id TEXT NOT NULL PRIMARY KEY, customer TEXT NOT NULL, network TEXT NOT NULL, programme TEXT NOT NULL,
                status TEXT NOT NULL, enabled BIGINT NOT NULL, suffix TEXT NOT NULL, display_name TEXT NOT NULL,
                cardholder_name TEXT NOT NULL, account_identifier TEXT, number_version BIGINT NOT NULL, sealed $BLOB NOT NULL,
                number_hash $BLOB NOT NULL, updated_at BIGINT NOT NULL)
            """,
            "CREATE INDEX provisioning_cards_by_customer ON provisioning_cards (customer)",
            "CREATE UNIQUE INDEX provisioning_cards_by_number ON provisioning_cards (number_hash)",
            "CREATE INDEX provisioning_cards_by_account ON provisioning_cards (account_identifier)",
        ])

    static let fetchMigration = Migration(
        "provisioning-0006-card-fetches",
        [
            "ALTER TABLE provisioning_cards ADD COLUMN fetched_at BIGINT NOT NULL DEFAULT 0",
            "UPDATE provisioning_cards SET fetched_at = updated_at",
        ])

    private static let columns = """
        id, customer, network, programme, status, enabled, suffix, display_name, cardholder_name, account_identifier, number_version,
        sealed, number_hash, updated_at, fetched_at, is_imported
        """

    package static func find(_ id: String, in tx: any Transaction) throws -> StoredCard? {
        try tx.query("SELECT \(columns) FROM provisioning_cards WHERE id = ?", [.text(id)]).first.map(card)
    }

    package static func find(numberHash: KeyedHash, in tx: any Transaction) throws -> StoredCard? {
        try tx.query("SELECT \(columns) FROM provisioning_cards WHERE number_hash = ?", [.blob(numberHash.bytes)]).first.map(card)
    }

    package static func find(primaryAccountIdentifier: String, in tx: any Transaction) throws -> StoredCard? {
        try tx.query("SELECT \(columns) FROM provisioning_cards WHERE account_identifier = ?", [.text(primaryAccountIdentifier)])
            .first.map(card)
    }

    /// Whether a card that was read before may be added now, as it was read: what ``CustomerCards/refusal(of:in:)`` asks, in one query.
    ///
    /// Whatever is brought in is sealed anew, so the same envelope means the same customer, number, expiry, name and programme. Status and
    /// switches change without it.
    static func mayBeAdded(_ card: StoredCard, in tx: any Transaction) throws -> Bool {
        try !tx.query(
            """
            SELECT id FROM provisioning_cards WHERE id = ? AND sealed = ? AND status = ? AND enabled = 1
            AND NOT EXISTS (SELECT id FROM provisioning_programmes WHERE id = provisioning_cards.programme AND is_on = 0)
            """, [.text(card.id), .blob(card.sealed), .text(StoredCard.Status.active.rawValue)]
        ).isEmpty
    }

    /// A customer's cards, in the order of their ids.
    package static func find(customer: String, in tx: any Transaction) throws -> [StoredCard] {
        try tx.query("SELECT \(columns) FROM provisioning_cards WHERE customer = ? ORDER BY id", [.text(customer)]).map(card)
    }

    /// Every card from an id on, for back offices that show pages of them.
    package static func list(after id: String = "", limit: Int, in tx: any Transaction) throws -> [StoredCard] {
        try tx.query(
            "SELECT \(columns) FROM provisioning_cards WHERE id > ? ORDER BY id LIMIT ?", [.text(id), .integer(Int64(limit))]
        ).map(card)
    }

    /// Stores a card that is not there yet. Returns false when it is, or when another card has the number.
    static func insert(_ card: StoredCard, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            """
            INSERT INTO provisioning_cards (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [
                .text(card.id), .text(card.customer), .text(card.network.rawValue), .text(card.programme), .text(card.status.rawValue),
                .integer(card.isEnabled ? 1 : 0), .text(card.suffix), .text(card.displayName), .text(card.cardholderName),
                .optional(card.primaryAccountIdentifier), .integer(card.numberVersion), .blob(card.sealed),
                .blob(card.numberHash), .integer(card.updatedAt.microseconds), .integer(card.fetchedAt.microseconds),
                .integer(card.isImported ? 1 : 0),
            ]) == 1
    }

    /// Overwrites what the processor decides: everything but the switch and the network's reference. Returns false, and changes nothing,
    /// when what is stored was asked for later.
    static func update(_ card: StoredCard, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            """
            UPDATE provisioning_cards SET customer = ?, network = ?, programme = ?, status = ?, suffix = ?, display_name = ?,
                cardholder_name = ?, number_version = ?, sealed = ?, number_hash = ?, updated_at = ?, fetched_at = ?,
                is_imported = ?
            WHERE id = ? AND fetched_at <= ?
            """,
            [
                .text(card.customer), .text(card.network.rawValue), .text(card.programme), .text(card.status.rawValue), .text(card.suffix),
                .text(card.displayName), .text(card.cardholderName), .integer(card.numberVersion), .blob(card.sealed),
                .blob(card.numberHash), .integer(card.updatedAt.microseconds), .integer(card.fetchedAt.microseconds),
                .integer(card.isImported ? 1 : 0), .text(card.id),
                .integer(card.fetchedAt.microseconds),
            ]) == 1
    }

    /// Turns the card's own switch. Returns false when there is no such card.
    package static func setEnabled(_ isEnabled: Bool, card id: String, at now: Timestamp, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "UPDATE provisioning_cards SET enabled = ?, updated_at = ? WHERE id = ?",
            [.integer(isEnabled ? 1 : 0), .integer(now.microseconds), .text(id)]) == 1
    }

    /// Notes the network's reference for the card's number, as its first token brings it. Doing it again changes nothing.
    package static func assign(
        primaryAccountIdentifier: String, card id: String, at now: Timestamp, in tx: any Transaction
    ) throws {
        try tx.execute(
            """
            UPDATE provisioning_cards SET account_identifier = ?, updated_at = ?
            WHERE id = ? AND (account_identifier IS NULL OR account_identifier <> ?)
            """, [.text(primaryAccountIdentifier), .integer(now.microseconds), .text(id), .text(primaryAccountIdentifier)])
    }

    private static func card(_ row: Row) throws -> StoredCard {
        guard let network = CardScheme(rawValue: try row.text(2)), let status = StoredCard.Status(rawValue: try row.text(4)) else {
            throw StorageError(code: .unexpectedValue, reason: "a card's network or status is unknown")
        }
        return StoredCard(
            id: try row.text(0), customer: try row.text(1), network: network, programme: try row.text(3), status: status,
            isEnabled: try row.integer(5) == 1, suffix: try row.text(6), displayName: try row.text(7), cardholderName: try row.text(8),
            primaryAccountIdentifier: try row.optionalText(9), numberVersion: try row.integer(10), sealed: try row.blob(11),
            numberHash: try row.blob(12), updatedAt: try row.timestamp(13), fetchedAt: try row.timestamp(14),
            isImported: try row.integer(15) == 1)
    }
}
