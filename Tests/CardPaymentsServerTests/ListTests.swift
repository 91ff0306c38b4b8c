import BillfoldJSON
import BillfoldPayments
import BillfoldTestSupport
import CardPaymentsServer
import Foundation
import HTTPTypes
import Testing
import UnionPay

/// The lists of orders, payments and refunds.
@Suite struct ListTests {
    private func list(_ shop: Shop, _ path: String, bearer: String? = Shop.apiKey) async throws -> Shop.Answer {
        try await shop.send(.get, path, bearer: bearer)
    }

    /// All pages of a list, each as the ids that it holds.
    private func pages(_ shop: Shop, _ path: String, of member: String) async throws -> [[String]] {
        var (pages, next): ([[String]], String?) = ([], "")
        while let cursor = next, pages.count < 20 {
            let answer = try await list(shop, cursor.isEmpty ? path : "\(path)&cursor=\(cursor)")
            #expect(answer.status == 200, "\(answer.body)")
            pages.append(Self.ids(answer, member))
            next = answer.json["next"]?.string
        }
        return pages
    }

    private static func ids(_ answer: Shop.Answer, _ member: String) -> [String] {
        answer.json[member]?.array?.compactMap { $0.object?["id"]?.string } ?? []
    }

    /// Orders A-1 to A-5, a minute apart.
    private func orders(_ shop: Shop) async throws -> [Shop.PlacedOrder] {
        var orders: [Shop.PlacedOrder] = []
        for number in 1...5 {
            orders.append(try await shop.place(reference: "A-\(number)"))
            shop.clock.advance(by: .seconds(60))
        }
        return orders
    }

    @Test(arguments: StoreEngine.available)
    func ordersComeNewestFirstPageByPage(engine: StoreEngine) async throws {
        try await Shop.open(engine) { shop in
            let ids = try await orders(shop).map(\.id)
            #expect(try await pages(shop, "/v1/orders?limit=2", of: "orders") == [[ids[4], ids[3]], [ids[2], ids[1]], [ids[0]]])
            #expect(try await pages(shop, "/v1/orders?limit=5", of: "orders") == [ids.reversed()])
        }
    }

    @Test(arguments: StoreEngine.available)
    func rowsOfOneInstantAreEachShownOnce(engine: StoreEngine) async throws {
        try await Shop.open(engine) { shop in
            var ids: Set<String> = []
            for number in 1...5 { ids.insert(try await shop.place(reference: "A-\(number)").id) }
            let pages = try await pages(shop, "/v1/orders?limit=2", of: "orders")
            #expect(pages.map(\.count) == [2, 2, 1])
            #expect(Set(pages.flatMap(\.self)) == ids)
        }
    }

    /// A row that comes between two pages moves none of the others.
    @Test func aNewOrderMovesNoPage() async throws {
        try await Shop.open { shop in
            let ids = try await orders(shop).map(\.id)
            let first = try await list(shop, "/v1/orders?limit=3")
            _ = try await shop.place(reference: "A-6")
            let second = try await list(shop, "/v1/orders?limit=3&cursor=\(first.json["next"]?.string ?? "")")
            #expect(Self.ids(first, "orders") + Self.ids(second, "orders") == ids.reversed())
            #expect(second.json["next"] == nil)
        }
    }

    @Test(arguments: StoreEngine.available)
    func ordersAreFoundByReferenceStateAndTime(engine: StoreEngine) async throws {
        try await Shop.open(engine, sheetWait: .zero) { shop in
            let start = shop.clock.date
            let placed = try await orders(shop)
            let ids = placed.map(\.id)
            _ = try await shop.pay(placed[1], key: "p-1")
            #expect(try await shop.notify(about: .consume).status == 200)
            _ = try await shop.pay(placed[3], key: "p-3")
            for (query, expected) in [
                ("reference=A-3", [ids[2]]), ("reference=A-9", []), ("state=paid", [ids[1]]), ("state=processing", [ids[3]]),
                ("state=open", [ids[4], ids[2], ids[0]]), ("state=closed", []), ("reference=A-2&state=open", []),
                ("createdFrom=\(start.addingTimeInterval(180).ISO8601Format())", [ids[4], ids[3]]),
                ("createdTo=\(start.addingTimeInterval(60).ISO8601Format())", [ids[0]]),
                (
                    "createdFrom=\(start.addingTimeInterval(60).ISO8601Format())&createdTo=\(start.addingTimeInterval(180).ISO8601Format())",
                    [ids[2], ids[1]]
                ),
            ] {
                let answer = try await list(shop, "/v1/orders?\(query)")
                #expect(answer.status == 200 && Self.ids(answer, "orders") == expected, "\(query): \(answer.body)")
            }
            // One page after the other, with the filter that the cursor belongs to.
            #expect(try await pages(shop, "/v1/orders?state=open&limit=1", of: "orders").flatMap(\.self) == [ids[4], ids[2], ids[0]])
            let until = start.addingTimeInterval(240).ISO8601Format()
            #expect(try await pages(shop, "/v1/orders?createdTo=\(until)&limit=3", of: "orders") == [[ids[3], ids[2], ids[1]], [ids[0]]])
        }
    }

    @Test(arguments: StoreEngine.available)
    func paymentsAndRefundsAreListed(engine: StoreEngine) async throws {
        try await Shop.open(engine, sheetWait: .zero) { shop in
            var payments: [String] = []
            let placed = try await orders(shop)
            for (number, order) in placed.prefix(3).enumerated() {
                payments.append(try await shop.pay(order, key: "p-\(number)").paymentID)
                shop.clock.advance(by: .seconds(1))
                if number < 2 { #expect(try await shop.notify(about: .consume).status == 200) }
            }
            var refunds: [String] = []
            for (number, amount) in ["1.00", "2.00", "3.00"].enumerated() {
                let refund = try await shop.refund(payments[number == 2 ? 1 : 0], amount, key: "r-\(number)")
                refunds.append(try #require(refund.json["id"]?.string, "\(refund.body)"))
                shop.clock.advance(by: .seconds(1))
            }
            #expect(try await shop.notify(about: .refund).status == 200)
            #expect(try await pages(shop, "/v1/payments?limit=2", of: "payments") == [[payments[2], payments[1]], [payments[0]]])
            #expect(try await pages(shop, "/v1/refunds?limit=2", of: "refunds") == [[refunds[2], refunds[1]], [refunds[0]]])
            for (path, member, expected) in [
                ("/v1/payments?state=accepted", "payments", [payments[2]]),
                ("/v1/payments?state=partlyRefunded", "payments", [payments[1]]),
                ("/v1/payments?reference=A-2", "payments", [payments[1]]), ("/v1/payments?reference=none", "payments", []),
                ("/v1/payments?order=\(placed[0].id)", "payments", [payments[0]]),
                ("/v1/payments?order=\(placed[0].id)&reference=A-2", "payments", []),
                ("/v1/payments?order=\(placed[0].id)&state=failed", "payments", []),
                ("/v1/refunds?payment=\(payments[0])", "refunds", [refunds[1], refunds[0]]),
                ("/v1/refunds?payment=\(payments[0])&limit=1", "refunds", [refunds[1]]),
                ("/v1/refunds?reference=A-2", "refunds", [refunds[2]]), ("/v1/refunds?order=\(placed[2].id)", "refunds", []),
                ("/v1/refunds?state=succeeded", "refunds", [refunds[2]]),
                ("/v1/refunds?payment=\(payments[0])&reference=A-2", "refunds", []),
            ] {
                let answer = try await list(shop, path)
                #expect(answer.status == 200 && Self.ids(answer, member) == expected, "\(path): \(answer.body)")
            }
            let named = try await list(shop, "/v1/payments?reference=A-2").json["payments"]?.array?.first?.object
            #expect(named?["reference"]?.string == "A-2")
            let undone = try #require(try await list(shop, "/v1/refunds?reference=A-2").json["refunds"]?.array?.first?.object)
            #expect(undone["order"]?.string == placed[1].id && undone["reference"]?.string == "A-2")
            let within = try #require(named?["modifications"]?.array?.first?.object)
            #expect(within["order"]?.string == placed[1].id && within["reference"]?.string == "A-2")
            #expect(try await shop.payment(payments[0]).json["reference"]?.string == "A-1")
            // A cancelled payment's void is no refund.
            #expect(try await shop.cancel(payments[2], key: "c").status == 201)
            #expect(try await list(shop, "/v1/refunds").json["refunds"]?.array?.count == 3)
        }
    }

    @Test(arguments: [
        "/v1/orders?state=succeeded", "/v1/orders?status=paid", "/v1/orders?order=x", "/v1/payments?state=paid", "/v1/payments?order=x",
        "/v1/refunds?payment=", "/v1/orders?limit=0", "/v1/orders?limit=201", "/v1/orders?cursor=AAAA", "/v1/orders?createdFrom=yesterday",
        "/v1/orders?reference=", "/v1/orders?reference=a&reference=b",
    ])
    func whatNoRowCanBeIsRefused(path: String) async throws {
        try await Shop.open { shop in
            let answer = try await list(shop, path)
            #expect(answer.status == 400 && answer.errorCode == "malformed-request", "\(answer.body)")
        }
    }

    @Test func aCursorBelongsToItsListAndFilter() async throws {
        try await Shop.open { shop in
            _ = try await orders(shop)
            let cursor = try #require(try await list(shop, "/v1/orders?limit=1").json["next"]?.string)
            #expect(try await list(shop, "/v1/orders?limit=3&cursor=\(cursor)").status == 200)
            #expect(try await list(shop, "/v1/orders?state=open&cursor=\(cursor)").status == 400)
            #expect(try await list(shop, "/v1/payments?cursor=\(cursor)").status == 400)
        }
    }

    @Test func aListIsForTheMerchantAlone() async throws {
        try await Shop.open { shop in
            let order = try await shop.place()
            for path in ["/v1/orders", "/v1/payments", "/v1/refunds"] {
                for bearer in [nil, order.secret, "sk_test_wrong"] {
                    #expect(try await list(shop, path, bearer: bearer).status == 401)
                }
            }
            let listed = try #require(try await list(shop, "/v1/orders").json["orders"]?.array?.first?.object)
            #expect(listed["clientSecret"] == nil && listed["reference"]?.string == "A-1")
        }
    }
}
