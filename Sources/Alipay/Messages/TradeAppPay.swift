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
