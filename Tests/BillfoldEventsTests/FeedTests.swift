import BillfoldEvents
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Dispatch
import Testing

/// What stands in an owner's feed, and in which order.
@Suite struct FeedTests {
    @Test(arguments: StoreEngine.available)
    func eventsOfAnObjectCountFromOne(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            // At once, and without a row of the object that would make them wait for each other.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<12 { group.addTask { try await fixture.happen(to: number % 2 == 0 ? "a" : "b") } }
                try await group.waitForAll()
            }
            try await fixture.part.dispatcher.runOnce()
            let events = try await fixture.page().events
            #expect(events.map(\.position) == Array(1...12))
            for object in ["a", "b"] {
                #expect(events.filter { $0.event.object.id == object }.map(\.event.sequence) == Array(1...6))
            }
            #expect(try await fixture.findings() == [])
        }
    }

    @Test(arguments: StoreEngine.available)
    func eventsOfAnObjectKeepTheirOrderThoughAClockGoesBack(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            try await fixture.happen(.paymentUnknown, to: "a")
            fixture.clock.advance(by: .seconds(-30))
            try await fixture.happen(to: "b")
            try await fixture.happen(.paymentSucceeded, to: "a")
            try await fixture.part.dispatcher.runOnce()
            let events = try await fixture.page().events.map(\.event)
            #expect(events.map(\.object.id) == ["b", "a", "a"])
            #expect(events.suffix(2).map(\.type) == [.paymentUnknown, .paymentSucceeded])
            #expect(events[1].at == events[2].at)
        }
    }

    /// The first to take a number may be the last to commit. A feed that had gone on meanwhile would never show it.
    @Test(arguments: StoreEngine.available.filter { $0 != .sqlite })
    func eventThatIsCommittedLateIsNotPassed(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let (begun, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let isHeld = Latest<Bool>()
            let (id, now, owner) = (fixture.identifiers.next(at: fixture.clock.now()), fixture.clock.now(), fixture.owner)
            let late = Task {
                try await database.write { tx in
                    try EventRecords.append(
                        .paymentSucceeded, of: .init("payment", id: "late"), data: [0x7B, 0x7D], owner: owner, id: id, at: now, in: tx)
                    guard isHeld.value == nil else { return }
                    isHeld.set(true)
                    begun.signal()
                    _ = goesOn.wait(timeout: .now() + 60)
                }
            }
            while isHeld.value == nil { try await Task.sleep(for: .milliseconds(5)) }
            try await fixture.happen(to: "early")
            try await fixture.part.dispatcher.runOnce()
            let first = try await fixture.page()
            #expect(first.events.map(\.event.object.id) == ["early"])
            goesOn.signal()
            try await late.value
            try await fixture.part.dispatcher.runOnce()
            #expect(try await fixture.page(after: first.next).events.map(\.event.object.id) == ["late"])
            #expect(try await fixture.page().events.map(\.event.object.id) == ["early", "late"])
        }
    }

    @Test(arguments: StoreEngine.available)
    func placesAreGivenOnceByManyDispatchers(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let parts = [fixture.part, fixture.again(), fixture.again()]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<60 { group.addTask { try await fixture.happen(to: "object-\(number % 7)") } }
                for part in parts { for _ in 0..<5 { group.addTask { try await part.dispatcher.runOnce() } } }
                try await group.waitForAll()
            }
            try await fixture.part.dispatcher.runOnce()
            let events = try await fixture.page().events
            #expect(events.map(\.position) == Array(1...60))
            #expect(Set(events.map(\.event.id)).count == 60)
            for (object, own) in Dictionary(grouping: events, by: \.event.object.id) {
                #expect(own.map(\.event.sequence) == Array(1...Int64(own.count)), "\(object)")
            }
            #expect(try await fixture.findings() == [])
        }
    }

    @Test(arguments: StoreEngine.available)
    func feedIsReadInPages(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            for number in 0..<5 { try await fixture.happen(number == 3 ? .paymentFailed : .paymentSucceeded, to: "object-\(number)") }
            try await fixture.happen(.tokenActive, to: "object-0", of: fixture.other)
            try await fixture.part.dispatcher.runOnce()
            let first = try await fixture.page(limit: 2)
            #expect(first.events.count == 2 && first.hasMore && first.next == 2)
            let rest = try await fixture.page(after: first.next)
            #expect(rest.events.map(\.event.object.id) == ["object-2", "object-3", "object-4"] && !rest.hasMore && rest.next == 5)
            let failed = try await fixture.page(types: [.paymentFailed])
            #expect(failed.events.map(\.event.object.id) == ["object-3"] && failed.next == 5 && !failed.hasMore)
            #expect(try await fixture.page(object: "object-4").events.map(\.position) == [5])
            #expect(try await fixture.page(object: "object").events.isEmpty)
            // Another owner's feed has places of its own.
            #expect(try await fixture.page(of: fixture.other).events.map(\.position) == [1])
            #expect(try await fixture.page(after: 5).events.isEmpty)
        }
    }

    @Test func pageLooksAtSoManyPlacesAndTellsWhereToGoOn() async throws {
        try await StoreEngine.sqlite.withDatabase { database in
            let fixture = try await Fixture(database)
            let (owner, now, identifiers) = (fixture.owner, fixture.clock.now(), fixture.identifiers)
            try await database.write { tx in
                for number in 0..<1_100 {
                    try EventRecords.append(
                        number == 1_050 ? .paymentFailed : .paymentSucceeded, of: .init("payment", id: "p\(number)"), data: [0x7B, 0x7D],
                        owner: owner, id: identifiers.next(at: now), at: now.advanced(by: .microseconds(number)), in: tx)
                }
            }
            while try await fixture.part.dispatcher.runOnce() > 0 {}
            let first = try await fixture.page(types: [.paymentFailed])
            #expect(first.events.isEmpty && first.hasMore && first.next == 1_000)
            let second = try await fixture.page(after: first.next, types: [.paymentFailed])
            #expect(second.events.map(\.position) == [1_051] && !second.hasMore && second.next == 1_100)
        }
    }

    @Test(arguments: StoreEngine.available)
    func whatIsForgottenIsSaidToBe(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            for _ in 0..<3 { try await fixture.happen(to: "old") }
            try await fixture.part.dispatcher.runOnce()
            fixture.clock.advance(by: .seconds(91 * 86_400))
            try await fixture.happen(to: "new")
            try await fixture.part.dispatcher.runOnce()
            let worker = RetentionWorker(database: database, rules: [EventPart.retention], clock: fixture.clock, logger: Fixture.logger)
            #expect(try await worker.runOnce()["events"] == 3)
            // Nobody who begins anew misses anything that is kept.
            #expect(try await fixture.page().events.map(\.position) == [4])
            #expect(try await fixture.page(after: 3).events.map(\.position) == [4])
            await #expect(throws: FeedGap.forgotten) { try await fixture.page(after: 2) }
            await #expect(throws: FeedGap.unknown) { try await fixture.page(after: 5) }
            // The object's numbers go on.
            #expect(try await fixture.happen(to: "old").sequence == 4)
            try await fixture.part.dispatcher.runOnce()
            #expect(try await fixture.findings() == [])
        }
    }

    @Test func eventIsTheSameDocumentEveryTime() async throws {
        try await StoreEngine.sqlite.withDatabase { database in
            let fixture = try await Fixture(database)
            let event = try await fixture.happen(.paymentFailed, to: "p1")
            let owner = fixture.owner
            let stored = try #require(try await database.read { try EventRecords.find(event.id, owner: owner, in: $0) })
            let text = String(decoding: try stored.document, as: UTF8.self)
            #expect(
                text == #"{"data":{"id":"p1"},"id":"\#(event.name)","object":{"id":"p1","kind":"payment"},"sequence":1,"#
                    + #""timestamp":"\#(event.at.rfc3339)","type":"payment.failed"}"#)
            #expect(Event.id(named: event.name) == event.id && Event.id(named: event.id.description) == nil)
            let other = fixture.other
            #expect(try await database.read { try EventRecords.find(event.id, owner: other, in: $0) } == nil)
        }
    }

    @Test func typesAreOneListWithoutRepetition() {
        #expect(Set(EventType.all).count == EventType.all.count)
        for type in EventType.all { #expect(type.rawValue.contains(/^[a-z]+\.[a-z_]+$/)) }
    }
}
