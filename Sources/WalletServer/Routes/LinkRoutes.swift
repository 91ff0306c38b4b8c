import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import HTTPTypes
import Hummingbird

/// What the gateway asks for, under `/wallet/link/v1`.
struct LinkRoutes: Sendable {
    let service: LinkService
    let context: WalletContext

    func add<Context: CallerContext>(to router: some RouterMethods<Context>) {
        router.post("/wallet/link/v1/refunds") { request, _ in
            try requireGateway(request)
            try request.requireMediaType("application/json")
            let body = try await request.body.collect(upTo: 16_384)
            try await service.refund(RefundRequest(Array(body.readableBytesView)))
            return try JSONAnswer.make(["state": "done"])
        }
        router.get("/wallet/link/v1/books") { request, _ in
            try requireGateway(request)
            guard let day = try request.query(allowing: ["day"])["day"].flatMap(BookDay.init) else {
                throw WalletError(code: .malformedRequest, reason: "day is not yyyy-MM-dd")
            }
            return try await JSONAnswer.make(["entries": service.books(of: day)])
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
