import BillfoldDiagnosis
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldTestSupport
import CardPaymentsServer
import Foundation
import HTTPTypes
import Testing
import UnionPay

/// Merchants who register while the sandbox runs, each with books of its own under the first one's keys.
@Suite struct OwnMerchantTests {
    private static let key = "sk_test_own_0123456789abcdef0123456789"

    @Test(arguments: StoreEngine.available)
    func ordersOfAnOwnMerchantAreNobodyElses(engine: StoreEngine) async throws {
        try await Shop.open(engine, sheetWait: .zero, change: { $0.takesOwnMerchants = true }) { shop in
            let own = try #require(OwnMerchant.id("00000042"))
            try await shop.server.service.register(apiKey: .init(Self.key), merchant: own, label: "own")
            let text = Shop.electronicOrder.replacing("\"reference\":\"R\"", with: "\"reference\":\"own-1\"")
            let made = try await shop.send(.post, "/v1/orders", Array(text.utf8), bearer: Self.key, key: "own-1")
            #expect(made.status == 201, "\(made.body)")
            let order = Shop.PlacedOrder(
                id: try #require(made.json["id"]?.string), secret: try #require(made.json["clientSecret"]?.string),
                total: try #require(made.json["total"]?.string),
                applicationData: Array(Data(base64Encoded: made.json["applicationData"]?.string ?? "") ?? Data()))
            #expect(try await shop.pay(order).status == 200)
            #expect(shop.acquirer.received(.consume).last?["merId"] == "777290000000042")
            #expect(try await shop.notify(about: .consume).status == 200)
            #expect(try await shop.send(.get, "/v1/orders/\(order.id)", bearer: Self.key).json["state"]?.string == "paid")
            // The shop knows nothing of it; operators see both.
            #expect(try await shop.send(.get, "/v1/orders/\(order.id)", bearer: Shop.apiKey).status == 404)
            #expect(try await shop.send(.get, "/v1/orders", bearer: Shop.apiKey).json["orders"]?.array?.isEmpty == true)
            #expect(try await shop.server.backOffice.order(order.id) != nil)
            #expect(try await shop.server.service.recallOwnMerchants() == ["777290000000042"])
        }
    }

    @Test func namesThatNobodyRegisteredAreWorthNothing() async throws {
        #expect(OwnMerchant.id("1234567") == nil && OwnMerchant.id("123456789") == nil && OwnMerchant.id("1234567x") == nil)
        let shop = try BillfoldPayments.MerchantID("shop")
        #expect(OwnMerchant.acquirerID(of: shop) == nil)
        try await Shop.open(change: { $0.takesOwnMerchants = true }) { shop in
            let order = try await shop.place()
            #expect(try await shop.send(.get, "/v1/orders/\(order.id)", bearer: "cs_own-00000042.00").status == 401)
            #expect(try await shop.send(.get, "/v1/orders", bearer: Self.key).status == 401)
            #expect(try await shop.server.service.recallOwnMerchants().isEmpty)
        }
        // Elsewhere nobody registers by themselves.
        try await Shop.open { shop in
            let own = try #require(OwnMerchant.id("00000042"))
            await #expect(throws: CardPaymentsError.self) {
                try await shop.server.service.register(apiKey: .init(Self.key), merchant: own, label: "own")
            }
        }
        await #expect(throws: CardPaymentsError.self) {
            try await Shop.open(mode: .production, change: { $0.takesOwnMerchants = true }) { _ in }
        }
    }
}
