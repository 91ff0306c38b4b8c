import Alipay
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Logging
import PaymentCrypto

/// The methods of the open platform (alipay.md#open-platform-calls) [D]. The answer is always 200, and business outcomes are signed.
struct ModernGateway: Sendable {
    let context: AlipayServerContext
    let checks: ModernChecks
    let trades: TradeService
    let bills: Bills
    let creation: TradeCreation

    private typealias Call = @Sendable (ModernGateway, ModernChecks.Passed, JSONValue) async throws -> JSONValue

    private static let methods: [String: Call] = [
        "alipay.trade.create": { try await $0.create($1, $2) },
        "alipay.trade.query": { try await $0.query($1, $2) },
        "alipay.trade.close": { try await $0.close($1, $2) },
        "alipay.trade.cancel": { try await $0.cancel($1, $2) },
        "alipay.trade.refund": { try await $0.refund($1, $2) },
        "alipay.trade.fastpay.refund.query": { try await $0.refundQuery($1, $2) },
        "alipay.data.dataservice.bill.downloadurl.query": { try await $0.bill($1, $2) },
        "alipay.open.app.alipaycert.download": { try await $0.certificate($1, $2) },
    ]

    /// Answers one request.
    func answer(_ request: ModernRequest) async throws -> [UInt8] {
        let method = request.method.flatMap { $0.isEmpty ? nil : $0 } ?? "error"
        let known = Self.methods[method] != nil
        let name = known ? method : "error"
        do {
            let passed = try await checks.pass(request, methods: Set(Self.methods.keys))
            OwnTime.enter(passed.application.merchant.partner.description)
            let outcome = try await self.outcome(method, passed)
            let charset = passed.request.charset
            context.metrics.called(method, outcome.code)
            let warning = checks.clockWarning(passed.request).map { [("warning", $0)] } ?? []
            context.trace.note(
                method, fields: [("code", outcome.code), ("sub_code", outcome.subCode ?? "")] + warning, about: Self.about(outcome.node),
                problem: outcome.subCode)
            return try await ModernAnswer.make(
                outcome.node, answering: name, charset: charset,
                by: outcome.isSigned ? passed.application.signer(passed.request.algorithm) : nil,
                certificateSerial: outcome.isSigned ? passed.application.certificates?.gateway : nil)
        } catch let refusal as ModernRefusal {
            context.metrics.called(known ? method : "unknown", refusal.failure.code)
            context.trace.note(
                known ? method : "unknown method",
                fields: [("code", refusal.failure.code), ("sub_code", refusal.failure.subCode ?? "")], about: [:],
                problem: refusal.failure.subCode)
            return try await ModernAnswer.make(refusal.failure.node, answering: name, charset: request.parameters.charset, by: nil)
        }
    }

    private struct Outcome {
        var node: JSONValue
        var code: String
        var subCode: String?
        var isSigned: Bool
    }

    private func outcome(_ method: String, _ passed: ModernChecks.Passed) async throws -> Outcome {
        guard let call = Self.methods[method] else { throw ModernRefusal.invalid("invalid-method", "the gateway has no such method") }
        let content: JSONValue
        do { content = try passed.request.bizContent() } catch {
            throw ModernRefusal.invalid("invalid-parameter", error.reason)
        }
        do {
            let members = try await call(self, passed, content).members ?? []
            let head: [JSONObject.Member] = [.init("code", .string(ModernFailure.accepted)), .init("msg", .string("Success"))]
            return Outcome(node: .object(JSONObject(head + members)), code: ModernFailure.accepted, isSigned: true)
        } catch let refusal as TradeRefusal {
            let failure = ModernRefusal.business(refusal).failure
            return Outcome(
                node: Self.node(failure, of: method, mayRetry: [.tooSoon, .sellerBalanceNotEnough].contains(refusal.code)),
                code: failure.code, subCode: failure.subCode,
                isSigned: true)
        } catch let refusal as ModernRefusal {
            return Outcome(
                node: refusal.failure.node, code: refusal.failure.code, subCode: refusal.failure.subCode, isSigned: refusal.isSigned)
        } catch {
            // What happened is not known to the caller: it asks again, or queries.
            context.logger.error(
                "a call could not be answered", metadata: ["method": "\(method)", "error": "\(ErrorMapping.logDescription(of: error))"])
            let failure = ModernRefusal.unavailable.failure
            return Outcome(
                node: Self.node(failure, of: method, mayRetry: true), code: failure.code, subCode: failure.subCode, isSigned: false)
        }
    }

    /// Whoever cancels is told with a failure too whether to ask again (alipay.md#cancelling) [D].
    private static func node(_ failure: ModernFailure, of method: String, mayRetry: Bool) -> JSONValue {
        guard method == "alipay.trade.cancel" else { return failure.node }
        return .object(JSONObject((failure.node.members ?? []) + [.init("retry_flag", .string(mayRetry ? "Y" : "N"))]))
    }

    private static func about(_ node: JSONValue) -> [String: String] {
        var about: [String: String] = [:]
        about["alipay.order"] = node["out_trade_no"]?.scalar
        about["alipay.trade"] = node["trade_no"]?.scalar
        return about
    }

    // MARK: Reading

    private static func text(_ name: String, _ content: JSONValue, maximum: Int = 64) throws -> String? {
        guard let value = content[name] else { return nil }
        // Writers of typed objects say null of what they have not got.
        if case .null = value { return nil }
        guard let text = value.scalar, text.unicodeScalars.count <= maximum else {
            throw TradeRefusal(.invalidParameter, "\(name) is no text of at most \(maximum) characters")
        }
        if let control = text.unicodeScalars.first(where: { $0.value < 0x20 }), let offence = PairText.offence(in: String(control)) {
            throw TradeRefusal(.invalidParameter, "\(name) \(offence)")
        }
        return text.isEmpty ? nil : text
    }

    /// A number of the merchant's own, which comes back in a signed notification.
    private static func number(_ name: String, _ content: JSONValue) throws -> String? {
        let number = try text(name, content)
        if let offence = number.flatMap(PairText.offence) { throw TradeRefusal(.invalidParameter, "\(name) \(offence)") }
        return number
    }

    private static func name(_ content: JSONValue) throws -> TradeService.Name {
        TradeService.Name(tradeNo: try text("trade_no", content), outTradeNo: try text("out_trade_no", content))
    }

    // MARK: Trades

    private func create(_ passed: ModernChecks.Passed, _ content: JSONValue) async throws -> JSONValue {
        .object(JSONObject(Self.identity(try await creation.create(content, passed, buyer: try Self.text("buyer_id", content)))))
    }

    private func query(_ passed: ModernChecks.Passed, _ content: JSONValue) async throws -> JSONValue {
        let asked = try await trades.query(try Self.name(content), of: passed.application.merchant)
        let trade = asked.trade
        var members = Self.identity(trade)
        members += [
            .init("buyer_logon_id", .string(trade.buyer.logonID)), .init("buyer_user_id", .string(trade.buyer.id)),
            .init("trade_status", .string(trade.status.rawValue)), .init("total_amount", .string(trade.money.payable.text)),
            .init("subject", .string(asked.order.detail.subject)),
        ]
        if let paidAt = trade.paidAt {
            let amount = JSONValue.string(trade.money.payable.text)
            members += [
                .init("receipt_amount", amount), .init("buyer_pay_amount", amount), .init("invoice_amount", amount),
                .init("point_amount", .string("0.00")), .init("send_pay_date", .string(ChinaTime.text(paidAt))),
                .init("fund_bill_list", FundText.answer(trade)),
            ]
        }
        return .object(JSONObject(members))
    }

    private func close(_ passed: ModernChecks.Passed, _ content: JSONValue) async throws -> JSONValue {
        .object(JSONObject(Self.identity(try await trades.close(try Self.name(content), of: passed.application.merchant))))
    }

    private func cancel(_ passed: ModernChecks.Passed, _ content: JSONValue) async throws -> JSONValue {
        let (trade, action) = try await trades.cancel(try Self.name(content), of: passed.application.merchant)
        return .object(
            JSONObject(Self.identity(trade) + [.init("retry_flag", .string("N")), .init("action", .string(action.rawValue))]))
    }

    private func refund(_ passed: ModernChecks.Passed, _ content: JSONValue) async throws -> JSONValue {
        guard let text = try Self.text("refund_amount", content, maximum: 16),
            let amount = try? Amount(alipay: text, currency: .cny, reading: passed.application.merchant.reading)
        else { throw TradeRefusal(.invalidParameter, "refund_amount is an amount above zero with two decimals") }
        let done = try await trades.refund(
            .init(
                name: try Self.name(content), amount: amount, requestNo: try Self.number("out_request_no", content), route: .modern,
                reason: try Self.text("refund_reason", content, maximum: 256) ?? ""), of: passed.application.merchant)
        let trade = done.trade
        return .object(
            JSONObject(
                Self.identity(trade) + [
                    .init("buyer_logon_id", .string(trade.buyer.logonID)), .init("buyer_user_id", .string(trade.buyer.id)),
                    .init("fund_change", .string(done.moved ? "Y" : "N")), .init("refund_fee", .string(trade.refundedPrice.text)),
                    .init("gmt_refund_pay", .string(ChinaTime.text(done.refund.bookedAt ?? trade.updatedAt))),
                ]))
    }

    private func refundQuery(_ passed: ModernChecks.Passed, _ content: JSONValue) async throws -> JSONValue {
        guard let number = try Self.text("out_request_no", content) else {
            throw TradeRefusal(.invalidParameter, "out_request_no is due")
        }
        let (trade, refunds) = try await trades.refunds(try Self.name(content), of: passed.application.merchant)
        var members = Self.identity(trade)
        // Without the status the refund is not done (alipay.md#refunds) [D].
        guard let refund = refunds.first(where: { ExactText.equal($0.requestNo, number) }), let at = refund.bookedAt,
            context.clock.now() >= at.advanced(by: passed.application.merchant.refundQueryDelay)
        else { return .object(JSONObject(members)) }
        members += [
            .init("out_request_no", .string(number)), .init("refund_reason", .string(refund.reason)),
            .init("total_amount", .string(trade.money.price.text)),
            .init("refund_amount", .string(Amount(minorUnits: refund.part.price, currency: trade.money.price.currency).text)),
            .init("refund_status", .string("REFUND_SUCCESS")),
            .init("gmt_refund_pay", .string(ChinaTime.text(refund.bookedAt ?? trade.updatedAt))),
        ]
        return .object(JSONObject(members))
    }

    private static func identity(_ trade: Trade) -> [JSONObject.Member] {
        [.init("trade_no", .string(trade.tradeNo)), .init("out_trade_no", .string(trade.outTradeNo))]
    }

    // MARK: Bills and certificates

    private func bill(_ passed: ModernChecks.Passed, _ content: JSONValue) async throws -> JSONValue {
        let url = try await bills.address(
            type: try Self.text("bill_type", content) ?? "", date: try Self.text("bill_date", content) ?? "",
            of: passed.application.merchant.partner)
        return .texts(["bill_download_url": url])
    }

    private func certificate(_ passed: ModernChecks.Passed, _ content: JSONValue) async throws -> JSONValue {
        guard let serial = try Self.text("alipay_cert_sn", content) else {
            throw TradeRefusal(.invalidParameter, "alipay_cert_sn is due")
        }
        guard let pem = passed.application.application.gatewayCertificate, passed.application.certificates?.gateway == serial else {
            throw ModernRefusal.business("CERT_NOT_EXIST", "no certificate of this number is the application's")
        }
        return .texts(["alipay_cert_content": StrictBase64.encode(Array(pem.utf8))])
    }
}
