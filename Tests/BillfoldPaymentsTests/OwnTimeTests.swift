import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Logging
import Synchronization
import Testing

/// Owners whose time is ahead of everybody's: what is theirs comes due by it, and nobody else's does.
@Suite struct OwnTimeTests {
    /// Two owners on one store, each with a space.
    private struct Team: Sendable {
        let fixture: Fixture
        let spaces: MemorySpaces
        let clock: SpaceClock
        let ann: MerchantID
        let bob: MerchantID

        init(_ database: any Database) async throws {
            fixture = try await Fixture(database)
            spaces = MemorySpaces(["ann", "bob"])
            clock = try await SpaceClock(base: fixture.clock, book: spaces)
            (ann, bob) = (try MerchantID("ann"), try MerchantID("bob"))
        }

        func arm(_ owner: MerchantID, after wait: Duration) async throws -> Deadline {
            let deadline = Deadline(
                merchant: owner, subject: fixture.newID(), kind: "expiry",
                dueAt: clock.now(of: owner.description).advanced(by: wait))
            let arming = DeadlineRecords.arming(deadline)
            try await fixture.database.write { tx in _ = try tx.execute(arming.sql, arming.bindings) }
            return deadline
        }

        func store(_ owner: MerchantID, to destination: String = "hook", after wait: Duration = .zero) async throws -> TimeOrderedID {
            let now = clock.now(of: owner.description)
            let message = OutboxMessage(
                merchant: owner, id: fixture.newID(), destination: destination, kind: "notice", subject: fixture.newID(),
                subjectVersion: 1, body: [1], schedule: "notice", dueAt: now.advanced(by: wait), createdAt: now)
            let insertion = OutboxRecords.insertion(message)
            try await fixture.database.write { tx in _ = try tx.execute(insertion.sql, insertion.bindings) }
            return message.id
        }

        func deadlines(_ handler: any DeadlineHandler) -> DeadlineWorker {
            DeadlineWorker(database: fixture.database, handler: handler, clock: clock, logger: Fixture.logger)
        }

        func outbox(_ sender: any OutboxSender, change: (inout OutboxWorker.Configuration) -> Void = { _ in }) -> OutboxWorker {
            var configuration = OutboxWorker.Configuration()
            configuration.schedules = ["notice": .fixed([.seconds(600), .seconds(600)])]
            change(&configuration)
            return OutboxWorker(
                database: fixture.database, sender: sender, clock: clock, random: fixture.identifiers, configuration: configuration,
                logger: Fixture.logger)
        }
    }

    /// Remembers what time it was for whoever was served.
    private final class Watch: DeadlineHandler, OutboxSender {
        private let clock: SpaceClock
        private let seen = Mutex<[(owner: MerchantID, at: Timestamp)]>([])
        private let verdict: Delivery.Verdict

        init(_ clock: SpaceClock, verdict: Delivery.Verdict = .delivered) { (self.clock, self.verdict) = (clock, verdict) }

        func fire(_ deadline: Deadline) async throws -> DeadlineOutcome {
            seen.withLock { $0.append((deadline.merchant, clock.now())) }
            return .done
        }

        func deliver(_ claim: OutboxClaim) async -> Delivery {
            seen.withLock { $0.append((claim.message.merchant, clock.now())) }
            return Delivery(verdict)
        }

        var owners: [MerchantID] { seen.withLock { $0.map(\.owner) } }
        var times: [Timestamp] { seen.withLock { $0.map(\.at) } }
    }

    @Test(arguments: StoreEngine.available)
    func deadlineComesDueByItsOwnersTimeAlone(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let team = try await Team(database)
            for owner in [team.ann, team.bob] { _ = try await team.arm(owner, after: .seconds(900)) }
            let watch = Watch(team.clock)
            let worker = team.deadlines(watch)
            #expect(try await worker.runOnce() == 0)
            try await team.clock.advance("ann", by: .seconds(960))
            #expect(try await worker.runOnce() == 1)
            #expect(watch.owners == [team.ann])
            // Whatever the handler does is done at her time.
            #expect(watch.times == [team.fixture.clock.now().advanced(by: .seconds(960))])
            #expect(try await worker.runOnce() == 0)
            team.fixture.clock.advance(by: .seconds(899))
            #expect(try await worker.runOnce() == 0)
            team.fixture.clock.advance(by: .seconds(1))
            #expect(try await worker.runOnce() == 1)
            #expect(watch.owners == [team.ann, team.bob])
            #expect(watch.times.last == team.fixture.clock.now())
        }
    }

    /// What is written once an owner is ahead is due after as long as ever.
    @Test(arguments: StoreEngine.available)
    func waitOfAnOwnerWhoIsAheadIsAsLongAsEver(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let team = try await Team(database)
            try await team.clock.advance("ann", by: .seconds(86_400))
            _ = try await team.arm(team.ann, after: .seconds(900))
            _ = try await team.store(team.ann, after: .seconds(900))
            let watch = Watch(team.clock)
            let (deadlines, outbox) = (team.deadlines(watch), team.outbox(watch))
            team.fixture.clock.advance(by: .seconds(899))
            #expect(try await deadlines.runOnce() == 0)
            #expect(try await outbox.runOnce() == 0)
            team.fixture.clock.advance(by: .seconds(1))
            #expect(try await deadlines.runOnce() == 1)
            #expect(try await outbox.runOnce() == 1)
        }
    }

    @Test(arguments: StoreEngine.available)
    func retryComesDueByItsOwnersTimeAlone(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let team = try await Team(database)
            for owner in [team.ann, team.bob] { _ = try await team.store(owner) }
            let watch = Watch(team.clock, verdict: .retry(after: nil))
            let worker = team.outbox(watch)
            #expect(try await worker.runOnce() == 2)
            #expect(try await worker.runOnce() == 0)
            try await team.clock.advance("ann", by: .seconds(600))
            #expect(try await worker.runOnce() == 1)
            #expect(watch.owners.last == team.ann)
            // The next wait begins at her time.
            #expect(try await worker.runOnce() == 0)
            try await team.clock.advance("ann", by: .seconds(599))
            #expect(try await worker.runOnce() == 0)
            try await team.clock.advance("ann", by: .seconds(1))
            #expect(try await worker.runOnce() == 1)
            #expect(watch.owners.suffix(2) == [team.ann, team.ann])
        }
    }

    /// Failures had opened the breaker of a destination; whoever moves on has waited that out, and nobody else has.
    @Test(arguments: StoreEngine.available)
    func breakerWaitsByTheTimeOfWhoeverSendsThere(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let team = try await Team(database)
            let watch = Watch(team.clock, verdict: .retry(after: nil))
            let worker = team.outbox(watch) {
                ($0.breakerThreshold, $0.breakerPause) = (1, .seconds(7_200))
                $0.schedules = ["notice": .fixed(Array(repeating: .seconds(600), count: 5))]
            }
            _ = try await team.store(team.ann, to: "ann's")
            _ = try await team.store(team.bob, to: "bob's")
            #expect(try await worker.runOnce() == 2)
            team.fixture.clock.advance(by: .seconds(600))
            #expect(try await worker.runOnce() == 0, "both breakers are open")
            try await team.clock.advance("ann", by: .seconds(60))
            #expect(try await worker.runOnce() == 1)
            #expect(watch.owners.last == team.ann)
        }
    }

    /// A move of time ends leases early: what is under way here is not begun a second time all the same.
    @Test(arguments: StoreEngine.available)
    func whatIsUnderWayIsNotBegunAgainWhenTimeMoves(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let team = try await Team(database)
            let gate = Gate()
            let (deadlines, outbox) = (team.deadlines(gate), team.outbox(gate))
            _ = try await team.arm(team.ann, after: .zero)
            _ = try await team.store(team.ann)
            async let fired = deadlines.runOnce()
            async let sent = outbox.runOnce()
            await gate.waitUntil(2)
            try await team.clock.advance("ann", by: .seconds(3_600))
            #expect(try await deadlines.runOnce() == 0)
            #expect(try await outbox.runOnce() == 0)
            gate.open()
            #expect(try await (fired, sent) == (1, 1))
            // Nothing is left of either.
            try await team.clock.advance("ann", by: .seconds(3_600))
            #expect(try await deadlines.runOnce() == 0)
            #expect(try await outbox.runOnce() == 0)
            #expect(gate.count == 2)
        }
    }

    /// Holds whatever it is given until it is opened.
    private final class Gate: DeadlineHandler, OutboxSender {
        private let state = Mutex((count: 0, isOpen: false))

        var count: Int { state.withLock { $0.count } }
        func open() { state.withLock { $0.isOpen = true } }

        func waitUntil(_ count: Int) async { while self.count < count { await Task.yield() } }

        private func pass() async {
            state.withLock { $0.count += 1 }
            while !state.withLock({ $0.isOpen }) { await Task.yield() }
        }

        func fire(_ deadline: Deadline) async throws -> DeadlineOutcome {
            await pass()
            return .done
        }

        func deliver(_ claim: OutboxClaim) async -> Delivery {
            await pass()
            return Delivery(.delivered)
        }
    }

    /// A process that begins, or another one beside it, lives at the same times.
    @Test func everyProcessKnowsEveryOwnersTime() async throws {
        let (spaces, base) = (MemorySpaces(["ann", "bob"]), HandClock())
        let first = try await SpaceClock(base: base, book: spaces)
        let beside = try await SpaceClock(base: base, book: spaces)
        try await first.advance("ann", by: .seconds(960))
        #expect(beside.now(of: "ann") == base.now())
        try await beside.refresh()
        let restarted = try await SpaceClock(base: base, book: spaces)
        for clock in [first, beside, restarted] {
            #expect(clock.now(of: "ann") == base.now().advanced(by: .seconds(960)))
            #expect(clock.now(of: "bob") == base.now())
            #expect(clock.now() == base.now())
        }
    }

    /// A request learns on its way whose it is; another one beside it is not touched.
    @Test func requestLivesAtItsOwnersTimeOnceThatIsKnown() async throws {
        let (spaces, base) = (MemorySpaces(["ann", "bob"]), HandClock())
        let clock = try await SpaceClock(base: base, book: spaces)
        try await clock.advance("ann", by: .seconds(960))
        let ahead = base.now().advanced(by: .seconds(960))
        await OwnTime.visiting {
            #expect(clock.now() == base.now())
            func learn() async { OwnTime.enter("ann") }
            await learn()
            #expect(clock.now() == ahead)
            #expect(clock.everybodysNow == base.now())
            await OwnTime.visiting { #expect(clock.now() == base.now()) }
            await OwnTime.of("bob") { #expect(clock.now() == base.now()) }
            async let beside = clock.now()
            #expect(await beside == ahead)
        }
        // Outside of a request nothing is entered.
        OwnTime.enter("ann")
        #expect(clock.now() == base.now())
    }
}
