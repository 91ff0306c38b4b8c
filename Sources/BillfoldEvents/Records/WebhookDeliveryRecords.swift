package import BillfoldPayments
package import BillfoldStorage

/// The rows of deliveries: what is told of events, to whom, and how far that has come.
///
/// A delivery begins as held. Whoever has the endpoint's turn lets some of the held ones go, by storing their messages in the outbox: never
/// two of one object, and only so many at once, so that an endpoint which is away fills the outbox for nobody else. The same transaction
/// that ends one lets the next one go; therefore no kill loses one or changes their order.
package enum WebhookDeliveryRecords {
    static let tables = [
        """
        CREATE TABLE event_deliveries (
            owner TEXT NOT NULL, id $BLOB NOT NULL, endpoint $BLOB NOT NULL, event $BLOB NOT NULL, object TEXT NOT NULL,
            position BIGINT NOT NULL, state TEXT NOT NULL, created_at BIGINT NOT NULL, settled_at BIGINT, PRIMARY KEY (owner, id))
        """,
        "CREATE INDEX event_deliveries_held ON event_deliveries (owner, endpoint, position, id) WHERE state = 'held'",
        "CREATE INDEX event_deliveries_waiting ON event_deliveries (owner, endpoint, object) WHERE state = 'waiting'",
        "CREATE INDEX event_deliveries_of_event ON event_deliveries (owner, event, id)",
        DeliveryRecords.table(attempts, owner: "owner"),
    ]

    /// For whoever looks for what an endpoint was not told.
    static let givenUpIndex =
        "CREATE INDEX event_deliveries_given_up ON event_deliveries (owner, endpoint, id) WHERE state = 'parked'"

    private static let attempts = "event_delivery_attempts"
    /// Most messages of an endpoint in the outbox at once.
    static let most = 32
    /// What the outbox calls a message of this kind, and its schedule.
    package static let kind = "event"

    static let deliveries = DeliveryRecords("event_deliveries", attempts: attempts, owner: "owner")

    /// What shares one limit and one breaker: a slow endpoint delays no other.
    static func destination(_ endpoint: TimeOrderedID) -> String { "webhook:\(endpoint)" }

    /// - Parameter position: Of the event in its owner's feed.
    static func insertion(_ delivery: WebhookDelivery, of object: Event.Subject, position: Int64) -> Statement {
        Statement(
            """
            INSERT INTO event_deliveries (owner, id, endpoint, event, object, position, state, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                delivery.owner.sqlValue, delivery.id.sqlValue, delivery.endpoint.sqlValue, delivery.event.sqlValue, .text(object.key),
                .integer(position), .text(delivery.state.rawValue), .integer(delivery.createdAt.microseconds),
            ])
    }

    /// Lets held deliveries go, the oldest first. Callers have the endpoint's turn.
    static func release(to endpoint: WebhookEndpoint, at now: Timestamp, in tx: any Transaction) throws {
        let place: [SQLValue] = [endpoint.owner.sqlValue, endpoint.id.sqlValue]
        let underWay = try tx.query("SELECT object FROM event_deliveries WHERE owner = ? AND endpoint = ? AND state = 'waiting'", place)
        var (room, busy) = (most - underWay.count, Set(try underWay.map { try $0.text(0) }))
        while room > 0 {
            let held = try tx.query(
                """
                SELECT id, event, object FROM event_deliveries d WHERE owner = ? AND endpoint = ? AND state = 'held' AND NOT EXISTS (
                    SELECT 1 FROM event_deliveries w
                    WHERE w.owner = d.owner AND w.endpoint = d.endpoint AND w.object = d.object AND w.state = 'waiting')
                ORDER BY position, id LIMIT ?
                """, place + [.integer(Int64(room))])
            let first = try held.filter { busy.insert(try $0.text(2)).inserted }
            for row in first {
                try send(try row.timeOrderedID(0), of: try row.timeOrderedID(1), to: endpoint, at: now, in: tx)
            }
            room -= first.count
            // Of one object only the first went: others may stand behind its later ones.
            if first.isEmpty || first.count == held.count { break }
        }
    }

    private static func send(
        _ id: TimeOrderedID, of event: TimeOrderedID, to endpoint: WebhookEndpoint, at now: Timestamp, in tx: any Transaction
    ) throws {
        guard let event = try EventRecords.find(event, owner: endpoint.owner, in: tx) else {
            try set(.withdrawn, id, owner: endpoint.owner, in: tx)
            return
        }
        try set(.waiting, id, owner: endpoint.owner, in: tx)
        let row = OutboxRecords.insertion(
            OutboxMessage(
                merchant: endpoint.owner, id: id, destination: destination(endpoint.id), kind: kind, subject: event.id,
                subjectVersion: event.sequence, body: try event.document, schedule: kind, dueAt: now, createdAt: now))
        try tx.execute(row.sql, row.bindings)
    }

    private static func set(_ state: WebhookDelivery.State, _ id: TimeOrderedID, owner: MerchantID, in tx: any Transaction) throws {
        try tx.execute(
            "UPDATE event_deliveries SET state = ? WHERE owner = ? AND id = ?", [.text(state.rawValue), owner.sqlValue, id.sqlValue])
    }

    /// Takes back all that is not ended. Callers have the endpoint's turn.
    static func withdraw(from endpoint: WebhookEndpoint, in tx: any Transaction) throws {
        let place: [SQLValue] = [endpoint.owner.sqlValue, endpoint.id.sqlValue]
        for row in try tx.query("SELECT id FROM event_deliveries WHERE owner = ? AND endpoint = ? AND state = 'waiting'", place) {
            try OutboxRecords.withdraw(row.timeOrderedID(0), merchant: endpoint.owner, in: tx)
        }
        try tx.execute("UPDATE event_deliveries SET state = 'withdrawn' WHERE owner = ? AND endpoint = ? AND state = 'waiting'", place)
        try tx.execute("UPDATE event_deliveries SET state = 'withdrawn' WHERE owner = ? AND endpoint = ? AND state = 'held'", place)
    }

    static let columns = "id, endpoint, event, state, created_at, settled_at"

    package static func find(_ id: TimeOrderedID, owner: MerchantID, in tx: any Transaction) throws -> WebhookDelivery? {
        try tx.query("SELECT \(columns) FROM event_deliveries WHERE owner = ? AND id = ?", [owner.sqlValue, id.sqlValue]).first
            .map { try read($0, owner: owner) }
    }

    /// How an event was told, the oldest first; the last `limit` of them.
    package static func all(
        of event: TimeOrderedID, owner: MerchantID, limit: Int, in tx: any Transaction
    ) throws -> [WebhookDelivery] {
        try tx.query(
            "SELECT \(columns) FROM event_deliveries WHERE owner = ? AND event = ? ORDER BY id DESC LIMIT ?",
            [owner.sqlValue, event.sqlValue, .integer(Int64(limit))]
        ).reversed().map { try read($0, owner: owner) }
    }

    /// The delivery of an event to an endpoint that is not ended; `nil` where there is none. Callers have the endpoint's turn.
    static func open(of event: TimeOrderedID, to endpoint: WebhookEndpoint, in tx: any Transaction) throws -> WebhookDelivery? {
        try tx.query(
            """
            SELECT \(columns) FROM event_deliveries
            WHERE owner = ? AND event = ? AND endpoint = ? AND (state = 'held' OR state = 'waiting') ORDER BY id LIMIT 1
            """, [endpoint.owner.sqlValue, event.sqlValue, endpoint.id.sqlValue]
        ).first.map { try read($0, owner: endpoint.owner) }
    }

    /// The event of the same object whose delivery to the same endpoint is under way; `nil` where there is none.
    static func ahead(of held: WebhookDelivery, in tx: any Transaction) throws -> TimeOrderedID? {
        try tx.query(
            """
            SELECT w.event FROM event_deliveries d, event_deliveries w
            WHERE d.owner = ? AND d.id = ? AND w.owner = d.owner AND w.endpoint = d.endpoint AND w.object = d.object AND w.state = 'waiting'
            LIMIT 1
            """, [held.owner.sqlValue, held.id.sqlValue]
        ).first.map { try $0.timeOrderedID(0) }
    }

    /// Where an event stands in its owner's feed; `nil` before it has a place.
    static func position(of event: Event, in tx: any Transaction) throws -> Int64? {
        try tx.query(
            "SELECT position FROM events WHERE owner = ? AND id = ? AND position IS NOT NULL", [event.owner.sqlValue, event.id.sqlValue]
        ).first.map { try $0.integer(0) }
    }

    /// Forgets how an event was told.
    static func forget(event: TimeOrderedID, owner: MerchantID, in tx: any Transaction) throws {
        for row in try tx.query("SELECT id FROM event_deliveries WHERE owner = ? AND event = ?", [owner.sqlValue, event.sqlValue]) {
            let id = try row.timeOrderedID(0)
            try OutboxRecords.withdraw(id, merchant: owner, in: tx)
            try tx.execute("DELETE FROM event_delivery_attempts WHERE owner = ? AND notification = ?", [owner.sqlValue, id.sqlValue])
            try tx.execute("DELETE FROM event_deliveries WHERE owner = ? AND id = ?", [owner.sqlValue, id.sqlValue])
        }
    }

    static func read(_ row: Row, owner: MerchantID) throws -> WebhookDelivery {
        WebhookDelivery(
            owner: owner, id: try row.timeOrderedID(0), endpoint: try row.timeOrderedID(1), event: try row.timeOrderedID(2),
            state: try row.known(3), createdAt: try row.timestamp(4), settledAt: try row.optionalTimestamp(5))
    }
}
