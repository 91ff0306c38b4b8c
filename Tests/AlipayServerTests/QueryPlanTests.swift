import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import Testing

@testable import AlipayServer

/// What a read costs must not grow with all that was ever ordered.
struct QueryPlanTests {
    private struct Subject: Sendable {
        let merchant: MerchantID
        let id: TimeOrderedID
        let now: Timestamp
        var day: Range<Timestamp> { now..<now.advanced(by: .seconds(86_400)) }
    }
    private typealias Read = @Sendable (Subject, any Transaction) throws -> Void

    private static let reads: [(name: String, read: Read)] = [
        ("an order", { let _: TradeOrder? = try TradeOrderRecords.find($0.id, merchant: $0.merchant, in: $1) }),
        ("a trade", { _ = try TradeRecords.find($0.id, merchant: $0.merchant, in: $1) }),
        ("a trade by the gateway's number", { _ = try TradeRecords.find(tradeNo: "1", in: $1) }),
        ("a trade by the merchant's number", { _ = try TradeRecords.find(outTradeNo: "1", merchant: $0.merchant, in: $1) }),
        ("a merchant's trades of a day", { _ = try TradeRecords.paid($0.merchant, in: $0.day, limit: 10, in: $1) }),
        ("a wallet's trades of a day", { _ = try TradeRecords.paid(wallet: "w", in: $0.day, after: nil, limit: 10, in: $1) }),
        (
            "a wallet's next trades of a day",
            { _ = try TradeRecords.paid(wallet: "w", in: $0.day, after: .init(.payment, at: $0.now, id: $0.id), limit: 10, in: $1) }
        ),
        ("a refund by its number", { _ = try RefundRecords.find("1", trade: $0.id, merchant: $0.merchant, in: $1) }),
        ("a refund", { _ = try RefundRecords.find($0.id, merchant: $0.merchant, in: $1) }),
        ("a merchant's refunds of a day", { _ = try RefundRecords.booked($0.merchant, in: $0.day, limit: 10, in: $1) }),
        ("a wallet's refunds of a day", { _ = try RefundRecords.booked(wallet: "w", in: $0.day, after: nil, limit: 10, in: $1) }),
        (
            "a wallet's next refunds of a day",
            { _ = try RefundRecords.booked(wallet: "w", in: $0.day, after: .init(.refund, at: $0.now, id: $0.id), limit: 10, in: $1) }
        ),
        ("a merchant's payouts of a day", { _ = try PayoutRecords.made($0.merchant, in: $0.day, limit: 10, in: $1) }),
        ("a notification", { _ = try NotificationRecords.find($0.id, merchant: $0.merchant, in: $1) }),
        ("a notification by its name", { _ = try NotificationRecords.find(notifyID: "1", merchant: $0.merchant, in: $1) }),
        ("a trade's notifications", { _ = try NotificationRecords.all(of: $0.id, merchant: $0.merchant, in: $1) }),
        ("a merchant", { _ = try MerchantRecords.merchant($0.merchant, in: $1) }),
        ("a merchant that is known", { _ = try MerchantRecords.merchant($0.merchant, unlessVersion: 1, in: $1) }),
        ("an application", { _ = try MerchantRecords.application("1", in: $1) }),
        ("an application that is known", { _ = try MerchantRecords.application("1", unlessVersions: [1, 1], in: $1) }),
        ("the rate of an instant", { _ = try RateRecords.current(.usd, at: $0.now, in: $1) }),
        (
            "a merchant's trades in one state",
            { _ = try TradeRecords.list(ListFilter(limit: 10), status: .closed, merchant: $0.merchant, in: $1) }
        ),
        (
            "a merchant's next trades in one state",
            {
                let filter = ListFilter(from: $0.now, to: $0.now, after: ListFilter.Place(at: $0.now, id: $0.id), limit: 10)
                _ = try TradeRecords.list(filter, status: .closed, merchant: $0.merchant, in: $1)
            }
        ),
        (
            "a merchant's next trades",
            {
                let filter = ListFilter(to: $0.now, after: ListFilter.Place(at: $0.now, id: $0.id), limit: 10)
                _ = try TradeRecords.list(filter, status: nil, merchant: $0.merchant, in: $1)
            }
        ),
        ("due notifications", { _ = try OutboxRecords.backlog(at: $0.now, in: $1) }),
    ]
    /// Reads of a merchant's latest rows, which end at their limit: these may begin with the merchant alone.
    private static let pages: [(name: String, read: Read)] = [
        ("a merchant's latest trades", { _ = try TradeRecords.latest($0.merchant, limit: 10, in: $1) }),
        (
            "a merchant's list of trades",
            { _ = try TradeRecords.list(ListFilter(limit: 10), status: nil, merchant: $0.merchant, in: $1) }
        ),
        ("a merchant's latest notifications", { _ = try NotificationRecords.latest($0.merchant, limit: 10, in: $1) }),
        ("a merchant's refunds that are not credited", { _ = try RefundRecords.owed($0.merchant, limit: 10, in: $1) }),
        ("a merchant's parked notifications", { _ = try NotificationRecords.parked($0.merchant, limit: 10, in: $1) }),
    ]

    private func plans(_ read: @escaping Read) async throws -> [String] {
        try await StoreEngine.sqlite.withDatabase { database in
            let clock = HandClock()
            try await MigrationRunner(AlipayServer.migrations, clock: clock, logger: OrderGatewayHarness.surroundings(clock).logger).run(
                on: database)
            var generator = SeededGenerator(seed: 7)
            let subject = Subject(
                merchant: try MerchantID("2088000000000101"), id: TimeOrderedID(at: clock.now(), using: &generator), now: clock.now())
            return try await QueryPlans.plans(in: database) { tx in try read(subject, tx) }
        }
    }

    @Test(arguments: reads.indices) func readsNoMoreThanItReturns(_ index: Int) async throws {
        let (name, read) = Self.reads[index]
        let plans = try await plans(read)
        #expect(!plans.isEmpty)
        for plan in plans {
            let isByKey = plan.contains("(merchant=?)") && name.hasSuffix("that is known") || name == "a merchant"
            #expect(
                plan.contains("SEARCH") && (isByKey || !plan.contains("(merchant=?)")) && !plan.contains("TEMP B-TREE"), "\(name): \(plan)")
        }
    }

    @Test(arguments: pages.indices) func pageIsReadInTheOrderOfItsIndex(_ index: Int) async throws {
        let (name, read) = Self.pages[index]
        let plans = try await plans(read)
        #expect(!plans.isEmpty)
        for plan in plans { #expect(plan.contains("SEARCH") && !plan.contains("TEMP B-TREE"), "\(name): \(plan)") }
    }
}
