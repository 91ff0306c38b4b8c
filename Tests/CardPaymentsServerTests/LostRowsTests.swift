import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldServerTestSupport
import BillfoldStorage
import BillfoldTestSupport
import BillfoldWeb
import CardPaymentsServer
import HTTPTypes
import Testing
import UnionPay

/// Money that was sent and whose rows a failover loses: never told as failed, and settled by two persons.
@Suite struct LostRowsTests {
    private static let count = 20

    /// Two nodes, asynchronous. The standby is promoted while twenty deducts are at the acquirer, and has none of their rows.
    @Test(.enabled(if: PostgreSQLCluster.binaries != nil, "PostgreSQL is not installed"), .timeLimit(.minutes(3)))
    func aFailoverThatLosesSentPaymentsTellsNoneOfThemAsFailed() async throws {
        let pair = try PostgreSQLPair()
        let database = try await pair.open()
        try await Shop.open(on: database) { shop in
            var orders: [(Shop.PlacedOrder, [UInt8])] = []
            for number in 0..<Self.count {
                let order = try await shop.place(reference: "order-\(number)")
                orders.append((order, Shop.paymentBody(try shop.token(for: order))))
            }
            let made = orders
            try pair.detach()
            let gate = Gate(Self.count) { try pair.failOver() }
            shop.acquirer.whileConsuming { _ in await gate.pass() }
            let answers = try await withThrowingTaskGroup(of: Shop.Answer.self) { group in
                for (order, body) in made { group.addTask { try await Self.pay(shop, order, body) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(await gate.problem == nil)
            let told = answers.map { "\($0.status) \($0.errorCode ?? $0.body)" }
            #expect(told == Array(repeating: "503 outcome-unknown", count: Self.count))

            let charges = shop.acquirer.received(.consume)
            #expect(Set(charges.map { $0["orderId"] }).count == Self.count)
            // What somebody has an id of is not there, and is not denied either.
            for charge in charges { #expect(try await shop.payment(charge["orderId"] ?? "").errorCode == "outcome-unknown") }
            #expect(try await shop.payment("00000000000070008000000000000000").status == 404)

            // Each charge is notified more than once, and is one alarm.
            for charge in charges + charges { #expect(try await shop.notify(shop.acquirer.notification(of: charge)).status == 200) }
            let notices = try await shop.server.notices.unmatchedNotices()
            #expect(notices.count == Self.count)
            #expect(notices.allSatisfy { $0.summary.contains("33.00") && !$0.evidence.contains(Shop.cardNumber) })

            // Apps that ask again are answered by the first deduct: the second copy takes nothing.
            for (order, body) in made.prefix(4) {
                let again = try await shop.whileTimePasses { try await Self.pay(shop, order, body) }
                #expect(again.paymentState == "succeeded", "\(again.body)")
            }
            #expect(Set(shop.acquirer.received(.consume).map { $0["orderId"] }).count == Self.count)

            try await Self.settle(notices, shop)
            #expect(try await shop.server.notices.unmatchedNotices().isEmpty)
            while try await shop.server.outboxWorker.runOnce() > 0 {}
            let refunds = shop.acquirer.received(.refund)
            #expect(refunds.count == Self.count / 2)
            #expect(Set(refunds.map { $0["origQryId"] }).count == refunds.count)
            for refund in refunds { #expect(try await shop.notify(shop.acquirer.notification(of: refund)).status == 200) }

            // The acquirer took each order's money once and gave half of it back; so say the books.
            let left = Int64(Self.count - refunds.count) * 3_300
            #expect(try await shop.balance(.receivable(from: "unionpay")) == left)
            #expect(try await shop.balance(.sales) == Int64(-Self.count) * 3_300)
            #expect(try await shop.balance(.refunds) == Int64(refunds.count) * 3_300)
            let states = try await Self.states(of: charges, shop)
            #expect(states == ["refunded": refunds.count, "succeeded": Self.count - refunds.count])
        }
        try await database.close()
    }

    private static func pay(_ shop: Shop, _ order: Shop.PlacedOrder, _ body: [UInt8]) async throws -> Shop.Answer {
        try await shop.send(.post, "/v1/orders/\(order.id)/payments", body, bearer: order.secret, key: "pay-1")
    }

    private static func states(of charges: [UnionPayFields], _ shop: Shop) async throws -> [String: Int] {
        var states: [String: Int] = [:]
        for id in Set(charges.compactMap { $0["orderId"] }) {
            states[try await shop.payment(id).json["state"]?.string ?? "none", default: 0] += 1
        }
        return states
    }

    /// Two persons settle every notice: one half by a refund, the other as payments of their orders.
    private static func settle(_ notices: [UnmatchedNoticeView], _ shop: Shop) async throws {
        let people = try await shop.people()
        for (number, notice) in notices.enumerated() {
            let way = number % 2 == 0 ? "refund" : "payment"
            let asked = try await people.ask(notice, way)
            await #expect(throws: ServerError.self) { try await people.queue.approve(asked.id, by: .asking) }
            let done = try await people.queue.approve(asked.id, by: .approving)
            #expect(done.state == .done && done.outcome?.hasPrefix("booked as payment") == true, "\(done.outcome ?? "")")
            // What a restart after a crash would do.
            let action = try #require(shop.server.notices.actions[notice.action])
            #expect(try await action.run(done) == done.outcome)
        }
    }
}
