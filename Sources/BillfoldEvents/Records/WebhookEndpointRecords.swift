package import BillfoldPayments
package import BillfoldStorage

/// The rows of endpoints.
package enum WebhookEndpointRecords {
    static let tables = [
        """
        CREATE TABLE event_endpoints (
            owner TEXT NOT NULL, id $BLOB NOT NULL, url TEXT NOT NULL, types TEXT NOT NULL, note TEXT NOT NULL, stop TEXT,
            key_id $BLOB NOT NULL, earlier_key $BLOB, earlier_until BIGINT, created_at BIGINT NOT NULL, turn BIGINT NOT NULL,
            PRIMARY KEY (owner, id), UNIQUE (owner, url))
        """
    ]

    /// What an operator wants to know first of an endpoint: how its last attempt ended.
    static let lastAnswer = [
        "ALTER TABLE event_endpoints ADD COLUMN last_at BIGINT", "ALTER TABLE event_endpoints ADD COLUMN last_status BIGINT",
        "ALTER TABLE event_endpoints ADD COLUMN last_reason TEXT", "ALTER TABLE event_endpoints ADD COLUMN last_note TEXT",
    ]

    private static let stored = "id, url, types, note, stop, key_id, earlier_key, earlier_until, created_at"
    private static let columns = stored + ", last_at, last_status, last_reason, last_note"

    /// The endpoint as it is stored; `nil` where the owner has none of this id.
    package static func find(_ id: TimeOrderedID, owner: MerchantID, in tx: any Transaction) throws -> WebhookEndpoint? {
        try tx.query("SELECT \(columns) FROM event_endpoints WHERE owner = ? AND id = ?", [owner.sqlValue, id.sqlValue]).first
            .map { try read($0, owner: owner) }
    }

    /// The owner's endpoints, the oldest first. There are few.
    package static func all(of owner: MerchantID, in tx: any Transaction) throws -> [WebhookEndpoint] {
        try tx.query("SELECT \(columns) FROM event_endpoints WHERE owner = ? ORDER BY id", [owner.sqlValue])
            .map { try read($0, owner: owner) }
    }

    /// Makes whoever else takes the endpoint's turn wait until this transaction ends, so that what waits there is looked at by one at a
    /// time. Whoever takes several takes them in the order of their ids. False: there is none.
    static func takeTurn(_ id: TimeOrderedID, owner: MerchantID, in tx: any Transaction) throws -> Bool {
        try tx.execute("UPDATE event_endpoints SET turn = turn + 1 WHERE owner = ? AND id = ?", [owner.sqlValue, id.sqlValue]) == 1
    }

    /// Returns false where the owner has one at this address.
    static func insert(_ endpoint: WebhookEndpoint, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            """
            INSERT INTO event_endpoints (owner, \(stored), turn) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0) ON CONFLICT DO NOTHING
            """, [endpoint.owner.sqlValue, endpoint.id.sqlValue] + changing(endpoint) + [.integer(endpoint.createdAt.microseconds)]) == 1
    }

    /// Callers have the endpoint's turn.
    static func update(_ endpoint: WebhookEndpoint, in tx: any Transaction) throws {
        try tx.execute(
            """
            UPDATE event_endpoints SET url = ?, types = ?, note = ?, stop = ?, key_id = ?, earlier_key = ?, earlier_until = ?
            WHERE owner = ? AND id = ?
            """, changing(endpoint) + [endpoint.owner.sqlValue, endpoint.id.sqlValue])
    }

    /// Notes how an attempt ended; of two the later one stays. Callers have the endpoint's turn.
    static func note(_ answer: WebhookEndpoint.Answer, by id: TimeOrderedID, owner: MerchantID, in tx: any Transaction) throws {
        try tx.execute(
            """
            UPDATE event_endpoints SET last_at = ?, last_status = ?, last_reason = ?, last_note = ?
            WHERE owner = ? AND id = ? AND (last_at IS NULL OR last_at <= ?)
            """,
            [
                .integer(answer.at.microseconds), answer.status.map { .integer($0) } ?? .null, .optional(answer.reason?.rawValue),
                .text(answer.note), owner.sqlValue, id.sqlValue, .integer(answer.at.microseconds),
            ])
    }

    /// Callers have the endpoint's turn.
    static func delete(_ endpoint: WebhookEndpoint, in tx: any Transaction) throws {
        try tx.execute("DELETE FROM event_endpoints WHERE owner = ? AND id = ?", [endpoint.owner.sqlValue, endpoint.id.sqlValue])
    }

    private static func changing(_ endpoint: WebhookEndpoint) -> [SQLValue] {
        [
            .text(endpoint.url), .text(endpoint.types.map(\.rawValue).sorted().joined(separator: " ")), .text(endpoint.note),
            .optional(endpoint.stop?.rawValue), endpoint.key.sqlValue, endpoint.earlier?.id.sqlValue ?? .null,
            .optional(endpoint.earlier?.until),
        ]
    }

    private static func read(_ row: Row, owner: MerchantID) throws -> WebhookEndpoint {
        let types = try row.text(2).split(separator: " ").map { EventType(rawValue: String($0)) }
        let earlier = try row.optionalBlob(6).map { bytes in
            WebhookEndpoint.Key(id: try TimeOrderedID(bytes: bytes), until: try row.timestamp(7))
        }
        let last = try row.optionalTimestamp(9).map { at in
            WebhookEndpoint.Answer(
                at: at, status: try row.optionalInteger(10), reason: try row.optionalText(11).flatMap(DeliveryRecords.Reason.init),
                note: try row.optionalText(12) ?? "")
        }
        return WebhookEndpoint(
            owner: owner, id: try row.timeOrderedID(0), url: try row.text(1), types: Set(types), note: try row.text(3),
            stop: try row.optionalText(4) == nil ? nil : try row.known(4), key: try row.timeOrderedID(5), earlier: earlier,
            createdAt: try row.timestamp(8), last: last)
    }
}
