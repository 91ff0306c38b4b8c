import Synchronization

/// The pools of a process: who ends it can say what they were still doing.
final class WorkRegister: Sendable {
    private struct Entry: Sendable {
        weak var pool: WorkPool?
    }

    /// Threads are a process's, whoever made their pool.
    static let process = WorkRegister()

    private let entries = Mutex<[Entry]>([])

    func add(_ pool: WorkPool) {
        entries.withLock { entries in
            entries.removeAll { $0.pool == nil }
            entries.append(Entry(pool: pool))
        }
    }

    var running: [WorkPool.Running] {
        entries.withLock { entries in entries.compactMap(\.pool) }.flatMap(\.running)
    }
}
