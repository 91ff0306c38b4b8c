public import BillfoldStorage
public import Logging
public import ServiceLifecycle

/// Fires deadlines when they are due. Any number of workers, in any number of processes, share one store.
public struct DeadlineWorker: Service {
    public struct Configuration: Sendable {
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

    public func run() async throws {
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            var fired = 0
            do {
                fired = try await runOnce()
            } catch {
                logger.error("the deadlines cannot be read", metadata: ["error": "\(error)"])
            }
            if fired == 0 { try? await Task.sleep(for: configuration.poll) }
        }
    }

    /// Fires what is due now and returns how many deadlines that were.
    @discardableResult
    public func runOnce() async throws -> Int {
        let now = clock.now()
        let (limit, leaseUntil) = (configuration.batch, now.advanced(by: configuration.lease))
        let due = try await database.write { tx in
            try DeadlineRecords.claim(limit: limit, leaseUntil: leaseUntil, now: now, in: tx)
        }
        await withDiscardingTaskGroup { group in
            for deadline in due { group.addTask { await fire(deadline) } }
        }
        return due.count
    }

    private func fire(_ deadline: Deadline) async {
        do {
            let outcome = try await handler.fire(deadline)
            try await database.write { tx in _ = try DeadlineRecords.finish(deadline, outcome, in: tx) }
        } catch {
            // The row stays leased and fires again when the lease ends.
            logger.error(
                "a deadline could not be handled",
                metadata: ["kind": "\(deadline.kind)", "subject": "\(deadline.subject)", "error": "\(error)"])
        }
    }
}
