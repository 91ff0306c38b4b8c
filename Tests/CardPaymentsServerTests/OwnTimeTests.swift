import BillfoldDiagnosis
import BillfoldEvents
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import BillfoldWeb
import CardPaymentsServer
import Foundation
import HTTPTypes
import Testing
import UnionPay

/// Two merchants on one store, each with a time of its own.
@Suite struct OwnTimeTests {
    private static let otherKey = "sk_test_fedcba9876543210fedcba9876543210"

    /// A shop beside which a bakery has the same keys and a number of its own at the acquirer.
    private func open(_ engine: StoreEngine, _ body: @Sendable @escaping (Shop, SpaceClock) async throws -> Void) async throws {
        let number = try UnionPay.MerchantID("777290058167152")
        let bakery = try BillfoldPayments.MerchantID("bakery")
        try await Shop.open(
            engine, sheetWait: .zero, spaces: MemorySpaces(["shop", "bakery"]),
            change: { configuration in
                var other = configuration.merchants[0]
                (other.id, other.acquirerID) = (bakery, number)
                configuration.merchants.append(other)
            }
        ) { shop in
            try await shop.server.service.register(apiKey: .init(Self.otherKey), merchant: bakery, label: "test")
            try await body(shop, #require(shop.ownTime))
        }
    }

    private func order(_ shop: Shop, _ reference: String, key: String) async throws -> Shop.PlacedOrder {
        let text = Shop.electronicOrder.replacing("\"reference\":\"R\"", with: "\"reference\":\"\(reference)\"")
        let answer = try await shop.send(.post, "/v1/orders", Array(text.utf8), bearer: key, key: "order-\(reference)")
        #expect(answer.status == 201, "\(answer.body)")
        return Shop.PlacedOrder(
            id: try #require(answer.json["id"]?.string), secret: try #require(answer.json["clientSecret"]?.string),
            total: try #require(answer.json["total"]?.string),
            applicationData: Array(Data(base64Encoded: answer.json["applicationData"]?.string ?? "") ?? Data()))
    }

    private func state(_ shop: Shop, _ order: Shop.PlacedOrder, bearer: String) async throws -> String? {
        try await shop.send(.get, "/v1/orders/\(order.id)", bearer: bearer).json["state"]?.string
    }

    @Test(arguments: StoreEngine.available)
    func orderExpiresByItsMerchantsTimeAlone(engine: StoreEngine) async throws {
        try await open(engine) { shop, clock in
            let ours = try await order(shop, "A", key: Shop.apiKey)
            let theirs = try await order(shop, "B", key: Self.otherKey)
            try await clock.advance("shop", by: .seconds(1_860))
            // By the merchant's key and by the secret that the phone holds.
            #expect(try await state(shop, ours, bearer: Shop.apiKey) == "expired")
            #expect(try await state(shop, ours, bearer: ours.secret) == "expired")
            #expect(try await shop.pay(ours).errorCode != nil)
            #expect(try await state(shop, theirs, bearer: Self.otherKey) == "open")
            #expect(try await shop.pay(theirs).status == 200)
            // A new order of the merchant who is ahead is open as long as any, and its phone's tokens are as fresh as any.
            let next = try await order(shop, "C", key: Shop.apiKey)
            #expect(try await state(shop, next, bearer: Shop.apiKey) == "open")
            #expect(try await shop.pay(next, key: "pay-c").status == 200)
        }
    }

    /// Nobody answered either payment. The merchant who moves on is told what became of it, at its own time.
    @Test(arguments: StoreEngine.available)
    func acquirerIsAskedAndItsWordToldByTheMerchantsTime(engine: StoreEngine) async throws {
        try await open(engine) { shop, clock in
            let ours = try await order(shop, "A", key: Shop.apiKey)
            let theirs = try await order(shop, "B", key: Self.otherKey)
            shop.acquirer.script { $0.losesReply = true }
            #expect(try await shop.pay(ours).status == 200)
            #expect(try await shop.pay(theirs).status == 200)
            try await clock.advance("shop", by: .seconds(960))
            #expect(try await shop.server.deadlineWorker.runOnce() == 1)
            #expect(Set(shop.acquirer.received(.query).map { $0["merId"] }) == ["777290058167151"])
            #expect(try await state(shop, ours, bearer: Shop.apiKey) == "paid")
            #expect(try await state(shop, theirs, bearer: Self.otherKey) == "processing")
            while try await shop.server.events.dispatcher.runOnce() > 0 {}
            let told = try await shop.send(.get, "/v1/events", bearer: Shop.apiKey).json["events"]?.array ?? []
            #expect(told.last?.object?["type"]?.string == "payment.succeeded")
            #expect(told.last?.object?["timestamp"]?.string == "2026-11-20T20:16:00.000Z")
            let others = try await shop.send(.get, "/v1/events", bearer: Self.otherKey).json["events"]?.array ?? []
            #expect(!others.contains { $0.object?["type"]?.string == "payment.succeeded" })
            // A story is told in one time, whoever is ahead.
            #expect(shop.trace.entries.allSatisfy { $0.at == shop.clock.now().microseconds })
        }
    }

    @Test func thePageOfAnOrderGoesByItsMerchantsTime() async throws {
        try await open(.sqlite) { shop, clock in
            let ours = try await order(shop, "A", key: Shop.apiKey)
            let theirs = try await order(shop, "B", key: Self.otherKey)
            try await clock.advance("shop", by: .seconds(1_860))
            let office = shop.server.backOffice
            let shown = try #require(try await office.order(ours.id))
            #expect(shown.state.word == "expired" && shown.space?.name == "shop" && shown.space?.ahead == "31 min")
            let other = try #require(try await office.order(theirs.id))
            #expect(other.state.word == "open" && other.space?.name == "bakery" && other.space?.ahead == nil)
        }
    }
}
