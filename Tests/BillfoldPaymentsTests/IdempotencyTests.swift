import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Testing

@Suite struct IdempotencyTests {
    private func key(_ key: String = "k", caller: String = "shop", operation: String = "POST /pay") throws -> IdempotencyKey {
        try IdempotencyKey(caller: caller, operation: operation, key: key)
    }
    private let fingerprint = RequestFingerprint(parts: [[1]])
    private let at = Timestamp(secondsSince1970: 1_790_000_000)

    private func begin(
        _ key: IdempotencyKey, _ fingerprint: RequestFingerprint, in database: any Database, subject: TimeOrderedID? = nil
    ) async throws -> IdempotencyOutcome {
        try await database.write { [at] tx in
            try IdempotencyRecords.begin(key, fingerprint: fingerprint, subject: subject, at: at, in: tx)
        }
    }

    @Test(arguments: StoreEngine.available)
    func keyGoesFromUnseenThroughRunningToFinished(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let (key, subject) = (try key(), fixture.newID())
            #expect(try await begin(key, fingerprint, in: database, subject: subject) == .unseen)
            #expect(try await begin(key, fingerprint, in: database) == .running(subject: subject))
            #expect(try await database.write { tx in try IdempotencyRecords.finish(key, result: [7], in: tx) })
            #expect(try await database.write { tx in try IdempotencyRecords.finish(key, result: [8], in: tx) } == false)
            #expect(try await begin(key, fingerprint, in: database) == .finished(result: [7]))
        }
    }

    @Test(arguments: StoreEngine.available)
    func sameKeyWithAnotherBodyIsAConflict(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            _ = try await Fixture(database)
            let key = try key()
            _ = try await begin(key, fingerprint, in: database)
            #expect(try await begin(key, RequestFingerprint(parts: [[2]]), in: database) == .conflict)
        }
    }

    @Test(arguments: StoreEngine.available)
    func keyOfAnotherCallerOrOperationIsUnseen(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            _ = try await Fixture(database)
            _ = try await begin(key(), fingerprint, in: database)
            #expect(try await begin(key(caller: "other"), fingerprint, in: database) == .unseen)
            #expect(try await begin(key(operation: "POST /refund"), fingerprint, in: database) == .unseen)
        }
    }

    @Test(arguments: StoreEngine.available)
    func releasedKeyCanBeTakenAgain(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            _ = try await Fixture(database)
            let key = try key()
            _ = try await begin(key, fingerprint, in: database)
            try await database.write { tx in try IdempotencyRecords.release(key, in: tx) }
            #expect(try await begin(key, fingerprint, in: database) == .unseen)
        }
    }

    @Test(arguments: StoreEngine.available)
    func forgettingKeepsWhatIsStillRunning(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            _ = try await Fixture(database)
            let (done, running) = (try key("done"), try key("running"))
            _ = try await begin(done, fingerprint, in: database)
            try await database.write { tx in _ = try IdempotencyRecords.finish(done, result: [1], in: tx) }
            _ = try await begin(running, fingerprint, in: database)
            let later = at.advanced(by: .seconds(1))
            #expect(try await database.write { tx in try IdempotencyRecords.forget(before: later, in: tx) } == 1)
            #expect(try await begin(done, fingerprint, in: database) == .unseen)
            #expect(try await begin(running, fingerprint, in: database) == .running(subject: nil))
        }
    }

    @Test(arguments: StoreEngine.available)
    func keyOfAFailedTransactionIsUnseen(engine: StoreEngine) async throws {
        struct Crash: Error {}
        try await engine.withDatabase { database in
            _ = try await Fixture(database)
            let (key, fingerprint, at) = (try key(), fingerprint, at)
            await #expect(throws: Crash.self) {
                try await database.write { tx in
                    _ = try IdempotencyRecords.begin(key, fingerprint: fingerprint, at: at, in: tx)
                    throw Crash()
                }
            }
            #expect(try await begin(key, fingerprint, in: database) == .unseen)
        }
    }

    /// One hundred identical requests: one payment, one hundred identical results.
    @Test(arguments: StoreEngine.available)
    func hundredIdenticalRequestsMakeOnePayment(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let order = try await fixture.stored(fixture.order())
            let (key, fingerprint, now, store) = (try key(), fingerprint, fixture.clock.now(), fixture.store)
            let results = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<100 {
                    let draft = try fixture.draft(for: order)
                    group.addTask {
                        try await database.write { tx in
                            switch try IdempotencyRecords.begin(
                                key, fingerprint: fingerprint, subject: draft.id, result: draft.id.bytes, at: now, in: tx)
                            {
                            case .unseen:
                                return try store.begin(draft, detail: EventDetail(actor: "app"), at: now, in: tx).id.bytes
                            case .finished(let result): return result
                            case .running, .conflict: return []
                            }
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.count == 100)
            #expect(Set(results).count == 1)
            let payments = try await database.read { tx in try PaymentRecords.find(order: order.id, merchant: order.merchant, in: tx) }
            #expect(payments.map(\.id.bytes) == Array(Set(results)))
        }
    }

    private struct Crash: Error {}

    /// Stores an order and decides by its reference, as a request would.
    private func decide(
        _ key: IdempotencyKey, _ order: Order, _ fingerprint: RequestFingerprint? = nil, in database: any Database, failing: Bool = false
    ) async throws -> OnceDecided<TimeOrderedID> {
        try await database.decideOnce(KeyedRequest(key, fingerprint: fingerprint ?? self.fingerprint, at: at)) { tx in
            try OrderRecords.insert(order, in: tx)
            if failing { throw Crash() }
            return (order.id.bytes, order.id)
        }
    }

    private func isStored(_ order: Order, in database: any Database) async throws -> Bool {
        try await database.read { tx in try OrderRecords.find(order.id, merchant: order.merchant, in: tx) } != nil
    }

    @Test(arguments: StoreEngine.available)
    func requestIsDecidedOnceAndWhatARepetitionWroteIsUndone(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let (key, first, second) = (try key(), fixture.order(), fixture.order())
            #expect(try await decide(key, first, in: database) == .now(first.id))
            #expect(try await decide(key, second, in: database) == .before(.finished(result: first.id.bytes)))
            #expect(try await isStored(first, in: database))
            #expect(try await isStored(second, in: database) == false)
        }
    }

    /// The same order cannot be stored twice, so that the repetition's own body fails.
    @Test(arguments: StoreEngine.available)
    func repetitionWhoseBodyFailsIsAnsweredByWhatWasDecided(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let (key, order) = (try key(), fixture.order())
            _ = try await decide(key, order, in: database)
            #expect(try await decide(key, order, in: database) == .before(.finished(result: order.id.bytes)))
            #expect(try await decide(key, order, RequestFingerprint(parts: [[2]]), in: database) == .before(.conflict))
        }
    }

    @Test(arguments: StoreEngine.available)
    func reusedKeyIsAConflictAndItsWritesAreUndone(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let (key, first, second) = (try key(), fixture.order(), fixture.order())
            _ = try await decide(key, first, in: database)
            #expect(try await decide(key, second, RequestFingerprint(parts: [[2]]), in: database) == .before(.conflict))
            #expect(try await isStored(second, in: database) == false)
        }
    }

    @Test(arguments: StoreEngine.available)
    func failedBodyDecidesNothing(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let (key, order) = (try key(), fixture.order())
            await #expect(throws: Crash.self) { try await decide(key, order, in: database, failing: true) }
            #expect(try await isStored(order, in: database) == false)
            #expect(try await decide(key, order, in: database) == .now(order.id))
        }
    }

    @Test(arguments: StoreEngine.available)
    func repetitionThatWroteNothingIsAnsweredByWhatWasDecided(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            _ = try await Fixture(database)
            let key = try key()
            let request = KeyedRequest(key, fingerprint: fingerprint, at: at)
            for expected in [OnceDecided.now(1), .before(.finished(result: [1])), .before(.finished(result: [1]))] {
                #expect(try await database.decideOnce(request) { _ in ([1], 1) } == expected)
            }
        }
    }

    /// The body of a repetition does not run: it would throw.
    @Test(arguments: StoreEngine.available)
    func answerThatIsKnownBeforehandIsStoredBeforeTheBodyRuns(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let order = fixture.order()
            let request = KeyedRequest(try key(), fingerprint: fingerprint, subject: order.id, at: at)
            let first = try await database.decideOnce(request, answering: order.id.bytes) { tx in
                try OrderRecords.insert(order, in: tx)
                return 1
            }
            #expect(first == .now(1))
            let again = try await database.decideOnce(request, answering: [7]) { _ -> Int in throw Crash() }
            #expect(again == .before(.finished(result: order.id.bytes)))
            #expect(try await isStored(order, in: database))
        }
    }

    /// Whatever has changed since, the same request is refused again; what the refused write stored is gone.
    @Test(arguments: StoreEngine.available)
    func keptRefusalStays(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let (order, other) = (fixture.order(), fixture.order())
            let request = KeyedRequest(try key(), fingerprint: fingerprint, at: at)
            let beforehand = KeyedRequest(try key("k-2"), fingerprint: fingerprint, at: at)
            await #expect(throws: Crash.self) {
                _ = try await database.decideOnce(request, keeping: { $0 is Crash ? [9] : nil }) { tx -> ([UInt8], Int) in
                    try OrderRecords.insert(order, in: tx)
                    throw Crash()
                }
            }
            await #expect(throws: Crash.self) {
                _ = try await database.decideOnce(beforehand, answering: [1], keeping: { _ in [8] }) { tx -> Int in
                    try OrderRecords.insert(other, in: tx)
                    throw Crash()
                }
            }
            #expect(try await isStored(order, in: database) == false)
            #expect(try await isStored(other, in: database) == false)
            #expect(try await database.decideOnce(request) { _ in ([1], 1) } == .before(.finished(result: [9])))
            #expect(try await database.decideOnce(beforehand, answering: [1]) { _ in 1 } == .before(.finished(result: [8])))
        }
    }

    /// The second request comes through while the first one's refusal is not stored yet.
    @Test(arguments: StoreEngine.available)
    func whatCameThroughMeanwhileIsNotRefused(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            _ = try await Fixture(database)
            let request = KeyedRequest(try key(), fingerprint: fingerprint, at: at)
            let decided = try await database.decideOnce(
                request,
                keeping: { _ in
                    let second = try await database.decideOnce(request) { _ in ([1], 1) }
                    #expect(second == .now(1))
                    return [9]
                }
            ) { _ -> ([UInt8], Int) in throw Crash() }
            #expect(decided == .before(.finished(result: [1])))
        }
    }

    /// A commit whose answer was lost is not decided again: the order is there once, and the answer is its own.
    @Test(arguments: StoreEngine.available)
    func decisionWhoseCommitWasLostIsFound(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let fixture = try await Fixture(store.database)
            let database = FaultyDatabase(
                store.database, seed: StoreEngine.seed, faults: .init(serializationFailures: 200, lostReplies: 300))
            for number in 0..<60 {
                let (key, order) = (try key("k-\(number)"), fixture.order())
                let decided = try await decide(key, order, in: database)
                #expect(decided == .now(order.id) || decided == .before(.finished(result: order.id.bytes)))
                #expect(try await isStored(order, in: store.database))
            }
            #expect(database.counts.lostReplies > 5)
        }
    }

    /// Each brings an order of its own: one is stored, and all are answered by it.
    @Test(arguments: StoreEngine.available)
    func hundredRequestsAtOnceAreDecidedOnce(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let key = try key()
            let orders = (0..<100).map { _ in fixture.order() }
            let answers = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for order in orders {
                    group.addTask {
                        switch try await decide(key, order, in: database) {
                        case .now(let id): id.bytes
                        case .before(.finished(let result)): result
                        case .before: []
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count == 100)
            #expect(Set(answers).count == 1)
            var stored: [[UInt8]] = []
            for order in orders where try await isStored(order, in: database) { stored.append(order.id.bytes) }
            #expect(stored == Array(Set(answers)))
        }
    }
}
