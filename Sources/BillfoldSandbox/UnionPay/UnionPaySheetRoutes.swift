import ApplePay
import BillfoldMoney
import BillfoldStorage
import BillfoldTrace
import Foundation
import HTTPTypes
import Hummingbird
import UnionPay

/// What UnionPay's plug-in for Apple Pay asks beside its page: `GET /unionpay/pay/{tn}/order?mode=`, and `POST …/{tn}/apple-pay` with the
/// token. (unionpay-tn.md#apple-pay [I])
///
/// The processing certificate would be UnionPay's own here; the sandbox has none, so a token is read and not opened.
struct UnionPaySheetRoutes: Sendable {
    let service: UnionPayGatewayService
    let tracer: UnionPayGatewayTracer

    private struct Facts: Encodable {
        var number: String
        var amount: String
        var currency: String
        var description: String?
        /// `open`, `paid` or `over`.
        var state: String
        var text: String?
    }

    private struct Payment: Decodable {
        var mode: String
        var merchantIdentifier: String
        var paymentData: Data

        private enum CodingKeys: String, CodingKey, CaseIterable { case mode, merchantIdentifier, paymentData }

        init(from decoder: any Decoder) throws {
            try decoder.refuseKeys(besides: CodingKeys.allCases.map(\.stringValue), of: "a payment")
            let container = try decoder.container(keyedBy: CodingKeys.self)
            mode = try container.decode(String.self, forKey: .mode)
            merchantIdentifier = try container.decode(String.self, forKey: .merchantIdentifier)
            paymentData = try container.decode(Data.self, forKey: .paymentData)
        }
    }

    private struct Verdict: Encodable {
        /// `success` or `fail`.
        var word: String
        var text: String?
    }

    private static let over = "订单已超过支付时限[9100036]"

    func add<Context: RequestContext>(to router: RouterGroup<Context>) {
        let sheet = router.add(middleware: SandboxErrors())
        sheet.get("{tn}/order") { request, context in
            try Self.check(mode: request.uri.queryParameters["mode"].map(String.init))
            let order = try await order(context)
            let facts = try facts(order)
            tracer.client(
                "client order", about: order,
                shown: [.init("state", facts.state), .init("amount", "\(facts.amount) \(facts.currency)", meaning: "what the sheet shows")])
            return try SandboxBody.json(facts)
        }
        sheet.post("{tn}/apple-pay") { request, context in
            let payment = try await SandboxBody.decode(Payment.self, from: request)
            try Self.check(mode: payment.mode)
            guard !payment.merchantIdentifier.isEmpty, payment.merchantIdentifier.utf8.count <= 255 else {
                throw SandboxRefusal(code: "merchant-missing", reason: "the app’s merchant identifier is missing", status: 400)
            }
            let order = try await order(context)
            do throws(ApplePayError) { _ = try UnverifiedToken([UInt8](payment.paymentData)) } catch {
                throw SandboxRefusal(code: "token-malformed", reason: "paymentData is no token: \(error.code)", status: 422)
            }
            let word = try await service.act(.pay, on: order.number)
            tracer.client(
                "pay in client", about: order,
                asked: [
                    .init("paymentData", "‹\(payment.paymentData.count) bytes›", meaning: "the token; UnionPay opens it, and no merchant"),
                    .init("merchantIdentifier", payment.merchantIdentifier),
                ], shown: [.init("word", word.rawValue, meaning: "proves nothing")])
            return try SandboxBody.json(Verdict(word: word.rawValue, text: word == .success ? nil : Self.over))
        }
    }

    private func facts(_ order: UnionPayPushedOrder) throws -> Facts {
        let amount = try Amount(unionPay: String(order.amount), currencyCode: order.currency)
        let isOver = !order.isPaid && order.isOver(at: service.clock.now())
        return Facts(
            number: order.number.description, amount: amount.text, currency: amount.currency.alphabeticCode, description: order.text,
            state: order.isPaid ? "paid" : isOver ? "over" : "open", text: isOver ? Self.over : nil)
    }

    /// The sandbox's numbers are test numbers.
    private static func check(mode: String?) throws(SandboxRefusal) {
        guard mode == "01" else {
            throw SandboxRefusal(code: "mode-refused", reason: "the sandbox has test numbers only, and their mode is 01", status: 400)
        }
    }

    private func order(_ context: some RequestContext) async throws -> UnionPayPushedOrder {
        guard let number = try? TransactionNumber(context.parameters.require("tn")), let order = try await service.pushedOrder(number)
        else { throw SandboxRefusal(code: "order-unknown", reason: "订单不存在[9100034]", status: 404) }
        return order
    }
}
