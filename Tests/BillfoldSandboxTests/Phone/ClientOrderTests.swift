import BillfoldSandbox
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

/// The shop's pages for whoever pays by UnionPay's own client.
@Suite struct ClientOrderTests {
    private static let client = "http://127.0.0.1:8082/unionpay/pay"

    private func run(
        _ fixture: PhoneFixture, client: String? = ClientOrderTests.client,
        _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Void
    ) async throws {
        let router = Router()
        ShopRoutes(shop: fixture.shop, console: "http://127.0.0.1:8081", client: client, makeName: { "name-of-a-checkout" })
            .addRoutes(to: router)
        try await Application(router: router).test(.router, body)
    }

    /// Has the order made, and returns the cookie that the browser keeps.
    private func order(_ browser: any TestClientProtocol) async throws -> String {
        try await browser.execute(uri: "/shop/unionpay", method: .post, headers: [.cookie: "cart=field-guide.1"]) {
            #expect($0.status == .seeOther)
            #expect($0.headers[.location] == "/shop/unionpay")
            let cookie = try #require($0.headers[.setCookie])
            #expect(cookie.hasSuffix("; Path=/shop/unionpay; HttpOnly; SameSite=Lax"))
            return String(cookie.prefix { $0 != ";" })
        }
    }

    private func page(_ browser: any TestClientProtocol, _ cookie: String, path: String = "/shop/unionpay") async throws -> String {
        try await browser.execute(uri: path, method: .get, headers: [.cookie: cookie]) {
            #expect($0.status == .ok)
            return String(buffer: $0.body)
        }
    }

    @Test func anOrderIsPaidByItsNumberAndTheServerIsBelieved() async throws {
        let fixture = await PhoneFixture()
        try await run(fixture) { browser in
            let cookie = try await order(browser)
            let open = try await page(browser, cookie)
            #expect(open.contains("\(Self.client)/202611201200001234567?scheme=two-leaves-shop&amp;mode=01"), "\(open)")
            #expect(open.contains("http://127.0.0.1:8081/orders/order-name-of-a-checkout"))
            fixture.merchant.settle()
            let data = "%7B%22sign%22%3A%22AA%3D%3D%22%2C%22data%22%3A%22pay_result%3Dsuccess%22%7D"
            try await browser.execute(
                uri: "/shop/unionpay/result?code=success&data=\(data)", method: .get, headers: [.cookie: cookie]
            ) { #expect($0.headers[.location] == "/shop/unionpay?word=success") }
            let paid = try await page(browser, cookie, path: "/shop/unionpay?word=success")
            #expect(paid.contains(">Paid</h1>") && !paid.contains(Self.client) && !paid.contains("being confirmed"), "\(paid)")
            let brought = try #require(fixture.merchant.seen.last { $0.path.hasSuffix("/app-results") })
            #expect(brought.headers["Authorization"] == "Bearer secret-of-order")
            #expect(
                try JSONSerialization.jsonObject(with: brought.body) as? NSDictionary
                    == ["code": "success", "data": ["sign": "AA==", "data": "pay_result=success"]])
        }
        // Whoever asks for the number again is the same customer, with the same wish.
        let asked = fixture.merchant.seen.filter { $0.path.hasSuffix("/transaction-numbers") }
        #expect(asked.count > 1 && Set(asked.compactMap { $0.headers["Idempotency-Key"] }).count == 1)
        #expect(Set(asked.map(\.body)).count == 1)
    }

    @Test(arguments: ["cancel", "fail"]) func noWordEndsAnOrder(word: String) async throws {
        let fixture = await PhoneFixture()
        try await run(fixture) { browser in
            let cookie = try await order(browser)
            try await browser.execute(uri: "/shop/unionpay/result?code=\(word)&data=", method: .get, headers: [.cookie: cookie]) {
                #expect($0.headers[.location] == "/shop/unionpay?word=\(word)")
            }
            let text = try await page(browser, cookie, path: "/shop/unionpay?word=\(word)")
            #expect(text.contains("Open UnionPay’s client") && text.contains("do not pay again"), "\(text)")
        }
    }

    @Test func whatCannotBePaidIsToldOnTheCart() async throws {
        let fixture = await PhoneFixture(.refusesToken)
        try await run(fixture) { browser in
            try await browser.execute(uri: "/shop/unionpay", method: .post, headers: [.cookie: "cart=field-guide.1"]) {
                #expect($0.status == .ok)
                #expect(String(buffer: $0.body).contains("UnionPay’s client cannot be used: refused."))
                #expect($0.headers[.setCookie] == nil)
            }
        }
    }

    @Test(arguments: [("field-guide.1", true), ("letterpress-cards.1", false), ("field-guide.1_letterpress-cards.1", false), ("", false)])
    func theClientTakesYuanAlone(cart: String, isOffered: Bool) async throws {
        let fixture = await PhoneFixture()
        try await run(fixture) { browser in
            let text = try await page(browser, "cart=\(cart)", path: "/shop/cart")
            #expect(text.contains("Pay with UnionPay") == isOffered)
        }
        try await run(fixture, client: nil) { browser in
            let text = try await page(browser, "cart=\(cart)", path: "/shop/cart")
            #expect(!text.contains("Pay with UnionPay"))
            try await browser.execute(uri: "/shop/unionpay", method: .post, headers: [.cookie: "cart=\(cart)"]) {
                #expect($0.status == .notFound)
                #expect(String(buffer: $0.body).contains(#""code":"client-missing""#))
            }
        }
    }

    /// The cookie's parts become parts of a request to the merchant's server.
    @Test(arguments: ["", "unionpay-order=order-0001", "unionpay-order=order-0001:a:b", "unionpay-order=../v1/books:secret-of-order"])
    func aBrowserWithoutAnOrderHasNone(cookie: String) async throws {
        let fixture = await PhoneFixture()
        try await run(fixture) { browser in
            for path in ["/shop/unionpay", "/shop/unionpay/result?code=success&data="] {
                try await browser.execute(uri: path, method: .get, headers: [.cookie: cookie]) {
                    #expect($0.status == .notFound)
                    #expect(String(buffer: $0.body).contains(#""code":"order-missing""#))
                }
            }
        }
        #expect(fixture.merchant.seen.isEmpty)
    }
}
