public import BillfoldDiagnosis

/// One rule about payment requests: small enough to read beside the sentence of apple-pay.md#payment-request that it enforces.
public protocol RequestRule: Sendable {
    /// The codes this rule can report, so that documentation and tests can list them.
    static var codes: [String] { get }
    /// Every breach in the request; empty when the rule holds. Findings name it by `subject`.
    func findings(in request: PaymentRequest, subject: String) -> [Finding]
}

/// Applies every rule from apple-pay.md#networks to apple-pay.md#later-charges to a request, before a phone has to.
public struct PaymentRequestLinter: Sendable {
    /// In the order of apple-pay.md; the list reads as the specification.
    public static let rules: [any RequestRule] = [
        MerchantIdentifierRule(), CountryCodeRule(), CurrencyCodeRule(), NetworksRule(), CapabilitiesRule(), EMVCapabilityRule(),
        SaudiArabiaRule(), SummaryItemsRule(), AmountTextRule(), TotalSumRule(), TotalSignRule(), PendingTotalRule(),
        ContactFieldsRule(), ShippingMethodsRule(), CouponCodeRule(), OneTokenKindRule(), TokenContextsRule(), LaterChargeRule(),
        LaterChargeTermsRule(),
    ]

    public init() {}

    public func findings(in request: PaymentRequest, subject: String = "payment request") -> [Finding] {
        Self.rules.flatMap { $0.findings(in: request, subject: subject) }
    }
}
