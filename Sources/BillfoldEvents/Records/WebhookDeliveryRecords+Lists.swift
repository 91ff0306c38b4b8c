import BillfoldPayments
import BillfoldStorage

/// What operators look for among deliveries.
extension WebhookDeliveryRecords {
    /// How many deliveries wait for an endpoint, and how many were given up; each counted up to a limit.
    struct Counts: Sendable, Hashable {
        var waiting: Int
        /// Without those that were stored anew since.
        var givenUp: Int
    }

    /// Most rows that are counted of one kind.
    static let mostCounted = 1_000

    static func counts(of endpoint: TimeOrderedID, owner: MerchantID, in tx: any Transaction) throws -> Counts {
        let place: [SQLValue] = [owner.sqlValue, endpoint.sqlValue]
        let limit = SQLValue.integer(Int64(mostCounted))
        let underWay = try tx.query(
            "SELECT 1 FROM event_deliveries WHERE owner = ? AND endpoint = ? AND state = 'waiting' LIMIT ?", place + [limit])
        let held = try tx.query(
            "SELECT 1 FROM event_deliveries WHERE owner = ? AND endpoint = ? AND state = 'held' LIMIT ?", place + [limit])
        return Counts(
            waiting: min(underWay.count + held.count, mostCounted),
            givenUp: try givenUp(by: endpoint, owner: owner, limit: mostCounted, in: tx).count)
    }

    /// What an endpoint did not take until it was given up, and was not sent again since; the newest first.
    static func givenUp(
        by endpoint: TimeOrderedID, owner: MerchantID, limit: Int, in tx: any Transaction
    ) throws -> [WebhookDelivery] {
        try tx.query(
            """
            SELECT \(columns) FROM event_deliveries d WHERE owner = ? AND endpoint = ? AND state = 'parked' AND NOT EXISTS (
                SELECT 1 FROM event_deliveries l
                WHERE l.owner = d.owner AND l.event = d.event AND l.id > d.id AND l.endpoint = d.endpoint)
            ORDER BY id DESC LIMIT ?
            """, [owner.sqlValue, endpoint.sqlValue, .integer(Int64(limit))]
        ).map { try read($0, owner: owner) }
    }

    /// What waits for an endpoint: first what is under way, then what waits for its turn, each the oldest first.
    static func open(
        at endpoint: TimeOrderedID, owner: MerchantID, limit: Int, in tx: any Transaction
    ) throws -> [WebhookDelivery] {
        let place: [SQLValue] = [owner.sqlValue, endpoint.sqlValue]
        // They are few.
        let underWay = try tx.query(
            "SELECT \(columns) FROM event_deliveries WHERE owner = ? AND endpoint = ? AND state = 'waiting'", place
        ).map { try read($0, owner: owner) }.sorted { $0.id < $1.id }
        let held = try tx.query(
            """
            SELECT \(columns) FROM event_deliveries WHERE owner = ? AND endpoint = ? AND state = 'held' ORDER BY position, id LIMIT ?
            """, place + [.integer(Int64(limit))]
        ).map { try read($0, owner: owner) }
        return Array((underWay + held).prefix(limit))
    }

    /// The last delivery of each event to each endpoint that it was for.
    static func last(
        of events: [TimeOrderedID], owner: MerchantID, in tx: any Transaction
    ) throws -> [TimeOrderedID: [WebhookDelivery]] {
        guard !events.isEmpty else { return [:] }
        let rows = try tx.query(
            "SELECT \(columns) FROM event_deliveries WHERE owner = ? AND event IN (\(events.map { _ in "?" }.joined(separator: ", ")))",
            [owner.sqlValue] + events.map(\.sqlValue)
        ).map { try read($0, owner: owner) }
        return Dictionary(grouping: rows, by: \.event).mapValues { deliveries in
            Dictionary(grouping: deliveries, by: \.endpoint).compactMap { $0.value.max { $0.id < $1.id } }.sorted {
                $0.endpoint < $1.endpoint
            }
        }
    }
}
