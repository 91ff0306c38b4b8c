import Synchronization

/// Drains a ``TraceBuffer`` and hands its entries, in batches, to whoever sends them: usually a `POST /trace`.
///
/// A batch that cannot be sent is tried again a few times with a growing pause and then given up and counted, so that a
/// console that is away costs memory for one buffer and no more. A batch that the receiver finds too large or unfit
/// (``TraceError/Code/batchRefused``) is halved instead, so that one entry takes no other with it. Receivers ignore an id they know, so a batch whose
/// answer was lost may safely be sent twice.
public final class TraceForwarder: Sendable {
    public typealias Send = @Sendable ([TraceEntry]) async throws -> Void

    private let buffer: TraceBuffer
    private let batchSize: Int
    private let attempts: Int
    private let interval: Duration
    private let firstPause: Duration
    private let pause: @Sendable (Duration) async throws -> Void
    private let send: @Sendable ([PackedEntry]) async throws -> Void
    private let abandonedCount = Atomic<UInt64>(0)

    /// - Parameters:
    ///   - buffer: Where the reporting party leaves its entries. Nobody else should drain it.
    ///   - batchSize: The most entries that are sent at once; less than one counts as one.
    ///   - interval: How long to wait between two looks at the buffer.
    ///   - attempts: How often one batch is tried before it is given up.
    ///   - firstPause: The pause after the first failure; it doubles after each further one.
    ///   - pause: Waits; a test passes one that does not.
    ///   - send: Delivers one batch. It throws where the receiver did not take it, and `batch-refused` to have the batch halved.
    public convenience init(
        buffer: TraceBuffer, batchSize: Int = 100, interval: Duration = .milliseconds(100), attempts: Int = 4,
        firstPause: Duration = .milliseconds(200),
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        send: @escaping Send
    ) {
        self.init(
            buffer, batchSize: batchSize, interval: interval, attempts: attempts, firstPause: firstPause, pause: pause,
            send: { try await send($0.map(\.entry)) })
    }

    /// Moves the entries, as the buffer's limits left them, to a store of the same process, which groups them when somebody looks.
    public convenience init(buffer: TraceBuffer, into store: TraceStore) {
        self.init(
            buffer, batchSize: .max, interval: .milliseconds(100), attempts: 1, firstPause: .zero,
            pause: { try await Task.sleep(for: $0) }, send: { store.hold($0) })
    }

    private init(
        _ buffer: TraceBuffer, batchSize: Int, interval: Duration, attempts: Int, firstPause: Duration,
        pause: @escaping @Sendable (Duration) async throws -> Void, send: @escaping @Sendable ([PackedEntry]) async throws -> Void
    ) {
        self.buffer = buffer
        self.batchSize = max(1, batchSize)
        self.interval = interval
        self.attempts = max(1, attempts)
        self.firstPause = firstPause
        self.pause = pause
        self.send = send
    }

    /// How many entries were given up because the receiver did not take them.
    public var abandoned: UInt64 { abandonedCount.load(ordering: .relaxed) }

    /// Forwards until the task is cancelled. Call ``flush()`` afterwards for what came last.
    public func run() async {
        while !Task.isCancelled {
            await flush()
            do { try await pause(interval) } catch { return }
        }
    }

    /// Sends what the buffer holds now.
    public func flush() async {
        var entries = buffer.drainPacked()[...]
        while !entries.isEmpty {
            await deliver(Array(entries.prefix(batchSize)))
            entries = entries.dropFirst(batchSize)
        }
    }

    private func deliver(_ batch: [PackedEntry]) async {
        var wait = firstPause
        for attempt in 1...attempts {
            do {
                try await send(batch)
                return
            } catch let refusal as TraceError where refusal.code == .batchRefused && batch.count > 1 {
                await deliver(Array(batch.prefix(batch.count / 2)))
                await deliver(Array(batch.dropFirst(batch.count / 2)))
                return
            } catch {
                guard attempt < attempts, (try? await pause(wait)) != nil else { break }
                wait += wait
            }
        }
        abandonedCount.wrappingAdd(UInt64(batch.count), ordering: .relaxed)
    }
}
