import Alipay
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage

/// Verifies an order string and stores what it says. Makes no trade.
struct OrderIntake: Sendable {
    static let method = "alipay.trade.app.pay"
    static let service = "mobile.securitypay.pay"

    let context: AlipayServerContext
    let checks: ModernChecks

    /// A verified order and whose it is.
    struct Accepted: Sendable {
        var order: TradeOrder
        var merchant: AlipayMerchant
        /// Parameters that no signature covers: nothing is booked from them.
        var uncovered: [String] = []
        /// What the documents ask for and the order has not, where its merchant is read as real orders were seen.
        var warnings: [RuleViolation] = []
        /// What is odd about its time.
        var clockWarning: String?
    }

    /// Throws ``OrderRefusal``.
    func verify(_ text: String) async throws -> Accepted {
        let order: ExpressOrder
        let bytes: [UInt8]
        do {
            bytes = try Self.bytes(of: text)
            order = try ExpressOrder(bytes, reading: .asObserved)
        } catch { throw OrderRefusal(reading: error) }
        switch order {
        case .modern(let request): return try await modern(request, bytes)
        case .legacy: return try await legacy(bytes)
        case .unquoted(let request): return try await unquoted(request, bytes)
        }
    }

    /// The merchant's number as an order says it that nobody verified; nil where it cannot be read, or is no number.
    static func number(in text: String) -> String? {
        guard let order = try? ExpressOrder(bytes(of: text), reading: .asObserved) else { return nil }
        let number =
            switch order {
            case .modern(let request): request.parameters["biz_content"].flatMap { try? AlipayJSON.read($0) }?["out_trade_no"]?.scalar
            case .unquoted(let request): request.parameters["out_trade_no"]
            case .legacy(let order):
                order.pairs.first { $0.name == "out_trade_no" }.map { String(decoding: $0.value, as: UTF8.self) }
            }
        return number.flatMap { $0.isEmpty || $0.utf8.count > 64 ? nil : $0 }
    }

    /// The bytes that the merchant signed: the text in the charset that it names.
    private static func bytes(of text: String) throws(AlipayError) -> [UInt8] {
        let bytes = Array(text.utf8)
        return namesGBK(bytes) ? try AlipayCharset.gbk.encode(text) : bytes
    }

    /// Whether a legacy order says `_input_charset="gbk"`, or `"gb2312"`. A search of the bytes: every order comes through here.
    private static func namesGBK(_ bytes: [UInt8]) -> Bool {
        let name = Array(#"_input_charset=""#.utf8)
        var rest = bytes[...]
        while let start = rest.firstIndex(of: name[0]) {
            rest = rest[start...]
            if rest.starts(with: name) {
                let value = String(decoding: rest.dropFirst(name.count).prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self).lowercased()
                if value == "gbk" || value == "gb2312" { return true }
            }
            rest = rest.dropFirst()
        }
        return false
    }

    // MARK: Legacy

    private func legacy(_ bytes: [UInt8]) async throws -> Accepted {
        let observed: LegacyOrder
        do { observed = try LegacyOrder(bytes, reading: .asObserved) } catch { throw OrderRefusal(reading: error) }
        let partner = try await partner(observed.pairs.first { $0.name == "partner" }.map { String(decoding: $0.value, as: UTF8.self) })
        let verified: VerifiedLegacyOrder
        var order = observed
        do {
            if partner.merchant.reading == .strict { order = try LegacyOrder(bytes, reading: .strict) }
            verified = try order.verified(by: partner.keys)
        } catch {
            switch error.code {
            case .signatureMismatch, .malformedSignature, .unknownKey, .uncoveredParameter, .missingSignature:
                let former = partner.merchant.formerKeys?.maker { (try? order.verified(by: $0)) != nil }
                throw OrderRefusal.signature(former?.reason ?? error.reason, verified: order.signedBytes, order.charset)
            default: throw OrderRefusal(reading: error)
            }
        }
        return try accept(
            verified.parameters, signed: verified.signedBytes, algorithm: verified.algorithm, uncovered: verified.uncovered, of: partner,
            bytes: bytes)
    }

    private func unquoted(_ request: LegacyServiceRequest, _ bytes: [UInt8]) async throws -> Accepted {
        let partner = try await partner(request.partner)
        let verified: VerifiedLegacyServiceRequest
        if partner.merchant.reading == .strict {
            do { _ = try ExpressOrder(bytes, reading: .strict) } catch { throw OrderRefusal(reading: error) }
        }
        do { verified = try request.verified(by: partner.keys) } catch {
            switch error.code {
            case .signatureMismatch, .malformedSignature, .unknownKey, .missingSignature:
                let former = partner.merchant.formerKeys?.maker { (try? request.verified(by: $0)) != nil }
                throw OrderRefusal.signature(former?.reason ?? error.reason, verified: request.signedBytes, request.parameters.charset)
            default: throw OrderRefusal(reading: error)
            }
        }
        return try accept(
            verified.order, signed: verified.signedBytes, algorithm: verified.algorithm, uncovered: [], of: partner, bytes: bytes)
    }

    private func partner(_ id: String?) async throws -> MerchantRegister.Partner {
        guard let id, let merchant = try? MerchantID(id), let partner = try await context.merchants.partner(merchant) else {
            throw OrderRefusal.unknownMerchant("no partner of this id is registered here", parameter: "partner")
        }
        return partner
    }

    private func accept(
        _ parameters: LegacyOrderParameters, signed: [UInt8], algorithm: AlipaySignatureAlgorithm, uncovered: [String],
        of partner: MerchantRegister.Partner, bytes: [UInt8]
    ) throws -> Accepted {
        let merchant = partner.merchant
        let violations = LegacyOrderRules.violations(in: parameters, reading: merchant.reading)
        try Self.keep(violations)
        guard let seller = parameters.sellerID, merchant.isSeller(seller) else {
            throw OrderRefusal.value("seller_id is not this partner's", parameter: "seller_id")
        }
        let isCrossBorder = parameters.isCrossBorder
        if isCrossBorder {
            guard let contract = merchant.currency else { throw OrderRefusal.product("the partner has no cross-border contract") }
            guard parameters.currency == contract else {
                throw OrderRefusal.value("currency is not the contract's, \(contract)", parameter: "currency")
            }
        } else if merchant.currency != nil {
            throw OrderRefusal.product("a cross-border partner orders with currency and forex_biz")
        }
        guard let price = parameters.price(reading: merchant.reading), let number = parameters.outTradeNo,
            let subject = parameters.subject
        else { throw OrderRefusal.value("the order names no price, number or subject") }
        guard
            let shares = FundShare.list(
                parameters["split_fund_info"], currency: price.amount.currency, reading: merchant.reading)
        else {
            throw OrderRefusal.value("split_fund_info is no list of receivers in the order's currency", parameter: "split_fund_info")
        }
        let detail = TradeOrder.Detail(
            generation: .legacy, product: isCrossBorder ? .crossBorder : .domestic, appID: nil, outTradeNo: number, subject: subject,
            body: parameters.body, price: price.amount, settlementCurrency: price.settlement, sellerID: seller,
            notifyURL: try notifyURL(parameters.notifyURL, of: merchant), returnURL: parameters.returnURL,
            charset: parameters.charset.rawValue, signType: algorithm.rawValue, timeout: parameters.timeout?.description, expiresAt: nil,
            passback: nil, shares: shares.isEmpty ? nil : shares)
        return Accepted(
            order: order(detail, merchant, signed: signed), merchant: merchant, uncovered: uncovered,
            warnings: Self.warnings(violations, of: merchant) { LegacyOrderRules.violations(in: parameters, reading: $0) })
    }

    private static func keep(_ violations: [RuleViolation]) throws(OrderRefusal) {
        if let attack = violations.first(where: { $0.code == "alipay.suspected-attack" }) {
            throw .suspect(attack.description, parameter: attack.parameter)
        }
        if let first = violations.first { throw .value(first.description, parameter: first.parameter) }
    }

    /// What a strict reading adds: the sandbox goes by real orders, and says where the documents ask for more.
    private static func warnings(
        _ violations: [RuleViolation], of merchant: AlipayMerchant, strictly all: (AlipayReading) -> [RuleViolation]
    ) -> [RuleViolation] {
        merchant.reading == .strict ? [] : all(.strict).filter { !violations.contains($0) }
    }

    // MARK: Modern

    private func modern(_ request: ModernRequest, _ bytes: [UInt8]) async throws -> Accepted {
        let passed: ModernChecks.Passed
        do { passed = try await checks.pass(request, methods: [Self.method]) } catch let refusal as ModernRefusal {
            var order = OrderRefusal(refusal.failure)
            if order.subCode == "isv.invalid-signature" {
                order = .signature(
                    refusal.failure.complaint, verified: request.signedBytes, request.parameters.charset)
            }
            throw order
        }
        let content: JSONValue
        do { content = try passed.request.bizContent() } catch { throw OrderRefusal.value(error.reason, parameter: "biz_content") }
        var accepted = try accept(content, passed, for: .orderString)
        accepted.clockWarning = checks.clockWarning(passed.request)
        return accepted
    }

    /// What a verified message of an application asks for. Throws ``OrderRefusal``.
    func accept(
        _ content: JSONValue, _ passed: ModernChecks.Passed, for products: ModernOrderRules.Products
    ) throws(OrderRefusal) -> Accepted {
        let merchant = passed.application.merchant
        // Its books are in the contract's currency: CNY that it took here could not be paid out to it.
        guard merchant.currency == nil else { throw OrderRefusal.product("a cross-border partner orders by mobile.securitypay.pay") }
        func text(_ name: String) -> String? { content[name]?.scalar.flatMap { $0.isEmpty ? nil : $0 } }
        let violations = ModernOrderRules.violations(in: content, reading: merchant.reading, products: products)
        try Self.keep(violations)
        let seller = text("seller_id") ?? merchant.partner.description
        guard merchant.isSeller(seller) else {
            throw OrderRefusal.value("seller_id is not this merchant's", parameter: "seller_id")
        }
        guard let total = text("total_amount"), let price = try? Amount(alipay: total, currency: .cny, reading: merchant.reading),
            let number = text("out_trade_no"), let subject = text("subject")
        else { throw OrderRefusal.value("the order names no price, number or subject") }
        let expiresAt = text("time_expire").flatMap { try? AlipayTime(expiry: $0) }.map { Timestamp($0) }
        let detail = TradeOrder.Detail(
            generation: .modern, product: .domestic, appID: passed.application.application.appID,
            outTradeNo: number, subject: subject, body: text("body"), price: price,
            settlementCurrency: .cny, sellerID: seller, notifyURL: try notifyURL(passed.request["notify_url"], of: merchant),
            returnURL: passed.request["return_url"], charset: passed.request.charset.rawValue,
            signType: passed.request.algorithm.rawValue, timeout: text("timeout_express"), expiresAt: expiresAt,
            passback: text("passback_params"))
        return Accepted(
            order: order(detail, merchant, signed: passed.request.signedBytes), merchant: merchant,
            warnings: Self.warnings(violations, of: merchant) { ModernOrderRules.violations(in: content, reading: $0, products: products) })
    }

    // MARK: Both

    private func order(_ detail: TradeOrder.Detail, _ merchant: AlipayMerchant, signed: [UInt8]) -> TradeOrder {
        let now = context.clock.now()
        return TradeOrder(
            merchant: merchant.partner, id: context.identifiers.next(at: now), detail: detail, text: signed, createdAt: now)
    }

    /// What could never be delivered is refused while the merchant still looks (alipay.md#notify-address).
    private func notifyURL(_ url: String?, of merchant: AlipayMerchant) throws(OrderRefusal) -> String? {
        guard let url, !url.isEmpty else { return nil }
        guard url.utf8.count <= 256 else { throw .value("notify_url has at most 256 bytes", parameter: "notify_url") }
        if let problem = context.addresses.problem(with: url, registered: Set(merchant.notifyOrigins)) {
            throw .value("notify_url is refused: \(problem)", parameter: "notify_url")
        }
        return url
    }

    /// A number that stands for a trade stands for no other amount and no other goods.
    static func check(_ order: TradeOrder, fits trade: Trade, in tx: any Transaction) throws {
        let known = trade.order == order.id ? order : try TradeOrderRecords.order(of: trade, in: tx)
        guard known.detail.isSameContext(as: order.detail) else {
            throw TradeRefusal(.contextInconsistent, "the order number stands for another order already")
        }
    }
}
