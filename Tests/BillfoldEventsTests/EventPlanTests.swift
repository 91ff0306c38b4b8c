import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Testing

@testable import BillfoldEvents

/// What it costs to tell an event must not grow with all that ever happened.
@Suite struct EventPlanTests {
    private typealias Work = @Sendable (Fixture, TimeOrderedID, any Transaction) throws -> Void

    private static let works: [(name: String, work: Work)] = [
        (
            "an event is stored",
            { fixture, id, tx in
                try EventRecords.append(
                    .paymentSucceeded, of: .init("payment", id: "p"), data: [0x7B, 0x7D], owner: fixture.owner, id: id,
                    at: fixture.clock.now(),
                    in: tx)
            }
        ),
        ("owners whose events wait", { _, _, tx in _ = try EventRecords.waiting(limit: 10, in: tx) }),
        ("places are given", { fixture, _, tx in _ = try EventRecords.place(fixture.owner, limit: 10, in: tx) }),
        (
            "a page",
            { fixture, _, tx in _ = try EventRecords.page(of: fixture.owner, after: nil, filter: .init(), limit: 10, in: tx) }
        ),
        (
            "a page of one type",
            { fixture, _, tx in
                _ = try EventRecords.page(of: fixture.owner, after: nil, filter: .init(types: [.tokenActive]), limit: 10, in: tx)
            }
        ),
        ("an event", { fixture, id, tx in _ = try EventRecords.find(id, owner: fixture.owner, in: tx) }),
        (
            "deliveries are let go",
            { fixture, id, tx in
                let endpoint = WebhookEndpoint(
                    owner: fixture.owner, id: id, url: "", types: [], note: "", stop: nil, key: id, createdAt: fixture.clock.now())
                try WebhookDeliveryRecords.release(to: endpoint, at: fixture.clock.now(), in: tx)
            }
        ),
        (
            "an event's deliveries",
            { fixture, id, tx in _ = try WebhookDeliveryRecords.all(of: id, owner: fixture.owner, limit: 10, in: tx) }
        ),
        (
            "what waits for an endpoint and what was given up",
            { fixture, id, tx in
                _ = try WebhookDeliveryRecords.counts(of: id, owner: fixture.owner, in: tx)
                _ = try WebhookDeliveryRecords.givenUp(by: id, owner: fixture.owner, limit: 10, in: tx)
                _ = try WebhookDeliveryRecords.open(at: id, owner: fixture.owner, limit: 10, in: tx)
            }
        ),
        ("how events were told", { fixture, id, tx in _ = try WebhookDeliveryRecords.last(of: [id], owner: fixture.owner, in: tx) }),
        (
            "the latest events, and those of an object",
            { fixture, _, tx in
                _ = try EventRecords.latest(fixture.owner, limit: 10, in: tx)
                _ = try EventRecords.latest(fixture.owner, object: "p", limit: 10, in: tx)
            }
        ),
        ("a delivery", { fixture, id, tx in _ = try WebhookDeliveryRecords.find(id, owner: fixture.owner, in: tx) }),
    ]

    @Test(arguments: works.indices) func costsWhatItReturns(_ index: Int) async throws {
        let (name, work) = Self.works[index]
        try await StoreEngine.sqlite.withDatabase { database in
            let fixture = try await Fixture(database)
            let id = fixture.identifiers.next(at: fixture.clock.now())
            let plans = try await QueryPlans.plans(in: database) { tx in try work(fixture, id, tx) }
            #expect(!plans.isEmpty)
            for plan in plans {
                // An owner has one head, and few events without a place: their index holds no others.
                if plan.contains(" event_heads ") || plan.contains("events_without_place") { continue }
                let isBounded = plan.contains("SEARCH") || plan.contains("SUBQUERY")
                #expect(isBounded && !plan.contains("(owner=?)") && !plan.contains("TEMP B-TREE"), "\(name): \(plan)")
            }
        }
    }
}
