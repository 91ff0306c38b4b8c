import BillfoldConcurrency
import Foundation

/// One thread with a queue of jobs, now or later. Every program has its own, so that the system shares the processor between them and
/// an endless loop in one leaves the others theirs.
final class ProgramThread: Sendable {
    private struct Later {
        var due: ContinuousClock.Instant
        var job: @Sendable () -> Void
    }

    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var later: [Int: Later] = [:]
        var isOver = false
    }

    private let state = Locked(State())
    private let signal = DispatchSemaphore(value: 0)

    init(name: String) {
        let thread = Thread { [self] in run() }
        thread.name = String(name.prefix(15))
        thread.stackSize = 1_048_576
        thread.start()
    }

    func post(_ job: @escaping @Sendable () -> Void) {
        state.withLock { $0.jobs.append(job) }
        signal.signal()
    }

    /// - Parameter id: Replaces an earlier job of that id.
    func post(after milliseconds: Double, id: Int, _ job: @escaping @Sendable () -> Void) {
        let due = ContinuousClock.now + .seconds(max(0, milliseconds) / 1000)
        state.withLock { $0.later[id] = Later(due: due, job: job) }
        signal.signal()
    }

    func cancel(id: Int) { state.withLock { $0.later[id] = nil } }

    /// Ends the thread after the job at hand; what waits is dropped.
    func end() {
        state.withLock { state in
            state.isOver = true
            state.jobs = []
            state.later = [:]
        }
        signal.signal()
    }

    private func run() {
        while true {
            let (jobs, wait, isOver) = state.withLock { state -> ([@Sendable () -> Void], Duration?, Bool) in
                let now = ContinuousClock.now
                var jobs = state.jobs
                state.jobs = []
                for (id, later) in state.later.filter({ $0.value.due <= now }).sorted(by: {
                    ($0.value.due, $0.key) < ($1.value.due, $1.key)
                }) {
                    jobs.append(later.job)
                    state.later[id] = nil
                }
                return (jobs, state.later.values.map(\.due).min().map { $0 - now }, state.isOver)
            }
            if isOver { return }
            if jobs.isEmpty {
                if let wait { _ = signal.wait(timeout: .now() + wait / .seconds(1)) } else { signal.wait() }
            }
            for job in jobs { job() }
        }
    }
}
