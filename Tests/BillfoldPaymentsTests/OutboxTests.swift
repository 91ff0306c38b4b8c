import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Synchronization
import Testing

/// Remembers what it was asked to deliver and answers by script.
final class ScriptedSender: OutboxSender {
    private let delivered = Mutex<[OutboxClaim]>([])
    private let answer: @Sendable (OutboxClaim) -> Delivery

    init(_ answer: @escaping @Sendable (OutboxClaim) -> Delivery = { _ in Delivery(.delivered) }) { self.answer = answer }

    func deliver(_ claim: OutboxClaim) async -> Delivery {
        delivered.withLock { $0.append(claim) }
        return answer(claim)
    }

    var claims: [OutboxClaim] { delivered.withLock { $0 } }
}

@Suite struct OutboxTests {
    private func message(_ fixture: Fixture, to destination: String = "acquirer", leasedFor lease: Duration = .zero) -> OutboxMessage {
        let now = fixture.clock.now()
        return OutboxMessage(
            merchant: fixture.merchant, id: fixture.newID(), destination: destination, kind: "notice", subject: fixture.newID(),
            subjectVersion: 1, body: [1, 2, 3], schedule: "notice", dueAt: now.advanced(by: lease), createdAt: now)
    }

    private func store(_ messages: [OutboxMessage], in database: any Database) async throws {
        try await database.write { tx in _ = try tx.executeBatch(messages.map(OutboxRecords.insertion)) }
    }

    private func worker(
        _ fixture: Fixture, _ sender: ScriptedSender, bell: OutboxBell = OutboxBell(),
        change: (inout OutboxWorker.Configuration) -> Void = { _ in }
    ) -> OutboxWorker {
        var configuration = OutboxWorker.Configuration()
        configuration.schedules = ["notice": .fixed([.seconds(10), .seconds(20)])]
        change(&configuration)
        return OutboxWorker(
            database: fixture.database, sender: sender, clock: fixture.clock, random: fixture.identifiers, configuration: configuration,
            bell: bell, logger: Fixture.logger)
    }

    private func deadLetters(_ fixture: Fixture) async throws -> [DeadLetter] {
        let merchant = fixture.merchant
        return try await fixture.database.read { tx in try OutboxRecords.deadLetters(merchant, in: tx) }
    }

    @Test(arguments: StoreEngine.available)
    func deliveredMessageIsNotSentAgain(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let message = message(fixture)
            try await store([message], in: database)
            let sender = ScriptedSender()
            let worker = worker(fixture, sender)
            #expect(try await worker.runOnce() == 1)
            fixture.clock.advance(by: .seconds(1000))
            #expect(try await worker.runOnce() == 0)
            #expect(sender.claims.map(\.message.id) == [message.id])
            #expect(sender.claims.first?.message.body == [1, 2, 3])
        }
    }

    @Test(arguments: StoreEngine.available)
    func failedMessageFollowsItsScheduleThenIsParked(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let message = message(fixture)
            try await store([message], in: database)
            let sender = ScriptedSender { _ in Delivery(.retry(after: nil), note: "500") }
            let worker = worker(fixture, sender)
            #expect(try await worker.runOnce() == 1)
            fixture.clock.advance(by: .seconds(9))
            #expect(try await worker.runOnce() == 0)
            fixture.clock.advance(by: .seconds(1))
            #expect(try await worker.runOnce() == 1)
            fixture.clock.advance(by: .seconds(20))
            #expect(try await worker.runOnce() == 1)
            fixture.clock.advance(by: .seconds(100_000))
            #expect(try await worker.runOnce() == 0)
            #expect(sender.claims.map(\.attempt) == [1, 2, 3])
            let dead = try await deadLetters(fixture)
            #expect(dead.map(\.message.id) == [message.id])
            #expect(dead.first?.attempts == 3)
            #expect(dead.first?.note == "500")
        }
    }

    @Test(arguments: StoreEngine.available, [OutboxRecords.OperatorAction.retry, .discard])
    func operatorDecidesOverADeadLetter(engine: StoreEngine, action: OutboxRecords.OperatorAction) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let message = message(fixture)
            try await store([message], in: database)
            let sender = ScriptedSender {
                $0.attempt == 1 && $0.message.kind == "notice" ? Delivery(.park, note: "no") : Delivery(.delivered)
            }
            let worker = worker(fixture, sender)
            try await worker.runOnce()
            let (merchant, links, now) = (fixture.merchant, fixture.store.audit, fixture.clock.now())
            let resolve: @Sendable (String) async throws -> Bool = { reason in
                try await database.write { tx in
                    try OutboxRecords.resolve(
                        message.id, merchant: merchant, action: action, by: "ann", because: reason, at: now, linking: links, in: tx)
                }
            }
            #expect(try await resolve("approval 1"))
            // Run again after a crash, it has been done; another decision comes too late.
            #expect(try await resolve("approval 1"))
            #expect(try await resolve("approval 2") == false)
            #expect(try await deadLetters(fixture).isEmpty)
            #expect(try await worker.runOnce() == (action == .retry ? 1 : 0))
            let rows = try await database.read { tx in try AuditRecords.rows(of: "operators", merchant: merchant, in: tx) }
            #expect(rows.map(\.action) == ["outbox.\(action.rawValue)"])
        }
    }

    @Test(arguments: StoreEngine.available)
    func twoWorkersNeverHoldOneRow(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            try await store((0..<40).map { _ in message(fixture) }, in: database)
            let sender = ScriptedSender()
            let workers = (0..<4).map { _ in worker(fixture, sender) { $0.perDestination = 40 } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in workers { group.addTask { try await worker.runOnce() } }
                try await group.waitForAll()
            }
            for worker in workers { try await worker.runOnce() }
            #expect(sender.claims.count == 40)
            #expect(Set(sender.claims.map(\.message.id)).count == 40)
        }
    }

    /// A worker that dies between sending and marking leaves a leased row; another sends the same message when it ends.
    @Test(arguments: StoreEngine.available)
    func lostWorkersRowIsSentAgainWhenItsLeaseEnds(engine: StoreEngine) async throws {
        struct Crash: Error {}
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let message = message(fixture)
            try await store([message], in: database)
            let dying = ScriptedSender { _ in Delivery(.delivered) { _ in throw Crash() } }
            try await worker(fixture, dying).runOnce()
            let sender = ScriptedSender()
            let worker = worker(fixture, sender)
            #expect(try await worker.runOnce() == 0)
            fixture.clock.advance(by: .seconds(60))
            #expect(try await worker.runOnce() == 1)
            #expect(sender.claims.map(\.message.body) == dying.claims.map(\.message.body))
            #expect(sender.claims.map(\.attempt) == [2])
        }
    }

    @Test(arguments: StoreEngine.available)
    func rowLeasedToItsRequestIsLeftAloneUntilTheLeaseEnds(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let (kept, answered) = (message(fixture, leasedFor: .seconds(25)), message(fixture, leasedFor: .seconds(25)))
            try await store([kept, answered], in: database)
            let sender = ScriptedSender()
            let worker = worker(fixture, sender)
            fixture.clock.advance(by: .seconds(24))
            #expect(try await worker.runOnce() == 0)
            try await database.write { tx in try OutboxRecords.finishByRequest(answered, Delivery(.delivered), in: tx) }
            fixture.clock.advance(by: .seconds(1))
            #expect(try await worker.runOnce() == 1)
            #expect(sender.claims.map(\.message.id) == [kept.id])
            #expect(sender.claims.first?.attempt == 2)
        }
    }

    @Test(arguments: StoreEngine.available)
    func answerIsRecordedEvenWhenTheLeaseWasLost(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let payment = try await fixture.submitted()
            let (store, now) = (fixture.store, fixture.clock.now())
            let slow = ScriptedSender { claim in
                fixture.clock.advance(by: .seconds(61))
                return Delivery(.retry(after: nil), note: "unreadable") { tx in
                    _ = try store.apply(
                        .unresolved, to: claim.message.subject, merchant: claim.message.merchant, detail: EventDetail(actor: "unionpay"),
                        at: now, in: tx)
                }
            }
            try await worker(fixture, slow).runOnce()
            #expect(try await fixture.payment(payment.id)?.state == .unknown)
        }
    }

    @Test(arguments: StoreEngine.available)
    func oneDestinationsBacklogDoesNotStarveAnother(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            try await store((0..<30).map { _ in message(fixture, to: "slow") } + [message(fixture, to: "quick")], in: database)
            let sender = ScriptedSender()
            let worker = worker(fixture, sender) {
                $0.batch = 10
                $0.perDestination = 3
            }
            #expect(try await worker.runOnce() == 4)
            #expect(sender.claims.filter { $0.message.destination == "quick" }.count == 1)
        }
    }

    @Test(arguments: StoreEngine.available)
    func failingDestinationIsLeftAloneForAWhile(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            try await store((0..<10).map { _ in message(fixture, to: "broken") }, in: database)
            let sender = ScriptedSender { _ in Delivery(.retry(after: nil), note: "refused") }
            let worker = worker(fixture, sender) {
                $0.perDestination = 4
                $0.breakerThreshold = 4
                $0.breakerPause = .seconds(5)
            }
            #expect(try await worker.runOnce() == 4)
            #expect(try await worker.runOnce() == 0)
            fixture.clock.advance(by: .seconds(5))
            #expect(try await worker.runOnce() == 1)
            #expect(try await worker.runOnce() == 0)
        }
    }

    @Test(arguments: StoreEngine.available)
    func receiverMayOnlyAskForALongerWait(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            try await store([message(fixture)], in: database)
            let sender = ScriptedSender { _ in Delivery(.retry(after: .seconds(30))) }
            let worker = worker(fixture, sender)
            try await worker.runOnce()
            fixture.clock.advance(by: .seconds(29))
            #expect(try await worker.runOnce() == 0)
            fixture.clock.advance(by: .seconds(1))
            #expect(try await worker.runOnce() == 1)
        }
    }

    @Test(arguments: StoreEngine.available)
    func deliveryThatWasNotBegunLosesNoAttempt(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let message = message(fixture)
            try await store([message], in: database)
            let sender = ScriptedSender { _ in Delivery(.notBegun(.ours, after: .seconds(5)), note: "no place") }
            let worker = worker(fixture, sender)
            // More often than the schedule has attempts.
            for _ in 0..<6 {
                #expect(try await worker.runOnce() == 1)
                fixture.clock.advance(by: .seconds(4))
                #expect(try await worker.runOnce() == 0)
                fixture.clock.advance(by: .seconds(1))
            }
            #expect(sender.claims.map(\.attempt) == Array(repeating: 1, count: 6))
            let sending = ScriptedSender { _ in Delivery(.retry(after: nil), note: "500") }
            let other = self.worker(fixture, sending)
            for wait in [10, 20, 1] {
                #expect(try await other.runOnce() == 1)
                fixture.clock.advance(by: .seconds(wait))
            }
            #expect(sending.claims.map(\.attempt) == [1, 2, 3])
            #expect(try await deadLetters(fixture).count == 1)
        }
    }

    /// A receiver whose name servers never come back is given up at last.
    @Test func whatIsNotBegunForADayCounts() async throws {
        try await StoreEngine.sqlite.withDatabase { database in
            let fixture = try await Fixture(database)
            try await store([message(fixture)], in: database)
            let sender = ScriptedSender { _ in Delivery(.notBegun(.destination, after: .seconds(30)), note: "nobody says") }
            let worker = worker(fixture, sender)
            fixture.clock.advance(by: .seconds(86_400))
            for _ in 0..<3 {
                #expect(try await worker.runOnce() == 1)
                fixture.clock.advance(by: .seconds(29))
                #expect(try await worker.runOnce() == 0)
                fixture.clock.advance(by: .seconds(1))
            }
            #expect(sender.claims.map(\.attempt) == [1, 2, 3])
            #expect(try await deadLetters(fixture).first?.note == "nobody says")
        }
    }

    /// What hinders here says nothing of a destination; what is wrong about its name does.
    @Test(arguments: [(Delivery.Hindrance.ours, 3), (.destination, 0)])
    func hindranceOpensTheBreakerOfADestinationThatCausedIt(hindrance: Delivery.Hindrance, next: Int) async throws {
        try await StoreEngine.sqlite.withDatabase { database in
            let fixture = try await Fixture(database)
            try await store((0..<6).map { _ in message(fixture) }, in: database)
            let sender = ScriptedSender { _ in Delivery(.notBegun(hindrance, after: .seconds(100))) }
            let worker = worker(fixture, sender) {
                $0.perDestination = 3
                $0.breakerThreshold = 3
            }
            #expect(try await worker.runOnce() == 3)
            #expect(try await worker.runOnce() == next)
        }
    }

    @Test(arguments: StoreEngine.available)
    func withdrawnMessageIsNotSent(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let message = message(fixture)
            try await store([message], in: database)
            #expect(
                try await database.write { tx in
                    try OutboxRecords.withdraw(message.id, merchant: message.merchant, in: tx)
                })
            #expect(try await worker(fixture, ScriptedSender()).runOnce() == 0)
        }
    }

    /// Runs a worker that looks by itself once an hour, as long as the body takes. The stream has the ids in the order of delivery.
    private func runningHourlyWorker(
        _ fixture: Fixture, bell: OutboxBell = OutboxBell(), perDestination: Int = 8, waiting: Int = 32,
        _ body: (inout AsyncStream<TimeOrderedID>.Iterator) async throws -> Void
    ) async throws {
        let (deliveries, delivered) = AsyncStream.makeStream(of: TimeOrderedID.self)
        let sender = ScriptedSender { claim in
            delivered.yield(claim.message.id)
            return Delivery(.delivered)
        }
        let worker = worker(fixture, sender, bell: bell) {
            $0.poll = .seconds(3_600)
            $0.perDestination = perDestination
            $0.waitingPerDestination = waiting
        }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await worker.run() }
            var arrivals = deliveries.makeAsyncIterator()
            try await body(&arrivals)
            tasks.cancelAll()
        }
    }

    @Test(.timeLimit(.minutes(5))) func bellSendsWhatWasStoredSinceTheLastLook() async throws {
        try await StoreEngine.sqlite.withDatabase { database in
            let fixture = try await Fixture(database)
            let bell = OutboxBell()
            let (first, second) = (message(fixture), message(fixture))
            try await store([first], in: database)
            try await runningHourlyWorker(fixture, bell: bell) { arrivals in
                #expect(await arrivals.next() == first.id)
                try await store([second], in: database)
                bell.ring()
                #expect(await arrivals.next() == second.id)
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: StoreEngine.available)
    func messageThatIsHandedOverLeavesWithoutALook(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let (bell, first) = (OutboxBell(), message(fixture))
            #expect(bell.place(for: "acquirer", at: fixture.clock.now()) == nil, "no worker listens yet")
            try await store([first], in: database)
            try await runningHourlyWorker(fixture, bell: bell) { arrivals in
                #expect(await arrivals.next() == first.id)
                let place = try #require(bell.place(for: "acquirer", at: fixture.clock.now()))
                var message = message(fixture)
                message.dueAt = place.leaseUntil
                try await store([message], in: database)
                // A worker that looks leaves it to its maker until the lease ends.
                #expect(try await worker(fixture, ScriptedSender()).runOnce() == 0)
                place.handOver(message)
                place.handOver(message)
                #expect(await arrivals.next() == message.id)
                var row: (state: String, attempt: Int64) = ("ready", 0)
                while row.state == "ready" {
                    row = try await database.read { [message] tx in
                        let row = try #require(
                            try tx.query("SELECT state, attempt FROM outbox WHERE id = ?", [.blob(message.id.bytes)]).first)
                        return (try row.text(0), try row.integer(1))
                    }
                }
                #expect(row == ("done", 1))
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func placesEndAtTheLimitAndComeBack() async throws {
        try await StoreEngine.sqlite.withDatabase { database in
            let fixture = try await Fixture(database)
            let (bell, first, second) = (OutboxBell(), message(fixture), message(fixture))
            try await store([first], in: database)
            try await runningHourlyWorker(fixture, bell: bell, perDestination: 2, waiting: 0) { arrivals in
                #expect(await arrivals.next() == first.id)
                var places: [OutboxPlace] = []
                while places.count < 2 {
                    if let place = bell.place(for: "acquirer", at: fixture.clock.now()) { places.append(place) }
                    await Task.yield()
                }
                #expect(bell.place(for: "acquirer", at: fixture.clock.now()) == nil)
                #expect(bell.place(for: "other", at: fixture.clock.now()) != nil)
                // One that found no place goes by way of the store.
                try await store([second], in: database)
                bell.ring()
                #expect(await arrivals.next() == second.id)
                places.removeAll()
                var place: OutboxPlace?
                while place == nil {
                    place = bell.place(for: "acquirer", at: fixture.clock.now())
                    await Task.yield()
                }
            }
            #expect(bell.place(for: "acquirer", at: fixture.clock.now()) == nil, "no worker listens any more")
        }
    }

    @Test(.timeLimit(.minutes(5))) func freedPlaceOfADestinationIsTakenAtOnce() async throws {
        try await StoreEngine.sqlite.withDatabase { database in
            let fixture = try await Fixture(database)
            let messages = (0..<20).map { _ in message(fixture) }
            try await store(messages, in: database)
            try await runningHourlyWorker(fixture, perDestination: 2) { arrivals in
                var arrived: Set<TimeOrderedID> = []
                while arrived.count < messages.count, let id = await arrivals.next() { arrived.insert(id) }
                #expect(arrived == Set(messages.map(\.id)))
            }
        }
    }

    /// Keeps what it is asked to deliver until it is told to let the first go.
    private final class HoldingSender: OutboxSender {
        private let held = Mutex<[CheckedContinuation<Void, Never>]>([])
        private let begun = AsyncStream.makeStream(of: OutboxClaim.self)

        private let verdict: Delivery.Verdict

        init(verdict: Delivery.Verdict = .delivered) { self.verdict = verdict }

        func deliver(_ claim: OutboxClaim) async -> Delivery {
            await withCheckedContinuation { continuation in
                held.withLock { $0.append(continuation) }
                begun.continuation.yield(claim)
            }
            return Delivery(verdict)
        }

        var deliveries: AsyncStream<OutboxClaim> { begun.stream }

        func letGo() { held.withLock { $0.isEmpty ? nil : $0.removeFirst() }?.resume() }
    }

    /// Runs a worker with one place for each destination, which looks by itself once an hour. What the body is given hands a message over, or
    /// stores it for a look where there is no place. `ending` is called when the worker was told to end and hears no bell any more.
    private func runningNarrowWorker(
        _ fixture: Fixture, waiting: Int = 32, _ sender: HoldingSender,
        _ body: (inout AsyncStream<OutboxClaim>.Iterator, (OutboxMessage) async throws -> Bool) async throws -> Void,
        ending: () -> Void = {}
    ) async throws {
        var configuration = OutboxWorker.Configuration()
        configuration.poll = .seconds(3_600)
        configuration.perDestination = 1
        configuration.waitingPerDestination = waiting
        configuration.breakerThreshold = 1
        let bell = OutboxBell()
        let worker = OutboxWorker(
            database: fixture.database, sender: sender, clock: fixture.clock, random: fixture.identifiers, configuration: configuration,
            bell: bell, logger: Fixture.logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await worker.run() }
            // Until it listens.
            while bell.place(for: "nobody", at: fixture.clock.now()) == nil { await Task.yield() }
            var begun = sender.deliveries.makeAsyncIterator()
            try await body(&begun) { message in
                guard let place = bell.place(for: message.destination, at: fixture.clock.now()) else {
                    try await store([message], in: fixture.database)
                    bell.ring()
                    return false
                }
                var message = message
                message.dueAt = place.leaseUntil
                try await store([message], in: fixture.database)
                place.handOver(message)
                return true
            }
            tasks.cancelAll()
            while bell.place(for: "nobody", at: fixture.clock.now()) != nil { await Task.yield() }
            ending()
        }
    }

    private func row(_ message: OutboxMessage, in database: any Database) async throws -> (state: String, attempt: Int64, dueAt: Timestamp)
    {
        try await database.read { tx in
            let row = try #require(
                try tx.query("SELECT state, attempt, due_at FROM outbox WHERE id = ?", [.blob(message.id.bytes)]).first)
            return (try row.text(0), try row.integer(1), try row.timestamp(2))
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: StoreEngine.available)
    func messagesBeyondTheLimitWaitInOrderAndLeaveWithoutALook(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let sender = HoldingSender()
            let messages = (0..<4).map { _ in message(fixture) }
            try await runningNarrowWorker(fixture, waiting: 2, sender) { begun, handOver in
                var kept: [Bool] = []
                for message in messages { kept.append(try await handOver(message)) }
                #expect(kept == [true, true, true, false], "one leaves, two wait")
                var arrived: [OutboxClaim] = []
                while arrived.count < 4, let claim = await begun.next() {
                    arrived.append(claim)
                    sender.letGo()
                }
                // The store's own is looked for once there is room, or beside them.
                #expect(arrived.map(\.message.id).filter { $0 != messages[3].id } == messages[..<3].map(\.id))
                #expect(arrived.map(\.attempt) == [1, 1, 1, 1])
                for message in messages {
                    while try await row(message, in: database).state == "ready" { await Task.yield() }
                    #expect(try await row(message, in: database).attempt == 1)
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: StoreEngine.available)
    func whatWaitsWhenTheWorkerEndsIsGivenBack(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let sender = HoldingSender()
            let (first, second, other) = (message(fixture), message(fixture), message(fixture, to: "other"))
            try await runningNarrowWorker(fixture, sender) { begun, handOver in
                var kept: [Bool] = []
                for message in [first, second, other] { kept.append(try await handOver(message)) }
                #expect(kept == [true, true, true])
                // These two leave side by side, and either may arrive first: the second waits.
                let ids = [await begun.next()?.message.id, await begun.next()?.message.id]
                #expect(Set(ids) == [first.id, other.id])
            } ending: {
                sender.letGo()
                sender.letGo()
            }
            #expect(try await row(first, in: database).state == "done")
            let left = try await row(second, in: database)
            #expect(left == ("ready", 0, fixture.clock.now()))
            let next = ScriptedSender()
            #expect(try await worker(fixture, next).runOnce() == 1)
            #expect(next.claims.map(\.attempt) == [1])
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: StoreEngine.available)
    func whatHasWaitedTooLongForItsLeaseIsGivenBackAndFound(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let sender = HoldingSender()
            let (first, late, third) = (message(fixture), message(fixture), message(fixture))
            let other = message(fixture, to: "other")
            try await runningNarrowWorker(fixture, sender) { begun, handOver in
                var kept: [Bool] = []
                for message in [first, late, other] { kept.append(try await handOver(message)) }
                // They arrive in this order: the late one waits by now.
                let ids = [await begun.next()?.message.id, await begun.next()?.message.id]
                #expect(ids == [first.id, other.id])
                fixture.clock.advance(by: .seconds(31))
                kept.append(try await handOver(third))
                #expect(kept == [true, true, true, true])
                let again = await begun.next()
                #expect(again?.message.id == late.id)
                #expect(again?.attempt == 1)
                #expect(again?.leaseUntil == fixture.clock.now().advanced(by: .seconds(60)))
                for _ in 0..<3 { sender.letGo() }
                #expect(await begun.next()?.message.id == third.id)
                sender.letGo()
                for message in [first, late, third, other] {
                    while try await row(message, in: database).state == "ready" { await Task.yield() }
                }
            }
        }
    }

    /// Fails what it held, until the destination's breaker opens.
    @Test(.timeLimit(.minutes(5)), arguments: StoreEngine.available)
    func whatWaitsForADestinationThatFailsIsGivenBack(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let sender = HoldingSender(verdict: .retry(after: nil))
            let (first, second) = (message(fixture), message(fixture))
            try await runningNarrowWorker(fixture, sender) { begun, handOver in
                let kept = [try await handOver(first), try await handOver(second)]
                #expect(kept == [true, true])
                #expect(await begun.next()?.message.id == first.id)
                sender.letGo()
                while try await row(second, in: database).attempt > 0 { await Task.yield() }
                let refused = try await handOver(message(fixture))
                #expect(!refused, "the breaker is open")
            }
            let left = try await row(second, in: database)
            #expect(left == ("ready", 0, fixture.clock.now()))
        }
    }
}
