import Synchronization

/// How long something may take.
enum TimeBudget {
    /// Runs an operation that answers to cancellation, for so long at the most, give or take `Overdue.beat`. Refuses with `timed-out`.
    static func within<Value: Sendable>(
        _ budget: Duration, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await until(.now + budget, body)
    }

    /// The same, until an instant. After it nothing is begun.
    static func until<Value: Sendable>(
        _ end: ContinuousClock.Instant, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard end > .now else { throw timedOut }
        // Not `Task.immediate`: measured, requests that each run on at once gather less in the store's reads and writes.
        let work = Task { try await body() }
        let place = Overdue.shared.watch(until: end) { work.cancel() }
        let outcome = await withTaskCancellationHandler {
            await work.result
        } onCancel: {
            work.cancel()
        }
        guard Overdue.shared.end(place) else { throw timedOut }
        return try outcome.get()
    }

    private static var timedOut: ProvisioningError {
        ProvisioningError(code: .timedOut, reason: "this took too long, please try again")
    }
}

/// Sees who has taken too long: one timer for all, since almost nobody does. A timer for each could not be taken back, and would be
/// kept until its time came.
private final class Overdue: Sendable {
    static let shared = Overdue()
    static let beat = Duration.milliseconds(50)

    private struct State {
        var next: UInt64 = 0
        var watched: [UInt64: (until: ContinuousClock.Instant, cancel: @Sendable () -> Void)] = [:]
        var isBeating = false
    }

    private let state = Mutex(State())

    func watch(until instant: ContinuousClock.Instant, _ cancel: @escaping @Sendable () -> Void) -> UInt64 {
        let (place, begins) = state.withLock { state in
            state.next += 1
            state.watched[state.next] = (instant, cancel)
            defer { state.isBeating = true }
            return (state.next, !state.isBeating)
        }
        if begins { Task { await beat() } }
        return place
    }

    /// False: its time had come before.
    func end(_ place: UInt64) -> Bool { state.withLock { $0.watched.removeValue(forKey: place) != nil } }

    /// Runs for as long as anybody is watched.
    private func beat() async {
        var beats = true
        while beats {
            // Nobody cancels this task.
            try? await Task.sleep(for: Self.beat)
            let now = ContinuousClock.now
            let late = state.withLock { state in
                let late = state.watched.filter { $0.value.until <= now }
                for place in late.keys { state.watched[place] = nil }
                state.isBeating = !state.watched.isEmpty
                beats = state.isBeating
                return late
            }
            for (_, cancel) in late.values { cancel() }
        }
    }
}
