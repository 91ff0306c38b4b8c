public import BillfoldJSON
public import BillfoldMoney

/// `biz_content` of `alipay.trade.app.pay` (alipay.md#order-content [D]).
public struct TradeAppPay: Sendable, Hashable {
    public static let method = "alipay.trade.app.pay"

    public var outTradeNo: String
    /// CNY.
    public var totalAmount: Amount
    public var subject: String
    public var body: String?
    /// From the making of the trade.
    public var timeout: PaymentTimeout?
    /// Absolute; wins over ``timeout``.
    public var expiresAt: AlipayTime?
    /// Comes back in the notification, percent-encoded as it came.
    public var passbackParameters: String?
    public var sellerID: String?
    public var goodsType: String?

    public init(outTradeNo: String, totalAmount: Amount, subject: String) {
        self.outTradeNo = outTradeNo
        self.totalAmount = totalAmount
        self.subject = subject
    }

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

    public var json: JSONValue {
        .texts([
            "out_trade_no": outTradeNo, "total_amount": totalAmount.text, "subject": subject, "product_code": "QUICK_MSECURITY_PAY",
            "body": body, "timeout_express": timeout?.description, "time_expire": expiresAt?.description,
            "passback_params": passbackParameters, "seller_id": sellerID, "goods_type": goodsType,
        ])
    }

    /// When the trade that was made then closes: the absolute end, or that of the timeout, or fifteen days.
    public func end(ofTradeMadeAt start: AlipayTime) -> AlipayTime {
        expiresAt ?? (timeout ?? .longest).end(of: start)
    }
}
