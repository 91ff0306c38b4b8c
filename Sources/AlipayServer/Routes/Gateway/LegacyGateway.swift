import Alipay
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import HTTPTypes
import Logging

/// The services of the legacy gateway (alipay.md#legacy-services) [D, O]: XML, plain words, or lines of text.
struct LegacyGateway: Sendable {
    let context: AlipayServerContext
    let limiter: RateLimiter
    let trades: TradeService
    let batches: RefundBatches
    let files: ForexFiles

    /// A signed call of a registered partner.
    struct Call: Sendable {
        var partner: MerchantRegister.Partner
        var request: VerifiedLegacyServiceRequest
        /// What was uploaded. No signature covers it by itself.
        var file: [UInt8]?

        var merchant: AlipayMerchant { partner.merchant }
        subscript(name: String) -> String? { request[name].flatMap { $0.isEmpty ? nil : $0 } }

        func required(_ name: String, maximum: Int = 64) throws -> String {
            guard let text = self[name], text.unicodeScalars.count <= maximum else { throw LegacyRefusal(.illegalArgument) }
            return text
        }
    }

    enum Answer {
        /// A success with the fields of `response`.
        case xml(element: String, [AlipayXML.Field])
        case text(String)
    }

    private typealias Service = @Sendable (LegacyGateway, Call) async throws -> Answer

    private static let services: [String: Service] = [
        "single_trade_query": { try await $0.singleTradeQuery($1) },
        "close_trade": { try await $0.closeTrade($1) },
        "forex_refund": { try await $0.forexRefund($1) },
        "forex_refund_file": { try await $0.forexRefundFile($1) },
        "refund_fastpay_by_platform_nopwd": { try await $0.batchRefund($1) },
        "forex_rate_file": { .text(try await $0.files.rates($1.merchant)) },
        "forex_compare_file": { .text(try await $0.files.transactions(of: $1.merchant, from: $1["start_date"], to: $1["end_date"])) },
        "forex_liquidation_file": { .text(try await $0.files.settlements(of: $1.merchant, from: $1["start_date"], to: $1["end_date"])) },
    ]

    /// Answers one request.
    ///
    /// - Parameters:
    ///   - caller: Whose address it came from, for what nobody signs.
    ///   - file: What was uploaded with it.
    func answer(_ request: LegacyServiceRequest, from caller: String, file: [UInt8]? = nil) async throws -> (
        body: [UInt8], charset: AlipayCharset, isXML: Bool
    ) {
        let charset = request.parameters.charset
        let service = request.service ?? ""
        if service == "notify_verify" {
            let word = try await notifyVerify(request, from: caller)
            context.metrics.called(service, word)
            return (Array(word.utf8), charset, false)
        }
        let echo = Self.echo(request)
        do {
            guard let run = Self.services[service] else { throw LegacyRefusal(.illegalService) }
            var call = try await self.call(request)
            call.file = file
            let answer = try await run(self, call)
            context.metrics.called(service, "T")
            context.trace.note(service, about: Self.about(call))
            switch answer {
            case .text(let text): return (try charset.encode(text), charset, false)
            case .xml(let element, let response):
                return (
                    try await LegacyAnswer.success(
                        request: echo, element: element, response: response, charset: charset,
                        by: AnySigner(call.partner.signer(call.request.algorithm))), charset, true
                )
            }
        } catch {
            let code = Self.code(error, service: service)
            if code == .systemError, !(error is LegacyRefusal) {
                context.logger.error(
                    "a call could not be answered",
                    metadata: ["service": "\(service)", "error": "\(ErrorMapping.logDescription(of: error))"])
            }
            context.metrics.called(Self.services[service] == nil ? "unknown" : service, code.rawValue)
            context.trace.note(
                Self.services[service] == nil ? "unknown service" : service, about: [:], problem: code.rawValue)
            return (try LegacyAnswer.failure(code.rawValue, charset: charset), charset, true)
        }
    }

    static func code(_ error: any Error, service: String) -> LegacyErrorCode {
        switch error {
        case let refusal as LegacyRefusal: refusal.code
        case let refusal as TradeRefusal where refusal.code == .tradeNotFound && service == "forex_refund": .purchaseTradeNotExist
        case let refusal as TradeRefusal: LegacyErrorCode(rawValue: refusal.legacyError)
        case let error as AlipayError: LegacyErrorCode(error)
        default: .systemError
        }
    }

    private static func echo(_ request: LegacyServiceRequest) -> [AlipayXML.Field] {
        ((try? request.parameters.texts()) ?? []).filter { $0.name != "sign" && $0.name != "sign_type" }
            .map { AlipayXML.Field($0.name, $0.value) }
    }

    private static func about(_ call: Call) -> [String: String] {
        var about: [String: String] = [:]
        about["alipay.order"] = call["out_trade_no"] ?? call["out_order_no"]
        about["alipay.trade"] = call["trade_no"]
        return about
    }

    /// Partner, sign type, signature: in this order [O].
    func call(_ request: LegacyServiceRequest) async throws -> Call {
        guard let id = request.partner, let merchant = try? MerchantID(id), let partner = try await context.merchants.partner(merchant)
        else {
            throw LegacyRefusal(.illegalPartner)
        }
        let signType = request.parameters["sign_type"] ?? ""
        guard signType.isEmpty || AlipaySignatureAlgorithm(rawValue: signType) != nil else { throw LegacyRefusal(.illegalSignType) }
        let verified = try request.verified(by: partner.keys)
        // Counted after the signature: a partner's id stands in every order string, and nobody else's calls count against it.
        guard limiter.admit(id) == .admitted else { throw LegacyRefusal(.systemError) }
        OwnTime.enter(merchant.description)
        return Call(partner: partner, request: verified)
    }

    // MARK: Services

    /// `true` while the merchant has not answered `success`; the call is unsigned (alipay.md#notify_verify) [O]. What no partner and no
    /// notification could be called is `invalid`.
    private func notifyVerify(_ request: LegacyServiceRequest, from caller: String) async throws -> String {
        guard let partner = request.partner, PartnerRule.isPartner(partner), let merchant = try? MerchantID(partner),
            let id = request.parameters["notify_id"],
            (1...128).contains(id.utf8.count)
        else { return "invalid" }
        // No verdict: `false` would say that a genuine notification is forged.
        guard limiter.admit("\(caller) \(partner)") == .admitted else {
            throw ServerError(
                code: .rateLimited, reason: "too many calls from this address", status: .tooManyRequests, headers: [.retryAfter: "1"])
        }
        let found = try await context.database.lookup { try NotificationRecords.find(notifyID: id, merchant: merchant, in: $0) }
        return found.map { $0.state != .settled } ?? false ? "true" : "false"
    }

    private func singleTradeQuery(_ call: Call) async throws -> Answer {
        guard call["trade_no"] != nil || call["out_trade_no"] != nil else { throw LegacyRefusal(.illegalArgument) }
        let asked = try await trades.query(.init(tradeNo: call["trade_no"], outTradeNo: call["out_trade_no"]), of: call.merchant)
        let (trade, order) = (asked.trade, asked.order.detail)
        var fields: [AlipayXML.Field] = [
            .init("body", order.body ?? ""), .init("buyer_email", trade.buyer.logonID), .init("buyer_id", trade.buyer.id),
            .init("discount", "0.00"), .init("flag_trade_locked", "0"), .init("gmt_create", ChinaTime.text(trade.createdAt)),
            .init("gmt_last_modified_time", ChinaTime.text(trade.updatedAt)), .init("is_total_fee_adjust", "F"),
            .init("operator_role", "B"),
            .init("out_trade_no", trade.outTradeNo), .init("payment_type", "1"), .init("price", trade.money.price.text),
            .init("quantity", "1"), .init("seller_email", call.merchant.email ?? ""), .init("seller_id", trade.merchant.description),
            .init("subject", order.subject), .init("to_buyer_fee", trade.refundedPrice.text),
            .init("to_seller_fee", trade.paidAt == nil ? "0.00" : trade.money.price.text), .init("total_fee", trade.money.price.text),
            .init("trade_no", trade.tradeNo), .init("trade_status", trade.status.rawValue), .init("use_coupon", "F"),
        ]
        if let at = trade.paidAt { fields.append(.init("gmt_payment", ChinaTime.text(at))) }
        if let at = trade.closedAt { fields.append(.init("gmt_close", ChinaTime.text(at))) }
        if trade.refunded.price > 0 { fields.append(.init("refund_status", "REFUND_SUCCESS")) }
        return .xml(element: "trade", fields.filter { !$0.value.isEmpty })
    }

    private func closeTrade(_ call: Call) async throws -> Answer {
        // The name is out_order_no, not out_trade_no (alipay.md#legacy-services) [O].
        guard call["trade_no"] != nil || call["out_order_no"] != nil else { throw LegacyRefusal(.illegalArgument) }
        _ = try await trades.close(.init(tradeNo: call["trade_no"], outTradeNo: call["out_order_no"]), of: call.merchant)
        return .xml(element: "alipay", [])
    }
}

/// Lets a signer of any kind go where one of a kind is asked for.
struct AnySigner: AlipaySigner {
    private let base: any AlipaySigner
    init(_ base: any AlipaySigner) { self.base = base }
    var algorithm: AlipaySignatureAlgorithm { base.algorithm }
    func sign(_ bytes: [UInt8]) async throws(AlipayError) -> String { try await base.sign(bytes) }
}
