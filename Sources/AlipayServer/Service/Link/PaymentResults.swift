import Alipay
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// The synchronous result of a trade: what the payer's phone brings back (alipay.md#result) [V for the signed bytes].
struct PaymentResults: Sendable {
    let context: AlipayServerContext

    /// Of what the gateway knows now.
    func result(of order: TradeOrder, _ trade: Trade?) async throws -> ResultText {
        let over = OrderRefusal.over(order, trade, at: context.clock.now())
        func unsigned(_ status: AlipayResultStatus) -> ResultText {
            ResultText(resultStatus: status.rawValue, memo: over?.reason ?? "", result: "")
        }
        guard let trade else { return unsigned(over == nil ? .cancelled : .failed) }
        switch trade.status {
        // Whoever opens a paid order again is told that it is paid (alipay.md#an-order-that-is-over) [I].
        case .success, .finished, .pending: return try await payment(of: order, trade)
        // Its money went back, so nobody signs today that it is paid: a query tells the rest (alipay.md#result-status) [D].
        case .closed where trade.paidAt != nil: return unsigned(.unknown)
        case .closed: return unsigned(.failed)
        // Its time is over and it is not closed yet: a payment that came in time may still be on its way into the books.
        case .waitBuyerPay: return unsigned(over == nil ? .cancelled : .processing)
        }
    }

    /// Of a payment that was taken.
    func payment(of order: TradeOrder, _ trade: Trade) async throws -> ResultText {
        guard let algorithm = AlipaySignatureAlgorithm(rawValue: order.detail.signType) else {
            throw PaymentsError(code: .corruptRecord, reason: "a stored sign type is unknown")
        }
        switch order.detail.generation {
        case .legacy:
            // How the result of an order without quotation marks looks is not known: the app asks its server [I].
            guard order.isQuoted else { return ResultText(resultStatus: AlipayResultStatus.paid.rawValue, memo: "", result: "") }
            guard let partner = try await context.merchants.partner(order.merchant) else {
                throw PaymentsError(code: .corruptRecord, reason: "a trade's partner is not registered")
            }
            return ResultText(
                try await PaymentResult.legacy(
                    signedBytes: order.text, charset: AlipayCharset(rawValue: order.detail.charset) ?? .utf8,
                    by: partner.signer(algorithm)))
        case .modern:
            guard let appID = order.detail.appID, let application = try await context.merchants.application(appID) else {
                throw PaymentsError(code: .corruptRecord, reason: "a trade's application is not registered")
            }
            let fields: KeyValuePairs<String, String?> = [
                "code": "10000", "msg": "Success", "app_id": appID, "auth_app_id": appID, "charset": order.detail.charset,
                "timestamp": ChinaTime.text(trade.paidAt ?? trade.updatedAt), "out_trade_no": trade.outTradeNo,
                "total_amount": trade.money.price.text, "trade_no": trade.tradeNo, "seller_id": trade.merchant.description,
            ]
            return ResultText(try await PaymentResult.modern(fields, by: application.signer(algorithm)))
        }
    }
}

/// The text that the wallet hands to the merchant's app.
struct ResultText: Sendable, Hashable, Codable {
    var resultStatus: String
    var memo: String
    var result: String
}

extension ResultText {
    init(_ result: PaymentResult) {
        self.init(resultStatus: result.status.rawValue, memo: result.memo, result: result.result)
    }
}

extension PaymentResult {
    /// The result of an order by what its merchant signed: those pairs, `success="true"`, and the gateway's signature over both.
    static func legacy(signedBytes: [UInt8], charset: AlipayCharset, by signer: any AlipaySigner) async throws -> PaymentResult {
        let text = signedBytes + Array(#"&success="true""#.utf8)
        let signature = try await signer.sign(text)
        return PaymentResult(
            status: .paid, result: "\(try charset.decode(text))&sign_type=\"\(signer.algorithm.rawValue)\"&sign=\"\(signature)\"")
    }
}
