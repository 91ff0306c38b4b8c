import AlipayPlus
import AlipayPlusValues
import BillfoldTrace
import BillfoldWeb
import Foundation
import HTTPTypes
import Hummingbird

/// The merchant over HTTP: its app on phones, its till and its desk.
///
/// - `GET /plus-shop/`; `POST phones` `{"model","language"}` → 201 with a ``PlusScreen``; the browser is that phone from then on
/// - `GET phones/{id}` (with `?after=N` it waits for a newer screen, for `wait` seconds at most), `…/events`: server-sent events
/// - `POST phones/{id}/taps`; `POST phones/{id}/sheet` `{"message"}`: what the sheet's page says to the app around it
/// - `GET return?order=…`: where wallets send the customer back to
/// - `GET till`, `POST till` `offer`, `way`, `code`; `GET till/{number}`
/// - `GET orders` and `…/{number}`, with forms that refund, ask and cancel; the counter and the weekly delivery: ``PlusStoreRoutes``
struct PlusShopRoutes: Sendable {
    let directory: PlusPhoneDirectory
    let service: AlipayPlusAcquirerService
    let pages: PlusPages
    var heartbeat = Duration.seconds(15)

    static let cookie = "plus-shop-phone"

    private struct Opening: Codable, StrictBody {
        static let members = ["model", "language"]
        var model: PlusPhoneModel
        var language: String?
    }

    private struct SheetWord: Codable, StrictBody {
        static let members = ["message"]
        var message: String
    }

    func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let (directory, pages) = (directory, pages)
        let shop = router.group("plus-shop").add(middleware: SandboxErrors())
        shop.get("") { request, _ in try pages.phone(session: await Self.phone(of: request, directory)?.id) }
        shop.get("return") { request, _ in
            let number = request.uri.queryParameters["order"].map(String.init) ?? ""
            if let phone = await Self.phone(of: request, directory), (try? await phone.cameBack(order: number)) != nil {
                return Response.seeOther("/plus-shop/")
            }
            // Paid on another device than the one that ordered.
            _ = try await service.ask(number)
            return Response.seeOther("/plus-shop/orders/\(number)")
        }
        addPhones(to: shop.group("phones"))
        addTill(to: shop.group("till"))
        addDesk(to: shop.group("orders"))
        PlusStoreRoutes(service: service, pages: pages).addRoutes(to: shop)
    }

    private func addPhones<Context: RequestContext>(to phones: RouterGroup<Context>) {
        let (directory, heartbeat) = (directory, heartbeat)
        phones.post("") { request, _ in
            let opening = try await PartyRequest(request).decode(Opening.self)
            let session = await directory.open(opening.model, language: opening.language ?? AlipayPlusLanguage.english.rawValue)
            var answer = try SandboxBody.json(await session.screen, status: .created)
            answer.headers[.setCookie] = "\(Self.cookie)=\(session.id); Path=/plus-shop; HttpOnly; SameSite=Lax"
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
            try await session.perform(try await PartyRequest(request).decode(PlusTap.self))
            return try SandboxBody.json(await session.screen)
        }
        phones.post("{id}/sheet") { request, context in
            let session = try await directory.session(context.parameters.get("id") ?? "")
            try await session.hear(try await PartyRequest(request).decode(SheetWord.self).message)
            return try SandboxBody.json(await session.screen)
        }
    }

    private func addTill<Context: RequestContext>(to till: RouterGroup<Context>) {
        let (service, pages) = (service, pages)
        till.get("") { _, _ in try pages.till() }
        till.get("{number}") { _, context in try pages.till(await service.ask(AcquirerRoutes.number(context))) }
        till.post("") { request, _ in
            let form = try await SandboxForm.read(PartyRequest(request).body)
            guard let way = form["way"].flatMap(PaymentScenario.init(rawValue:)), way == .paymentCode || way == .orderCode else {
                throw SandboxRefusal(code: "way-unknown", reason: "the till scans a code or shows one", status: 400)
            }
            let order = try await service.place(form["offer"] ?? "")
            let code = form["code"].map { $0.filter { !$0.isWhitespace } }.flatMap { $0.isEmpty ? nil : $0 }
            do {
                _ = try await service.pay(order.id, by: way, code: code)
            } catch let refusal as SandboxRefusal where refusal.status < 500 { return try pages.till(problem: refusal.reason) }
            return Response.seeOther("/plus-shop/till/\(order.id)")
        }
    }

    private func addDesk<Context: RequestContext>(to desk: RouterGroup<Context>) {
        let (service, pages) = (service, pages)
        desk.get("") { _, _ in try pages.orders(await service.orders()) }
        desk.get("{number}") { _, context in try pages.order(await service.order(AcquirerRoutes.number(context))) }
        for action in ["refund", "ask", "cancel"] {
            desk.post("{number}/\(action)") { request, context in
                let number = AcquirerRoutes.number(context)
                do {
                    switch action {
                    case "refund":
                        let form = try await SandboxForm.read(PartyRequest(request).body)
                        _ = try await service.refund(number, form["amount"] ?? "", name: nil)
                    case "cancel": _ = try await service.cancel(number)
                    default: _ = try await service.ask(number)
                    }
                } catch let refusal as SandboxRefusal where refusal.status != 404 {
                    return try pages.order(await service.order(number), problem: refusal.reason)
                }
                return Response.seeOther("/plus-shop/orders/\(number)")
            }
        }
    }

    private static func phone(of request: Request, _ directory: PlusPhoneDirectory) async -> PlusPhoneSession? {
        guard let id = Cookies.value(of: cookie, in: request.headers[values: .cookie]) else { return nil }
        return await directory.find(id)
    }
}
