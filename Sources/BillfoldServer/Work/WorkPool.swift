import BillfoldConcurrency
import HTTPTypes
import NIOPosix
import Synchronization

/// Threads of their own for one kind of work that blocks: diagnosis, name look-ups, hashing of passwords.
///
/// Threads and queue are bounded, and so is what one caller holds of both. Callers take turns: whoever asks for much waits for itself.
/// Work that cannot be stopped, such as a call into a library, holds its thread and its caller's place until it ends, and nobody waits for
/// it: whoever asked is answered when its task is cancelled or its time is over.
package final class WorkPool: Sendable {
    package struct Limits: Sendable, Hashable {
        package var threads: Int
        /// How many may wait for a thread; further ones are refused before any work.
        package var queue: Int
        /// How many threads one caller may hold.
        package var threadsPerCaller: Int
        /// How many places one caller may hold, those on threads among them.
        package var placesPerCaller: Int

        /// By default a caller leaves a thread to others, where there are two, and half of the queue.
        package init(threads: Int, queue: Int, threadsPerCaller: Int? = nil, placesPerCaller: Int? = nil) {
            self.threads = max(1, threads)
            self.queue = max(0, queue)
            self.threadsPerCaller = max(1, threadsPerCaller ?? threads - 1)
            self.placesPerCaller = max(1, placesPerCaller ?? queue / 2 + self.threadsPerCaller)
        }
    }

    /// What one piece of work knows of whoever waits for it. Long work asks now and then, and ends early.
    package final class Ticket: Sendable {
        private let isLeft = Atomic(false)

        /// Whether nobody waits any more: the request was cancelled, or its time is over.
        package var isCancelled: Bool { isLeft.load(ordering: .acquiring) }

        func cancel() { isLeft.store(true, ordering: .releasing) }
    }

    /// What is on a thread.
    package struct Running: Sendable, Hashable {
        package var pool: String
        package var elapsed: Duration
    }

    private struct Caller {
        var waiting: [WorkPiece] = []
        var running = 0

        var places: Int { waiting.count + running }
    }

    private struct State {
        var callers: [String: Caller] = [:]
        /// Callers with something that waits, in the order of their turns.
        var turns: [String] = []
        var waiting = 0
        var running: [ObjectIdentifier: ContinuousClock.Instant] = [:]
    }

    package let name: String
    package let limits: Limits
    private let pool: NIOThreadPool
    private let state = Mutex(State())

    /// - Parameter name: Says in the log and to callers what the threads do, for example `diagnosis`.
    package init(_ name: String, _ limits: Limits) {
        self.name = name
        self.limits = limits
        pool = NIOThreadPool(numberOfThreads: limits.threads)
        pool.start()
        WorkRegister.process.add(self)
    }

    deinit { pool.shutdownGracefully { _ in } }

    /// Runs work on a thread of the pool.
    ///
    /// - Parameters:
    ///   - caller: Shares its places with nobody else: an address, an account, a destination.
    ///   - limit: From now to the end of the work.
    ///   - body: The work. It is not begun for a caller that has gone.
    /// - Throws: ``ServerError``, with `Retry-After`: 429 `rate-limited` where the caller holds all its places, 503 `unavailable` where
    ///   everybody together does, 503 `deadline-exceeded` when the time is over. `CancellationError` when the task is cancelled. What `body`
    ///   throws.
    package func run<Result: Sendable>(
        for caller: String, within limit: Duration? = nil, _ body: @escaping @Sendable (Ticket) throws -> Result
    ) async throws -> Result {
        guard let limit else { return try await wait(for: caller, body) }
        guard let result = try await within(limit, { try await self.wait(for: caller, body) }) else {
            throw ServerError.overdue(name, limit)
        }
        return result
    }

    private func wait<Result: Sendable>(
        for caller: String, _ body: @escaping @Sendable (Ticket) throws -> Result
    ) async throws -> Result {
        let piece = WorkPiece()
        let answer = FirstAnswer<Swift.Result<Result, any Error>>()
        return try await withTaskCancellationHandler {
            let ticket = Ticket()
            piece.prepare(
                run: { answer.give(Swift.Result { try body(ticket) }) },
                leave: {
                    ticket.cancel()
                    answer.give(.failure(CancellationError()))
                })
            do throws(ServerError) { try enter(piece, caller) } catch { answer.give(.failure(error)) }
            // A task that was cancelled before this line was told when there was nobody to answer yet.
            if Task.isCancelled { leave(piece, caller) }
            return try await answer.value.get()
        } onCancel: {
            leave(piece, caller)
        }
    }

    private func enter(_ piece: WorkPiece, _ caller: String) throws(ServerError) {
        let entry: Result<Bool, ServerError> = state.withLock { state in
            guard (state.callers[caller]?.places ?? 0) < limits.placesPerCaller else { return .failure(.shareTaken(name)) }
            guard state.running.count + state.waiting < limits.threads + limits.queue else { return .failure(.full(name)) }
            state.callers[caller, default: Caller()].waiting.append(piece)
            if state.callers[caller]?.waiting.count == 1 { state.turns.append(caller) }
            state.waiting += 1
            return .success(state.running.count < limits.threads)
        }
        if try entry.get() { beginNext() }
    }

    /// Puts whoever's turn it is on a free thread.
    private func beginNext() {
        guard let (piece, caller) = state.withLock({ take(&$0) }) else { return }
        pool.submit { [self] threads in
            if case .active = threads { piece.run() } else { piece.leave() }
            ended(piece, caller)
        }
    }

    private func take(_ state: inout State) -> (WorkPiece, String)? {
        guard state.running.count < limits.threads,
            let turn = state.turns.firstIndex(where: { (state.callers[$0]?.running ?? 0) < limits.threadsPerCaller })
        else { return nil }
        let caller = state.turns.remove(at: turn)
        guard let piece = state.callers[caller]?.waiting.removeFirst() else { return nil }
        state.waiting -= 1
        state.callers[caller]?.running += 1
        state.running[ObjectIdentifier(piece)] = .now
        if state.callers[caller]?.waiting.isEmpty == false { state.turns.append(caller) }
        return (piece, caller)
    }

    private func ended(_ piece: WorkPiece, _ caller: String) {
        state.withLock { state in
            state.running[ObjectIdentifier(piece)] = nil
            state.callers[caller]?.running -= 1
            if state.callers[caller]?.places == 0 { state.callers[caller] = nil }
        }
        beginNext()
    }

    /// Gives up a place in the queue; what is on a thread keeps it to its end.
    private func leave(_ piece: WorkPiece, _ caller: String) {
        state.withLock { state in
            guard let place = state.callers[caller]?.waiting.firstIndex(where: { $0 === piece }) else { return }
            state.callers[caller]?.waiting.remove(at: place)
            state.waiting -= 1
            if state.callers[caller]?.waiting.isEmpty == true { state.turns.removeAll { $0 == caller } }
            if state.callers[caller]?.places == 0 { state.callers[caller] = nil }
        }
        piece.leave()
    }

    /// What is on the threads now, the longest first.
    package var running: [Running] {
        let (name, now) = (name, ContinuousClock.now)
        return state.withLock { $0.running.values.sorted() }.map { Running(pool: name, elapsed: now - $0) }
    }

    /// How many wait for a thread.
    package var waiting: Int { state.withLock { $0.waiting } }
}

/// One piece of work in its pool.
private final class WorkPiece: Sendable {
    private struct Steps: Sendable {
        var run: @Sendable () -> Void
        var leave: @Sendable () -> Void
    }

    private let steps = Mutex<Steps?>(nil)
    private let isLeft = Atomic(false)

    func prepare(run: @escaping @Sendable () -> Void, leave: @escaping @Sendable () -> Void) {
        steps.withLock { $0 = Steps(run: run, leave: leave) }
    }

    func run() {
        guard !isLeft.load(ordering: .acquiring) else { return }
        let steps = steps.withLock { $0 }
        steps?.run()
        // What the work holds is let go with it, not with whoever remembers the piece.
        self.steps.withLock { $0 = nil }
    }

    func leave() {
        isLeft.store(true, ordering: .releasing)
        let steps = steps.withLock { $0 }
        steps?.leave()
    }
}

extension ServerError {
    fileprivate static func shareTaken(_ work: String) -> Self {
        Self(
            code: .rateLimited, reason: "\(work): this caller holds all the places that one may hold", status: .tooManyRequests,
            headers: [.retryAfter: "5"])
    }

    fileprivate static func full(_ work: String) -> Self {
        Self(
            code: .unavailable, reason: "\(work): too many wait already", status: .serviceUnavailable, headers: [.retryAfter: "10"])
    }

    fileprivate static func overdue(_ work: String, _ limit: Duration) -> Self {
        Self(
            code: .deadlineExceeded, reason: "\(work): not done within \(limit)", status: .serviceUnavailable,
            headers: [.retryAfter: "30"])
    }
}
