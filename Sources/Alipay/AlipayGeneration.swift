/// The two generations of messages that one phone SDK and one callback carry.
public enum AlipayGeneration: String, Sendable, Hashable, Codable, CaseIterable {
    /// `mobile.securitypay.pay` and its kin: `key="value"` pairs in the order they were sent; the merchant is a `partner`.
    case legacy
    /// `alipay.trade.app.pay` and its kin: sorted `key=value` text and `biz_content`; the merchant is an `app_id`.
    case modern
}
