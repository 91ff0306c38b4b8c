package import BillfoldPayments
package import BillfoldStorage

/// The rows of events.
///
/// An event is stored in the transaction of the change that it tells of, without a place in its owner's feed, and gets its place in a later
/// transaction. Were it to take the next place at once, a transaction that began first could end last: whoever read on from a later place
/// meanwhile would never see it. Places are given to what is committed, by one transaction at a time for an owner: what is read up to a
/// place is whole, and the changes of one owner do not wait for each other.
package enum EventRecords {
    static let tables = [
        """
        CREATE TABLE events (
            owner TEXT NOT NULL, object TEXT NOT NULL, sequence BIGINT NOT NULL, id $BLOB NOT NULL, type TEXT NOT NULL,
            data $BLOB NOT NULL, at BIGINT NOT NULL, position BIGINT, PRIMARY KEY (owner, object, sequence), UNIQUE (owner, id))
        """,
        "CREATE INDEX events_in_feed ON events (owner, position) WHERE position IS NOT NULL",
        "CREATE INDEX events_without_place ON events (owner, at, sequence) WHERE position IS NULL",
        // How far an owner's feed has come, and up to where it is forgotten.
        "CREATE TABLE event_heads (owner TEXT NOT NULL PRIMARY KEY, position BIGINT NOT NULL, forgotten BIGINT NOT NULL)",
    ]

    static let columns = "object, sequence, id, type, data, at, position"

    /// Stores an event of an object that the transaction changes, with the object's next number.
    ///
    /// - Parameters:
    ///   - type: What has happened.
    ///   - object: What it has happened to. The transaction has changed its row before, so that no other stands between the two.
    ///   - data: A JSON object, made of the row as it is stored.
    ///   - owner: Whose feed it goes to.
    ///   - id: A new one.
    ///   - now: The time of the change.
    ///   - tx: The write of the change.
    @discardableResult
    package static func append(
        _ type: EventType, of object: Event.Subject, data: [UInt8], owner: MerchantID, id: TimeOrderedID, at now: Timestamp,
        in tx: any Transaction
    ) throws -> Event {
        try tx.changing("the event's object") { _ in
            let last = try tx.query(
                "SELECT COALESCE(MAX(sequence), 0), MAX(at) FROM events WHERE owner = ? AND object = ?",
                [owner.sqlValue, .text(object.key)])[0]
            // Clocks of two processes differ; an object's events are in the order of their times all the same.
            let at = max(now, try last.optionalTimestamp(1) ?? now)
            let event = Event(
                owner: owner, id: id, type: type, object: object, sequence: try last.integer(0) + 1, at: at, data: data)
            let stored = try tx.execute(
                "INSERT INTO events (owner, object, sequence, id, type, data, at) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                [
                    owner.sqlValue, .text(object.key), .integer(event.sequence), id.sqlValue, .text(type.rawValue), .blob(data),
                    .integer(at.microseconds),
                ])
            return stored == 1 ? event : nil
        }
    }

    /// One of the owner's; `nil` where there is none of this id, or its content is forgotten.
    package static func find(_ id: TimeOrderedID, owner: MerchantID, in tx: any Transaction) throws -> Event? {
        try tx.query(
            "SELECT \(columns) FROM events WHERE owner = ? AND id = ? AND LENGTH(data) > 0", [owner.sqlValue, id.sqlValue]
        ).first.map { try read($0, owner: owner).event }
    }

    // MARK: Places

    /// An event and its place in the feed.
    package struct Placed: Sendable, Hashable {
        package var event: Event
        package var position: Int64
    }

    /// Owners whose events wait for a place.
    static func waiting(limit: Int, in tx: any Transaction) throws -> [MerchantID] {
        try tx.query("SELECT DISTINCT owner FROM events WHERE position IS NULL LIMIT ?", [.integer(Int64(limit))])
            .map { try MerchantID($0.text(0)) }
    }

    /// Makes whoever else takes the owner's turn wait until this transaction ends.
    static func takeTurn(_ owner: MerchantID, in tx: any Transaction) throws {
        let lock = "UPDATE event_heads SET position = position WHERE owner = ?"
        guard try tx.execute(lock, [owner.sqlValue]) == 0 else { return }
        try tx.execute("INSERT INTO event_heads (owner, position, forgotten) VALUES (?, 0, 0) ON CONFLICT DO NOTHING", [owner.sqlValue])
        try tx.execute(lock, [owner.sqlValue])
    }

    /// Gives the next places to events that are committed, the oldest first and each object's in their order.
    ///
    /// From here to its end the transaction is the only one that gives this owner's places.
    static func place(_ owner: MerchantID, limit: Int, in tx: any Transaction) throws -> [Placed] {
        try takeTurn(owner, in: tx)
        let head = try head(of: owner, in: tx).position
        let rows = try tx.query(
            "SELECT \(columns) FROM events WHERE owner = ? AND position IS NULL ORDER BY at, sequence LIMIT ?",
            [owner.sqlValue, .integer(Int64(limit))])
        let placed = try zip(rows, (head + 1)...).map { row, position in
            Placed(event: try read(row, owner: owner).event, position: position)
        }
        guard let last = placed.last else { return [] }
        _ = try tx.executeBatch(
            placed.map { placed in
                Statement(
                    "UPDATE events SET position = ? WHERE owner = ? AND object = ? AND sequence = ?",
                    [.integer(placed.position), owner.sqlValue, .text(placed.event.object.key), .integer(placed.event.sequence)])
            } + [Statement("UPDATE event_heads SET position = ? WHERE owner = ?", [.integer(last.position), owner.sqlValue])])
        return placed
    }

    /// The last place that was given, and the last whose event is forgotten; both zero before the first.
    static func head(of owner: MerchantID, in tx: any Transaction) throws -> (position: Int64, forgotten: Int64) {
        guard let row = try tx.query("SELECT position, forgotten FROM event_heads WHERE owner = ?", [owner.sqlValue]).first else {
            return (0, 0)
        }
        return (try row.integer(0), try row.integer(1))
    }

    static func read(_ row: Row, owner: MerchantID) throws -> (event: Event, position: Int64?) {
        guard let object = Event.Subject(key: try row.text(0)) else {
            throw PaymentsError(code: .corruptRecord, reason: "a stored event's object has no kind")
        }
        let event = Event(
            owner: owner, id: try row.timeOrderedID(2), type: EventType(rawValue: try row.text(3)), object: object,
            sequence: try row.integer(1), at: try row.timestamp(5), data: try row.blob(4))
        return (event, try row.optionalInteger(6))
    }
}
