import ApplePayApp
import BillfoldDiagnosis
import BillfoldWeb
import Foundation
import HTTPTypes
package import Hummingbird

/// The shop over HTTP: pages under `/shop`, and `POST /shop/orders` for its app on a phone.
package struct ShopRoutes: Sendable {
    private let shop: Shop
    private let pages: ShopPages
    private let client: String?
    private let makeName: @Sendable () -> String

    /// - Parameters:
    ///   - console: The console's origin, such as `http://127.0.0.1:8081`; nil without one.
    ///   - client: The address of the pages of UnionPay's own client, such as `http://127.0.0.1:8082/unionpay/pay`; nil without one.
    ///   - makeName: Draws a fresh name, at least 128 bits, in URL-safe letters.
    package init(shop: Shop, console: String? = nil, client: String? = nil, makeName: @escaping @Sendable () -> String) {
        self.shop = shop
        self.client = client
        self.makeName = makeName
        pages = ShopPages(catalogue: shop.catalogue, console: console, hasClient: client != nil)
    }

    struct Checkout: Codable {
        var lines: [CartLine]
        var reference: String

        private enum CodingKeys: String, CodingKey, CaseIterable { case lines, reference }

        init(lines: [CartLine], reference: String) {
            self.lines = lines
            self.reference = reference
        }

        init(from decoder: any Decoder) throws {
            try decoder.refuseKeys(besides: CodingKeys.allCases.map(\.stringValue), of: "a checkout")
            let container = try decoder.container(keyedBy: CodingKeys.self)
            lines = try container.decode([CartLine].self, forKey: .lines)
            reference = try container.decode(String.self, forKey: .reference)
        }
    }

    struct CheckoutAnswer: Codable {
        var order: String
        var clientSecret: String
    }

    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let shop = shop
        let pages = pages
        let catalogue = shop.catalogue
        let group = router.group("shop").add(middleware: SandboxErrors())
        @Sendable func cart(_ request: Request) -> Cart { Cart(cookies: request.headers[values: .cookie], catalogue: catalogue) }

        group.get("") { request, _ in Self.page(try pages.catalogue(cart(request))) }
        group.get("products/{id}") { request, context in
            guard let product = catalogue.product(context.parameters.get("id") ?? "") else {
                throw SandboxRefusal(code: "product-unknown", reason: "the shop does not sell that", status: 404)
            }
            return Self.page(try pages.product(product, cart(request)))
        }
        group.get("cart") { request, _ in Self.page(try pages.cart(cart(request))) }
        // Add one, or set a quantity; then back to the cart, so that reloading repeats nothing.
        group.post("cart") { request, _ in
            let fields = try await Self.form(request)
            var changed = cart(request)
            guard let product = fields["product"], catalogue.product(product) != nil else {
                throw SandboxRefusal(code: "product-unknown", reason: "the shop does not sell that", status: 404)
            }
            guard let quantity = fields["quantity"].map({ Int($0) }) ?? changed.quantity(of: product) + 1 else {
                throw SandboxRefusal(code: "quantity-malformed", reason: "a quantity is a whole number", status: 400)
            }
            changed.set(product, to: quantity)
            return Response(
                status: .seeOther,
                headers: [
                    .location: "/shop/cart", .setCookie: "\(Cart.cookie)=\(changed.text); Path=/shop; HttpOnly; SameSite=Lax",
                ])
        }
        ClientOrderRoutes(shop: shop, pages: pages, client: client, makeName: makeName).add(to: group)
        group.post("orders") { request, _ in
            let checkout = try await SandboxBody.decode(Checkout.self, from: request)
            // It becomes a header of the request to the merchant.
            guard checkout.reference.wholeMatch(of: /[0-9A-Za-z._\-]{16,64}/) != nil else {
                throw SandboxRefusal(
                    code: "reference-malformed", reason: "a reference has 16 to 64 letters, digits, dots, dashes and underscores",
                    status: 400)
            }
            let access = try await shop.createOrder(checkout.lines, reference: checkout.reference)
            return try SandboxBody.json(
                CheckoutAnswer(order: access.orderID, clientSecret: access.clientSecret.reveal()), status: .created)
        }
    }

    static func page(_ html: String) -> Response {
        SandboxBody.page(html, contentSecurityPolicy: PagePolicy.contentSecurityPolicy)
    }

    private static func form(_ request: Request) async throws -> [String: String] {
        guard let buffer = try? await request.body.collect(upTo: 4096) else {
            throw SandboxRefusal(code: "body-too-large", reason: "the form is too large", status: 413)
        }
        var fields: [String: String] = [:]
        for pair in String(buffer: buffer).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count == 2 ? String(parts[1]).replacing("+", with: " ").removingPercentEncoding : ""
            fields[String(parts[0])] = value ?? ""
        }
        return fields
    }
}
