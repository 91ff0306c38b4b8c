import ApplePayApp
import BillfoldDiagnosis
import BillfoldWeb
import Foundation
import HTTPTypes
import Hummingbird
import UnionPayApp

/// What is paid by UnionPay's own client, as pages: `POST /shop/unionpay` has an order made of the cart, `GET` shows how it stands, and
/// `GET /shop/unionpay/result` takes what the client brings back.
struct ClientOrderRoutes: Sendable {
    let shop: Shop
    let pages: ShopPages
    /// The address of the client's pages; nil without one.
    let client: String?
    /// Draws a fresh name for a checkout.
    let makeName: @Sendable () -> String
    /// How long a page waits for the merchant's server to hear of the money.
    private static let (looks, pause) = (20, Duration.milliseconds(150))

    func add<Context: RequestContext>(to group: RouterGroup<Context>) {
        group.post("unionpay") { request, _ in
            guard client != nil else {
                throw SandboxRefusal(code: "client-missing", reason: "UnionPay’s client is not played here", status: 404)
            }
            let cart = cart(request)
            let access = try await shop.createOrder(cart.lines, reference: makeName())
            // What cannot be paid so is told on the cart's page, where another way can be chosen.
            do throws(SandboxRefusal) { _ = try await shop.number(of: access) } catch {
                return try ShopRoutes.page(pages.cart(cart, notice: "UnionPay’s client cannot be used: \(error.reason)."))
            }
            var answer = Response.seeOther("/shop/unionpay")
            answer.headers[.setCookie] = ClientOrderCookie(access).header
            return answer
        }
        group.get("unionpay") { request, _ in
            let access = try Self.access(request)
            let word = try request.uri.queryParameters["word"].map { text throws(SandboxRefusal) in
                guard let word = PluginWord(rawValue: String(text)) else {
                    throw SandboxRefusal(code: "word-unknown", reason: "that is no word of the client", status: 400)
                }
                return word
            }
            var standing = try await shop.standing(of: access)
            for _ in 0..<Self.looks where word == .success && !standing.isPaid {
                try await Task.sleep(for: Self.pause)
                standing = try await shop.standing(of: access)
            }
            let number = standing.isPaid ? nil : try? await shop.number(of: access)
            let address = client.flatMap { client in number.map { "\(client)/\($0)?scheme=\(Shop.scheme)&mode=01" } }
            return try ShopRoutes.page(
                pages.clientOrder(
                    standing, cart(request), address: address, notice: word.map { PluginNotice($0).text(in: .english) }))
        }
        group.get("unionpay/result") { request, _ in
            let (access, query) = (try Self.access(request), request.uri.queryParameters)
            guard let code = query["code"].map(String.init), (1...32).contains(code.utf8.count) else {
                throw SandboxRefusal(code: "code-missing", reason: "the client’s word is missing", status: 400)
            }
            try await shop.bring(code: code, data: query["data"].map(String.init) ?? "", of: access)
            // Reloading the page brings nothing a second time.
            return Response.seeOther("/shop/unionpay" + (PluginWord(rawValue: code).map { "?word=\($0.rawValue)" } ?? ""))
        }
    }

    private func cart(_ request: Request) -> Cart { Cart(cookies: request.headers[values: .cookie], catalogue: shop.catalogue) }

    private static func access(_ request: Request) throws(SandboxRefusal) -> OrderAccess {
        guard let cookie = ClientOrderCookie(request.headers[values: .cookie]) else {
            throw SandboxRefusal(code: "order-missing", reason: "there is no order in this browser", status: 404)
        }
        return cookie.access
    }
}

/// Which order a visitor pays by UnionPay's client, and its secret: the shop keeps no visitors.
private struct ClientOrderCookie {
    private static let name = "unionpay-order"
    let access: OrderAccess

    init(_ access: OrderAccess) { self.access = access }

    init?(_ headers: [String]) {
        let pairs = headers.flatMap { (header: String) in header.split(separator: ";").map { $0.drop { $0 == " " } } }
        guard let mine = pairs.first(where: { $0.hasPrefix(Self.name + "=") })?.dropFirst(Self.name.count + 1) else { return nil }
        let parts = mine.split(separator: ":", omittingEmptySubsequences: false)
        // Both become parts of a request to the merchant's server.
        guard parts.count == 2, parts.allSatisfy({ $0.wholeMatch(of: /[0-9A-Za-z_.\-]{8,160}/) != nil }) else { return nil }
        access = OrderAccess(orderID: String(parts[0]), clientSecret: Secret(String(parts[1])))
    }

    var header: String { "\(Self.name)=\(access.orderID):\(access.clientSecret.reveal()); Path=/shop/unionpay; HttpOnly; SameSite=Lax" }
}
