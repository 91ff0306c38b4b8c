public import BillfoldStorage

/// What became of a request that is decided once.
public enum OnceDecided<Made: Sendable>: Sendable {
    /// By this call, which made what the body returned.
    case now(Made)
    /// Before it: this call changed nothing.
    case before(IdempotencyOutcome)
}

extension OnceDecided: Equatable where Made: Equatable {}

extension Database {
    /// Decides a request once: what it writes and its answer are stored in one transaction, the answer by a single statement.
    ///
    /// The body runs before the key is taken, and all of its writes are undone where somebody took the key before. So it must do nothing
    /// but read and write in its transaction, and its writes must meet those of another run of it without an error of the store.
    /// A repeated request may well fail in its body, where the first has changed what it reads: what was decided before is looked up
    /// before the body's error is thrown.
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
            return .now(
                try await writeRepeatably { tx in
                    let (result, made) = try body(tx)
                    let outcome = try IdempotencyRecords.begin(key, fingerprint: fingerprint, result: result, at: now, in: tx)
                    // Thrown, so that the body's writes are rolled back.
                    guard case .unseen = outcome else { throw KeyTaken(outcome: outcome) }
                    return made
                })
        } catch let taken as KeyTaken {
            return .before(taken.outcome)
        } catch {
            if let known = try? await lookup({ try IdempotencyRecords.find(key, fingerprint: fingerprint, in: $0) }) {
                return .before(known)
            }
            throw error
        }
    }
}

private struct KeyTaken: Error {
    var outcome: IdempotencyOutcome
}
