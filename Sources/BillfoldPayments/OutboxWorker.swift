public import BillfoldStorage
public import Logging
public import ServiceLifecycle
import Synchronization

/// Delivers the outbox. Any number of workers, in any number of processes, share one store.
public final class OutboxWorker: Service {
    private struct Destination {
        var underWay = 0
        /// Places that are kept for messages which are just being stored.
        var promised = 0
        /// Messages that were handed over and wait until others leave, the oldest first.
        var waiting: [OutboxClaim] = []
        /// Whether messages wait in the store for a place: none that is made now goes before them.
        var isBehind = false
        /// Whether the last look at the store left it out, because it had no place: what is due there is not known.
        var wasPassedOver = false
        /// Whose message was claimed last.
        var owner: MerchantID?
        var breaker: CircuitBreaker

        /// How many more may begin now, before those that are promised a place or wait for one.
        func room(_ configuration: Configuration, at now: Timestamp) -> Int {
            breaker.allowance(of: configuration.perDestination, at: now) - underWay
        }
    }

    /// Counted as a whole too: a place is looked for at every payment, and destinations are as many as merchants.
    private struct Traffic {
        var destinations: [String: Destination] = [:]
        var underWay = 0
        /// Promised a place, or waiting for one.
        var kept = 0
        /// Whether the last look at the store was none, because all places were taken.
        var wasPassedOver = false
        /// Messages that may not wait any longer, for the next look to give back to the store.
        var left: [OutboxClaim] = []
        /// What is being delivered: this process claims it no second time, however far time is moved meanwhile.
        var held: [TimeOrderedID: OutboxClaim] = [:]
        /// How far owners were ahead of everybody when the store was last looked at.
        var leads: [String: Int64] = [:]

        /// An owner who moves on has waited for what its messages wait for.
        mutating func follow(_ leads: [String: Int64], _ fresh: CircuitBreaker) {
            guard leads != self.leads else { return }
            let moved = Set(leads.filter { self.leads[$0.key] ?? 0 < $0.value }.keys)
            for (name, destination) in destinations where destination.owner.map({ moved.contains($0.description) }) ?? false {
                destinations[name]?.breaker = fresh
            }
            self.leads = leads
        }
    }

    private let database: any Database
    private let sender: any OutboxSender
    private let clock: any WallClock
    private let random: IdentifierSource
    private let configuration: Configuration
    private let logger: Logger
    private let bell: OutboxBell
    private let traffic = Mutex(Traffic())

    /// - Parameters:
    ///   - database: The store that holds the outbox; other processes may share it.
    ///   - sender: Carries each claimed message to its destination, outside any transaction.
    ///   - clock: Tells what is due, when leases end and when an open breaker lets messages through again.
    ///   - random: Spreads the waits between attempts, so that messages that failed together do not all come back at once.
    ///   - configuration: Limits and waits. A message whose retry schedule it does not name follows its default schedule.
    ///   - bell: Rung by those who store messages in this process, so that they leave without waiting for the next look.
    ///   - logger: Is told when the outbox cannot be read or written, and when a delivery was not begun.
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
            OutboxBell.Listener(reserve: { self.reserve($0, at: $1) }, release: { self.withdraw(from: $0) }))
        await withDiscardingTaskGroup { group in
            group.addTask { [self] in
                while !Task.isShuttingDownGracefully, !Task.isCancelled {
                    bell.ring()
                    try? await Task.sleep(for: configuration.poll)
                }
                stop()
            }
            for await ring in rings {
                switch ring {
                case .handover(let claim):
                    for claim in arrive(claim) { group.addTask { await self.deliver(claim) } }
                    continue
                case .begin(let claim):
                    group.addTask { await self.deliver(claim) }
                    continue
                case .look: break
                }
                bell.beginsToLook()
                await giveBack()
                var claims: [OutboxClaim] = []
                repeat {
                    guard !Task.isShuttingDownGracefully, !Task.isCancelled else { break }
                    do { claims = try await claim() } catch {
                        claims = []
                        logger.log(
                            level: StorageError.isTold(error) ? .debug : .error, "the outbox cannot be read",
                            metadata: ["error": "\(error)"])
                    }
                    for claim in claims { group.addTask { await self.deliver(claim) } }
                } while !claims.isEmpty
                guard !Task.isShuttingDownGracefully, !Task.isCancelled else { continue }
                for claim in beginWaiting() { group.addTask { await self.deliver(claim) } }
            }
            await giveBack(all: true)
        }
        await giveBack(all: true)
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
        let due = DueTimes(clock)
        let (free, allowances, held) = traffic.withLock { traffic -> (Int, [String: Int], [TimeOrderedID]) in
            traffic.follow(due.leads, fresh().breaker)
            let free = configuration.batch - traffic.underWay
            traffic.wasPassedOver = free <= 0
            guard free > 0 else { return (0, [:], []) }
            let allowances = traffic.destinations.mapValues { destination in
                let room = destination.room(configuration, at: due.now)
                let (kept, isOpen) = (destination.promised + destination.waiting.count, isTrusted(destination, at: due.now))
                // One goes beside those that are handed over one after the other.
                return kept > 0 && isOpen && room >= 0 ? max(1, room - kept) : max(0, room - kept)
            }
            for (name, allowance) in allowances where allowance == 0 { traffic.destinations[name]?.wasPassedOver = true }
            let over = traffic.held.values.filter { $0.leaseUntil <= due.now(of: $0.message.merchant.description) }
            return (free, allowances, over.map(\.message.id))
        }
        guard free > 0 else { return [] }
        let (limit, kinds, lease) = (configuration.perDestination, configuration.kinds, configuration.lease)
        let claims = try await database.write { tx in
            try OutboxRecords.claim(
                kinds, limit: free, lease: lease, due: due, held: held, excluding: Set(allowances.filter { $0.value == 0 }.keys),
                allowance: { allowances[$0] ?? limit }, in: tx)
        }
        traffic.withLock { traffic in
            var taken: [String: Int] = [:]
            for claim in claims {
                traffic.destinations[claim.message.destination, default: fresh()].underWay += 1
                traffic.destinations[claim.message.destination]?.owner = claim.message.merchant
                traffic.held[claim.message.id] = claim
                taken[claim.message.destination, default: 0] += 1
            }
            traffic.underWay += claims.count
            // Whoever got less than it might have has nothing more that is due.
            guard claims.count < free else { return }
            for (destination, allowance) in allowances where taken[destination, default: 0] < allowance {
                traffic.destinations[destination]?.isBehind = false
                traffic.destinations[destination]?.wasPassedOver = false
            }
        }
        return claims
    }

    /// Whether nothing speaks against the destination: behind a breaker nobody waits here.
    private func isTrusted(_ destination: Destination, at now: Timestamp) -> Bool {
        destination.breaker.allowance(of: configuration.perDestination, at: now) == configuration.perDestination
    }

    /// Keeps a place for a message that is about to be stored, where it need not wait behind others in the store.
    private func reserve(_ name: String, at now: Timestamp) -> Timestamp? {
        // The lease is in the time of whoever stores the message, and a breaker is in everybody's.
        let everybodys = clock.everybodysNow
        return traffic.withLock { traffic in
            var destination = traffic.destinations[name] ?? fresh()
            let taken = destination.underWay + destination.promised + destination.waiting.count
            let isKept =
                !destination.isBehind && isTrusted(destination, at: everybodys)
                && taken < configuration.perDestination + configuration.waitingPerDestination
                && traffic.underWay + traffic.kept < configuration.batch + configuration.waiting
            if isKept {
                destination.promised += 1
                traffic.kept += 1
            } else {
                destination.isBehind = true
            }
            traffic.destinations[name] = destination
            // What has waited for half a lease has a whole one still.
            return isKept ? now.advanced(by: configuration.lease + configuration.lease / 2) : nil
        }
    }

    /// Takes back a promise whose message was not stored.
    private func withdraw(from name: String) {
        let isBehind = traffic.withLock { traffic in
            traffic.kept -= 1
            traffic.destinations[name]?.promised -= 1
            return traffic.destinations[name].map { $0.isBehind || $0.wasPassedOver } ?? false
        }
        if isBehind { bell.ring() }
    }

    /// Takes a message that was promised a place, and returns those of its destination that begin now.
    private func arrive(_ claim: OutboxClaim) -> [OutboxClaim] {
        let now = clock.everybodysNow
        let (claims, looks) = traffic.withLock { traffic in
            traffic.destinations[claim.message.destination, default: fresh()].promised -= 1
            traffic.destinations[claim.message.destination, default: fresh()].waiting.append(claim)
            return (nextWaiting(for: claim.message.destination, &traffic, at: now), !traffic.left.isEmpty)
        }
        if looks { bell.ring() }
        return claims
    }

    /// The messages that wait for a destination and may begin, counted as under way. Those that might not be sent before their leases end,
    /// and all of a destination that has failed, are left to be given back.
    private func nextWaiting(for name: String, _ traffic: inout Traffic, at now: Timestamp) -> [OutboxClaim] {
        guard var destination = traffic.destinations[name], !destination.waiting.isEmpty else { return [] }
        var claims: [OutboxClaim] = []
        while let claim = destination.waiting.first {
            let own = clock.now(of: claim.message.merchant.description)
            let isLeft = !isTrusted(destination, at: now) || own.advanced(by: configuration.lease) > claim.leaseUntil
            guard isLeft || destination.room(configuration, at: now) > 0 && traffic.underWay < configuration.batch else { break }
            destination.waiting.removeFirst()
            traffic.kept -= 1
            if isLeft {
                destination.isBehind = true
                traffic.left.append(claim)
            } else {
                destination.underWay += 1
                destination.owner = claim.message.merchant
                traffic.underWay += 1
                traffic.held[claim.message.id] = claim
                claims.append(claim)
            }
        }
        traffic.destinations[name] = destination
        return claims
    }

    /// All that wait and may begin, those that have waited longest first.
    private func beginWaiting() -> [OutboxClaim] {
        let now = clock.everybodysNow
        return traffic.withLock { traffic in
            guard traffic.kept > 0 else { return [] }
            return nextWaiting(&traffic, at: now)
        }
    }

    private func nextWaiting(_ traffic: inout Traffic, at now: Timestamp) -> [OutboxClaim] {
        let names = traffic.destinations.compactMap { name, destination in destination.waiting.first.map { (name, $0.leaseUntil) } }
        var claims: [OutboxClaim] = []
        for (name, _) in names.sorted(by: { $0.1 < $1.1 }) { claims += nextWaiting(for: name, &traffic, at: now) }
        return claims
    }

    /// Gives back to the store, as never begun, what may not wait here any longer, or all that waits.
    private func giveBack(all: Bool = false) async {
        let claims = traffic.withLock { traffic in
            defer { traffic.left = [] }
            guard all else { return traffic.left }
            let waiting = traffic.destinations.values.flatMap(\.waiting)
            for claim in waiting { traffic.destinations[claim.message.destination]?.waiting = [] }
            traffic.kept -= waiting.count
            return traffic.left + waiting
        }
        guard !claims.isEmpty else { return }
        let now = clock.now()
        do {
            try await database.writeRepeatably { tx in try OutboxRecords.giveBack(claims, at: now, in: tx) }
        } catch {
            // They are leased: when the leases end, a worker takes them.
            logger.error("messages that wait could not be given back", metadata: ["count": "\(claims.count)", "error": "\(error)"])
        }
    }

    /// Gives a place back, says of the destination how the delivery went, and has those begin that waited for the place.
    private func leave(_ name: String, after verdict: Delivery.Verdict) {
        let now = clock.everybodysNow
        let (next, looks) = traffic.withLock { traffic -> ([OutboxClaim], Bool) in
            // Whoever leaves was counted when its place was taken.
            var destination = traffic.destinations[name] ?? fresh()
            let wasFull = traffic.underWay >= configuration.batch
            destination.underWay -= 1
            traffic.underWay -= 1
            switch verdict {
            case .park, .notBegun(.ours, _): break
            case .delivered: destination.breaker.record(success: true, at: now)
            case .retry, .notBegun(.destination, _): destination.breaker.record(success: false, at: now)
            }
            traffic.destinations[name] = destination
            // What waits in the store, while all places are taken, comes before what waits here.
            if traffic.wasPassedOver { return ([], true) }
            let next = wasFull ? nextWaiting(&traffic, at: now) : nextWaiting(for: name, &traffic, at: now)
            // What waits in the store for this place is due already.
            return (next, !traffic.left.isEmpty || next.isEmpty && (destination.isBehind || destination.wasPassedOver))
        }
        for claim in next where !bell.begin(claim) { wait(again: claim) }
        if looks { bell.ring() }
    }

    /// The worker has ended: what was about to begin waits again, to be given back.
    private func wait(again claim: OutboxClaim) {
        traffic.withLock { traffic in
            traffic.destinations[claim.message.destination]?.underWay -= 1
            traffic.destinations[claim.message.destination]?.waiting.insert(claim, at: 0)
            traffic.held[claim.message.id] = nil
            traffic.underWay -= 1
            traffic.kept += 1
        }
    }

    private func fresh() -> Destination {
        Destination(
            breaker: CircuitBreaker(threshold: configuration.breakerThreshold, pause: configuration.breakerPause))
    }

    /// Delivers a message at the time that its owner lives at.
    private func deliver(_ claim: OutboxClaim) async {
        await OwnTime.of(claim.message.merchant.description) { await deliverInTime(claim) }
        traffic.withLock { $0.held[claim.message.id] = nil }
    }

    private func deliverInTime(_ claim: OutboxClaim) async {
        // Whoever is stopped begins nothing.
        let isStopped = Task.isCancelled
        let delivery =
            isStopped ? Delivery(.notBegun(.ours, after: .zero), note: "stopped before it was sent") : await sender.deliver(claim)
        leave(claim.message.destination, after: delivery.verdict)
        let now = clock.now()
        var pause: Duration?
        switch delivery.verdict {
        case .retry(let after): pause = after ?? .zero
        case .notBegun(_, let after):
            if isStopped || now < claim.message.createdAt.advanced(by: configuration.patience) {
                return await giveBack(claim, at: now.advanced(by: after), because: delivery.note)
            }
            pause = after
        case .delivered, .park: break
        }
        var retryAt: Timestamp?
        if let pause {
            let schedule = configuration.schedules[claim.message.schedule] ?? configuration.defaultSchedule
            // The schedule decides whether there is a next try; the receiver may only ask for a longer wait.
            if let wait = schedule.wait(after: claim.attempt, random: random.bits()) {
                retryAt = now.advanced(by: max(wait, pause))
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

    private func giveBack(_ claim: OutboxClaim, at due: Timestamp, because note: String) async {
        logger.info("a delivery was not begun", metadata: ["message": "\(claim.message.id)", "note": "\(note)"])
        do {
            try await database.writeRepeatably { tx in try OutboxRecords.giveBack([claim], at: due, in: tx) }
        } catch {
            // When its lease ends a worker takes it, and one attempt is lost.
            logger.error("a delivery could not be given back", metadata: ["message": "\(claim.message.id)", "error": "\(error)"])
        }
    }
}
