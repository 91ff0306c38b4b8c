public import BillfoldStorage

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
    ///   - key: The caller's name for the request.
    ///   - fingerprint: Over what has meaning in it.
    ///   - now: When the key is taken.
    ///   - body: Returns the answer as it is stored, and whatever else the caller wants of it.
    public func decideOnce<Made: Sendable>(
        _ key: IdempotencyKey, fingerprint: RequestFingerprint, at now: Timestamp,
        _ body: @escaping @Sendable (any Transaction) throws -> (result: [UInt8], made: Made)
    ) async throws -> OnceDecided<Made> {
        do {
            return try await writeRepeatably { tx in
                let noting = NotingTransaction(tx)
                let (result, made) = try body(noting)
                let outcome = try IdempotencyRecords.begin(key, fingerprint: fingerprint, result: result, at: now, in: tx)
                if case .unseen = outcome { return .now(made) }
                // A refused write costs its neighbours in the group a second run. Most repetitions have nothing to be undone.
                if noting.hasChanged { throw KeyTaken(outcome: outcome) }
                return .before(outcome)
            }
        } catch let taken as KeyTaken {
            return .before(taken.outcome)
        } catch let error as StorageError where error.code == .unavailable {
            throw error
        } catch {
            if let known = try? await lookup({ try IdempotencyRecords.find(key, fingerprint: fingerprint, in: $0) }) {
                return .before(known)
            }
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
