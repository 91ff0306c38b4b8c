import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Synchronization
import Testing

final class ScriptedHandler: DeadlineHandler {
    private let fired = Mutex<[Deadline]>([])
    private let answer: @Sendable (Deadline) async throws -> DeadlineOutcome

    init(_ answer: @escaping @Sendable (Deadline) async throws -> DeadlineOutcome = { _ in .done }) { self.answer = answer }

    func fire(_ deadline: Deadline) async throws -> DeadlineOutcome {
        fired.withLock { $0.append(deadline) }
        return try await answer(deadline)
    }

    var deadlines: [Deadline] { fired.withLock { $0 } }
}

@Suite struct DeadlineTests {
    private func arm(_ fixture: Fixture, after wait: Duration = .seconds(5)) async throws -> Deadline {
        let deadline = Deadline(
            merchant: fixture.merchant, subject: fixture.newID(), kind: "query", dueAt: fixture.clock.now().advanced(by: wait))
        let arming = DeadlineRecords.arming(deadline)
        try await fixture.database.write { tx in _ = try tx.execute(arming.sql, arming.bindings) }
        return deadline
    }

    private func worker(_ fixture: Fixture, _ handler: ScriptedHandler, on database: (any Database)? = nil) -> DeadlineWorker {
        DeadlineWorker(database: database ?? fixture.database, handler: handler, clock: fixture.clock, logger: Fixture.logger)
    }

    @Test(arguments: StoreEngine.available)
    func deadlineFiresOnceWhenItIsDue(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let deadline = try await arm(fixture)
            let handler = ScriptedHandler()
            let worker = worker(fixture, handler)
            #expect(try await worker.runOnce() == 0)
            fixture.clock.advance(by: .seconds(5))
            #expect(try await worker.runOnce() == 1)
            fixture.clock.advance(by: .seconds(500))
            #expect(try await worker.runOnce() == 0)
            #expect(handler.deadlines.map(\.subject) == [deadline.subject])
            #expect(handler.deadlines.map(\.attempt) == [1])
        }
    }

    @Test(arguments: StoreEngine.available)
    func deadlineFiresAgainWhenItsHandlerAsks(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            _ = try await arm(fixture, after: .zero)
            let again = fixture.clock.now().advanced(by: .seconds(7))
            let handler = ScriptedHandler { $0.attempt == 1 ? .again(at: again) : .done }
            let worker = worker(fixture, handler)
            #expect(try await worker.runOnce() == 1)
            fixture.clock.advance(by: .seconds(6))
            #expect(try await worker.runOnce() == 0)
            fixture.clock.advance(by: .seconds(1))
            #expect(try await worker.runOnce() == 1)
            #expect(handler.deadlines.map(\.attempt) == [1, 2])
        }
    }

    @Test(arguments: StoreEngine.available)
    func handlerThatFailsIsAskedAgainWhenTheLeaseEnds(engine: StoreEngine) async throws {
        struct Broken: Error {}
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            _ = try await arm(fixture, after: .zero)
            let handler = ScriptedHandler { deadline in
                guard deadline.attempt > 1 else { throw Broken() }
                return .done
            }
            let worker = worker(fixture, handler)
            #expect(try await worker.runOnce() == 1)
            #expect(try await worker.runOnce() == 0)
            fixture.clock.advance(by: .seconds(60))
            #expect(try await worker.runOnce() == 1)
            fixture.clock.advance(by: .seconds(600))
            #expect(try await worker.runOnce() == 0)
        }
    }

    @Test(arguments: StoreEngine.available)
    func twoWorkersFireADeadlineOnce(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            for _ in 0..<10 { _ = try await arm(fixture, after: .zero) }
            let handler = ScriptedHandler()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { try await worker(fixture, handler).runOnce() } }
                try await group.waitForAll()
            }
            try await worker(fixture, handler).runOnce()
            #expect(handler.deadlines.count == 10)
            #expect(Set(handler.deadlines.map(\.subject)).count == 10)
        }
    }

    @Test(arguments: StoreEngine.available)
    func armedDeadlineStaysAsItIsWhenArmedAgain(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let deadline = try await arm(fixture)
            var later = deadline
            later.dueAt = deadline.dueAt.advanced(by: .seconds(100))
            let arming = DeadlineRecords.arming(later)
            try await database.write { tx in _ = try tx.execute(arming.sql, arming.bindings) }
            fixture.clock.advance(by: .seconds(5))
            #expect(try await worker(fixture, ScriptedHandler()).runOnce() == 1)
        }
    }

    @Test(arguments: StoreEngine.available)
    func deadlineSurvivesARestart(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let fixture = try await Fixture(store.database)
            let deadline = try await arm(fixture)
            let database = try await store.reopen()
            fixture.clock.advance(by: .seconds(5))
            let handler = ScriptedHandler()
            #expect(try await worker(fixture, handler, on: database).runOnce() == 1)
            #expect(handler.deadlines.map(\.subject) == [deadline.subject])
        }
    }

    @Test(arguments: StoreEngine.available)
    func deadlineThatItsHandlerRemovedStaysRemoved(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let deadline = try await arm(fixture, after: .zero)
            let again = fixture.clock.now().advanced(by: .seconds(1))
            let handler = ScriptedHandler { _ in
                let disarming = DeadlineRecords.disarming(deadline.kind, subject: deadline.subject, merchant: deadline.merchant)
                try await database.write { tx in _ = try tx.execute(disarming.sql, disarming.bindings) }
                return .again(at: again)
            }
            try await worker(fixture, handler).runOnce()
            fixture.clock.advance(by: .seconds(100))
            #expect(try await worker(fixture, handler).runOnce() == 0)
        }
    }
}
