public import BillfoldStorage

/// The rows of the outbox. Workers of several processes share it by conditional updates alone.
public enum OutboxRecords {
    static let migration = Migration(
        "payments-0007-outbox",
        [
            """
            CREATE TABLE outbox (
                merchant TEXT NOT NULL, id $BLOB NOT NULL, destination TEXT NOT NULL, kind TEXT NOT NULL, subject $BLOB NOT NULL,
                subject_version BIGINT NOT NULL, body $BLOB NOT NULL, schedule TEXT NOT NULL, state TEXT NOT NULL,
                attempt BIGINT NOT NULL, due_at BIGINT NOT NULL, note TEXT NOT NULL, receipt $BLOB, created_at BIGINT NOT NULL,
                PRIMARY KEY (merchant, id))
            """,
            "CREATE INDEX outbox_ready ON outbox (due_at) WHERE state = 'ready'",
            "CREATE INDEX outbox_dead ON outbox (merchant, created_at) WHERE state = 'dead'",
        ])

    private static let insertSQL = """
        INSERT INTO outbox (merchant, id, destination, kind, subject, subject_version, body, schedule, state, attempt, due_at, note,
            created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'ready', ?, ?, '', ?)
        """
    static let columns = "merchant, id, destination, kind, subject, subject_version, body, schedule, due_at, created_at, attempt, note"

    /// The statement that stores a message. A message due later than it was made is leased to the request that makes it.
    public static func insertion(_ message: OutboxMessage) -> Statement {
        Statement(
            insertSQL,
            [
                message.merchant.sql, message.id.sql, .text(message.destination), .text(message.kind), message.subject.sql,
                .integer(message.subjectVersion), .blob(message.body), .text(message.schedule),
                .integer(message.dueAt > message.createdAt ? 1 : 0), .integer(message.dueAt.microseconds),
                .integer(message.createdAt.microseconds),
            ])
    }

    /// Claims due messages, oldest first, and leases them. A lease is in its owner's time, like the row.
    ///
    /// - Parameters:
    ///   - kinds: What the claiming worker delivers.
    ///   - due: Says what is due.
    ///   - held: Messages whose leases are over by their owners' time and that this process delivers all the same: time was moved.
    ///   - excluding: Destinations at their limit or behind an open breaker. They do not take places in the batch.
    ///   - allowance: How many messages of a destination may be claimed.
    static func claim(
        _ kinds: OutboxKinds = .all, limit: Int, lease: Duration, due: DueTimes, held: [TimeOrderedID] = [], excluding: Set<String>,
        allowance: (String) -> Int, in tx: any Transaction
    ) throws -> [OutboxClaim] {
        var claims: [OutboxClaim] = []
        var taken: [String: Int] = [:]
        var excluded = excluding
        let (isDue, dueValues) = due.condition(owner: "merchant")
        let isFree = held.isEmpty ? "" : " AND id NOT IN (\(held.map { _ in "?" }.joined(separator: ", ")))"
        while claims.count < limit {
            let names = excluded.sorted()
            let (ofKinds, kindValues) = kinds.condition
            let filter =
                (names.isEmpty ? "" : "AND destination NOT IN (\(names.map { _ in "?" }.joined(separator: ", ")))") + ofKinds + isFree
            let wanted = limit - claims.count
            let rows = try tx.query(
                "SELECT \(columns) FROM outbox WHERE state = 'ready' AND \(isDue) \(filter) ORDER BY due_at LIMIT ?",
                dueValues + names.map(SQLValue.text) + kindValues + held.map(\.sql) + [.integer(Int64(wanted))])
            var chosen: [OutboxClaim] = []
            for row in rows {
                let (message, attempt, _) = try read(row)
                let used = taken[message.destination, default: 0]
                if used >= allowance(message.destination) {
                    excluded.insert(message.destination)
                    continue
                }
                taken[message.destination] = used + 1
                let leaseUntil = due.now(of: message.merchant.description).advanced(by: lease)
                chosen.append(OutboxClaim(message: message, attempt: attempt + 1, leaseUntil: leaseUntil))
            }
            let changed = try tx.executeBatch(
                chosen.map { claim in
                    Statement(
                        """
                        UPDATE outbox SET attempt = attempt + 1, due_at = ?
                        WHERE merchant = ? AND id = ? AND state = 'ready' AND attempt = ? AND due_at = ?
                        """,
                        [
                            .integer(claim.leaseUntil.microseconds), claim.message.merchant.sql, claim.message.id.sql,
                            .integer(claim.attempt - 1), .integer(claim.message.dueAt.microseconds),
                        ])
                })
            claims += zip(chosen, changed).filter { $0.1 == 1 }.map(\.0)
            // Another look is needed only where places stayed empty because of a destination's own limit.
            if rows.count < wanted || chosen.count == rows.count { break }
        }
        return claims
    }

    /// Has messages that are leased, and whose attempt was not begun, stand as if they had not been claimed.
    ///
    /// - Parameter due: When they may be claimed again.
    static func giveBack(_ claims: [OutboxClaim], at due: Timestamp, in tx: any Transaction) throws {
        _ = try tx.executeBatch(
            claims.map { claim in
                Statement(
                    """
                    UPDATE outbox SET attempt = attempt - 1, due_at = ?
                    WHERE merchant = ? AND id = ? AND state = 'ready' AND attempt = ? AND due_at = ?
                    """,
                    [
                        .integer(due.microseconds), claim.message.merchant.sql, claim.message.id.sql, .integer(claim.attempt),
                        .integer(claim.leaseUntil.microseconds),
                    ])
            })
    }

    /// Stores how an attempt ended. Returns false when the lease was lost and the row is another's now.
    @discardableResult
    static func finish(
        _ claim: OutboxClaim, _ delivery: Delivery, retryAt: Timestamp?, in tx: any Transaction
    ) throws -> Bool {
        try delivery.record?(tx)
        let key: [SQLValue] = [claim.message.merchant.sql, claim.message.id.sql]
        let note = SQLValue.text(delivery.note)
        let (erasure, empty): (String, [SQLValue]) = delivery.erasesBody ? (", body = ?", [.blob([])]) : ("", [])
        switch delivery.verdict {
        case .delivered:
            // Delivered is delivered, whoever holds the row by now.
            return try tx.execute(
                "UPDATE outbox SET state = 'done', note = ?, receipt = ?\(erasure) WHERE merchant = ? AND id = ? AND state <> 'done'",
                [note, .blob(delivery.receipt)] + empty + key) == 1
        case .retry where retryAt != nil, .notBegun where retryAt != nil:
            return try tx.execute(
                "UPDATE outbox SET due_at = ?, note = ? WHERE merchant = ? AND id = ? AND state = 'ready' AND attempt = ?",
                [.integer(retryAt?.microseconds ?? 0), note] + key + [.integer(claim.attempt)]) == 1
        case .retry, .park, .notBegun:
            let isDead =
                try tx.execute(
                    """
                    UPDATE outbox SET state = 'dead', note = ?, receipt = ?\(erasure)
                    WHERE merchant = ? AND id = ? AND state = 'ready' AND attempt = ?
                    """, [note, .blob(delivery.receipt)] + empty + key + [.integer(claim.attempt)]) == 1
            if isDead { try delivery.givenUp?(tx) }
            return isDead
        }
    }

    /// Stores how the request that leased a row from the start fared: done, or left to the workers at the lease's end.
    ///
    /// - Parameters:
    ///   - message: The one that the request stored with a lease of its own.
    ///   - delivery: How the request's own attempt ended.
    ///   - retryAt: When the workers may take over; the lease's end where it is `nil`.
    ///   - tx: A write, in which what the delivery itself has to record is stored too.
    public static func finishByRequest(
        _ message: OutboxMessage, _ delivery: Delivery, retryAt: Timestamp? = nil, in tx: any Transaction
    ) throws {
        try finish(.byRequest(message), delivery, retryAt: retryAt ?? message.dueAt, in: tx)
    }

    /// Takes a waiting message back, because what it says is not wanted any more, and erases its body. Returns false when it is
    /// not waiting.
    @discardableResult
    public static func withdraw(_ id: TimeOrderedID, merchant: MerchantID, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "UPDATE outbox SET state = 'withdrawn', body = ? WHERE merchant = ? AND id = ? AND state = 'ready'",
            [.blob([]), merchant.sql, id.sql]) == 1
    }

    /// Has a message that was delivered or given up sent once more: the same body under the same id, after the receiver said
    /// that it does not have it. Returns false when it is under way, when its body is gone, or after `limit` attempts.
    @discardableResult
    public static func offerAgain(
        _ id: TimeOrderedID, merchant: MerchantID, limit: Int64, at now: Timestamp, in tx: any Transaction
    ) throws -> Bool {
        try tx.execute(
            """
            UPDATE outbox SET state = 'ready', due_at = ?
            WHERE merchant = ? AND id = ? AND state IN ('done', 'dead') AND attempt < ? AND LENGTH(body) > 0
            """, [.integer(now.microseconds), merchant.sql, id.sql, .integer(limit)]) == 1
    }

    /// Has a message that waits for its next attempt sent now. One that is just leaving may leave a second time, so this is for
    /// messages that their receiver knows again by their id. Returns false when it is due already, or does not wait.
    @discardableResult
    public static func hurry(_ id: TimeOrderedID, merchant: MerchantID, at now: Timestamp, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "UPDATE outbox SET due_at = ? WHERE merchant = ? AND id = ? AND state = 'ready' AND due_at > ?",
            [.integer(now.microseconds), merchant.sql, id.sql, .integer(now.microseconds)]) == 1
    }

    /// How the delivery of a message stands.
    public struct Standing: Sendable, Hashable {
        /// The attempts that were begun.
        public var attempts: Int64
        /// How the last attempt that ended without success ended.
        public var note: String
        /// Whether it waits for an operator.
        public var isGivenUp: Bool
        /// When it is sent next; while an attempt is under way, when it is sent again should nothing be heard of that one. None where no
        /// attempt is to come.
        public var nextAttempt: Timestamp?
    }

    /// How the message's delivery stands; `nil` where there is no such message.
    public static func standing(of id: TimeOrderedID, merchant: MerchantID, in tx: any Transaction) throws -> Standing? {
        try tx.query("SELECT attempt, note, state, due_at FROM outbox WHERE merchant = ? AND id = ?", [merchant.sql, id.sql]).first.map {
            row in
            let state = try row.text(2)
            return Standing(
                attempts: try row.integer(0), note: try row.text(1), isGivenUp: state == "dead",
                nextAttempt: state == "ready" ? Timestamp(microseconds: try row.integer(3)) : nil)
        }
    }

    /// The message as it was stored; `nil` where there is none of this id.
    public static func find(_ id: TimeOrderedID, merchant: MerchantID, in tx: any Transaction) throws -> OutboxMessage? {
        try tx.query("SELECT \(columns) FROM outbox WHERE merchant = ? AND id = ?", [merchant.sql, id.sql]).first.map { try read($0).0 }
    }

    /// The messages that were given up and wait for an operator.
    public static func deadLetters(_ merchant: MerchantID, in tx: any Transaction) throws -> [DeadLetter] {
        try tx.query(
            "SELECT \(columns) FROM outbox WHERE merchant = ? AND state = 'dead' ORDER BY created_at", [merchant.sql]
        ).map { row in
            let (message, attempt, note) = try read(row)
            return DeadLetter(message: message, attempts: attempt, note: note)
        }
    }

    /// Ends a message that was given up, where its owner is told of that elsewhere and no operator need see to it. Call it in the
    /// transaction that gives it up. Returns false when it is no dead letter.
    @discardableResult
    package static func closeDeadLetter(_ id: TimeOrderedID, merchant: MerchantID, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "UPDATE outbox SET state = 'done' WHERE merchant = ? AND id = ? AND state = 'dead'", [merchant.sql, id.sql]) == 1
    }

    /// What an operator does with a dead letter.
    public enum OperatorAction: String, Sendable, Hashable {
        /// Starts its schedule again, counting the earlier attempts as one: what leaves next may be a second copy. Not possible
        /// once the body is erased.
        case retry
        /// Keeps the row without its body, and never sends it.
        case discard
    }

    /// Applies an operator's decision and writes it to the operators' audit chain. Returns false when the message is no dead
    /// letter any more, unless the same decision, told by its reason, was applied to it before.
    public static func resolve(
        _ id: TimeOrderedID, merchant: MerchantID, action: OperatorAction, by operatorName: String, because reason: String,
        at now: Timestamp, linking links: AuditChain, in tx: any Transaction
    ) throws -> Bool {
        let key: [SQLValue] = [merchant.sql, id.sql]
        let changed =
            switch action {
            case .retry:
                try tx.execute(
                    """
                    UPDATE outbox SET state = 'ready', attempt = 1, due_at = ?
                    WHERE merchant = ? AND id = ? AND state = 'dead' AND LENGTH(body) > 0
                    """, [.integer(now.microseconds)] + key)
            case .discard:
                try tx.execute(
                    "UPDATE outbox SET state = 'discarded', body = ?, due_at = ? WHERE merchant = ? AND id = ? AND state = 'dead'",
                    [.blob([]), .integer(now.microseconds)] + key)
            }
        let entry = "outbox.\(action.rawValue)"
        guard changed == 1 else {
            return try AuditRecords.rows(of: "operators", merchant: merchant, in: tx)
                .contains { $0.object == id.description && $0.action == entry && $0.result == reason }
        }
        try AuditRecords.append(
            to: "operators", by: operatorName, action: entry, object: id.description, result: reason, at: now, merchant: merchant,
            linking: links, in: tx)
        return true
    }

    /// How many messages wait, and since when the oldest could have left: two figures to alarm on.
    public static func backlog(at now: Timestamp, in tx: any Transaction) throws -> (waiting: Int64, oldestDue: Timestamp?) {
        let row = try tx.query(
            "SELECT COUNT(*), MIN(due_at) FROM outbox WHERE state = 'ready' AND due_at <= ?", [.integer(now.microseconds)])[0]
        return (try row.integer(0), try row.optionalTimestamp(1))
    }

    private static func read(_ row: Row) throws -> (OutboxMessage, attempt: Int64, note: String) {
        let message = OutboxMessage(
            merchant: try MerchantID(row.text(0)), id: try TimeOrderedID(bytes: row.blob(1)), destination: try row.text(2),
            kind: try row.text(3), subject: try TimeOrderedID(bytes: row.blob(4)), subjectVersion: try row.integer(5),
            body: try row.blob(6), schedule: try row.text(7), dueAt: Timestamp(microseconds: try row.integer(8)),
            createdAt: Timestamp(microseconds: try row.integer(9)))
        return (message, try row.integer(10), try row.text(11))
    }
}

extension OutboxKinds {
    /// What follows a condition on messages.
    fileprivate var condition: (sql: String, values: [SQLValue]) {
        switch self {
        case .all: ("", [])
        case .only(let kind): (" AND kind = ?", [.text(kind)])
        case .except(let kind): (" AND kind <> ?", [.text(kind)])
        }
    }
}
