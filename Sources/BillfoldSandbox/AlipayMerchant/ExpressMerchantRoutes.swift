import Alipay
import BillfoldJSON
import BillfoldTrace
import Foundation
import HTTPTypes
package import Hummingbird
import Logging

/// The merchant's server over HTTP.
///
/// - `POST /alipay-merchant/notify`: notifications; the answer is exactly `success`, or `fail`
/// - `POST /alipay-merchant/v1/orders` `{"offer","generation","faults"?}` → 201 with the order and its order string
/// - `POST /alipay-merchant/v1/trades` `{"offer","buyer"}` → 201 with the order and the number of its trade
/// - `GET /alipay-merchant/v1/orders/{number}`; `POST …/state`, `…/refunds`, `…/close`, `…/comparison`
/// - `GET /alipay-merchant/v1/books` and `…/keys`
package struct ExpressMerchantRoutes: Sendable {
    let service: ExpressMerchantService

    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let service = service
        let merchant = router.group("alipay-merchant")
        merchant.post("notify") { request, _ in await Self.notified(request, service) }
        let api = merchant.group("v1").add(middleware: SandboxErrors())
        api.get("keys") { _, _ in try SandboxBody.json(await service.appKeys()) }
        api.get("books") { _, _ in try SandboxBody.json(ExpressWire.Books(entries: await service.books())) }
        let orders = api.group("orders")
        orders.post("") { request, _ in
            let asked = try await PartyRequest(request).decode(ExpressWire.Placing.self)
            let order = try await service.place(asked.offer, asked.generation, faults: asked.faults ?? [])
            return try SandboxBody.json(ExpressWire.Order(order, withText: true), status: .created)
        }
        api.post("trades") { request, _ in
            let asked = try await PartyRequest(request).decode(ExpressWire.Creating.self)
            return try SandboxBody.json(ExpressWire.Order(await service.create(asked.offer, buyer: asked.buyer)), status: .created)
        }
        orders.get("{number}") { _, context in try SandboxBody.json(ExpressWire.Order(await service.order(Self.number(context)))) }
        orders.post("{number}/state") { request, context in
            let reply = try await PartyRequest(request).decode(ExpressWire.Reply.self)
            let result = reply.resultStatus.map {
                PaymentResult(status: .init(rawValue: $0), memo: reply.memo ?? "", result: reply.result ?? "")
            }
            return try SandboxBody.json(ExpressWire.Order(await service.state(of: Self.number(context), result: result)))
        }
        orders.post("{number}/refunds") { request, context in
            let asked = try await PartyRequest(request).decode(ExpressWire.Refunding.self)
            let order = try await service.refund(Self.number(context), asked.amount, name: asked.number)
            return try SandboxBody.json(ExpressWire.Order(order))
        }
        orders.post("{number}/close") { _, context in
            try SandboxBody.json(ExpressWire.Order(await service.close(Self.number(context))))
        }
        orders.post("{number}/comparison") { _, context in
            let (ours, theirs) = try await service.compare(Self.number(context))
            return try SandboxBody.json(
                ExpressWire.Comparison(
                    merchant: .init(ours), gateway: theirs.map { .init(tradeNo: $0.tradeNo, status: $0.status, total: $0.total) }))
        }
    }

    static func number(_ context: some RequestContext) -> String { context.parameters.get("number") ?? "" }

    /// Whatever goes wrong here, the gateway sends the notification again: only `success` ends it.
    private static func notified(_ request: Request, _ service: ExpressMerchantService) async -> Response {
        let isReported = Exchange.isName(HTTPField.Name(Exchange.headerName).flatMap { request.headers[$0] })
        var isTaken = false
        do {
            let body = try await PartyRequest(request).body
            isTaken = try await service.take(notification: body, isReported: isReported)
        } catch {
            service.surroundings.logger.error("a notification could not be taken", metadata: ["error": "\(error)"])
        }
        return Response(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: isTaken ? "success" : "fail")))
    }
}

extension ExpressMerchantService {
    /// The gateway's keys by contract, for the app.
    func appKeys() async throws -> ExpressWire.AppKeys {
        var keys: [String: OrderGatewayKeySet.Texts] = [:]
        for account in ExpressAccount.allCases { keys[account.rawValue] = try await registration.keySet(of: account).texts }
        return ExpressWire.AppKeys(partners: keys)
    }
}
