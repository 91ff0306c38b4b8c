import BillfoldEvents
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldWeb
import Crypto
import Testing

/// What operators see of events, and have told again.
@Suite struct BackOfficeTests {
    private static let links = AuditChain(key: SymmetricKey(data: [UInt8](repeating: 3, count: 32)))

    private static func office(_ fixture: Fixture, clock: (any WallClock)? = nil) -> EventBackOffice {
        EventBackOffice(
            name: "merchants", what: "Merchant", database: fixture.database, clock: clock ?? fixture.clock,
            identifiers: fixture.identifiers, links: links, owners: { [fixture.owner, fixture.other] },
            page: { data in data["id"]?.string.map { ("Payment", "/payments/\($0)") } })
    }

    private func open(
        _ engine: StoreEngine, _ body: @Sendable @escaping (Fixture, ClientOfRoutes, EventBackOffice) async throws -> Void
    ) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            try await ClientOfRoutes.open(fixture.part) { try await body(fixture, $0, Self.office(fixture)) }
        }
    }

    @Test(arguments: StoreEngine.available)
    func anEndpointSaysWhatWaitsWhatWasGivenUpAndItsLastAnswer(engine: StoreEngine) async throws {
        try await open(engine) { fixture, client, office in
            let endpoint = try await client.addEndpoint(Fixture.url + "?token=hidden", events: ["payment.succeeded"])
            #expect(try await office.books().map(\.owner.id) == ["shop", "bakery"])
            func line() async throws -> WebhookEndpointLine { try #require(try await office.books().first?.endpoints.first) }
            let fresh = try await line()
            #expect(fresh.id == endpoint.id && fresh.address == Fixture.url && fresh.last == nil && fresh.state.word == "on")
            #expect(fresh.types == ["payment.succeeded"] && fresh.keys.map(\.id) == endpoint.keys.map(\.id))
            #expect(fresh.keys.map(\.until) == [nil] && fresh.waiting == "0" && fresh.givenUp == "0")
            #expect(!"\(fresh)".contains("hidden") && !"\(fresh)".contains("whsec_"))

            let first = try await fixture.happen(to: "a")
            fixture.backEnd.answers(500)
            try await fixture.deliver()
            try await fixture.happen(to: "a")
            try await fixture.part.dispatcher.runOnce()
            let failing = try await line()
            #expect(failing.waiting == "2" && failing.last?.status == "500" && failing.last?.reason == "wrong-status")
            #expect(failing.last?.isTaken == false && failing.givenUpPath == nil)
            for wait in [10, 20] {
                fixture.clock.advance(by: .seconds(wait))
                try await fixture.deliver()
            }
            #expect(try await line().givenUp == "1")
            let list = try #require(
                try await office.events(of: "shop", EventWish(untold: .init(by: endpoint.id, .givenUp))))
            #expect(list.lines.map(\.name) == [first.name] && list.lines[0].told.map(\.state.word) == ["given up"])
            #expect(list.title == "Given up at \(Fixture.url)")
            // Told again, it is given up no more.
            try await office.resend(first.name, of: "shop", to: endpoint.id, because: "mended", by: "Lin")
            fixture.backEnd.answers(204)
            for wait in [0, 10, 20] {
                fixture.clock.advance(by: .seconds(wait))
                try await fixture.deliver()
            }
            let mended = try await line()
            #expect(mended.givenUp == "0" && mended.waiting == "0" && mended.last?.status == "204" && mended.last?.isTaken == true)
            #expect(try await fixture.findings() == [])
        }
    }

    @Test(arguments: StoreEngine.available)
    func anEventShowsEveryAttemptAndIsSentAgainForAReason(engine: StoreEngine) async throws {
        try await open(engine) { fixture, client, office in
            let endpoint = try await client.addEndpoint()
            let event = try await fixture.happen(to: "a")
            fixture.backEnd.answers(500)
            try await fixture.deliver()
            let waiting = try #require(try await office.event(event.name, of: "shop"))
            #expect(waiting.aboutPath == "/payments/a" && waiting.object == "a" && waiting.sequence == "1")
            #expect(waiting.content == String(decoding: try event.document, as: UTF8.self))
            let telling = try #require(waiting.tellings.first)
            #expect(telling.state.word == "waiting" && telling.nextAttempt != nil && telling.endpoint == endpoint.id)
            #expect(telling.attempts.map { "\($0.status) \($0.reply) \($0.reason)" } == ["500 heard wrong-status"])
            // It waits for its next attempt, and has that now; it is due then, and a second wish would change nothing.
            fixture.backEnd.answers(204)
            fixture.clock.advance(by: .seconds(1))
            try await office.resend(event.name, of: "shop", to: endpoint.id, because: "mended", by: "Lin")
            try await refuses("under-way") { try await office.resend(event.name, of: "shop", to: endpoint.id, because: "x", by: "Lin") }
            try await fixture.deliver()
            try await office.resend(event.name, of: "shop", to: endpoint.id, because: "their store was lost", by: "Lin")
            try await fixture.deliver()
            let told = try #require(try await office.event(event.name, of: "shop")?.tellings.first)
            #expect(told.attempts.map(\.number) == ["1", "2", "3"] && told.attempts.map(\.status) == ["500", "204", "204"])
            #expect(told.state.word == "delivered" && told.nextAttempt == nil)
            let owner = fixture.owner
            let trail = try await fixture.database.read { try AuditRecords.rows(of: "operators", merchant: owner, in: $0) }
            #expect(
                trail.map { "\($0.actor) \($0.action) \($0.object) \($0.result)" }
                    == ["mended", "their store was lost"].map { "Lin event.resend \(event.name) to \(endpoint.id) \($0)" })
            if case .broken(let row) = Self.links.verify(trail) { Issue.record("row \(row) of the trail is not as it was written") }
            #expect(try await fixture.findings() == [])
        }
    }

    @Test func whatCannotBeSentIsRefused() async throws {
        try await open(.sqlite) { fixture, client, office in
            let endpoint = try await client.addEndpoint()
            let event = try await fixture.happen(to: "a")
            try await fixture.deliver()
            func resend(_ event: String, _ endpoint: String, of owner: String = "shop") async throws {
                try await office.resend(event, of: owner, to: endpoint, because: "x", by: "Lin")
            }
            try await refuses("event-not-found") { try await resend("evt_0", endpoint.id) }
            try await refuses("event-not-found") { try await resend(event.name, endpoint.id, of: "nobody") }
            try await refuses("event-not-found") { try await resend(event.name, endpoint.id, of: "bakery") }
            try await refuses("endpoint-not-found") { try await resend(event.name, "whe_0") }
            _ = try await client.change(endpoint.id, #"{"enabled":false}"#)
            try await refuses("endpoint-disabled") { try await resend(event.name, endpoint.id) }
            #expect(try await office.event(event.name, of: "shop")?.tellings.first?.note?.contains("disabled") == true)
            try await client.delete(endpoint.id)
            try await refuses("endpoint-not-found") { try await resend(event.name, endpoint.id) }
            #expect(try await office.event(event.name, of: "shop")?.tellings.map(\.address) == ["A deleted endpoint"])
            #expect(try await office.event(event.name, of: "bakery") == nil)
            let owner = fixture.owner
            #expect(try await fixture.database.read { try AuditRecords.rows(of: "operators", merchant: owner, in: $0) }.isEmpty)
        }
    }

    @Test(arguments: StoreEngine.available)
    func eventsAreListedFromTheLastAndFoundByTheirObject(engine: StoreEngine) async throws {
        try await open(engine) { fixture, _, office in
            for number in 0..<105 { try await fixture.happen(to: "o\(number % 50)") }
            try await fixture.happen(to: "o1", of: fixture.other)
            while try await fixture.part.dispatcher.runOnce() > 0 {}
            let first = try #require(try await office.events(of: "shop", EventWish()))
            #expect(
                first.lines.count == 100 && first.lines.allSatisfy(\.told.isEmpty) && first.olderPath == "/webhooks/merchants/shop?before=6"
            )
            let rest = try #require(try await office.events(of: "shop", EventWish(before: 6)))
            #expect(rest.lines.count == 5 && rest.olderPath == nil)
            #expect(Set((first.lines + rest.lines).map(\.name)).count == 105)
            let found = try #require(try await office.events(of: "shop", EventWish(object: "o1")))
            #expect(found.lines.map(\.sequence) == ["3", "2", "1"] && found.isFiltered)
            #expect(try await office.events(of: "shop", EventWish(object: "none"))?.lines.isEmpty == true)
            #expect(try await office.events(of: "nobody", EventWish()) == nil)
            try await refuses("malformed-request") {
                _ = try await office.events(of: "shop", EventWish(untold: .init(by: "whe_0", .waiting)))
            }
        }
    }

    /// What an operator has sent again comes due at once for an owner who is ahead of everybody, too.
    @Test func anOwnersSpaceIsNamedAndItsTimeHolds() async throws {
        try await StoreEngine.sqlite.withDatabase { database in
            let fixture = try await Fixture(database)
            let clock = try await SpaceClock(base: fixture.clock, book: MemorySpaces(["shop"]))
            try await clock.advance("shop", by: .seconds(1_860))
            let office = Self.office(fixture, clock: clock)
            let books = try await office.books()
            #expect(books.map { $0.owner.space?.ahead } == ["31 min", nil] && books[1].owner.space == nil)
            try await ClientOfRoutes.open(fixture.part) { client in
                let endpoint = try await client.addEndpoint()
                let event = try await fixture.happen(to: "a")
                try await fixture.deliver()
                try await office.resend(event.name, of: "shop", to: endpoint.id, because: "x", by: "Lin")
                let owner = fixture.owner
                let trail = try await database.read { try AuditRecords.rows(of: "operators", merchant: owner, in: $0) }
                #expect(trail.map(\.at) == [fixture.clock.now().advanced(by: .seconds(1_860))])
            }
        }
    }

    private func refuses(_ code: String, _ body: () async throws -> Void) async throws {
        let error = await #expect(throws: ServerError.self) { try await body() }
        #expect(error.map { ErrorMapping().refusal(for: $0)?.code } == code)
    }
}
