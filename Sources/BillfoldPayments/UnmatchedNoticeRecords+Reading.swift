public import BillfoldStorage

extension UnmatchedNoticeRecords {
    /// Whether something is open that its source calls by one of some names.
    public static func holdsOpen(_ owner: MerchantID, naming names: [String], in tx: any Transaction) throws -> Bool {
        guard !names.isEmpty else { return false }
        let places = names.map { _ in "?" }.joined(separator: ", ")
        return try !tx.query(
            "SELECT id FROM unmatched_notices WHERE owner = ? AND settled_at IS NULL AND reference IN (\(places)) LIMIT 1",
            [owner.sql] + names.map(SQLValue.text)
        ).isEmpty
    }

    /// Of the open notices of every source the oldest and the newest, oldest first: neither do many hide those that came later, nor one
    /// source those of the others.
    ///
    /// - Parameters:
    ///   - owner: Whose books do not know what the notices tell of; those of others are not read.
    ///   - most: So many of each.
    ///   - tx: It is read only.
    public static func shown(_ owner: MerchantID, most: Int, in tx: any Transaction) throws -> [UnmatchedNotice] {
        let sources = try tx.query(
            "SELECT source FROM unmatched_notices WHERE owner = ? AND settled_at IS NULL GROUP BY source ORDER BY source", [owner.sql]
        ).map { try $0.text(0) }
        var found: [TimeOrderedID: UnmatchedNotice] = [:]
        for source in sources {
            for order in ["ASC", "DESC"] {
                for notice in try open(owner, source: source, order, limit: most, in: tx) { found[notice.id] = notice }
            }
        }
        return found.values.sorted { ($0.receivedAt.microseconds, $0.id) < ($1.receivedAt.microseconds, $1.id) }
    }

    /// How many notices are open.
    public static func countOpen(_ owner: MerchantID, in tx: any Transaction) throws -> Int64 {
        try tx.query("SELECT COUNT(*) FROM unmatched_notices WHERE owner = ? AND settled_at IS NULL", [owner.sql])[0].integer(0)
    }
}
