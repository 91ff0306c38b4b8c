import HTTPTypes
import Hummingbird

/// The merchant's counter and its weekly delivery, all of it forms.
///
/// - `GET store`: the code on the counter; `GET store/pay`: the page behind it; `POST store/pay` `amount`; `GET store/{number}`
/// - `GET weekly`, `POST weekly` `wallet`; `GET weekly/return?authCode=…&authState=…`: back from the wallet
/// - `POST weekly/{number}/debit` and `…/end`
struct PlusStoreRoutes: Sendable {
    let service: AlipayPlusAcquirerService
    let pages: PlusPages

    func addRoutes<Context: RequestContext>(to shop: RouterGroup<Context>) {
        addCounter(to: shop.group("store"))
        addWeekly(to: shop.group("weekly"))
    }

    private func addCounter<Context: RequestContext>(to store: RouterGroup<Context>) {
        let (service, pages) = (service, pages)
        store.get("") { _, _ in try pages.store(service.counterAddress) }
        store.get("pay") { _, _ in try pages.counter() }
        store.post("pay") { request, _ in
            let amount = try await SandboxForm.read(PartyRequest(request).body)["amount"] ?? ""
            do {
                let order = try await service.payAtCounter(
                    amount.filter { !$0.isWhitespace }, userAgent: request.headers[.userAgent])
                return Response.seeOther("/plus-shop/store/\(order.id)")
            } catch let refusal as SandboxRefusal where refusal.status < 500 { return try pages.counter(problem: refusal.reason) }
        }
        store.get("{number}") { _, context in try pages.counter(await service.ask(AcquirerRoutes.number(context))) }
    }

    private func addWeekly<Context: RequestContext>(to weekly: RouterGroup<Context>) {
        let (service, pages) = (service, pages)
        @Sendable func told(_ step: () async throws -> Response) async throws -> Response {
            do { return try await step() } catch let refusal as SandboxRefusal where refusal.status != 404 {
                return try pages.weekly(await service.agreements(), problem: refusal.reason)
            }
        }
        weekly.get("") { _, _ in try pages.weekly(await service.agreements()) }
        weekly.post("") { request, _ in
            let wallet = try await SandboxForm.read(PartyRequest(request).body)["wallet"] ?? ""
            return try await told {
                _ = try await service.prepareAgreement(with: wallet)
                return Response.seeOther("/plus-shop/weekly")
            }
        }
        weekly.get("return") { request, _ in
            let query = request.uri.queryParameters
            let (code, state) = (query["authCode"].map(String.init) ?? "", query["authState"].map(String.init) ?? "")
            return try await told {
                _ = try await service.redeem(code, for: state)
                return Response.seeOther("/plus-shop/weekly")
            }
        }
        weekly.post("{number}/debit") { _, context in
            try await told { Response.seeOther("/plus-shop/orders/\(try await service.debit(AcquirerRoutes.number(context)).id)") }
        }
        weekly.post("{number}/end") { _, context in
            try await told {
                _ = try await service.endAgreement(AcquirerRoutes.number(context))
                return Response.seeOther("/plus-shop/weekly")
            }
        }
    }
}
