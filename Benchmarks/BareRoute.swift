import BillfoldStorage
import Dispatch
import Hummingbird
import Synchronization

/// The operations of a bound by a route that does nothing else, of the listener that the job is asked through, with its middleware, for the same
/// client and as many requests at once.
///
/// A part that is timed alone finds its code and its data in the processor's caches, and its commits full. On a path it does not: the
/// request before has used them for something else.
enum BareRoute {
    /// What one kind of request does.
    typealias Step = @Sendable () async throws -> Void

    static func add<Context: RequestContext>(to router: some RouterMethods<Context>, steps: [Step]) {
        router.post("/bare/:step/:bytes") { request, context in
            let step = try context.parameters.require("step", as: Int.self)
            let count = try context.parameters.require("bytes", as: Int.self)
            _ = try await request.body.collect(upTo: 1 << 20)
            try await steps[step]()
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(repeating: 0x20, count: count)))
        }
    }
}

/// Durable writes through the SQLite C API for many tasks at once, in commits that fill as our own store's do: tasks that are ready to run have
/// their turn before, and what comes while a commit's writes run goes along.
final class BareWriter: Sendable {
    private struct Waiting {
        var write: ReadyWrite
        var done: UnsafeContinuation<Void, any Error>
    }

    private struct State {
        var prepared: [ReadyWrite] = []
        var next = 0
        var waiting: [Waiting] = []
        var isBusy = false
    }

    struct Failure: Error {}

    private let executor = DispatchQueue(label: "billfold.bench.writer", qos: .userInitiated)
    private let state = Mutex(State())
    /// Touched on the executor alone while requests are answered.
    nonisolated(unsafe) private var raw: RawSQLite?

    /// Writes to be done, each once, before requests are sent.
    func prepare(_ writes: [ReadyWrite], in raw: RawSQLite) {
        self.raw = raw
        // What was done stays until now: giving it back is no part of a request.
        state.withLock { ($0.prepared, $0.next) = (writes, 0) }
    }

    /// Does the next of the prepared writes, and returns when it is synced.
    func write() async throws {
        try await withUnsafeThrowingContinuation { done in
            let begins: Bool? = state.withLock { state in
                guard state.next < state.prepared.count else { return nil }
                state.waiting.append(Waiting(write: state.prepared[state.next], done: done))
                state.next += 1
                defer { state.isBusy = true }
                return !state.isBusy
            }
            guard let begins else { return done.resume(throwing: Failure()) }
            if begins { executor.async { self.drain() } }
        }
    }

    private func drain() {
        while true {
            letOthersGoFirst()
            var group = take(.max)
            guard !group.isEmpty else { return }
            let end = ContinuousClock.now + .milliseconds(2)
            do {
                guard let raw else { throw Failure() }
                try raw.commit {
                    for each in group { try raw.run(each.write) }
                    // What comes while the group runs goes along, as in the store.
                    while ContinuousClock.now < end {
                        let more = take(1)
                        guard let next = more.first else { break }
                        group.append(next)
                        try raw.run(next.write)
                    }
                }
                for each in group { each.done.resume() }
            } catch {
                for each in group { each.done.resume(throwing: error) }
            }
        }
    }

    /// Nothing taken of all ends the draining.
    private func take(_ count: Int) -> [Waiting] {
        state.withLock { state in
            let taken = Array(state.waiting.prefix(count))
            state.waiting.removeFirst(taken.count)
            if count == .max, taken.isEmpty { state.isBusy = false }
            return taken
        }
    }

    private func letOthersGoFirst() {
        guard state.withLock({ !$0.waiting.isEmpty }) else { return }
        let turn = DispatchSemaphore(value: 0)
        Task.detached(priority: .medium) { turn.signal() }
        turn.wait()
    }
}
