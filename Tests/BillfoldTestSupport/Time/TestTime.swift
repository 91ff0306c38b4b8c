import Synchronization

/// Time that passes at once, except for durations that a test holds.
public final class TestTime: Sendable {
    private struct State {
        var held: Set<Duration> = []
        var sleepers: [Int: CheckedContinuation<Void, any Error>] = [:]
        var count = 0
        var slept: [Duration] = []
    }

    private let state = Mutex(State())

    public init() {}

    public var slept: [Duration] { state.withLock { $0.slept } }
    public var sleepers: Int { state.withLock { $0.sleepers.count } }

    public func hold(_ duration: Duration) { state.withLock { _ = $0.held.insert(duration) } }

    public func release() {
        let sleepers = state.withLock { state in
            state.held = []
            defer { state.sleepers = [:] }
            return state.sleepers
        }
        for sleeper in sleepers.values { sleeper.resume() }
    }

    public func wait(_ duration: Duration) async throws {
        let (id, isHeld) = state.withLock { state in
            state.count += 1
            state.slept.append(duration)
            return (state.count, state.held.contains(duration))
        }
        guard isHeld else { return await Task.yield() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                state.withLock { $0.sleepers[id] = continuation }
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: Int) {
        state.withLock { $0.sleepers.removeValue(forKey: id) }?.resume(throwing: CancellationError())
    }
}

/// Waits for a condition, whatever a test's own time: for a minute of the machine's at most. Returns whether it came about.
@MainActor
@discardableResult
public func until(_ condition: () -> Bool) async -> Bool {
    let end = ContinuousClock.now.advanced(by: .seconds(60))
    while !condition() {
        guard ContinuousClock.now < end else { return false }
        await Task.yield()
    }
    return true
}
