public import BillfoldStorage

/// Which part of a list is read: rows made within a time, behind a place, the newest first.
///
/// Lists are read by their keys, the instant of making and the id: a row that comes or changes meanwhile moves no other.
public struct ListFilter: Sendable, Hashable {
    /// A row's place among the others.
    public struct Place: Sendable, Hashable, Comparable {
        public var at: Timestamp
        public var id: TimeOrderedID

        public init(at: Timestamp, id: TimeOrderedID) {
            self.at = at
            self.id = id
        }

        public static func < (lhs: Self, rhs: Self) -> Bool { lhs.at == rhs.at ? lhs.id < rhs.id : lhs.at < rhs.at }
    }

    /// The first instant that counts.
    public var from: Timestamp?
    /// The first instant that does not count any more.
    public var to: Timestamp?
    /// The last row of the page before; `nil` begins with the newest.
    public var after: Place?
    /// The most rows that are read.
    public var limit: Int

    public init(from: Timestamp? = nil, to: Timestamp? = nil, after: Place? = nil, limit: Int) {
        self.from = from
        self.to = to
        self.after = after
        self.limit = limit
    }

    /// The part of a few rows that were read for another reason, such as all attempts of one order.
    ///
    /// - Parameters:
    ///   - rows: In any order.
    ///   - place: Where a row stands.
    public func part<Item>(of rows: [Item], by place: (Item) -> Place) -> [Item] {
        let counted = rows.filter { row in
            let place = place(row)
            return from.map { $0 <= place.at } != false && to.map { place.at < $0 } != false && after.map { place < $0 } != false
        }
        return Array(counted.sorted { place($1) < place($0) }.prefix(limit))
    }

    /// What follows a statement's `WHERE merchant = ?`, and the values that it names.
    ///
    /// - Parameter conditions: Further ones, in SQL.
    package func clause(_ conditions: [(sql: String, value: SQLValue)]) -> (sql: String, values: [SQLValue]) {
        var (sql, values) = (conditions.map { " AND \($0.sql)" }.joined(), conditions.map(\.value))
        if let from {
            sql += " AND created_at >= ?"
            values.append(.integer(from.microseconds))
        }
        if let after {
            // What comes behind it is older than `to` as well. Two ends make SQLite pass over the narrower index.
            sql += " AND (created_at, id) < (?, ?)"
            values += [.integer(after.at.microseconds), after.id.sql]
        } else if let to {
            sql += " AND created_at < ?"
            values.append(.integer(to.microseconds))
        }
        return (sql + " ORDER BY created_at DESC, id DESC LIMIT ?", values + [.integer(Int64(limit))])
    }
}
