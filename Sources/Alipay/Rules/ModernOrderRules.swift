public import BillfoldJSON

/// The rules of section (c) for the content of `alipay.trade.app.pay`.
public enum ModernOrderRules {
    public static func rules(_ reading: AlipayReading) -> [any OrderRule] {
        let strict: [any OrderRule] =
            reading == .strict
            ? [
                RequiredParameterRule(name: "product_code"), PlainTextRule(name: "subject", banned: "/=&"),
                LengthRule(name: "body", maximum: 128),
                PassbackRule(),
            ] : []
        return [
            RequiredParameterRule(name: "out_trade_no"), RequiredParameterRule(name: "total_amount"),
            RequiredParameterRule(name: "subject"),
            ConstantParameterRule(name: "product_code", allowed: ["QUICK_MSECURITY_PAY"]), OrderNumberRule(extra: "_", reading: reading),
            AmountRule(
                name: "total_amount", domesticMaximum: 100_000_000, crossBorderMaximum: 100_000_000, isRenminbi: true, reading: reading),
            LengthRule(name: "subject", maximum: 256), PlainTextRule(name: "subject", banned: ""),
            TimeoutRule(name: "timeout_express"), ExpiryTimeRule(), ConstantParameterRule(name: "goods_type", allowed: ["0", "1"]),
            SellerRule(), ParameterNameRule(name: "subject"), ParameterNameRule(name: "body"),
        ] + strict
    }

    public static func violations(in content: JSONValue, reading: AlipayReading = .strict) -> [RuleViolation] {
        let values = OrderValues(content)
        return rules(reading).compactMap { $0.violation(in: values) }
    }
}
