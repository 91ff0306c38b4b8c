import BillfoldServer
import HTTPTypes
import Hummingbird

/// What operators do about notifications and refunds, and what programs read, as JSON.
///
/// - `POST /api/gateway/notifications/{merchant}/{id}/replay` `{"remark"}` takes the role `operator` and answers 204.
/// - `POST /api/gateway/refunds/{merchant}/{id}/resend` `{"remark"}` takes the role `operator` and answers 204.
/// - `GET /api/gateway/merchants/{merchant}/trades`: the merchant's trades, page by page.
/// - `GET /api/gateway/books?day=&wallet=&from=`: the day's books beside the wallet's, in parts.
struct OrderGatewayDeskRoutes: Sendable {
    let desk: any OrderGatewayDesk

    /// A day's books as a query asks for them. Refuses with `malformed-request` a day or a wallet that there is not.
    static func books(_ desk: any OrderGatewayDesk, _ query: [String: String]) async throws -> OrderGatewayBooks {
        guard let books = try await desk.books(of: query["day"], wallet: query["wallet"]) else {
            throw ServerError(
                code: .malformedRequest, reason: "day is yyyy-MM-dd, and wallet one that this gateway works with", status: .badRequest)
        }
        return books
    }

    func add(to router: some RouterMethods<ServerRequestContext>) {
        let desk = desk
        router.get("/api/gateway/books") { request, context in
            _ = try context.operatorInRole(.viewer)
            let query = try request.query(allowing: ["day", "wallet", "from"])
            guard let first = Int(query["from"] ?? "0"), (0...1_000_000).contains(first) else {
                throw ServerError(code: .malformedRequest, reason: "from is the number of a line", status: .badRequest)
            }
            return try await JSONAnswer.make(Self.books(desk, query).part(from: first), headers: [.cacheControl: "no-store"])
        }
        router.get("/api/gateway/merchants/{merchant}/trades") { request, context in
            _ = try context.operatorInRole(.viewer)
            let merchant = context.parameters.get("merchant") ?? ""
            guard let list = try await desk.trades(of: merchant, request.list(of: "trades of \(merchant)")) else {
                throw ServerError(code: .notFound, reason: "the gateway has no such merchant", status: .notFound)
            }
            return try JSONAnswer.make(list, headers: [.cacheControl: "no-store"])
        }
        router.post("/api/gateway/notifications/{merchant}/{id}/replay") { request, context in
            let (body, person) = try await OperatorRemark.read(request, context)
            let isTaken = try await desk.replay(
                context.parameters.get("id") ?? "", of: context.parameters.get("merchant") ?? "",
                because: OperatorRemark.checked(body.remark), by: person)
            guard isTaken else {
                throw ServerError(code: .notFound, reason: "there is no such notification, or it is under way", status: .notFound)
            }
            return Response(status: .noContent)
        }
        router.post("/api/gateway/refunds/{merchant}/{id}/resend") { request, context in
            let (body, person) = try await OperatorRemark.read(request, context)
            let isTaken = try await desk.resend(
                refund: context.parameters.get("id") ?? "", of: context.parameters.get("merchant") ?? "",
                because: OperatorRemark.checked(body.remark), by: person)
            guard isTaken else {
                throw ServerError(code: .notFound, reason: "no such refund is owed", status: .notFound)
            }
            return Response(status: .noContent)
        }
    }
}
