public import BillfoldStorage
public import Logging
public import ServiceLifecycle

/// Forgets rows that no rule needs any more, a few at a time, so that no request waits for it.
///
/// Any number of workers, in any number of processes, share one store: what one has removed the other does not find. It knows the age of
/// a row by the injected clock alone.
public final class RetentionWorker: Service {
    /// How much it removes at a time, and how long it rests.
    public struct Configuration: Sendable {
        /// Most rows that one transaction removes.
        public var step = 500
        /// How long it leaves the store to others between two steps.
        public var pause: Duration = .milliseconds(200)
        /// How long it rests after a round.
        public var rest: Duration = .seconds(3_600)

        public init() {}
    }

    private let database: any Database
    private let rules: [RetentionRule]
    private let clock: any WallClock
    private let configuration: Configuration
    private let logger: Logger

    public init(
        database: any Database, rules: [RetentionRule], clock: any WallClock, configuration: Configuration = Configuration(), logger: Logger
    ) {
        self.database = database
        self.rules = rules
        self.clock = clock
        self.configuration = configuration
        self.logger = logger
    }

    /// Works until the service group shuts down. A step that has begun is finished.
    public func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                // Not at once: whoever starts has more urgent work.
                guard (try? await Task.sleep(for: min(configuration.rest, .seconds(60)))) != nil else { return }
                do {
                    try await round(pausing: true)
                } catch is CancellationError {
                    return
                } catch {
                    logger.error("what is no longer needed cannot be forgotten", metadata: ["error": "\(error)"])
                }
                guard (try? await Task.sleep(for: configuration.rest)) != nil else { return }
            }
        }
    }

    /// Forgets everything that is due now, and returns how many rows of which kind.
    @discardableResult
    public func runOnce() async throws -> [String: Int] { try await round(pausing: false) }

    @discardableResult
    private func round(pausing: Bool) async throws -> [String: Int] {
        var removed: [String: Int] = [:]
        for rule in rules {
            let step = try await rule.begin(database, clock.now())
            var isDone = false
            while !isDone {
                if pausing { try Task.checkCancellation() }
                let result = try await step(database, configuration.step)
                removed[rule.name, default: 0] += result.removed
                isDone = result.isDone
                if pausing, !isDone { try await Task.sleep(for: configuration.pause) }
            }
        }
        for (name, count) in removed where count > 0 {
            logger.info("forgotten", metadata: ["table": "\(name)", "rows": "\(count)"])
        }
        return removed
    }
}
