import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Testing

/// What a read costs must not grow with all that was ever booked.
@Suite struct QueryPlanTests {
    private typealias Read = @Sendable (Fixture, TimeOrderedID, any Transaction) throws -> Void

    private static let reads: [(name: String, read: Read)] = [
        ("payments of an order", { fixture, id, tx in _ = try PaymentRecords.find(order: id, merchant: fixture.merchant, in: tx) }),
        (
            "payments of a day",
            { fixture, _, tx in _ = try PaymentRecords.find(settlementDay: "20260921", merchant: fixture.merchant, in: tx) }
        ),
        (
            "a page of a day",
            { fixture, id, tx in
                _ = try PaymentRecords.page(
                    of: .settlementDay("20260921"), after: id, limit: 10, merchant: fixture.merchant, in: tx)
            }
        ),
        (
            "a page from an instant",
            { fixture, id, tx in
                _ = try PaymentRecords.page(
                    of: .begunFrom(fixture.clock.now()), after: id, limit: 10, merchant: fixture.merchant, in: tx)
            }
        ),
        (
            "overdue payments",
            { fixture, _, tx in
                _ = try PaymentRecords.unsettled(createdBefore: fixture.clock.now(), limit: 10, merchant: fixture.merchant, in: tx)
            }
        ),
        ("a payment", { fixture, id, tx in _ = try PaymentRecords.find(id, merchant: fixture.merchant, in: tx) }),
        ("a payment by its key", { fixture, _, tx in _ = try PaymentRecords.find(externalKey: "k", merchant: fixture.merchant, in: tx) }),
        (
            "modifications of a payment",
            { fixture, id, tx in _ = try ModificationRecords.find(payment: id, merchant: fixture.merchant, in: tx) }
        ),
        (
            "modifications of a day",
            { fixture, _, tx in _ = try ModificationRecords.find(settlementDay: "20260921", merchant: fixture.merchant, in: tx) }
        ),
    ]

    /// Pages of a list, which end at their limit: these may begin with the merchant alone, and come in the order of their index.
    @Test(arguments: ["first", "from", "to", "from to", "behind", "behind from to"])
    func aPageOfAListIsReadByItsIndex(part: String) async throws {
        try await StoreEngine.sqlite.withDatabase { database in
            let fixture = try await Fixture(database)
            let (now, id, merchant) = (fixture.clock.now(), fixture.newID(), fixture.merchant)
            let filter = ListFilter(
                from: part.contains("from") ? now : nil, to: part.contains("to") ? now : nil,
                after: part.contains("behind") ? ListFilter.Place(at: now, id: id) : nil, limit: 10)
            let lists: [(index: String, read: @Sendable (any Transaction) throws -> Void)] = [
                ("orders_by_age", { _ = try OrderRecords.list(filter, merchant: merchant, in: $0) }),
                ("payments_by_age", { _ = try PaymentRecords.list(filter, merchant: merchant, in: $0) }),
                ("payments_by_state", { _ = try PaymentRecords.list(filter, state: .failed, merchant: merchant, in: $0) }),
                ("modifications_by_age", { _ = try ModificationRecords.list(.refund, filter, merchant: merchant, in: $0) }),
                (
                    "modifications_by_state",
                    { _ = try ModificationRecords.list(.refund, filter, state: .failed, merchant: merchant, in: $0) }
                ),
            ]
            for (index, read) in lists {
                let plans = try await QueryPlans.plans(in: database) { tx in try read(tx) }
                #expect(plans.count == 1)
                for plan in plans { #expect(plan.contains(index) && !plan.contains("TEMP B-TREE"), "\(part): \(plan)") }
            }
        }
    }

    @Test(arguments: reads.indices) func readsNoMoreThanItReturns(_ index: Int) async throws {
        let (name, read) = Self.reads[index]
        try await StoreEngine.sqlite.withDatabase { database in
            let fixture = try await Fixture(database)
            let id = fixture.newID()
            let plans = try await QueryPlans.plans(in: database) { tx in try read(fixture, id, tx) }
            #expect(!plans.isEmpty)
            for plan in plans {
                #expect(plan.contains("SEARCH") && !plan.contains("(merchant=?)") && !plan.contains("TEMP B-TREE"), "\(name): \(plan)")
            }
        }
    }
}
