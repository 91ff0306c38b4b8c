package import BillfoldPayments
package import BillfoldStorage

extension EventRecords {
    /// Which events of an owner are read.
    package struct Filter: Sendable, Hashable {
        /// Of these types; of all where it is empty.
        package var types: Set<EventType>
        /// Of objects with this id, of whatever kind.
        package var object: String?

        package init(types: Set<EventType> = [], object: String? = nil) { (self.types, self.object) = (types, object) }
    }

    /// Part of an owner's feed.
    package struct Page: Sendable, Hashable {
        package var events: [Placed]
        /// Where the next page begins: behind all that was looked at, also where nothing of it was wanted.
        package var next: Int64
        /// Whether there is more to look at now.
        package var hasMore: Bool
    }

    /// How many places one page looks at, however few events it wants.
    static let window: Int64 = 1_000

    /// What follows a place in the feed, in its order.
    ///
    /// - Parameters:
    ///   - owner: Whose feed.
    ///   - place: Where the last page ended; `nil` for the oldest that is kept.
    ///   - filter: What is wanted of it.
    ///   - limit: The most events.
    ///   - tx: One read, so that the end of the feed and its events are of one moment.
    package static func page(
        of owner: MerchantID, after place: Int64?, filter: Filter, limit: Int, in tx: any Transaction
    ) throws -> Result<Page, FeedGap> {
        let head = try head(of: owner, in: tx)
        let start = place ?? head.forgotten
        guard start >= head.forgotten else { return .failure(.forgotten) }
        guard start <= head.position else { return .failure(.unknown) }
        let end = filter.object == nil ? min(head.position, start + window) : head.position
        var (condition, values): (String, [SQLValue]) = ("", [])
        if !filter.types.isEmpty {
            let names = filter.types.map(\.rawValue).sorted()
            condition += " AND type IN (\(names.map { _ in "?" }.joined(separator: ", ")))"
            values += names.map(SQLValue.text)
        }
        if let object = filter.object {
            let keys = kinds.map { Event.Subject($0, id: object).key }
            condition += " AND object IN (\(keys.map { _ in "?" }.joined(separator: ", ")))"
            values += keys.map(SQLValue.text)
        }
        let rows = try tx.query(
            """
            SELECT \(columns) FROM events WHERE owner = ? AND position > ? AND position <= ?\(condition) ORDER BY position LIMIT ?
            """, [owner.sqlValue, .integer(start), .integer(end)] + values + [.integer(Int64(limit))])
        let events = try rows.map { row in
            let (event, position) = try read(row, owner: owner)
            return Placed(event: event, position: position ?? end)
        }
        let next = events.count == limit ? events.last?.position ?? end : end
        return .success(Page(events: events, next: next, hasMore: next < head.position))
    }

    /// The words for objects, as their types begin.
    static let kinds: [String] = ["payment", "refund", "void", "reversal", "token", "review"]

    // MARK: Retention

    /// Forgets the owner's oldest events that happened before an instant, and what was told of them; at most `limit` of them.
    ///
    /// An object's last event leaves its number behind, so that the object's next one follows it.
    static func forget(_ owner: MerchantID, before end: Timestamp, limit: Int, in tx: any Transaction) throws -> Int {
        let forgotten = try head(of: owner, in: tx).forgotten
        let rows = try tx.query(
            "SELECT \(columns) FROM events WHERE owner = ? AND position > ? ORDER BY position LIMIT ?",
            [owner.sqlValue, .integer(forgotten), .integer(Int64(limit))]
        ).map { try read($0, owner: owner) }
        let old = rows.prefix { $0.event.at < end }
        guard let last = old.last?.position else { return 0 }
        for (event, _) in old {
            try WebhookDeliveryRecords.forget(event: event.id, owner: owner, in: tx)
            let key: [SQLValue] = [owner.sqlValue, .text(event.object.key), .integer(event.sequence)]
            let isLast = try tx.query(
                "SELECT sequence FROM events WHERE owner = ? AND object = ? AND sequence > ? LIMIT 1", key
            ).isEmpty
            if isLast {
                try tx.execute("UPDATE events SET data = ? WHERE owner = ? AND object = ? AND sequence = ?", [.blob([])] + key)
            } else {
                try tx.execute("DELETE FROM events WHERE owner = ? AND object = ? AND sequence = ?", key)
            }
        }
        try tx.execute(
            "UPDATE event_heads SET forgotten = ? WHERE owner = ? AND forgotten < ?", [.integer(last), owner.sqlValue, .integer(last)])
        return old.count
    }

    /// The owner that follows one among those that have a feed, or the first.
    static func owner(after last: String?, in tx: any Transaction) throws -> MerchantID? {
        try tx.query(
            "SELECT owner FROM event_heads\(last == nil ? "" : " WHERE owner > ?") ORDER BY owner LIMIT 1", last.map { [.text($0)] } ?? []
        ).first.map { try MerchantID($0.text(0)) }
    }
}

/// Why a feed cannot be read on from a place.
package enum FeedGap: Error, Sendable, Hashable {
    /// What followed it is forgotten.
    case forgotten
    /// The feed never came so far.
    case unknown
}
