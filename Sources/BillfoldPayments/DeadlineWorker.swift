public import BillfoldStorage
public import Logging
public import ServiceLifecycle
import Synchronization

/// Fires deadlines when they are due. Any number of workers, in any number of processes, share one store.
public final class DeadlineWorker: Service {
    /// How much one worker takes on, and how long it waits.
    public struct Configuration: Sendable {
        /// Most deadlines under way at once in this process.
        public var batch = 32
        /// How long a claimed deadline is left to its worker; afterwards it fires again.
        public var lease: Duration = .seconds(60)
        public var poll: Duration = .milliseconds(200)

        public init() {}
    }

    private let database: any Database
    private let handler: any DeadlineHandler
    private let clock: any WallClock
    private let configuration: Configuration
    private let logger: Logger
    private let underWay = Mutex<Set<Deadline.Key>>([])

    public init(
        database: any Database, handler: any DeadlineHandler, clock: any WallClock, configuration: Configuration = Configuration(),
        logger: Logger
    ) {
        self.database = database
        self.handler = handler
        self.clock = clock
        self.configuration = configuration
        self.logger = logger
    }

    /// Works until the service group shuts down, then finishes what is under way. A slow answer takes one place, not all.
    public func run() async throws {
        await withDiscardingTaskGroup { group in
            while !Task.isShuttingDownGracefully, !Task.isCancelled {
                var claimed = 0
                do {
                    let due = try await claim()
                    claimed = due.count
                    for deadline in due { group.addTask { await self.fire(deadline) } }
                } catch {
                    logger.log(
                        level: StorageError.isTold(error) ? .debug : .error, "the deadlines cannot be read", metadata: ["error": "\(error)"]
                    )
                }
                if claimed == 0 { try? await Task.sleep(for: configuration.poll) }
            }
        }
    }

    /// Fires what is due now and returns how many deadlines that were.
    @discardableResult
    public func runOnce() async throws -> Int {
        let due = try await claim()
        await withDiscardingTaskGroup { group in
            for deadline in due { group.addTask { await self.fire(deadline) } }
        }
        return due.count
    }

    private func claim() async throws -> [Deadline] {
        let (held, lease) = (underWay.withLock { $0 }, configuration.lease)
        let free = configuration.batch - held.count
        guard free > 0 else { return [] }
        let due = DueTimes(clock)
        let claimed = try await database.write { tx in
            try DeadlineRecords.claim(limit: free, lease: lease, due: due, held: held, in: tx)
        }
        underWay.withLock { $0.formUnion(claimed.map(\.key)) }
        return claimed
    }

    private func fire(_ deadline: Deadline) async {
        defer { underWay.withLock { _ = $0.remove(deadline.key) } }
        do {
            // Whatever it does is done at the time that its owner lives at.
            let outcome = try await OwnTime.of(deadline.merchant.description) { try await handler.fire(deadline) }
            try await database.writeRepeatably { tx in _ = try DeadlineRecords.finish(deadline, outcome, in: tx) }
        } catch {
            // The row stays leased and fires again when the lease ends.
            logger.error(
                "a deadline could not be handled",
                metadata: ["kind": "\(deadline.kind)", "subject": "\(deadline.subject)", "error": "\(error)"])
        }
    }
}
