import Alipay
import BillfoldJSON
import BillfoldTrace
import BillfoldWeb
import Foundation
import HTTPTypes
package import Hummingbird

/// The shop's app over HTTP: its page at `/alipay-shop`, its phones, and the merchant's desk.
///
/// - `POST /alipay-shop/phones` `{"model"}` → 201 with an ``ExpressScreen``; the browser is that phone from then on
/// - `GET /alipay-shop/phones/{id}` (with `?after=N` it waits for a newer screen, for `wait` seconds at most)
/// - `GET /alipay-shop/phones/{id}/events`: every screen as server-sent events
/// - `POST /alipay-shop/phones/{id}/taps`, and `…/open` `{"url"}`: the system opens the app with an address
/// - `GET /alipay-shop/open?url=…`: the same for the phone that the browser is
/// - `GET /alipay-shop/orders` and `…/{number}`, with forms that refund, ask and close
/// - `GET /alipay-shop/orders/{number}/refunds/{refund}` leads to the gateway's page where the refund is confirmed
package struct ExpressShopRoutes: Sendable {
    let directory: ExpressPhoneDirectory
    let service: ExpressMerchantService
    let pages: ExpressPages
    var heartbeat = Duration.seconds(15)

    static let cookie = "alipay-shop-phone"

    private struct Opening: Codable, StrictBody {
        static let members = ["model"]
        var model: ExpressPhoneModel
    }

    private struct Address: Codable, StrictBody {
        static let members = ["url"]
        var url: String
    }

    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let (directory, pages, heartbeat) = (directory, pages, heartbeat)
        let shop = router.group("alipay-shop").add(middleware: SandboxErrors())
        shop.get("") { request, _ in
            let phone = await Self.phone(of: request, directory)
            return SandboxBody.page(try pages.phone(session: phone?.id), contentSecurityPolicy: PagePolicy.contentSecurityPolicy)
        }
        shop.get("open") { request, _ in
            guard let url = request.uri.queryParameters["url"].map(String.init) else {
                throw SandboxRefusal(code: "url-missing", reason: "no address to open", status: 400)
            }
            guard let phone = await Self.phone(of: request, directory) else {
                throw SandboxRefusal(code: "session-unknown", reason: "this browser holds no phone", status: 404)
            }
            try await phone.open(url)
            return Response.seeOther("/alipay-shop/")
        }
        addPhones(to: shop.group("phones"), directory, heartbeat)
        addDesk(to: shop.group("orders"))
    }

    private func addPhones<Context: RequestContext>(
        to phones: RouterGroup<Context>, _ directory: ExpressPhoneDirectory, _ heartbeat: Duration
    ) {
        phones.post("") { request, _ in
            let opening = try await PartyRequest(request).decode(Opening.self)
            let session = try await directory.open(opening.model)
            var answer = try SandboxBody.json(await session.screen, status: .created)
            answer.headers[.setCookie] = "\(Self.cookie)=\(session.id); Path=/alipay-shop; HttpOnly; SameSite=Lax"
            return answer
        }
        phones.get("{id}") { request, context in
            let session = try await directory.session(context.parameters.get("id") ?? "")
            let (after, wait) = try ScreenQuery.read(request)
            return try SandboxBody.json(await session.feed.screen(after: after, atMost: wait))
        }
        phones.get("{id}/events") { _, context in
            let session = try await directory.session(context.parameters.get("id") ?? "")
            return Response.events(of: await session.feed.screens(), heartbeat: heartbeat)
        }
        phones.post("{id}/taps") { request, context in
            let session = try await directory.session(context.parameters.get("id") ?? "")
            try await session.perform(try await PartyRequest(request).decode(ExpressTap.self))
            return try SandboxBody.json(await session.screen)
        }
        phones.post("{id}/open") { request, context in
            let session = try await directory.session(context.parameters.get("id") ?? "")
            try await session.open(try await PartyRequest(request).decode(Address.self).url)
            return try SandboxBody.json(await session.screen)
        }
    }

    private func addDesk<Context: RequestContext>(to desk: RouterGroup<Context>) {
        let (service, pages) = (service, pages)
        desk.get("") { _, _ in
            SandboxBody.page(try pages.orders(await service.orders()), contentSecurityPolicy: PagePolicy.contentSecurityPolicy)
        }
        desk.get("{number}") { _, context in
            let order = try await service.order(ExpressMerchantRoutes.number(context))
            return SandboxBody.page(try pages.order(order), contentSecurityPolicy: PagePolicy.contentSecurityPolicy)
        }
        desk.get("{number}/refunds/{refund}") { _, context in
            let number = ExpressMerchantRoutes.number(context)
            return Response.seeOther(try await service.confirmation(of: context.parameters.get("refund") ?? "", number))
        }
        for action in ["refund", "ask", "close"] {
            desk.post("{number}/\(action)") { request, context in
                let number = ExpressMerchantRoutes.number(context)
                do {
                    switch action {
                    case "refund":
                        let (amount, name, isConfirmed) = try await Self.refund(request)
                        _ = try await service.refund(number, amount, name: name, isConfirmed: isConfirmed)
                    case "close": _ = try await service.close(number)
                    default: _ = try await service.state(of: number)
                    }
                } catch let refusal as SandboxRefusal where refusal.status != 404 {
                    let page = try pages.order(await service.order(number), problem: refusal.reason)
                    return SandboxBody.page(
                        page, status: .init(code: refusal.status), contentSecurityPolicy: PagePolicy.contentSecurityPolicy)
                }
                return Response.seeOther("/alipay-shop/orders/\(number)")
            }
        }
    }

    /// How much, under which number where it was asked for before, and whether a person confirms it at the gateway.
    private static func refund(_ request: Request) async throws -> (amount: String, number: String?, isConfirmed: Bool) {
        let body = try await PartyRequest(request).body
        guard let form = try? AlipayParameters(form: body), let amount = form["amount"] else {
            throw SandboxRefusal(code: "amount-malformed", reason: "an amount is due", status: 400)
        }
        return (amount, form["number"], form["confirmed"] == "yes")
    }

    private static func phone(of request: Request, _ directory: ExpressPhoneDirectory) async -> ExpressPhoneSession? {
        guard let id = Cookies.value(of: cookie, in: request.headers[values: .cookie]) else { return nil }
        return await directory.find(id)
    }
}
