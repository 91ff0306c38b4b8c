import Alipay
import ApplePayApp
import BillfoldJSON
import BillfoldMoney
import BillfoldTrace
import Foundation
import PaymentCrypto

/// The merchant's server calls the gateway: both generations, answers believed only under the gateway's signature.
struct OrderGatewayCalls: Sendable {
    let keys: ExpressKeys
    let registration: OrderGatewayRegistration
    let connection: any MerchantConnection
    let reporter: PartyReporter
    let notifyURL: String
    /// Of the gateway, as a browser reaches it.
    let origin: String
    /// Milliseconds since 1970.
    let now: @Sendable () -> Int64

    /// A trade as the gateway signed it.
    struct Trade: Sendable, Hashable {
        var tradeNo: String
        /// `WAIT_BUYER_PAY`, `TRADE_SUCCESS`, …
        var status: String
        /// What the whole answer says of the money.
        var outcome: TradeOutcome
        /// As sent: of the order's price in legacy answers, of what was paid in modern ones.
        var total: String
    }

    enum RefundAnswer: Sendable, Hashable {
        /// Under a signature.
        case done
        /// Taken; a signed notification tells how it ended.
        case accepted
        /// With the gateway's code: a business refusal, so that nothing moved under this number and nothing will.
        case refused(String)
    }

    /// Has the gateway make the trade of an order for a buyer, and returns its number. Throws `trade-refused` with the gateway's code, and
    /// `gateway-unavailable` where it does not say: then the same order asks again.
    func create(_ order: ExpressOrderRecord, offer: ExpressOffer, buyer: String) async throws -> String {
        let answer = try await modern(
            "alipay.trade.create",
            [
                .init("out_trade_no", .string(order.id)), .init("total_amount", .string(order.price.value)),
                .init("subject", .string(order.subject)), .init("body", .string(offer.summary)), .init("buyer_id", .string(buyer)),
                .init("product_code", "JSAPI_PAY"), .init("timeout_express", "30m"),
            ], of: order)
        switch answer {
        case .accepted(let told):
            guard told["out_trade_no"] == order.id, let number = told["trade_no"] else {
                throw SandboxError(code: .noAnswer, reason: "the gateway's answer is about another order")
            }
            return number
        case .refused(let code): throw SandboxRefusal(code: "trade-refused", reason: "the gateway makes no trade: \(code)", status: 409)
        }
    }

    /// Nil when the gateway knows no trade of this number, as before the payer reached the password. Throws `gateway-unavailable` where it
    /// does not say.
    func query(_ order: ExpressOrderRecord) async throws -> Trade? {
        switch order.generation {
        case .modern:
            let answer: VerifiedModernAnswer
            switch try await modern("alipay.trade.query", [.init("out_trade_no", .string(order.id))], of: order) {
            case .accepted(let told): answer = told
            case .refused("ACQ.TRADE_NOT_EXIST"): return nil
            case .refused(let code): throw Self.unknown(code)
            }
            guard answer["out_trade_no"] == order.id, let number = answer["trade_no"], let status = answer["trade_status"],
                let total = answer["total_amount"]
            else { throw SandboxError(code: .noAnswer, reason: "the gateway's answer is about another order") }
            return Trade(tradeNo: number, status: status, outcome: answer.tradeOutcome, total: total)
        case .legacy:
            let (answer, keySet) = try await legacy("single_trade_query", [("out_trade_no", order.id)], of: order)
            guard answer.isSuccess else {
                guard answer.error == LegacyErrorCode.tradeNotExist.rawValue else { throw Self.unknown(answer.error ?? "") }
                return nil
            }
            let verified = try answer.verified(by: keySet.partner)
            guard verified["out_trade_no"] == order.id, let number = verified["trade_no"], let status = verified["trade_status"],
                let total = verified["total_fee"]
            else { throw SandboxError(code: .noAnswer, reason: "the gateway's answer is about another order") }
            return Trade(tradeNo: number, status: status, outcome: verified.tradeOutcome, total: total)
        }
    }

    /// Asks the gateway to close the trade. What came of it, a query tells.
    func close(_ order: ExpressOrderRecord) async throws {
        switch order.generation {
        case .modern: _ = try await modern("alipay.trade.close", [.init("out_trade_no", .string(order.id))], of: order)
        case .legacy: _ = try await legacy("close_trade", [("out_order_no", order.id)], of: order)
        }
    }

    /// Throws `gateway-unavailable` where the gateway does not say what became of it: then the same number is asked with again.
    func refund(_ order: ExpressOrderRecord, _ refund: ExpressOrderRecord.Refund) async throws -> RefundAnswer {
        switch (order.generation, order.account) {
        case (.modern, _):
            let answer = try await modern(
                "alipay.trade.refund",
                [
                    .init("out_trade_no", .string(order.id)), .init("refund_amount", .string(refund.amount.value)),
                    .init("out_request_no", .string(refund.number)), .init("refund_reason", .string("returned")),
                ], of: order)
            switch answer {
            case .accepted(let told): return try await proven(told, for: order, refund: refund)
            case .refused(let code): return .refused(code)
            }
        case (.legacy, .domestic):
            let (answer, _) = try await legacy("refund_fastpay_by_platform_nopwd", batch(of: refund, order), of: order)
            return try Self.refunded(answer)
        case (.legacy, .crossBorder):
            let time = AlipayTime(secondsSince1970: now() / 1_000)
            let (answer, _) = try await legacy(
                "forex_refund",
                [
                    ("notify_url", notifyURL), ("out_return_no", refund.number), ("out_trade_no", order.id),
                    (refund.amount.currency == "CNY" ? "return_rmb_amount" : "return_amount", refund.amount.value),
                    ("currency", order.account.currency.alphabeticCode), ("gmt_return", time.description), ("reason", "returned"),
                    ("is_sync", "N"),
                ], of: order)
            return try Self.refunded(answer)
        }
    }

    /// An answer that does not say that money moved is asked about; where that does not tell either, the notification will.
    private func proven(
        _ told: VerifiedModernAnswer, for order: ExpressOrderRecord, refund: ExpressOrderRecord.Refund
    ) async throws -> RefundAnswer {
        guard told["out_trade_no"] == order.id else {
            throw SandboxError(code: .noAnswer, reason: "the gateway's answer is about another order")
        }
        if told.provesRefund { return .done }
        let asked = try await modern(
            "alipay.trade.fastpay.refund.query",
            [.init("out_trade_no", .string(order.id)), .init("out_request_no", .string(refund.number))], of: order)
        guard case .accepted(let known) = asked, known.provesRefund, known["out_trade_no"] == order.id,
            known["out_request_no"] == refund.number
        else { return .accepted }
        return .done
    }

    private func batch(of refund: ExpressOrderRecord.Refund, _ order: ExpressOrderRecord) -> [(String, String)] {
        [
            ("notify_url", notifyURL), ("batch_no", refund.number), ("batch_num", "1"),
            ("refund_date", AlipayTime(secondsSince1970: now() / 1_000).description),
            ("detail_data", "\(order.tradeNo ?? "")^\(refund.amount.value)^returned"),
        ]
    }

    /// The address of the gateway's page on which the merchant confirms a refund with its password; it is told of as any batch is.
    func confirmation(_ order: ExpressOrderRecord, _ refund: ExpressOrderRecord.Refund) async throws -> String {
        _ = try await registration.keySet(of: order.account)
        return try await "\(origin)/gateway.do?\(signed("refund_fastpay_by_platform_pwd", batch(of: refund, order), of: order).text)"
    }

    /// Failures of the legacy gateway carry no signature; only its business refusals are taken for ones.
    private static func refunded(_ answer: LegacyAnswer) throws -> RefundAnswer {
        guard !answer.isSuccess else { return .accepted }
        let code = answer.error ?? ""
        guard finalErrors.contains(code) else { throw unknown(code) }
        return .refused(code)
    }

    private static let finalErrors: Set<String> = [
        "TRADE_NOT_EXIST", "PURCHASE_TRADE_NOT_EXIST", "TRADE_STATUS_ERROR", "RETURN_AMOUNT_EXCEED", "SELLER_BALANCE_NOT_ENOUGH",
        "DISCORDANT_REPEAT_REQUEST", "INVALID_PARAMETER", "ILLEGAL_ARGUMENT",
    ]

    /// The call may have been done all the same.
    private static func unknown(_ code: String) -> SandboxRefusal {
        SandboxRefusal(
            code: "gateway-unavailable", reason: "the gateway does not say what became of it (\(code)): ask again with the same number",
            status: 503)
    }

    // MARK: Both gateways

    private enum ModernOutcome {
        case accepted(VerifiedModernAnswer)
        /// 40004 under a signature.
        case refused(String)
    }

    private func modern(_ method: String, _ content: [JSONObject.Member], of order: ExpressOrderRecord) async throws -> ModernOutcome {
        let request = try await ModernRequest.signed(
            [
                ("app_id", order.account.appID ?? ""), ("method", method), ("format", "JSON"),
                ("timestamp", AlipayTime(secondsSince1970: now() / 1_000).description), ("version", "1.0"),
                ("biz_content", JSONValue.object(JSONObject(content)).text),
            ], by: AlipayRSASigner.rsa2(try keys.application(order.account)))
        let body = try await send(request.text, method, of: order) { body in
            let node = (try? ModernAnswer(body))?.unsignedFailure
            return node.map { .init("sub_code", $0.subCode ?? $0.code, meaning: "not signed") } ?? .init("code", "10000", meaning: "signed")
        }
        let answer = try ModernAnswer(body)
        // Nobody signed it, or the gateway does not know itself (20000) [D]: nothing is decided by it.
        if let failure = answer.unsignedFailure { throw Self.unknown(failure.subCode ?? failure.code) }
        let verified = try answer.verified(by: try await registration.keySet(of: order.account).application, answering: method)
        if let failure = verified.failure {
            let code = failure.subCode ?? failure.code
            guard failure.code == "40004", code != "ACQ.SYSTEM_ERROR" else { throw Self.unknown(code) }
            return .refused(code)
        }
        return .accepted(verified)
    }

    private func legacy(
        _ service: String, _ parameters: [(String, String)], of order: ExpressOrderRecord
    ) async throws -> (LegacyAnswer, OrderGatewayKeySet) {
        let request = try await signed(service, parameters, of: order)
        let body = try await send(request.text, service, of: order) { body in
            let answer = try? LegacyAnswer(body)
            return answer.map { .init("is_success", $0.isSuccess ? "T" : "F \($0.error ?? "")") } ?? .init("answer", "unreadable")
        }
        return (try LegacyAnswer(body), try await registration.keySet(of: order.account))
    }

    private func signed(
        _ service: String, _ parameters: [(String, String)], of order: ExpressOrderRecord
    ) async throws -> LegacyServiceRequest {
        try await LegacyServiceRequest.signed(
            [("service", service), ("partner", order.account.partner), ("_input_charset", "utf-8")] + parameters,
            by: AlipayRSASigner.rsa(try keys.partner(order.account)))
    }

    private func send(
        _ query: String, _ title: String, of order: ExpressOrderRecord, told: ([UInt8]) -> TraceEntry.Field
    ) async throws -> [UInt8] {
        let correlation = ExpressTrace.about(order)
        let exchange = reporter.report(
            .request, from: .merchant, to: .gateway, title, correlation: correlation,
            fields: [.init("out_trade_no", order.id), .init("sign", "‹not shown›", meaning: "made on the merchant’s server")])
        do {
            let answer = try await Exchange.$reported.withValue(exchange) {
                try await connection.send(HTTPQuestion(method: "GET", path: "/gateway.do?\(query)", headers: []))
            }
            let body = Array(answer.body)
            guard answer.status == 200 else {
                throw SandboxError(code: .noAnswer, reason: "the gateway answered \(answer.status)")
            }
            reporter.report(.response, from: .gateway, to: .merchant, title, correlation: correlation, fields: [told(body)])
            return body
        } catch {
            reporter.report(.note, from: .merchant, to: .merchant, "\(title): no answer", correlation: correlation, problem: "no answer")
            throw SandboxRefusal(code: "gateway-unavailable", reason: "the gateway does not answer", status: 503)
        }
    }
}

extension Party {
    /// The merchant's app in the phone.
    static let app: Party = "app"
    static let gateway: Party = "gateway"
}

enum ExpressTrace {
    static let order = "alipay.order"
    /// The app's name for what it asks of the merchant before there is a number.
    static let basket = "alipay.basket"
    static let trade = "alipay.trade"

    static func about(_ order: ExpressOrderRecord) -> [String: String] {
        var ids = [Self.order: order.id]
        ids[trade] = order.tradeNo
        return ids
    }
}
