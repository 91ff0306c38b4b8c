/// The rules of alipay.md#legacy-order, in the order in which they are looked at.
public enum LegacyOrderRules {
    /// - Parameter reading: Strictly, what the documents demand; as observed, what real paid orders kept [V].
    public static func rules(_ reading: AlipayReading) -> [any OrderRule] {
        let needsPrefix = reading == .strict
        return required.map { RequiredParameterRule(name: $0) as any OrderRule } + constants + [
            PartnerRule(needsPrefix: needsPrefix), SellerRule(), OrderNumberRule(extra: "_-", reading: reading), OnePriceRule(),
            SettlementCurrencyRule(), ForexRule(), amount("total_fee", isRenminbi: false, reading),
            amount("rmb_fee", isRenminbi: true, reading), TimeoutRule(name: "it_b_pay"), MerchantCategoryRule(),
            SplitFundRule(reading: reading), AppEnvironmentRule(),
        ] + lengths.map { LengthRule(name: $0.0, maximum: $0.1) as any OrderRule } + texts
            + (reading == .strict ? [RequiredParameterRule(name: "notify_url"), AddressRule(name: "notify_url", maximum: 200)] : [])
    }

    /// What is wrong with an order's covered parameters; empty when nothing is.
    public static func violations(in parameters: LegacyOrderParameters, reading: AlipayReading = .strict) -> [RuleViolation] {
        let values = OrderValues(parameters)
        return rules(reading).compactMap { $0.violation(in: values) }
    }

    static let required = ["service", "partner", "_input_charset", "out_trade_no", "subject", "payment_type", "seller_id"]

    static let constants: [any OrderRule] = [
        ConstantParameterRule(name: "service", allowed: ["mobile.securitypay.pay"]),
        ConstantParameterRule(name: "payment_type", allowed: ["1"]),
        ConstantParameterRule(name: "payment_inst", allowed: ["ALIPAYCN", "ALIPAYHK"]),
        ConstantParameterRule(name: "product_code", allowed: ["NEW_WAP_OVERSEAS_SELLER", "NEW_OVERSEAS_SELLER"]),
        ConstantParameterRule(name: "goods_type", allowed: ["0", "1"]),
        ConstantParameterRule(name: "rn_check", allowed: ["T", "F"]),
    ]

    static let lengths = [
        ("subject", 256), ("body", 512), ("return_url", 200), ("notify_url", 200), ("currency", 10), ("it_b_pay", 10),
        ("secondary_merchant_id", 32), ("secondary_merchant_name", 64),
    ]

    static let texts: [any OrderRule] = [
        PlainTextRule(name: "subject", banned: ""), ParameterNameRule(name: "subject"), ParameterNameRule(name: "body"),
        PairTextRule(name: "subject"), PairTextRule(name: "body"), NotificationNameRule(),
        JSONParameterRule(name: "trade_information"), JSONParameterRule(name: "hb_fq_param"), JSONParameterRule(name: "promo_params"),
        JSONParameterRule(name: "out_context"),
    ]

    private static func amount(_ name: String, isRenminbi: Bool, _ reading: AlipayReading) -> any OrderRule {
        AmountRule(
            name: name, domesticMaximum: 100_000_000, crossBorderMaximum: 1_000_000, isRenminbi: isRenminbi, reading: reading)
    }
}
