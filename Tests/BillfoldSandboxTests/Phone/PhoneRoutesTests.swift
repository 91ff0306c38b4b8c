import ApplePayApp
import BillfoldDiagnosis
import BillfoldSandbox
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@Suite struct PhoneRoutesTests {
    private func application(_ fixture: PhoneFixture) throws -> some ApplicationProtocol {
        let router = Router()
        PhoneRoutes(directory: fixture.directory).addRoutes(to: router)
        ShopRoutes(shop: fixture.shop, console: "http://127.0.0.1:8081", makeName: { "name-of-a-checkout" }).addRoutes(to: router)
        try SandboxAssets().addRoutes(to: router)
        return Application(router: router)
    }

    /// The test client as a connection, so that the scripted customer goes over HTTP.
    private struct Connection: MerchantConnection {
        let client: any TestClientProtocol

        func send(_ question: HTTPQuestion) async throws -> HTTPAnswer {
            var headers = HTTPFields()
            for header in question.headers { headers[try #require(HTTPField.Name(header.name))] = header.value }
            let method = try #require(HTTPRequest.Method(rawValue: question.method))
            return try await client.execute(
                uri: question.path, method: method, headers: headers, body: question.body.map { ByteBuffer(bytes: $0) }
            ) {
                HTTPAnswer(status: $0.status.code, body: Data($0.body.readableBytesView))
            }
        }
    }

    @Test func scriptedCustomerPaysOverHTTP() async throws {
        let fixture = await PhoneFixture()
        try await application(fixture).test(.router) { client in
            let lines = [CartLine(product: "celadon-cup", quantity: 1)]
            let phone = try await RemotePhone(opening: .ready, lines: lines, over: Connection(client: client))
            let result = try await ShopperScript(lines: lines, shippingMethod: "express").run(on: phone)
            #expect(result.screen.outcome?.kind == "succeeded")
            #expect(result.authorizedTotal == "127.44")
        }
    }

    @Test func phoneInAnotherProcessAsksTheShopOverHTTP() async throws {
        let fixture = await PhoneFixture()
        try await application(fixture).test(.router) { client in
            let shop = HTTPShopFront(connection: Connection(client: client))
            let access = try await shop.createOrder([CartLine(product: "longjing", quantity: 1)], reference: "reference-of-a-checkout")
            #expect(access.orderID == "order-reference-of-a-checkout")
            await #expect { try await shop.createOrder([], reference: "reference-of-a-checkout") } throws: {
                ($0 as? SandboxRefusal)?.code == "cart-empty"
            }
        }
    }

    @Test(arguments: [
        ("after=0&wait=0", 200), ("wait=20", 200), ("after=-1", 200), ("after=one", 400), ("after=0&wait=21", 400), ("wait=-1", 400),
        ("after=&wait=0", 400),
    ])
    func readerSaysHowLongItWaits(query: String, status: Int) async throws {
        let fixture = await PhoneFixture()
        let session = await fixture.directory.open(.ready, lines: [])
        try await application(fixture).test(.router) { client in
            try await client.execute(uri: "/phone/sessions/\(session.id)?\(query)", method: .get) { #expect($0.status.code == status) }
        }
    }

    @Test func eventStreamBeginsWithTheScreen() async throws {
        let fixture = await PhoneFixture()
        let session = await fixture.directory.open(.ready, lines: [CartLine(product: "longjing", quantity: 1)])
        // One more phone than fit puts the first away, which ends its stream.
        try await application(fixture).test(.router) { client in
            async let stream = client.execute(uri: "/phone/sessions/\(session.id)/events", method: .get) { response in
                #expect(response.headers[.contentType] == "text/event-stream")
                return String(buffer: response.body)
            }
            try await Task.sleep(for: .milliseconds(50))
            for _ in 0..<10 { _ = await fixture.directory.open(.withoutCard, lines: []) }
            let text = try await stream
            #expect(text.hasPrefix("retry: 1000\n\nid: 0\nevent: screen\ndata: {"))
        }
    }

    @Test(arguments: [
        ("POST", "/phone/sessions", "{", 400, "body-malformed"),
        ("POST", "/phone/sessions", #"{"model":"other","lines":[]}"#, 400, "body-malformed"),
        ("GET", "/phone/sessions/none", "", 404, "session-unknown"),
        ("POST", "/phone/sessions/none/taps", #"{"do":"pay"}"#, 404, "session-unknown"),
        ("POST", "/shop/orders", #"{"lines":[],"reference":"x"}"#, 400, "reference-malformed"),
        ("POST", "/shop/orders", #"{"lines":[],"reference":"sixteen letters\r\n"}"#, 400, "reference-malformed"),
        ("POST", "/shop/cart", "product=longjing&quantity=two", 400, "quantity-malformed"),
        ("GET", "/shop/products/gold", "", 404, "product-unknown"), ("POST", "/shop/cart", "product=gold", 404, "product-unknown"),
    ])
    func badInputIsRefusedWithACode(method: String, path: String, body: String, status: Int, code: String) async throws {
        let fixture = await PhoneFixture()
        try await application(fixture).test(.router) { client in
            try await client.execute(uri: path, method: #require(HTTPRequest.Method(rawValue: method)), body: ByteBuffer(string: body)) {
                #expect($0.status.code == status)
                #expect(String(buffer: $0.body).contains("\"code\":\"\(code)\""))
            }
        }
    }

    @Test func storefrontServesShopPhonesAndFilesTogether() async throws {
        let fixture = await PhoneFixture()
        let reporter = PartyReporter(sink: fixture.trace, now: { 0 }, makeName: { "one-name-for-everything" })
        let storefront = try await Storefront(
            .init(apiKey: Secret("api-key"), console: "http://127.0.0.1:8081"), merchant: fixture.merchant, wallet: fixture.wallet,
            reporter: reporter)
        let router = Router()
        storefront.addRoutes(to: router)
        try await Application(router: router).test(.router) { client in
            try await client.execute(uri: "/", method: .get) { #expect($0.headers[.location] == "/shop/") }
            for path in ["/shop/", "/assets/phone/phone.js", "/assets/billfold.css"] {
                try await client.execute(uri: path, method: .get) { #expect($0.status == .ok) }
            }
            let lines = [CartLine(product: "longjing", quantity: 1)]
            let phone = try await RemotePhone(opening: .ready, lines: lines, over: Connection(client: client))
            let result = try await ShopperScript(lines: lines).run(on: phone)
            #expect(result.screen.order?.story == "http://127.0.0.1:8081/orders/order-one-name-for-everything")
        }
    }

    @Test func postFromAnotherOriginIsRefused() async throws {
        let fixture = await PhoneFixture()
        try await application(fixture).test(.router) { client in
            try await client.execute(
                uri: "/phone/sessions", method: .post, headers: [.origin: "http://elsewhere.example"],
                body: ByteBuffer(string: #"{"model":"ready","lines":[]}"#)
            ) {
                #expect($0.status == .forbidden)
                #expect(String(buffer: $0.body).contains("foreign-origin"))
            }
        }
    }

    @Test func cartIsKeptInItsCookieAndDrawnWithThePhone() async throws {
        let fixture = await PhoneFixture()
        try await application(fixture).test(.router) { client in
            let cookie = try await client.execute(uri: "/shop/cart", method: .post, body: ByteBuffer(string: "product=longjing")) {
                response in
                #expect(response.status == .seeOther)
                #expect(response.headers[.location] == "/shop/cart")
                return try #require(response.headers[.setCookie])
            }
            #expect(cookie == "cart=longjing.1; Path=/shop; HttpOnly; SameSite=Lax")
            try await client.execute(uri: "/shop/cart", method: .get, headers: [.cookie: "a=b; cart=longjing.3_gold.1_longjing.x"]) {
                let page = String(buffer: $0.body)
                #expect(page.contains(#"data-cart="longjing.3""#))
                #expect(page.contains("384.00 CNY"))
                #expect($0.headers[.contentSecurityPolicy]?.contains("default-src 'self'") == true)
            }
            try await client.execute(uri: "/shop/cart", method: .get, headers: [.cookie: "cart=longjing.1_letterpress-cards.1"]) {
                let page = String(buffer: $0.body)
                #expect(page.contains("data-phone") == false)
                #expect(page.contains("different currencies"))
            }
        }
    }

    @Test func pagesCarryNoInlineScriptOrStyleAndEveryAssetIsThere() async throws {
        let fixture = await PhoneFixture()
        try await application(fixture).test(.router) { client in
            for path in ["/shop", "/shop/products/longjing", "/shop/cart"] {
                let page = try await client.execute(uri: path, method: .get, headers: [.cookie: "cart=longjing.1"]) {
                    #expect($0.status == .ok)
                    return String(buffer: $0.body)
                }
                #expect(!page.contains("<style") && !page.contains(" style=") && !page.contains("<script>") && !page.contains(" onclick="))
                for match in page.matches(of: /(?:src|href)="(\/assets\/[^"]+)"/) {
                    try await client.execute(uri: String(match.output.1), method: .get) { #expect($0.status == .ok, "\(match.output.1)") }
                }
            }
        }
    }
}
