import Alipay
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import BillfoldWeb
import Foundation
import HTTPTypes

/// Speaks to the gateway at `/link/v1`. Every request carries an id by which the gateway drops a second copy, so that sending again is
/// always safe.
struct OrderGatewayLink: Sendable {
    /// What one call came to.
    enum Answer<Value: Sendable>: Sendable {
        case done(Value)
        /// The gateway looked at it and said no. What follows for a payment says ``Refusal/meaning``.
        case refused(Refusal)
        /// Nobody knows whether the gateway has it: ask.
        case unknown(String)
        /// It certainly did not leave.
        case notSent(String)
    }

    struct Refusal: Sendable, Hashable {
        var status: HTTPResponse.Status
        var code: String
        var reason: String
        var verifiedText: String?
        /// The parameter that is wrong, where the gateway says so.
        var parameter: String?
        /// The merchant's number of an order that was not verified. A gateway of test mode tells it: it leads to the story.
        var order: String?

        /// What a refusal says of a payment, on which money hangs.
        enum Meaning: Sendable, Hashable {
            /// The gateway has not taken it and never will, whatever copies of it are still on their way.
            case decided
            /// The gateway has not had it, or not yet.
            case neverHad
            /// This copy was not taken. Another may be.
            case thisCopy
        }

        var meaning: Meaning {
            switch status {
            case .conflict: .decided
            case .notFound where code == OrderGatewayLink.neverHad: .neverHad
            default: .thisCopy
            }
        }
    }

    /// A trade that the gateway made for a customer.
    struct Trade: Sendable, Hashable {
        var number: String
        var payable: Amount
    }

    /// A payment that the gateway took.
    struct Receipt: Sendable, Hashable {
        var trade: String
        var paidAt: Timestamp
        /// What the merchant's app may be told; `nil` where the gateway could not sign it.
        var result: ClientResult?
    }

    let context: WalletContext

    // MARK: Calls

    private struct OrderBody: Encodable {
        var requestId: String
        var order: String?
        var tradeNo: String?
        var channel: String
        var language: String?
    }

    private struct OrderAnswer: Decodable {
        struct Merchant: Decodable {
            var name: String
            var id: String
        }

        var ref: String
        var merchant: Merchant
        var subject: String
        var body: String?
        var price: LinkAmount
        var payable: LinkAmount
        var rate: String?
        var returnURL: String?
        var state: OrderSummary.State
        var over: RefusalBody.Content?
    }

    /// What a customer comes with.
    enum OrderName: Sendable {
        /// The whole order string, as the merchant made it.
        case text(String)
        /// The number of a trade that the merchant has made.
        case trade(String)
    }

    /// Has an order string checked, or a trade shown. Creates no trade.
    func open(
        _ order: OrderName, channel: Checkout.Channel, language: WalletLanguage?, requestID: String
    ) async -> Answer<OrderSummary> {
        await call(
            "order", method: .post, path: "orders",
            body: OrderBody(
                requestId: requestID, order: order.text, tradeNo: order.trade, channel: channel.rawValue, language: language?.rawValue),
            about: [:],
            learning: { ["alipay.ref": $0.reference] }
        ) { (answer: OrderAnswer) in
            OrderSummary(
                reference: answer.ref, payee: answer.merchant.name, payeeID: answer.merchant.id, subject: answer.subject,
                body: answer.body, price: try answer.price.amount(), payable: try answer.payable.amount(), rate: answer.rate,
                returnURL: answer.returnURL, state: answer.state,
                over: answer.over.map { .init(code: $0.code, reason: $0.reason ?? "", parameter: $0.parameter, order: $0.order) })
        }
    }

    private struct TradeBody: Encodable {
        struct Buyer: Encodable {
            var id: String
            var logonID: String
        }

        var requestId: String
        var ref: String
        var buyer: Buyer
    }

    private struct TradeAnswer: Decodable {
        var tradeNo: String
        var payable: LinkAmount
    }

    /// Has the trade made for a customer, or found again.
    func begin(reference: String, buyer: WalletAccount, requestID: String) async -> Answer<Trade> {
        await call(
            "trade", method: .post, path: "trades",
            body: TradeBody(requestId: requestID, ref: reference, buyer: .init(id: buyer.number, logonID: buyer.maskedLogin)),
            about: ["alipay.ref": reference], learning: { ["alipay.trade": $0.number] }
        ) { (answer: TradeAnswer) in
            Trade(number: answer.tradeNo, payable: try answer.payable.amount())
        }
    }

    private struct PaymentBody: Encodable {
        struct Fund: Encodable {
            /// The word that notifications and bills use for the balance (alipay.md#notification-fields, `fund_bill_list`). [O]
            var channel = "ALIPAYACCOUNT"
            var amount: LinkAmount
        }

        var requestId: String
        var tradeNo: String
        var buyerID: String
        var amount: LinkAmount
        var funds: [Fund]
    }

    private struct PaymentAnswer: Decodable {
        var tradeNo: String
        var paidAt: Int64
        var result: ClientResult?
    }

    /// A payment's body, frozen when the payment is stored: every attempt sends the same.
    static func paymentBody(requestID: String, trade: String, buyer: String, amount: Amount) throws -> [UInt8] {
        let amount = LinkAmount(amount)
        return try JSONDocument.encode(
            PaymentBody(requestId: requestID, tradeNo: trade, buyerID: buyer, amount: amount, funds: [.init(amount: amount)]))
    }

    func pay(_ body: [UInt8], trade: String) async -> Answer<Receipt> {
        await exchange(
            "payment", method: .post, path: "payments", body: body, about: ["alipay.trade": trade], learning: { _ in [:] },
            reading: Self.receipt(of: trade))
    }

    /// What became of a payment.
    func payment(_ requestID: String, trade: String) async -> Answer<Receipt> {
        await exchange(
            "payment query", method: .get, path: "payments/\(requestID)", body: [], about: ["alipay.trade": trade], learning: { _ in [:] },
            reading: Self.receipt(of: trade))
    }

    /// Has the gateway decide a payment that it has not taken: from then on it takes no copy of it. One that it has taken stays taken,
    /// and the answer says so.
    func withdraw(_ requestID: String, trade: String) async -> Answer<Receipt> {
        await exchange(
            "payment withdrawal", method: .delete, path: "payments/\(requestID)", body: [], about: ["alipay.trade": trade],
            learning: { _ in [:] }, reading: Self.receipt(of: trade))
    }

    static let neverHad = "payment-unknown"
    /// Another payment of the trade was taken (alipay.md#wallet-codes) [O].
    static let alreadyPaid = WalletRefusalCode.alreadyPaid.rawValue

    private struct NotAReceipt: Error {}

    /// Status 200 says that this trade was paid by this request. What has become of the trade since, and whether its result could be
    /// signed, changes nothing about the money.
    private static func receipt(of trade: String) -> @Sendable (PaymentAnswer) throws -> Receipt {
        { answer in
            guard ExactText.equal(answer.tradeNo, trade), (0...Int64.max / 1_000).contains(answer.paidAt), answer.result?.isPaid ?? true
            else {
                throw NotAReceipt()
            }
            return Receipt(trade: trade, paidAt: Timestamp(microseconds: answer.paidAt * 1_000), result: answer.result)
        }
    }

    /// What the merchant's app may be told of an order now.
    func result(of reference: String) async -> Answer<ClientResult> {
        await exchange(
            "result", method: .get, path: "results/\(PathSegment.encoded(reference))", body: [], about: ["alipay.ref": reference],
            learning: { _ in [:] }
        ) { (result: ClientResult) in
            result
        }
    }

    // MARK: Wire

    private func call<Wire: Decodable, Value: Sendable>(
        _ title: String, method: HTTPRequest.Method, path: String, body: some Encodable, about: [String: String],
        learning: @Sendable (Value) -> [String: String], reading read: @Sendable (Wire) throws -> Value
    ) async -> Answer<Value> {
        guard let bytes = try? JSONDocument.encode(body) else { return .notSent("the request cannot be written") }
        return await exchange(title, method: method, path: path, body: bytes, about: about, learning: learning, reading: read)
    }

    private func exchange<Wire: Decodable, Value: Sendable>(
        _ title: String, method: HTTPRequest.Method, path: String, body: [UInt8], about: [String: String],
        learning: @Sendable (Value) -> [String: String], reading read: @Sendable (Wire) throws -> Value
    ) async -> Answer<Value> {
        let (trace, gateway) = (context.trace, context.configuration.gateway)
        let exchange = trace.record(title, .request, from: WalletTrace.wallet, to: WalletTrace.gateway, about: about)
        var headers = trace.naming(exchange)
        headers[.authorization] = "Bearer \(gateway.credential.reveal())"
        if method == .post { headers[.contentType] = "application/json" }
        let answer: Answer<Value>
        do throws(SendFailure) {
            let heard = try await context.http.send(
                OutgoingRequest(
                    method: method, url: "\(gateway.origin)/link/v1/\(path)", headers: headers, body: body, destination: .configured,
                    timeout: context.configuration.answerTimeout))
            answer = Self.meaning(of: heard, read)
        } catch {
            answer = error.mayHaveArrived ? .unknown("no answer: \(error.code)") : .notSent("not sent: \(error.code)")
        }
        var (learned, problem) = (about, nil as String?)
        switch answer {
        case .done(let value): learned.merge(learning(value)) { _, new in new }
        case .refused(let refusal):
            problem = refusal.code
            learned["alipay.order"] = refusal.order
        case .unknown(let reason), .notSent(let reason): problem = reason
        }
        trace.record(title, .response, from: WalletTrace.gateway, to: WalletTrace.wallet, about: learned, problem: problem)
        return answer
    }

    private struct RefusalBody: Decodable {
        struct Content: Decodable {
            var code: String
            var reason: String?
            var verifiedText: String?
            var parameter: String?
            var order: String?
        }

        var error: Content
    }

    private static func meaning<Wire: Decodable, Value: Sendable>(
        of answer: OutgoingAnswer, _ read: (Wire) throws -> Value
    ) -> Answer<Value> {
        if answer.status == .ok {
            guard let wire = try? JSONDocument.decode(Wire.self, answer.body), let value = try? read(wire) else {
                return .unknown("the answer cannot be read")
            }
            return .done(value)
        }
        // A credential or a pace that is not accepted now may be accepted with the next attempt, and a reused id is our own fault.
        let passing: [HTTPResponse.Status] = [.unauthorized, .requestTimeout, .tooManyRequests, .init(code: 425)]
        guard answer.status.kind == .clientError, !passing.contains(answer.status),
            let refusal = try? JSONDocument.decode(RefusalBody.self, answer.body).error, refusal.code != "request-id-reused",
            isCode(refusal.code)
        else { return .unknown("the gateway answered \(answer.status.code)") }
        return .refused(
            Refusal(
                status: answer.status, code: refusal.code, reason: refusal.reason ?? "", verifiedText: refusal.verifiedText,
                parameter: refusal.parameter, order: refusal.order))
    }

    private static func isCode(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    }
}

extension OrderGatewayLink.OrderName {
    fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
    fileprivate var trade: String? { if case .trade(let number) = self { number } else { nil } }
}
