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

/// What the writer asks about a run, apart from its result: that has a type that this package does not know, and every touch of it costs.
private struct LastRun {
    var serializationFailures = 0
    var wantsAnotherRun = false
    var illness: StorageError?

    mutating func take(_ refusal: StorageError?) {
        wantsAnotherRun = refusal?.code == .serializationFailure
        if wantsAnotherRun { serializationFailures += 1 }
        illness = refusal?.code == .storeIll ? refusal : nil
    }
}

final class Write<Value: Sendable>: PendingWrite {
    let deadline: ContinuousClock.Instant?
    private let body: @Sendable (any Transaction) throws -> Value
    private let continuation: CheckedContinuation<Value, any Error>
    private let outcome = Mutex<Result<Value, any Error>?>(nil)
    private let lastRun = Mutex(LastRun())

    init(
        deadline: ContinuousClock.Instant?, continuation: CheckedContinuation<Value, any Error>,
        body: @escaping @Sendable (any Transaction) throws -> Value
    ) {
        self.deadline = deadline
        self.continuation = continuation
        self.body = body
    }

    var serializationFailures: Int { lastRun.withLock { $0.serializationFailures } }
    var wantsAnotherRun: Bool { lastRun.withLock { $0.wantsAnotherRun } }
    var illness: StorageError? { lastRun.withLock { $0.illness } }

    func run(in transaction: SQLiteTransaction) -> Bool {
        defer { transaction.end() }
        do {
            let value = try body(transaction)
            if let failure = transaction.failure { throw failure }
            outcome.withLock { $0 = .success(value) }
            lastRun.withLock { $0.take(nil) }
            return true
        } catch {
            outcome.withLock { $0 = .failure(error) }
            lastRun.withLock { $0.take(error as? StorageError) }
            return false
        }
    }

    func finish() {
        guard let outcome = outcome.withLock({ $0 }) else {
            return fail(StorageError(code: .unavailable, reason: "the write was never run"))
        }
        continuation.resume(with: outcome)
    }

    func fail(_ error: StorageError) { continuation.resume(throwing: error) }
}
