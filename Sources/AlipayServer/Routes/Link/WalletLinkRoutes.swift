import Alipay
import BillfoldDiagnosis
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Foundation
import HTTPTypes
import Hummingbird
import PaymentCrypto

/// The wallet link, `/link/v1`: bodies are read whole and strictly, every answer is JSON.
struct WalletLinkRoutes: Sendable {
    let service: WalletLinkService
    let context: AlipayServerContext
    private let wallets: [(bearer: SecretBytes, id: String)]

    init(service: WalletLinkService, context: AlipayServerContext) {
        self.service = service
        self.context = context
        wallets = context.configuration.wallets.map { (SecretBytes(utf8: $0.bearer.reveal()), $0.id) }
    }

    private struct Payment: Encodable {
        var tradeNo: String
        /// What the payment made of the trade, whatever it has become since.
        var state: String
        var paidAt: Int64
        /// Missing while it cannot be signed.
        var result: ResultText?
    }
    private struct Refused: Encodable {
        var error: OrderRefusal
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let base = "/link/v1"
        router.post("\(base)/orders") { request, _ in
            let wallet = try self.wallet(request)
            return try await answer(to: "orders", with: service.order(LinkRequest.Order(await request.gatewayJSON()), wallet: wallet))
        }
        router.post("\(base)/trades") { request, _ in
            let wallet = try self.wallet(request)
            return try await answer(to: "trades", with: service.open(LinkRequest.Open(await request.gatewayJSON()), wallet: wallet))
        }
        router.post("\(base)/payments") { request, _ in
            let wallet = try self.wallet(request)
            let body = try await request.gatewayJSON()
            let (given, paid) = try await service.pay(LinkRequest.Pay(body), body: body, wallet: wallet)
            return try await answer(to: "payments", with: given, paid: paid)
        }
        router.get("\(base)/payments/:id") { request, parameters in
            let wallet = try self.wallet(request)
            let id = try parameters.parameters.require("id")
            guard (try? IdempotencyKey(caller: "-", operation: "-", key: id)) != nil,
                let known = try await service.payment(id, wallet: wallet)
            else { throw AlipayServerError(code: .paymentUnknown, reason: "no payment with that request was received") }
            return try await answer(to: "payment", with: .init(answer: known))
        }
        router.delete("\(base)/payments/:id") { request, parameters in
            let wallet = try self.wallet(request)
            let id = try parameters.parameters.require("id")
            guard (try? IdempotencyKey(caller: "-", operation: "-", key: id)) != nil else {
                throw AlipayServerError(code: .paymentUnknown, reason: "no payment has an id like that")
            }
            return try await answer(to: "withdrawal", with: .init(answer: service.withdraw(id, wallet: wallet)))
        }
        router.get("\(base)/results/:ref") { request, parameters in
            _ = try self.wallet(request)
            // A client may encode what need not be encoded in a path.
            let name = try parameters.parameters.require("ref")
            return try JSONAnswer.make(await service.result(of: name.removingPercentEncoding ?? name))
        }
        router.get("\(base)/books") { request, _ in
            let wallet = try self.wallet(request)
            let query = try request.query(allowing: ["day", "cursor"])
            guard let day = query["day"].flatMap({ ChinaTime.range(ofDay: $0) }) else {
                throw AlipayServerError(code: .malformedRequest, reason: "day is yyyy-MM-dd")
            }
            let place = query["cursor"].flatMap { BookPlace($0) }
            guard query["cursor"] == nil || place != nil else {
                throw AlipayServerError(code: .malformedRequest, reason: "the cursor is none of ours")
            }
            let limit = context.configuration.bookPage
            let (rows, next) = try await context.database.read {
                try WalletBooks.page(of: wallet, on: day, after: place, limit: limit, in: $0)
            }
            return try JSONAnswer.make(WalletBooks(entries: rows.compactMap(\.entry), next: next?.description))
        }
    }

    /// Whose key the bearer is.
    private func wallet(_ request: Request) throws(AlipayServerError) -> String {
        if let sent = request.bearer.map({ Array($0.utf8) }),
            let wallet = wallets.first(where: { ConstantTime.equal($0.bearer, sent) })
        {
            return wallet.id
        }
        throw AlipayServerError(code: .unauthorized, reason: "the request carries no key of a wallet")
    }

    /// - Parameter paid: What was paid, where this request paid it and it need not be read once more.
    private func answer(to operation: String, with given: LinkAnswer.Given, paid: WalletLinkService.Paid? = nil) async throws -> Response {
        switch given.answer {
        case .order(let order):
            context.metrics.linked(operation, "done")
            return try given.body.map { JSONAnswer.verbatim($0) } ?? JSONAnswer.make(order)
        case .trade(let trade):
            context.metrics.linked(operation, "done")
            return try given.body.map { JSONAnswer.verbatim($0) } ?? JSONAnswer.make(trade)
        case .paid(let tradeNo):
            context.metrics.linked(operation, "done")
            let (trade, result) = if let paid { try await service.result(of: paid) } else { try await service.paid(tradeNo) }
            return try JSONAnswer.make(
                Payment(
                    tradeNo: tradeNo, state: trade.product.paidStatus.rawValue, paidAt: (trade.paidAt ?? trade.updatedAt).milliseconds,
                    result: result))
        case .refused(let status, let refusal):
            context.metrics.linked(operation, refusal.code)
            return try JSONAnswer.make(Refused(error: refusal), status: HTTPResponse.Status(code: status))
        }
    }
}
