import BillfoldEvents
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import Synchronization
import Testing

/// Endpoints are told of an object's events in their order, each at least once.
@Suite struct DeliveryTests {
    private func open(_ engine: StoreEngine, _ body: @Sendable @escaping (Fixture, ClientOfRoutes) async throws -> Void) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            try await ClientOfRoutes.open(fixture.part) { try await body(fixture, $0) }
        }
    }

    @Test(arguments: StoreEngine.available)
    func laterEventWaitsUntilTheEarlierIsDelivered(engine: StoreEngine) async throws {
        try await open(engine) { fixture, client in
            try await client.addEndpoint()
            let first = try await fixture.happen(.paymentUnknown, to: "a")
            let second = try await fixture.happen(.paymentSucceeded, to: "a")
            let beside = try await fixture.happen(to: "b")
            fixture.backEnd.answers { call, _ in .success(call.event == first.name ? 500 : 200) }
            try await fixture.deliver()
            // Another object's waits for nothing.
            #expect(Set(fixture.backEnd.received.map(\.event)) == [first.name, beside.name])
            fixture.clock.advance(by: .seconds(10))
            fixture.backEnd.answers(204)
            try await fixture.deliver()
            #expect(fixture.backEnd.received.dropFirst(2).map(\.event) == [first.name, second.name])
            #expect(try await fixture.findings() == [])
        }
    }

    @Test(arguments: StoreEngine.available)
    func laterEventGoesOnceTheEarlierIsGivenUp(engine: StoreEngine) async throws {
        try await open(engine) { fixture, client in
            try await client.addEndpoint()
            let first = try await fixture.happen(.paymentUnknown, to: "a")
            let second = try await fixture.happen(.paymentSucceeded, to: "a")
            fixture.backEnd.answers { call, _ in .success(call.event == first.name ? 302 : 200) }
            for wait in [0, 10, 20] {
                fixture.clock.advance(by: .seconds(wait))
                try await fixture.deliver()
            }
            #expect(fixture.backEnd.received.map(\.event) == [first.name, first.name, first.name, second.name])
            let log = try await client.deliveries(of: first)
            #expect(log.map(\.state) == ["given-up"])
            #expect(log.first?.attempts.map(\.status) == [302, 302, 302])
            #expect(log.first?.attempts.map(\.reason) == ["wrong-status", "wrong-status", "wrong-status"])
            #expect(log.first?.attempts.first?.reply == "heard")
            #expect(try await client.deliveries(of: second).map(\.state) == ["delivered"])
            // Its owner is told of it here; operators have nothing to do with it.
            let owner = fixture.owner
            #expect(try await fixture.database.read { try OutboxRecords.deadLetters(owner, in: $0) }.isEmpty)
            #expect(try await fixture.findings() == [])
        }
    }

    /// A process is killed between the message and what it stores of the answer.
    @Test(arguments: StoreEngine.available)
    func orderHoldsThoughAProcessEndsInBetween(engine: StoreEngine) async throws {
        try await open(engine) { fixture, client in
            try await client.addEndpoint()
            let first = try await fixture.happen(.paymentUnknown, to: "a")
            let second = try await fixture.happen(.paymentSucceeded, to: "a")
            let (entered, leave) = (Latest<Bool>(), Latest<Bool>())
            fixture.backEnd.answers { _, number in
                guard number == 1 else { return .success(200) }
                entered.set(true)
                while leave.value == nil { try? await Task.sleep(for: .milliseconds(5)) }
                return .success(500)
            }
            try await fixture.part.dispatcher.runOnce()
            let hanging = Task { try await fixture.part.outboxWorker.runOnce() }
            while entered.value == nil { try await Task.sleep(for: .milliseconds(5)) }
            let successor = fixture.again()
            #expect(try await successor.outboxWorker.runOnce() == 0)
            fixture.clock.advance(by: .seconds(31))
            while try await successor.outboxWorker.runOnce() > 0 {}
            leave.set(true)
            _ = try await hanging.value
            while try await successor.outboxWorker.runOnce() > 0 {}
            #expect(fixture.backEnd.received.map(\.event) == [first.name, first.name, second.name])
            #expect(try await client.deliveries(of: first).map(\.state) == ["delivered"])
            #expect(try await fixture.findings() == [])
        }
    }

    @Test(arguments: StoreEngine.available)
    func eachEventReachesEveryEndpointThatWantsIt(engine: StoreEngine) async throws {
        try await open(engine) { fixture, client in
            try await client.addEndpoint("https://a.example.com/hooks")
            try await client.addEndpoint("https://b.example.com/hooks", events: ["payment.failed"])
            for number in 0..<6 { try await fixture.happen(number % 3 == 0 ? .paymentFailed : .paymentSucceeded, to: "o\(number)") }
            try await fixture.happen(to: "theirs", of: fixture.other)
            try await fixture.deliver()
            let received = fixture.backEnd.received
            #expect(received.count { $0.url.hasPrefix("https://a.") } == 6)
            #expect(received.count { $0.url.hasPrefix("https://b.") } == 2)
            #expect(received.allSatisfy { $0.destination == .namedByCounterparty })
            #expect(!received.contains { String(decoding: $0.body, as: UTF8.self).contains("theirs") })
        }
    }

    @Test(arguments: StoreEngine.available)
    func fewMessagesOfOneEndpointAreInTheOutbox(engine: StoreEngine) async throws {
        try await open(engine) { fixture, client in
            try await client.addEndpoint()
            for number in 0..<50 { try await fixture.happen(to: "object-\(number)") }
            try await fixture.happen(to: "object-0")
            try await fixture.part.dispatcher.runOnce()
            #expect(try await fixture.integers("SELECT COUNT(*) FROM outbox") == [32])
            #expect(try await fixture.integers("SELECT COUNT(*) FROM event_deliveries WHERE state = 'held'") == [19])
            try await fixture.deliver()
            #expect(Set(fixture.backEnd.received.map(\.event)).count == 51 && fixture.backEnd.received.count == 51)
            #expect(try await fixture.findings() == [])
        }
    }

    @Test(arguments: StoreEngine.available)
    func manyEventsArriveInOrderThoughTheReceiverFails(engine: StoreEngine) async throws {
        try await open(engine) { fixture, client in
            try await client.addEndpoint()
            let taken = Mutex<[String]>([])
            fixture.backEnd.answers { call, number in
                guard number % 3 != 0 else { return number % 2 == 0 ? .success(503) : .failure(Self.lost) }
                taken.withLock { $0.append(call.event) }
                return .success(200)
            }
            var expected: [String: [String]] = [:]
            for round in 0..<4 {
                for object in ["a", "b", "c"] { expected[object, default: []].append(try await fixture.happen(to: object).name) }
                try await fixture.deliver()
                if round == 2 { fixture.clock.advance(by: .seconds(10)) }
            }
            for _ in 0..<12 {
                fixture.clock.advance(by: .seconds(20))
                try await fixture.deliver()
            }
            let names = taken.withLock { $0 }
            for (object, own) in expected {
                let seen = names.filter(own.contains)
                // Given up are those alone that failed three times; what came, came in order.
                #expect(seen == own.filter(seen.contains), "\(object)")
            }
            #expect(Set(names).count >= 10)
            #expect(try await fixture.integers("SELECT COUNT(*) FROM event_deliveries WHERE state = 'held' OR state = 'waiting'") == [0])
            #expect(try await fixture.findings() == [])
        }
    }

    private static let lost = SendFailure(code: .connectionLost, reason: "lost", mayHaveArrived: true)

    @Test(arguments: StoreEngine.available)
    func endpointThatIsGoneIsToldNothingMore(engine: StoreEngine) async throws {
        try await open(engine) { fixture, client in
            let endpoint = try await client.addEndpoint()
            let first = try await fixture.happen(to: "a")
            let second = try await fixture.happen(to: "a")
            fixture.backEnd.answers(410)
            try await fixture.deliver()
            try await fixture.happen(to: "b")
            try await fixture.deliver()
            #expect(fixture.backEnd.received.map(\.event) == [first.name])
            let stopped = try await client.endpoint(endpoint.id)
            #expect(stopped.enabled == false && stopped.stopped == "gone")
            #expect(try await client.deliveries(of: first).map(\.state) == ["given-up"])
            #expect(try await client.deliveries(of: second).map(\.state) == ["withdrawn"])
            // Enabled again, it is told of what happens from then on, and of what is sent again.
            fixture.backEnd.answers(200)
            #expect(try await client.change(endpoint.id, #"{"enabled":true}"#).enabled == true)
            let third = try await fixture.happen(to: "a")
            try await fixture.deliver()
            #expect(fixture.backEnd.received.map(\.event) == [first.name, third.name])
            #expect(try await fixture.findings() == [])
        }
    }

    @Test(arguments: StoreEngine.available)
    func eventIsSentAgainWhenItsOwnerAsks(engine: StoreEngine) async throws {
        try await open(engine) { fixture, client in
            let endpoint = try await client.addEndpoint()
            let event = try await fixture.happen(to: "a")
            fixture.backEnd.answers(500)
            for wait in [0, 10, 20] {
                fixture.clock.advance(by: .seconds(wait))
                try await fixture.deliver()
            }
            #expect(try await client.deliveries(of: event).map(\.state) == ["given-up"])
            fixture.backEnd.answers(200)
            let sent = try await client.resend(event, to: endpoint.id)
            #expect(sent.map(\.state) == ["waiting"])
            // Asked twice, it is sent once.
            #expect(try await client.resend(event).map(\.id) == sent.map(\.id))
            try await fixture.deliver()
            #expect(fixture.backEnd.received.count == 4 && Set(fixture.backEnd.received.map(\.event)) == [event.name])
            #expect(try await client.deliveries(of: event).map(\.state) == ["given-up", "delivered"])
            #expect(try await fixture.findings() == [])
        }
    }

    @Test(arguments: StoreEngine.available)
    func eventThatWaitsForItsNextAttemptIsSentNowWhenItsOwnerAsks(engine: StoreEngine) async throws {
        try await open(engine) { fixture, client in
            let endpoint = try await client.addEndpoint()
            let first = try await fixture.happen(.paymentUnknown, to: "a")
            let second = try await fixture.happen(.paymentSucceeded, to: "a")
            fixture.backEnd.answers(503)
            try await fixture.deliver()
            // The endpoint is mended, and the next attempt is in ten seconds.
            fixture.backEnd.answers(200)
            // The later event stays behind the earlier, and its answer names that one.
            let held = try await client.resend(second, to: endpoint.id)
            #expect(held.map(\.state) == ["held"] && held.map(\.behind) == [first.name] && held.map(\.nextAttempt) == [nil])
            try await fixture.deliver()
            #expect(fixture.backEnd.received.map(\.event) == [first.name])
            let waited = try #require(try await client.deliveries(of: first).first?.nextAttempt)
            let sent = try await client.resend(first)
            #expect(sent.map(\.state) == ["waiting"] && sent.map(\.behind) == [nil])
            #expect(try #require(sent.first?.nextAttempt) < waited)
            #expect(try await client.resend(first).map(\.nextAttempt) == sent.map(\.nextAttempt))
            try await fixture.deliver()
            #expect(fixture.backEnd.received.map(\.event) == [first.name, first.name, second.name])
            #expect(try await client.deliveries(of: first).map { $0.attempts.map(\.status) } == [[503, 200]])
            #expect(try await client.deliveries(of: second).map(\.state) == ["delivered"])
            #expect(try await fixture.findings() == [])
        }
    }

    /// Its receiver may be about to answer: a second copy would only come beside the first.
    @Test(arguments: StoreEngine.available)
    func eventThatIsJustBeingSentIsNotSentTwice(engine: StoreEngine) async throws {
        try await open(engine) { fixture, client in
            try await client.addEndpoint()
            let event = try await fixture.happen(to: "a")
            let (entered, leave) = (Latest<Bool>(), Latest<Bool>())
            fixture.backEnd.answers { _, _ in
                entered.set(true)
                while leave.value == nil { try? await Task.sleep(for: .milliseconds(5)) }
                return .success(200)
            }
            try await fixture.part.dispatcher.runOnce()
            let hanging = Task { try await fixture.part.outboxWorker.runOnce() }
            while entered.value == nil { try await Task.sleep(for: .milliseconds(5)) }
            #expect(try await client.resend(event).map(\.state) == ["waiting"])
            #expect(try await fixture.again().outboxWorker.runOnce() == 0)
            leave.set(true)
            _ = try await hanging.value
            #expect(fixture.backEnd.received.map(\.event) == [event.name])
            #expect(try await client.deliveries(of: event).map(\.state) == ["delivered"])
            #expect(try await fixture.findings() == [])
        }
    }

    @Test(arguments: StoreEngine.available)
    func whatWaitsForADeletedEndpointIsTakenBack(engine: StoreEngine) async throws {
        try await open(engine) { fixture, client in
            let endpoint = try await client.addEndpoint()
            let event = try await fixture.happen(to: "a")
            try await fixture.happen(to: "a")
            try await fixture.part.dispatcher.runOnce()
            try await client.delete(endpoint.id)
            try await fixture.deliver()
            #expect(fixture.backEnd.received.isEmpty)
            #expect(try await client.deliveries(of: event).map(\.state) == ["withdrawn"])
            #expect(try await fixture.findings() == [])
        }
    }
}
