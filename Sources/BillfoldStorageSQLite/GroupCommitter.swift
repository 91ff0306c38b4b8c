import BillfoldStorage
import Dispatch
import Logging
import Synchronization

/// Collects writes and hands them to the writer in groups.
///
/// Nobody waits for a group to fill. It is what came while the last one was being synced, and what the tasks that were ready
/// to run then had to add: under load they go first, so that a commit serves many. A lone write commits at once.
final class GroupCommitter: Sendable {
    private struct State {
        var queue: [any PendingWrite] = []
        var isDraining = false
        var isClosed = false
        var illness: StorageError?
        var groups = 0
        var writes = 0
    }

    /// Between two attempts to have an ill store take writes again.
    private static let recoveryPause: DispatchTimeInterval = .seconds(1)

    /// Repetitions of one body that reports a serialisation failure.
    static let mostSerializationFailures = 50

    private let state = Mutex(State())
    private let executor = DispatchQueue(label: "billfold.storage.sqlite.writer", qos: .userInitiated)
    private let connections: StoreConnections
    private let limit: Int
    private let window: Duration
    /// How long a group may wait for the tasks that are ready to run.
    private let patience: DispatchTimeInterval
    private let logger: Logger

    init(connections: StoreConnections, configuration: SQLiteConfiguration, logger: Logger) {
        self.connections = connections
        limit = max(configuration.groupLimit, 1)
        window = configuration.groupWindow
        let (seconds, attoseconds) = configuration.groupPatience.components
        patience = .microseconds(Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000))
        self.logger = logger
    }

    var counts: (groups: Int, writes: Int) { state.withLock { ($0.groups, $0.writes) } }
    var illness: StorageError? { state.withLock { $0.illness } }

    func submit(_ write: any PendingWrite) {
        enum Next {
            case nothing, drain
            case refuse(StorageError)
        }
        let next: Next = state.withLock { state in
            if state.isClosed { return .refuse(StorageError(code: .unavailable, reason: "the store is closed")) }
            if let illness = state.illness { return .refuse(illness) }
            state.queue.append(write)
            if state.isDraining { return .nothing }
            state.isDraining = true
            return .drain
        }
        switch next {
        case .nothing: break
        case .drain: executor.async { self.drain() }
        case .refuse(let error): write.fail(error)
        }
    }

    /// Whether the store takes writes: a commit of the last second tells, or one that is made for it.
    func probe(_ answer: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        let known: Result<Void, any Error>? = state.withLock { state in
            if let illness = state.illness { return .failure(illness) }
            if state.isClosed { return .failure(StorageError(code: .unavailable, reason: "the store is closed")) }
            return nil
        }
        if let known { return answer(known) }
        if let last = connections.open?.wal.lastCommit, ContinuousClock.now - last < .seconds(1) { return answer(.success(())) }
        executor.async {
            if let illness = self.illness { return answer(.failure(illness)) }
            answer(Result { try self.probe() })
        }
    }

    private func probe() throws {
        guard let writer = connections.open?.writer else { throw StorageError(code: .unavailable, reason: "the store is closed") }
        do {
            try writer.probe()
        } catch {
            if let error = error as? StorageError, error.code == .storeIll { fallIll(error) }
            throw error
        }
    }

    /// Refuses new writes, lets those that wait finish, and then runs `last` on the writer's queue, with whether this was
    /// the first call.
    func close(_ last: @escaping @Sendable (Bool) -> Void) {
        let first = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        executor.async {
            if first { self.drain() }
            last(first)
        }
    }

    private func drain() {
        while true {
            letOthersGoFirst()
            var group = state.withLock { state -> [any PendingWrite] in
                let taken = Array(state.queue.prefix(limit))
                state.queue.removeFirst(taken.count)
                if taken.isEmpty { state.isDraining = false }
                return taken
            }
            if group.isEmpty { return }
            expire(&group)
            if !group.isEmpty { process(group) }
            if illness == nil, let error = connections.open?.writer.checkpointIfDue() { fallIll(error) }
        }
    }

    /// Waits until the tasks that are ready to run have had a turn, or for ``patience``. Where none is, that is at once.
    private func letOthersGoFirst() {
        guard state.withLock({ !$0.queue.isEmpty }) else { return }
        let turn = DispatchSemaphore(value: 0)
        // The pool runs in order: this comes behind what is ready now.
        Task.detached(priority: .medium) { turn.signal() }
        _ = turn.wait(timeout: .now() + patience)
    }

    private func process(_ first: [any PendingWrite]) {
        var group = first
        guard let writer = connections.open?.writer else {
            for write in group { write.fail(StorageError(code: .unavailable, reason: "the store is closed")) }
            return
        }
        let end = ContinuousClock.now + window
        let outcome = writer.run(&group) {
            guard ContinuousClock.now < end else { return nil }
            return self.state.withLock { state in
                guard !state.queue.isEmpty else { return nil }
                return state.queue.removeFirst()
            }
        }
        switch outcome {
        case .committed: release(group)
        case .rolledBack(let error) where error.code == .storeIll:
            fallIll(error)
            for write in group { write.fail(error) }
        case .rolledBack(let error) where group.count > 1 && error.code != .serializationFailure:
            // Something other than a body's refusal ended the group: each runs alone, so that one cannot take the others along.
            logger.warning("a group was rolled back, its writes run one by one", metadata: ["reason": "\(error)"])
            for write in group {
                // One of them may have met an ill disk.
                if let illness { write.fail(illness) } else { process([write]) }
            }
        case .rolledBack(let error):
            for write in group { write.fail(error) }
        case .commitUnknown(let error):
            fallIll(error)
            let unknown = StorageError(code: .commitUnknown, reason: "the commit failed: \(error.reason)", engineCode: error.engineCode)
            for write in group { write.fail(unknown) }
        }
    }

    private func release(_ group: [any PendingWrite]) {
        var again: [any PendingWrite] = []
        var decided: [any PendingWrite] = []
        for write in group {
            if write.wantsAnotherRun, write.serializationFailures < Self.mostSerializationFailures {
                again.append(write)
            } else {
                decided.append(write)
            }
        }
        state.withLock { state in
            state.groups += 1
            state.writes += decided.count
            state.queue.insert(contentsOf: again, at: 0)
        }
        // A body that met an ill disk inside a statement is refused alone, and the store with it from here on.
        let illness = decided.lazy.compactMap(\.illness).first
        if let illness { fallIll(illness) }
        for write in decided { write.finish() }
    }

    private func expire(_ group: inout [any PendingWrite]) {
        guard group.contains(where: { $0.deadline != nil }) else { return }
        let now = ContinuousClock.now
        group.removeAll { write in
            guard let deadline = write.deadline, deadline <= now else { return false }
            write.fail(StorageError(code: .unavailable, reason: "the deadline ended before the write began"))
            return true
        }
    }

    /// From here on no write is accepted until one of our own was synced: see ``StoreConnections/recover(from:)``.
    private func fallIll(_ error: StorageError) {
        let illness = StorageError(code: .storeIll, reason: error.reason, engineCode: error.engineCode)
        let (wasWell, waiting) = state.withLock { state -> (Bool, [any PendingWrite]) in
            defer {
                state.illness = illness
                state.queue = []
            }
            return (state.illness == nil, state.queue)
        }
        for write in waiting { write.fail(illness) }
        guard wasWell else { return }
        logger.critical("the store is ill and takes no more writes", metadata: ["reason": "\(error)"])
        recoverLater()
    }

    private func recoverLater() {
        executor.asyncAfter(deadline: .now() + Self.recoveryPause) { self.recover() }
    }

    private func recover() {
        guard let illness = state.withLock({ $0.isClosed ? nil : $0.illness }) else { return }
        do {
            try connections.recover(from: illness)
            state.withLock { $0.illness = nil }
            logger.notice("the store takes writes again", metadata: ["wasIll": "\(illness)"])
        } catch {
            // What SQLite met anew says what it takes from here on; a disk that still takes nothing changes nothing.
            if let error = error as? StorageError, error.code == .storeIll, error.sqliteCode != nil { fallIll(error) }
            recoverLater()
        }
    }
}
