public import BillfoldStorage
public import Logging
public import ServiceLifecycle
import Synchronization

/// Delivers the outbox. Any number of workers, in any number of processes, share one store.
public final class OutboxWorker: Service {
    public struct Configuration: Sendable {
        /// Most messages under way at once in this process.
        public var batch = 100
        /// How long a claimed row is left to its worker. Must exceed the sender's own time limit.
        public var lease: Duration = .seconds(60)
        /// How long an idle worker waits before it looks again.
        public var poll: Duration = .milliseconds(200)
        /// Most messages to one destination under way at once in this process.
        public var perDestination = 8
        /// Failures in a row that open a destination's circuit breaker, and for how long.
        public var breakerThreshold = 5
        public var breakerPause: Duration = .seconds(30)
        /// Retry schedules by name.
        public var schedules: [String: RetrySchedule] = [:]
        /// For rows whose schedule has no entry.
        public var defaultSchedule = RetrySchedule.exponential(base: .seconds(1), cap: .seconds(300), attempts: 12)

        public init() {}
    }

    private struct Destination {
        var underWay = 0
        /// Whether messages wait in the store for a place: none that is made now goes before them.
        var isBehind = false
        var breaker: CircuitBreaker
    }

    /// Counted as a whole too: a place is looked for at every payment, and destinations are as many as merchants.
    private struct Traffic {
        var destinations: [String: Destination] = [:]
        var underWay = 0
    }

    private let database: any Database
    private let sender: any OutboxSender
    private let clock: any WallClock
    private let random: IdentifierSource
    private let configuration: Configuration
    private let logger: Logger
    private let bell: OutboxBell
    private let traffic = Mutex(Traffic())

    /// - `bell`: Rung by those who store messages in this process, so that they leave without waiting for the next look.
    public init(
        database: any Database, sender: any OutboxSender, clock: any WallClock, random: IdentifierSource,
        configuration: Configuration = Configuration(), bell: OutboxBell = OutboxBell(), logger: Logger
    ) {
        self.database = database
        self.sender = sender
        self.clock = clock
        self.random = random
        self.configuration = configuration
        self.bell = bell
        self.logger = logger
    }

    /// Works until the service group shuts down, then finishes what is under way.
    public func run() async throws {
        let (rings, stop) = bell.listen(
            OutboxBell.Listener(reserve: { self.reserve($0, at: $1) }, release: { self.leave($0, after: nil) }))
        await withDiscardingTaskGroup { group in
            group.addTask { [self] in
                while !Task.isShuttingDownGracefully, !Task.isCancelled {
                    bell.ring()
                    try? await Task.sleep(for: configuration.poll)
                }
                stop()
            }
            for await ring in rings {
                if case .handover(let claim) = ring {
                    group.addTask { await self.deliver(claim) }
                    continue
                }
                bell.beginsToLook()
                var claims: [OutboxClaim] = []
                repeat {
                    guard !Task.isShuttingDownGracefully, !Task.isCancelled else { break }
                    do { claims = try await claim() } catch {
                        claims = []
                        logger.error("the outbox cannot be read", metadata: ["error": "\(error)"])
                    }
                    for claim in claims { group.addTask { await self.deliver(claim) } }
                } while !claims.isEmpty
            }
        }
    }

    /// Claims what is due now, delivers it, and returns how many messages that were.
    @discardableResult
    public func runOnce() async throws -> Int {
        let claims = try await claim()
        await withDiscardingTaskGroup { group in
            for claim in claims { group.addTask { await self.deliver(claim) } }
        }
        return claims.count
    }

    private func claim() async throws -> [OutboxClaim] {
        let now = clock.now()
        let free = traffic.withLock { configuration.batch - $0.underWay }
        guard free > 0 else { return [] }
        let allowances = traffic.withLock { traffic in
            traffic.destinations.mapValues { max(0, $0.breaker.allowance(of: configuration.perDestination, at: now) - $0.underWay) }
        }
        let limit = configuration.perDestination
        let leaseUntil = now.advanced(by: configuration.lease)
        let claims = try await database.write { tx in
            try OutboxRecords.claim(
                limit: free, leaseUntil: leaseUntil, now: now, excluding: Set(allowances.filter { $0.value == 0 }.keys),
                allowance: { allowances[$0] ?? limit }, in: tx)
        }
        traffic.withLock { traffic in
            var taken: [String: Int] = [:]
            for claim in claims {
                traffic.destinations[claim.message.destination, default: fresh()].underWay += 1
                taken[claim.message.destination, default: 0] += 1
            }
            traffic.underWay += claims.count
            // Whoever got less than it might have has nothing more that is due.
            guard claims.count < free else { return }
            for (destination, allowance) in allowances where taken[destination, default: 0] < allowance {
                traffic.destinations[destination]?.isBehind = false
            }
        }
        return claims
    }

    /// Keeps a place for a message that is about to be stored, where it need not wait behind others.
    private func reserve(_ name: String, at now: Timestamp) -> Timestamp? {
        traffic.withLock { traffic in
            var destination = traffic.destinations[name] ?? fresh()
            let isFree =
                !destination.isBehind && destination.underWay < destination.breaker.allowance(of: configuration.perDestination, at: now)
                && traffic.underWay < configuration.batch
            if isFree {
                destination.underWay += 1
                traffic.underWay += 1
            } else {
                destination.isBehind = true
            }
            traffic.destinations[name] = destination
            return isFree ? now.advanced(by: configuration.lease) : nil
        }
    }

    /// Gives a place back, and says of the destination how a delivery went, where there was one.
    private func leave(_ name: String, after verdict: Delivery.Verdict?) {
        let now = clock.now()
        let wasFull = traffic.withLock { traffic in
            // Whoever leaves was counted when its place was taken.
            var destination = traffic.destinations[name] ?? fresh()
            let wasFull =
                destination.isBehind || destination.underWay >= configuration.perDestination || traffic.underWay >= configuration.batch
            destination.underWay -= 1
            traffic.underWay -= 1
            if let verdict, verdict != .park { destination.breaker.record(success: verdict == .delivered, at: now) }
            traffic.destinations[name] = destination
            return wasFull
        }
        // What waited for this place is due already.
        if wasFull { bell.ring() }
    }

    private func fresh() -> Destination {
        Destination(
            breaker: CircuitBreaker(threshold: configuration.breakerThreshold, pause: configuration.breakerPause))
    }

    private func deliver(_ claim: OutboxClaim) async {
        let delivery = await sender.deliver(claim)
        leave(claim.message.destination, after: delivery.verdict)
        let now = clock.now()
        var retryAt: Timestamp?
        if case .retry(let after) = delivery.verdict {
            let schedule = configuration.schedules[claim.message.schedule] ?? configuration.defaultSchedule
            // The schedule decides whether there is a next try; the receiver may only ask for a longer wait.
            if let wait = schedule.wait(after: claim.attempt, random: random.bits()) {
                retryAt = now.advanced(by: max(wait, after ?? .zero))
            }
        }
        let dueAgain = retryAt
        do {
            try await database.writeRepeatably { tx in
                _ = try OutboxRecords.finish(claim, delivery, retryAt: dueAgain, in: tx)
            }
            delivery.committed?()
        } catch {
            // The row is still leased: when the lease ends the message is sent again, with the same id and body.
            logger.error(
                "a delivery's outcome could not be stored",
                metadata: ["message": "\(claim.message.id)", "error": "\(error)"])
        }
    }
}
