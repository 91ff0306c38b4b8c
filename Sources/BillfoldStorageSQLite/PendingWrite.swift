import BillfoldStorage
import Synchronization

/// A body that waits for the writer, without its result type.
protocol PendingWrite: AnyObject, Sendable {
    var deadline: ContinuousClock.Instant? { get }
    /// How often the body asked to be run again with a serialisation failure.
    var serializationFailures: Int { get }

    /// Runs the body and keeps its result or refusal. False: it refused, and nothing of it may stay.
    func run(in transaction: SQLiteTransaction) -> Bool
    /// Whether the last run ended with a serialisation failure, which is run again instead of being reported.
    var wantsAnotherRun: Bool { get }
    /// What the last run met of an ill disk.
    var illness: StorageError? { get }
    /// Releases the waiter with what the last run kept.
    func finish()
    /// Releases the waiter with an error of the store.
    func fail(_ error: StorageError)
}

final class Write<Value: Sendable>: PendingWrite {
    private struct State {
        var outcome: Result<Value, any Error>?
        var serializationFailures = 0
        var wantsAnotherRun = false
    }

    let deadline: ContinuousClock.Instant?
    private let body: @Sendable (any Transaction) throws -> Value
    private let continuation: CheckedContinuation<Value, any Error>
    private let state = Mutex(State())

    init(
        deadline: ContinuousClock.Instant?, continuation: CheckedContinuation<Value, any Error>,
        body: @escaping @Sendable (any Transaction) throws -> Value
    ) {
        self.deadline = deadline
        self.continuation = continuation
        self.body = body
    }

    var serializationFailures: Int { state.withLock { $0.serializationFailures } }
    var wantsAnotherRun: Bool { state.withLock { $0.wantsAnotherRun } }

    var illness: StorageError? {
        guard case .failure(let error as StorageError)? = state.withLock({ $0.outcome }), error.code == .storeIll else { return nil }
        return error
    }

    func run(in transaction: SQLiteTransaction) -> Bool {
        let outcome = Result { () throws -> Value in
            let value = try body(transaction)
            if let failure = transaction.failure { throw failure }
            return value
        }
        transaction.end()
        return state.withLock { state in
            state.outcome = outcome
            state.wantsAnotherRun = false
            guard case .failure(let error) = outcome else { return true }
            if (error as? StorageError)?.code == .serializationFailure {
                state.wantsAnotherRun = true
                state.serializationFailures += 1
            }
            return false
        }
    }

    func finish() {
        guard let outcome = state.withLock({ $0.outcome }) else {
            return fail(StorageError(code: .unavailable, reason: "the write was never run"))
        }
        continuation.resume(with: outcome)
    }

    func fail(_ error: StorageError) { continuation.resume(throwing: error) }
}
