public import BillfoldStorage

/// A request by which a caller means one thing, however often it is sent.
public struct KeyedRequest: Sendable {
    /// The caller's name for it.
    public var key: IdempotencyKey
    /// Over what has meaning in it.
    public var fingerprint: RequestFingerprint
    /// What it works on.
    public var subject: TimeOrderedID?
    /// When it came.
    public var at: Timestamp

    public init(_ key: IdempotencyKey, fingerprint: RequestFingerprint, subject: TimeOrderedID? = nil, at: Timestamp) {
        self.key = key
        self.fingerprint = fingerprint
        self.subject = subject
        self.at = at
    }

    fileprivate func take(answering result: [UInt8], in tx: any Transaction) throws -> IdempotencyOutcome {
        try IdempotencyRecords.begin(key, fingerprint: fingerprint, subject: subject, result: result, at: at, in: tx)
    }
}

/// What became of a request that is decided once.
public enum OnceDecided<Made: Sendable>: Sendable {
    /// By this call, which made what the body returned.
    case now(Made)
    /// Before, or by an earlier run of the body in this call, the answer to whose commit was lost. This run changed nothing.
    case before(IdempotencyOutcome)
}

extension OnceDecided: Equatable where Made: Equatable {}

extension Database {
    /// Decides a request once: what it writes and its answer are stored in one transaction, the answer by a single statement.
    ///
    /// The body runs before the key is taken, and all of its writes are undone where somebody took the key before: it must do nothing but
    /// read and write in its transaction. A repeated request may well fail in its body, where the first has changed what it reads; what was
    /// decided before is looked up before the body's error is thrown.
    ///
    /// - Parameters:
    ///   - refusal: The answer that stays for good where the body throws this error; `nil` where the error decides nothing, and the same
    ///     request may be tried again. The error is thrown either way, unless the same request came through in between.
    ///   - body: Returns the answer as it is stored, and whatever else the caller wants of it.
    public func decideOnce<Made: Sendable>(
        _ request: KeyedRequest, keeping refusal: (any Error) async throws -> [UInt8]? = { _ in nil },
        _ body: @escaping @Sendable (any Transaction) throws -> (result: [UInt8], made: Made)
    ) async throws -> OnceDecided<Made> {
        try await decide(request, keeping: refusal) { tx in
            let noting = NotingTransaction(tx)
            let (result, made) = try body(noting)
            let outcome = try request.take(answering: result, in: tx)
            if case .unseen = outcome { return .now(made) }
            // A refused write costs its neighbours in the group a second run. Most repetitions have nothing to be undone.
            if noting.hasChanged { throw KeyTaken(outcome: outcome) }
            return .before(outcome)
        }
    }

    /// Decides a request whose answer is known beforehand, such as the id of what it makes. The key is taken first, so that the body of a
    /// repeated request does not run at all.
    ///
    /// - Parameters:
    ///   - result: The answer as it is stored.
    ///   - refusal: As in ``decideOnce(_:keeping:_:)``.
    ///   - body: Nothing but reads and writes in its transaction.
    public func decideOnce<Made: Sendable>(
        _ request: KeyedRequest, answering result: [UInt8], keeping refusal: (any Error) async throws -> [UInt8]? = { _ in nil },
        _ body: @escaping @Sendable (any Transaction) throws -> Made
    ) async throws -> OnceDecided<Made> {
        try await decide(request, keeping: refusal) { tx in
            let outcome = try request.take(answering: result, in: tx)
            guard case .unseen = outcome else { return .before(outcome) }
            return .now(try body(tx))
        }
    }

    private func decide<Made: Sendable>(
        _ request: KeyedRequest, keeping refusal: (any Error) async throws -> [UInt8]?,
        _ write: @escaping @Sendable (any Transaction) throws -> OnceDecided<Made>
    ) async throws -> OnceDecided<Made> {
        do { return try await writeRepeatably(write) } catch let taken as KeyTaken {
            return .before(taken.outcome)
        } catch let error as StorageError where error.code == .unavailable {
            throw error
        } catch {
            let known: IdempotencyOutcome?
            do {
                known = try await lookup { try IdempotencyRecords.find(request.key, fingerprint: request.fingerprint, in: $0) }
            } catch let unreadable {
                // What the body said may only mean that the first request has changed what it read.
                throw error is StorageError ? error : unreadable
            }
            if let known { return .before(known) }
            guard let kept = try await refusal(error) else { throw error }
            // The write that refused has left nothing behind, so the refusal is stored in one of its own, unless the same request came
            // through in between.
            let outcome = try await writeRepeatably { try request.take(answering: kept, in: $0) }
            guard case .unseen = outcome else { return .before(outcome) }
            throw error
        }
    }
}

/// Thrown out of a write, so that what its body wrote is rolled back.
private struct KeyTaken: Error {
    var outcome: IdempotencyOutcome
}

/// Notes whether a statement changed anything.
private final class NotingTransaction: Transaction {
    private let inner: any Transaction
    private(set) var hasChanged = false

    init(_ inner: any Transaction) { self.inner = inner }

    func execute(_ sql: String, _ bindings: [SQLValue]) throws -> Int {
        let changed = try inner.execute(sql, bindings)
        if changed > 0 { hasChanged = true }
        return changed
    }

    func executeBatch(_ statements: [Statement]) throws -> [Int] {
        let changed = try inner.executeBatch(statements)
        if changed.contains(where: { $0 > 0 }) { hasChanged = true }
        return changed
    }

    func query(_ sql: String, _ bindings: [SQLValue]) throws -> [Row] { try inner.query(sql, bindings) }

    var blobType: String { inner.blobType }
}
