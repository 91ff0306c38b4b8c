public import BillfoldStorage
import Synchronization

/// One kind of row that is forgotten once no rule needs it.
public struct RetentionRule: Sendable {
    /// Removes at most `limit` rows in one transaction, and says whether there may be more.
    public typealias Step = @Sendable (_ database: any Database, _ limit: Int) async throws -> (removed: Int, isDone: Bool)

    /// For logs.
    public let name: String
    /// Begins a round at an instant: what the round does until it is done.
    let begin: @Sendable (_ database: any Database, _ now: Timestamp) async throws -> Step

    /// - Parameters:
    ///   - name: For logs.
    ///   - begin: Begins a round at an instant.
    package init(_ name: String, begin: @escaping @Sendable (any Database, Timestamp) async throws -> Step) {
        self.name = name
        self.begin = begin
    }

    /// How long an answer is kept under its idempotency key.
    public static let keysKept = Duration.seconds(30 * 86_400)
    /// How long a message is kept that was delivered or taken back.
    public static let messagesKept = Duration.seconds(90 * 86_400)
    /// How long a message is kept that a person discarded.
    public static let discardedKept = Duration.seconds(365 * 86_400)
    /// How long what has ended is kept: codes, sessions, checkouts that nobody paid.
    public static let endedKept = Duration.seconds(30 * 86_400)

    /// Answers under idempotency keys.
    ///
    /// - Parameters:
    ///   - operations: Those whose repetition is known by more than its key: by a reference, a token or a request id that stays for ever.
    ///     Keys of other operations are kept, because nothing else tells a repetition from a second wish.
    ///   - keys: Which of their keys.
    public static func keys(of operations: [String], _ keys: RetentionRecords.Keys = .answered) -> Self {
        Self(RetentionRecords.keys) { database, now in
            let end = now.advanced(by: .zero - keysKept)
            // Looked at once more for as long again: a key may be answered late.
            let start =
                try await database.read { try RetentionRecords.mark(RetentionRecords.keysRound, in: $0) }?.advanced(by: .zero - keysKept)
                ?? Timestamp(microseconds: .min)
            return { database, limit in
                let removed = try await database.writeRepeatably { tx in
                    let removed = try RetentionRecords.forgetKeys(keys, of: operations, from: start, to: end, limit: limit, in: tx)
                    if removed > 0 { try RetentionRecords.move(RetentionRecords.keys, to: end, in: tx) }
                    if removed < limit { try RetentionRecords.move(RetentionRecords.keysRound, to: end, in: tx) }
                    return removed
                }
                return (removed, removed < limit)
            }
        }
    }

    /// Messages that were delivered, taken back or discarded. Those that were given up stay until a person has seen to them.
    public static let messages = Self(RetentionRecords.outbox) { _, now in
        let (end, discarded) = (now.advanced(by: .zero - messagesKept), now.advanced(by: .zero - discardedKept))
        let owner = Owner()
        return { database, limit in
            let last = owner.name
            guard let next = try await database.read({ try last ?? RetentionRecords.ownerOfMessages(after: nil, in: $0) }) else {
                return (0, true)
            }
            let (removed, following) = try await database.writeRepeatably { tx in
                let removed = try RetentionRecords.forgetMessages(
                    of: next, before: end, discardedBefore: discarded, limit: limit, in: tx)
                if removed > 0 { try RetentionRecords.move(RetentionRecords.outbox, to: end, in: tx) }
                return (removed, removed < limit ? try RetentionRecords.ownerOfMessages(after: next, in: tx) : next)
            }
            owner.name = following
            return (removed, following == nil)
        }
    }

    /// Rows of a table that ended before an instant.
    ///
    /// - Parameters:
    ///   - table: Put into the SQL as it is; it is the rule's name in logs too.
    ///   - key: The primary key's columns.
    ///   - condition: Which rows, in SQL; each `?` in it stands for the instant.
    ///   - kept: How long before now the instant lies.
    public static func ended(_ table: String, key: [String], where condition: String, kept: Duration = endedKept) -> Self {
        Self(table) { _, now in
            let places = condition.utf8.filter { $0 == UInt8(ascii: "?") }.count
            let values = [SQLValue](repeating: .integer(now.advanced(by: .zero - kept).microseconds), count: places)
            return { database, limit in
                let removed = try await database.writeRepeatably { tx in
                    try RetentionRecords.forget(table, key: key, where: condition, values, limit: limit, in: tx)
                }
                return (removed, removed < limit)
            }
        }
    }
}

/// The owner whose messages a round has come to.
private final class Owner: Sendable {
    private let held = Mutex<String?>(nil)
    var name: String? {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}
