package import BillfoldStorage

/// The two tables of what a server tells others: its notifications, and every attempt to deliver one. The message itself lies in the outbox
/// under the same id.
///
/// Each server keeps tables of its own, with what its notifications are about. Both begin with their owner, and a notification has
/// `id`, `state` and `settled_at`.
package struct DeliveryRecords: Sendable {
    package enum State: String, Sendable, Hashable {
        /// Under way, or between two attempts.
        case waiting
        /// Acknowledged in the protocol's own way.
        case settled
        /// Given up after the last attempt; an operator can send it again.
        case parked
    }

    /// Why an attempt did not count: one word for each thing that a receiver has to mend.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// Nothing was sent: it could not be made, or its receiver is not registered any more.
        case notSent = "not-sent"
        /// It was sent, or the receiver could not be reached, and no answer came.
        case noAnswer = "no-answer"
        case wrongStatus = "wrong-status"
        /// The answer is not the protocol's acknowledgement.
        case wrongAnswer = "wrong-answer"
        /// The right answer, but unsigned, where the receiver's registration asks for a signature.
        case unsigned
        /// The answer's signature does not fit, or cannot be read.
        case badSignature = "bad-signature"
        /// The receiver says itself that it has not taken it.
        case refused
    }

    package struct Attempt: Sendable, Hashable {
        package var number: Int64
        /// When it had ended.
        package var at: Timestamp
        /// The HTTP status; none where there was no answer.
        package var status: Int64?
        /// The first bytes of the reply.
        package var reply: [UInt8]
        /// Why it did not count, in words; empty where it did.
        package var note: String
        /// From its beginning to the answer's last byte, or to its failure; none where an earlier version noted it.
        package var took: Duration?
        /// None where it counted, and where an earlier version noted it.
        package var reason: Reason?

        /// ``took`` in whole milliseconds, for people and programs.
        package var milliseconds: Int64? { took.map { DeliveryRecords.microseconds($0) / 1_000 } }

        package init(
            number: Int64, at: Timestamp, status: Int64?, reply: [UInt8], note: String, took: Duration? = nil, reason: Reason? = nil
        ) {
            (self.number, self.at, self.status, self.reply, self.note) = (number, at, status, reply, note)
            (self.took, self.reason) = (took, reason)
        }
    }

    private static let mostAttempts: Int64 = 1_000

    private let notifications: String
    private let attempts: String
    private let owner: String

    /// - Parameter owner: The column of whoever is told.
    package init(_ notifications: String, attempts: String, owner: String) {
        (self.notifications, self.attempts, self.owner) = (notifications, attempts, owner)
    }

    /// The table of attempts, for a server that gets one: it begins with its owner's column.
    package static func table(_ attempts: String, owner: String) -> String {
        """
        CREATE TABLE \(attempts) (
            \(owner) TEXT NOT NULL, notification $BLOB NOT NULL, number BIGINT NOT NULL, at BIGINT NOT NULL, status BIGINT,
            reply $BLOB NOT NULL, note TEXT NOT NULL, took BIGINT, reason TEXT, PRIMARY KEY (\(owner), notification, number, at))
        """
    }

    /// What an attempt took and why it did not count, for a table that was made without these two.
    package static func details(of attempts: String) -> [String] {
        ["ALTER TABLE \(attempts) ADD COLUMN took BIGINT", "ALTER TABLE \(attempts) ADD COLUMN reason TEXT"]
    }

    /// Notes an attempt. The same attempt is noted once.
    package func note(_ attempt: Attempt, of id: TimeOrderedID, owner: MerchantID, in tx: any Transaction) throws {
        try tx.execute(
            """
            INSERT INTO \(attempts) (\(self.owner), notification, number, at, status, reply, note, took, reason)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [
                owner.sql, id.sql, .integer(attempt.number), .integer(attempt.at.microseconds),
                attempt.status.map { .integer($0) } ?? .null, .blob(attempt.reply), .text(attempt.note),
                attempt.took.map { .integer(Self.microseconds($0)) } ?? .null, .optional(attempt.reason?.rawValue),
            ])
    }

    package func attempts(of id: TimeOrderedID, owner: MerchantID, in tx: any Transaction) throws -> [Attempt] {
        try tx.query(
            """
            SELECT number, at, status, reply, note, took, reason FROM \(attempts)
            WHERE \(self.owner) = ? AND notification = ? ORDER BY at, number
            """, [owner.sql, id.sql]
        ).map { row in
            Attempt(
                number: try row.integer(0), at: try row.timestamp(1), status: try row.optionalInteger(2), reply: try row.blob(3),
                note: try row.text(4), took: try row.optionalInteger(5).map { .microseconds($0) },
                // A word of a later version is told by its note.
                reason: try row.optionalText(6).flatMap(Reason.init))
        }
    }

    fileprivate static func microseconds(_ duration: Duration) -> Int64 {
        Timestamp(microseconds: 0).advanced(by: duration).microseconds
    }

    package func settle(_ id: TimeOrderedID, owner: MerchantID, at now: Timestamp, in tx: any Transaction) throws {
        try tx.execute(
            "UPDATE \(notifications) SET state = 'settled', settled_at = ? WHERE \(self.owner) = ? AND id = ? AND state <> 'settled'",
            [.integer(now.microseconds), owner.sql, id.sql])
    }

    package func park(_ id: TimeOrderedID, owner: MerchantID, in tx: any Transaction) throws {
        try tx.execute(
            "UPDATE \(notifications) SET state = 'parked' WHERE \(self.owner) = ? AND id = ? AND state = 'waiting'",
            [owner.sql, id.sql])
    }

    /// Sends a notification once more, as a person asks: one that was given up, or one that was acknowledged, which is under way again from
    /// then on. Returns false where it is under way already, or was sent a thousand times.
    ///
    /// - Parameter state: As it was read in this transaction.
    package func replay(
        _ id: TimeOrderedID, in state: State, owner: MerchantID, by person: String, because reason: String,
        at now: Timestamp, linking links: AuditChain, in tx: any Transaction
    ) throws -> Bool {
        switch state {
        case .waiting: return false
        case .parked:
            guard
                try OutboxRecords.resolve(
                    id, merchant: owner, action: .retry, by: person, because: reason, at: now, linking: links, in: tx)
            else { return false }
        case .settled:
            guard try OutboxRecords.offerAgain(id, merchant: owner, limit: Self.mostAttempts, at: now, in: tx) else { return false }
            try AuditRecords.append(
                to: "operators", by: person, action: "notification.replay", object: id.description, result: reason, at: now,
                merchant: owner, linking: links, in: tx)
        }
        try tx.execute(
            "UPDATE \(notifications) SET state = 'waiting', settled_at = NULL WHERE \(self.owner) = ? AND id = ? AND state = ?",
            [owner.sql, id.sql, .text(state.rawValue)])
        return true
    }
}
