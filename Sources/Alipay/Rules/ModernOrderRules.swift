public import BillfoldJSON

/// The rules of alipay.md#order-content for the content of `alipay.trade.app.pay`.
public enum ModernOrderRules {
    /// - Parameters:
    ///   - reading: How strictly the merchant is read.
    ///   - products: What `product_code` may be, and whether it has to be there: of an order string, unless said otherwise.
    public static func rules(_ reading: AlipayReading, products: Products = .orderString) -> [any OrderRule] {
        let byReading: [any OrderRule] =
            reading == .strict
            ? (products.isRequired ? [RequiredParameterRule(name: "product_code")] : []) + [
                PlainTextRule(name: "subject", banned: "/=&"),
                LengthRule(name: "body", maximum: 128),
                PassbackRule(),
            ] : [ObservedPassbackRule()]
        return [
            RequiredParameterRule(name: "out_trade_no"), RequiredParameterRule(name: "total_amount"),
            RequiredParameterRule(name: "subject"),
            ConstantParameterRule(name: "product_code", allowed: products.codes), OrderNumberRule(extra: "_", reading: reading),
            AmountRule(
                name: "total_amount", domesticMaximum: 100_000_000, crossBorderMaximum: 100_000_000, isRenminbi: true, reading: reading),
            LengthRule(name: "subject", maximum: 256), PlainTextRule(name: "subject", banned: ""),
            TimeoutRule(name: "timeout_express"), ExpiryTimeRule(), ConstantParameterRule(name: "goods_type", allowed: ["0", "1"]),
            SellerRule(), ParameterNameRule(name: "subject"), ParameterNameRule(name: "body"), PairTextRule(name: "subject"),
            PairTextRule(name: "body"),
        ] + byReading
    }

    /// What an order is made for.
    public struct Products: Sendable, Hashable {
        public var codes: [String]
        public var isRequired: Bool

        /// `alipay.trade.app.pay`.
        public static let orderString = Products(codes: ["QUICK_MSECURITY_PAY"], isRequired: true)
        /// `alipay.trade.create`, whose trade a mini program has paid by its number.
        public static let createdTrade = Products(codes: ["JSAPI_PAY", "FACE_TO_FACE_PAYMENT"], isRequired: false)
    }

    /// - Parameters:
    ///   - content: `biz_content`.
    ///   - reading: How strictly the merchant is read.
    ///   - products: What the order is made for.
    public static func violations(
        in content: JSONValue, reading: AlipayReading = .strict, products: Products = .orderString
    ) -> [RuleViolation] {
        let values = OrderValues(content)
        return rules(reading, products: products).compactMap { $0.violation(in: values) }
    }
}
