import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import HTTPTypes
import Hummingbird

/// What the gateway asks for, under `/wallet/link/v1`.
struct OrderGatewayLinkRoutes: Sendable {
    let service: OrderGatewayLinkService
    let context: WalletContext

    func add<Context: CallerContext>(to router: some RouterMethods<Context>) {
        router.post("/wallet/link/v1/refunds") { request, _ in
            try requireGateway(request)
            try request.requireMediaType("application/json")
            let body = try await request.body.collect(upTo: 16_384)
            let bytes = Array(body.readableBytesView)
            try await service.refund(OrderGatewayRefund(bytes), body: bytes)
            return try JSONAnswer.make(["state": "done"])
        }
        router.get("/wallet/link/v1/books") { request, _ in
            try requireGateway(request)
            let query = try request.query(allowing: ["day", "cursor"])
            guard let day = query["day"].flatMap(BookDay.init) else {
                throw WalletError(code: .malformedRequest, reason: "day is not yyyy-MM-dd")
            }
            let place = query["cursor"].flatMap { BookPlace($0) }
            guard query["cursor"] == nil || place != nil else {
                throw WalletError(code: .malformedRequest, reason: "the cursor is none of ours")
            }
            return try await JSONAnswer.make(service.books(of: day, after: place))
        }
    }

    private func requireGateway(_ request: Request) throws(WalletError) {
        let header = request.headers[.authorization] ?? ""
        let expected = context.hash("Bearer \(context.configuration.gateway.callerKey.reveal())", "gateway")
        guard header.utf8.count <= 512, context.hash(header, "gateway").matches(expected) else {
            throw WalletError(code: .unauthorized, reason: "this is the gateway's own interface")
        }
    }
}
