import BillfoldEvents
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import HTTPTypes
import Testing

/// Events of an owner who is ahead of everybody: they are told again by the owner's time.
@Suite struct OwnTimeTests {
    @Test(arguments: StoreEngine.available)
    func retriesOfAnOwnerComeDueByTheOwnersTimeAlone(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let clock = try await SpaceClock(base: fixture.clock, book: MemorySpaces(["shop", "bakery"]))
            var configuration = EventConfiguration(mode: .test, hashing: Fixture.hashing, prefix: "/v1")
            configuration.retries = .fixed([.seconds(600), .seconds(600)])
            let part = EventPart(
                configuration: configuration, database: database, http: fixture.backEnd, identifiers: fixture.identifiers, clock: clock,
                realClock: fixture.clock, logger: Fixture.logger)
            try await ClientOfRoutes.open(part) { client in
                try await client.addEndpoint()
                let theirs = #"{"url":"https://bakery.example.com/hooks","events":[]}"#
                #expect(try await client.send(.post, "webhook-endpoints", theirs, as: "bakery").status == 201)
                @Sendable func deliver() async throws {
                    try await part.dispatcher.runOnce()
                    while try await part.outboxWorker.runOnce() > 0 {}
                }
                let ours = try await fixture.happen(to: "a")
                let other = try await fixture.happen(to: "b", of: fixture.other)
                fixture.backEnd.answers(500)
                try await deliver()
                #expect(Set(fixture.backEnd.received.map(\.event)) == [ours.name, other.name])
                fixture.backEnd.answers(200)
                try await clock.advance("shop", by: .seconds(600))
                try await deliver()
                #expect(fixture.backEnd.received.dropFirst(2).map(\.event) == [ours.name])
                #expect(try await client.deliveries(of: ours).map(\.state) == ["delivered"])
                // Receivers compare this with their own time, which nobody moves.
                let told = fixture.backEnd.received.last?.header("webhook-timestamp")
                #expect(told == String(fixture.clock.now().microseconds / 1_000_000))
                fixture.clock.advance(by: .seconds(599))
                try await deliver()
                #expect(fixture.backEnd.received.count == 3)
                fixture.clock.advance(by: .seconds(1))
                try await deliver()
                #expect(fixture.backEnd.received.dropFirst(3).map(\.event) == [other.name])
                #expect(try await fixture.findings() == [])
            }
        }
    }
}
