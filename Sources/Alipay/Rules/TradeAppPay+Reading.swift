import BillfoldJSON
import BillfoldMoney

extension TradeAppPay {
    /// Reads and checks a signed order's content; ``ModernOrderRules`` says what is wrong with one that is refused here.
    public init(_ request: VerifiedModernRequest, reading: AlipayReading = .strict) throws(AlipayError) {
        guard request.method == Self.method else {
            throw AlipayError(code: .otherMessage, reason: "the method is not \(Self.method)")
        }
        let content = try request.bizContent()
        if let violation = ModernOrderRules.violations(in: content, reading: reading).first {
            throw AlipayError(code: violation.isMissing ? .missingParameter : .invalidParameter, reason: violation.description)
        }
        func text(_ name: String) -> String? { content[name]?.scalar.flatMap { $0.isEmpty ? nil : $0 } }
        outTradeNo = try Self.required("out_trade_no", text("out_trade_no"))
        totalAmount = try Amount(alipay: Self.required("total_amount", text("total_amount")), currency: .cny, reading: reading)
        subject = try Self.required("subject", text("subject"))
        body = text("body")
        timeout = try text("timeout_express").map { value throws(AlipayError) in try PaymentTimeout(value) }
        expiresAt = try text("time_expire").map { value throws(AlipayError) in try AlipayTime(expiry: value) }
        passbackParameters = text("passback_params")
        sellerID = text("seller_id")
        goodsType = text("goods_type")
    }

    private static func required(_ name: String, _ value: String?) throws(AlipayError) -> String {
        guard let value else { throw AlipayError(code: .missingParameter, reason: "\(name) is missing") }
        return value
    }
}
