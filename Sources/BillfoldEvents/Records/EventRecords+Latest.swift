package import BillfoldPayments
package import BillfoldStorage

/// Events as people look for them: the newest first.
extension EventRecords {
    /// The owner's latest events that have a place, before one where a place is given.
    static func latest(_ owner: MerchantID, before place: Int64? = nil, limit: Int, in tx: any Transaction) throws -> [Placed] {
        let forgotten = try head(of: owner, in: tx).forgotten
        return try tx.query(
            """
            SELECT \(columns) FROM events WHERE owner = ? AND position IS NOT NULL AND position > ? AND position < ?
            ORDER BY position DESC LIMIT ?
            """, [owner.sqlValue, .integer(forgotten), .integer(place ?? .max), .integer(Int64(limit))]
        ).map { row in
            let (event, position) = try read(row, owner: owner)
            return Placed(event: event, position: position ?? 0)
        }
    }

    /// The last events of objects with this id, of whatever kind, the newest first; also those that have no place yet.
    package static func latest(_ owner: MerchantID, object: String, limit: Int, in tx: any Transaction) throws -> [Event] {
        let found = try kinds.flatMap { kind in
            try tx.query(
                "SELECT \(columns) FROM events WHERE owner = ? AND object = ? ORDER BY sequence DESC LIMIT ?",
                [owner.sqlValue, .text(Event.Subject(kind, id: object).key), .integer(Int64(limit))]
            ).map { try read($0, owner: owner).event }
        }
        // Of a forgotten object the number is left.
        return Array(found.filter { !$0.data.isEmpty }.sorted { ($1.at, $1.sequence) < ($0.at, $0.sequence) }.prefix(limit))
    }
}
