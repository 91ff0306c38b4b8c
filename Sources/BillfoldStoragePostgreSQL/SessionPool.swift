import BillfoldStorage
import Dispatch
import Foundation
import Logging
import Synchronization

/// Threads that each own one session, fed from one queue.
///
/// libpq and the bodies are synchronous; on the concurrency runtime's few threads they would block everything else.
final class SessionPool: Sendable {
    typealias Job = @Sendable (PostgreSQLSession) -> Void

    private struct State {
        var queue: [Job] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let available = DispatchSemaphore(value: 0)
    private let running = DispatchGroup()
    private let size: Int

    init(_ configuration: PostgreSQLConfiguration, jitter: Jitter, logger: Logger) {
        size = max(configuration.connections, 1)
        for number in 1...size {
            running.enter()
            let thread = Thread { [self] in
                work(PostgreSQLSession(configuration, jitter: jitter, logger: logger))
            }
            thread.name = "billfold-postgresql-\(number)"
            thread.stackSize = 1 << 21
            thread.start()
        }
    }

    /// - Returns: False when the pool is closed and the job will not run.
    func submit(_ job: @escaping Job) -> Bool {
        let accepted = state.withLock { state in
            guard !state.isClosed else { return false }
            state.queue.append(job)
            return true
        }
        if accepted { available.signal() }
        return accepted
    }

    /// Lets what waits finish, then ends the threads.
    func close() async {
        let first = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        if first { for _ in 1...size { available.signal() } }
        await withCheckedContinuation { continuation in
            running.notify(queue: .global()) { continuation.resume() }
        }
    }

    private func work(_ session: PostgreSQLSession) {
        while true {
            available.wait()
            let job = state.withLock { $0.queue.isEmpty ? nil : $0.queue.removeFirst() }
            // Woken without a job: the pool is closing.
            guard let job else { break }
            job(session)
        }
        session.disconnect()
        running.leave()
    }
}
