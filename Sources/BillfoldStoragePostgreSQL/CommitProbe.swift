import BillfoldConcurrency
import BillfoldStorage
import Synchronization

/// One commit at a time, made to see whether a server that waits for its standbys answers commits.
///
/// A commit that waits for a standby cannot be called off: its session hangs at the server until a standby answers. So all who ask wait for
/// the same one, each for as long as they like.
final class CommitProbe: Sendable {
    private typealias Outcome = Result<Void, any Error>

    private struct State {
        var isRunning = false
        var waiting: [AsyncStream<Outcome>.Continuation] = []
    }

    private let state = Mutex(State())

    /// Throws `unavailable` where the commit is not answered in time, and whatever it ended with.
    func run(within limit: Duration, _ commit: @escaping @Sendable () async throws -> Void) async throws {
        let (outcomes, continuation) = AsyncStream.makeStream(of: Outcome.self)
        let begins = state.withLock { state in
            defer { state.isRunning = true }
            state.waiting.append(continuation)
            return !state.isRunning
        }
        if begins {
            Task.detached { [self] in
                let outcome: Outcome
                do { outcome = .success(try await commit()) } catch { outcome = .failure(error) }
                let waiting = state.withLock { state in
                    defer { state = State() }
                    return state.waiting
                }
                for each in waiting {
                    each.yield(outcome)
                    each.finish()
                }
            }
        }
        // Whoever is cancelled has no answer either.
        let outcome = try? await within(limit) { () -> Outcome? in
            for await outcome in outcomes { return outcome }
            return nil
        }
        guard let outcome else {
            throw StorageError(code: .unavailable, reason: "commits are not answered: the server waits for a standby")
        }
        try outcome.get()
    }
}
