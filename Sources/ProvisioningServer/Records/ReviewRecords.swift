import BillfoldPayments
package import BillfoldStorage

/// A request that a person of the fraud team looks at before the token may be paid with.
package struct StoredReview: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, Codable, CaseIterable {
        case waiting, approved, refused
        /// The token was deleted before anybody decided, by the customer or otherwise.
        case expired
    }

    package var id: TimeOrderedID
    package var network: CardScheme
    /// The decision's request at the network.
    package var requestID: String
    package var card: String
    package var token: String
    package var state: State
    package var openedAt: Timestamp
    /// Who asked for the outcome and who agreed.
    package var concludedBy: String?
    package var remark: String?
    /// The approval that concluded it.
    package var approval: String?
}

/// The rows of reviews.
package enum ReviewRecords {
    static let migration = Migration(
        "tokens-0005-reviews",
        [
            """
            CREATE TABLE token_reviews (
                id $BLOB NOT NULL PRIMARY KEY, network TEXT NOT NULL, request_id TEXT NOT NULL, card TEXT NOT NULL, token TEXT NOT NULL,
                state TEXT NOT NULL, opened_at BIGINT NOT NULL, concluded_by TEXT, remark TEXT, approval TEXT, concluded_at BIGINT)
            """,
            "CREATE INDEX token_reviews_by_state ON token_reviews (state, id)",
            "CREATE INDEX token_reviews_by_token ON token_reviews (token)",
            "CREATE INDEX token_reviews_by_card ON token_reviews (card)",
        ])

    private static let columns = "id, network, request_id, card, token, state, opened_at, concluded_by, remark, approval"

    static func insert(_ row: StoredReview, in tx: any Transaction) throws {
        try tx.execute(
            "INSERT INTO token_reviews (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, NULL, NULL, NULL)",
            [
                row.id.sqlValue, .text(row.network.rawValue), .text(row.requestID), .text(row.card), .text(row.token),
                .text(row.state.rawValue), .integer(row.openedAt.microseconds),
            ])
    }

    /// Returns false when the review is not waiting any more.
    static func conclude(
        _ id: TimeOrderedID, _ state: StoredReview.State, by persons: String, remark: String, approval: String, at now: Timestamp,
        in tx: any Transaction
    ) throws -> Bool {
        try tx.execute(
            """
            UPDATE token_reviews SET state = ?, concluded_by = ?, remark = ?, approval = ?, concluded_at = ?
            WHERE id = ? AND state = 'waiting'
            """,
            [.text(state.rawValue), .text(persons), .text(remark), .text(approval), .integer(now.microseconds), id.sqlValue]) == 1
    }

    static func expire(token: String, at now: Timestamp, in tx: any Transaction) throws {
        try tx.execute(
            "UPDATE token_reviews SET state = 'expired', concluded_at = ? WHERE token = ? AND state = 'waiting'",
            [.integer(now.microseconds), .text(token)])
    }

    /// How a token's reviews stand: refused before waiting before the others.
    static func gravest(token: String, in tx: any Transaction) throws -> StoredReview.State? {
        let states: [StoredReview.State] = try tx.query("SELECT DISTINCT state FROM token_reviews WHERE token = ?", [.text(token)])
            .map { try $0.named(0) }
        return [.refused, .waiting, .approved, .expired].first(where: states.contains)
    }

    /// How reviews of the card's other tokens stand, oldest first. One that nobody decided, and that an approval in the same secure element
    /// followed, is over.
    static func others(
        card: String, besides token: String, secureElement: String, in tx: any Transaction
    ) throws -> [DecisionInputs.OtherReview] {
        let rows = try tx.query(
            """
            SELECT token_reviews.state, COALESCE(token_reviews.concluded_at, token_reviews.opened_at), token_decisions.secure_element
            FROM token_reviews JOIN token_decisions
                ON token_decisions.network = token_reviews.network AND token_decisions.request_id = token_reviews.request_id
            WHERE token_reviews.card = ? AND token_reviews.token <> ? ORDER BY token_reviews.id
            """, [.text(card), .text(token)]
        ).map { (state: try $0.named(0, as: StoredReview.State.self), at: try $0.timestamp(1), element: try $0.text(2)) }
        let approvals = rows.filter { $0.state == .approved }
        return rows.compactMap { row in
            let isOver = approvals.contains { $0.element == row.element && $0.at >= row.at }
            guard row.state != .approved, row.state != .expired || !isOver else { return nil }
            return .init(row.state, isSameDevice: row.element == secureElement, at: row.at)
        }
    }

    /// The reviews of a token that nobody has decided.
    static func waiting(token: String, in tx: any Transaction) throws -> [StoredReview] {
        try tx.query("SELECT \(columns) FROM token_reviews WHERE token = ? AND state = 'waiting' ORDER BY id", [.text(token)]).map(read)
    }

    /// Whether a person still looks at the token.
    static func isWaiting(token: String, in tx: any Transaction) throws -> Bool {
        try !tx.query("SELECT id FROM token_reviews WHERE token = ? AND state = 'waiting'", [.text(token)]).isEmpty
    }

    package static func find(_ id: TimeOrderedID, in tx: any Transaction) throws -> StoredReview? {
        try tx.query("SELECT \(columns) FROM token_reviews WHERE id = ?", [id.sqlValue]).first.map(read)
    }

    /// Those that wait, oldest first, then the others, newest first; of one card or of all.
    package static func list(card: String? = nil, limit: Int = 200, in tx: any Transaction) throws -> [StoredReview] {
        let (filter, bindings): (String, [SQLValue]) = card.map { ("AND card = ?", [.text($0)]) } ?? ("", [])
        func rows(_ condition: String, _ order: String) throws -> [StoredReview] {
            try tx.query(
                "SELECT \(columns) FROM token_reviews WHERE \(condition) \(filter) ORDER BY \(order) LIMIT ?",
                bindings + [.integer(Int64(limit))]
            ).map(read)
        }
        let waiting = try rows("state = 'waiting'", "id")
        return waiting + (try rows("state <> 'waiting'", "id DESC").prefix(max(0, limit - waiting.count)))
    }

    private static func read(_ row: Row) throws -> StoredReview {
        StoredReview(
            id: try row.timeOrderedID(0), network: try row.scheme(1), requestID: try row.text(2), card: try row.text(3),
            token: try row.text(4), state: try row.named(5), openedAt: try row.timestamp(6), concludedBy: try row.optionalText(7),
            remark: try row.optionalText(8), approval: try row.optionalText(9))
    }
}
