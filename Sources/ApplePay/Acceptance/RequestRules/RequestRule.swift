public import BillfoldDiagnosis

/// One rule about payment requests: small enough to read beside the sentence of the reference that it enforces.
public protocol RequestRule: Sendable {
    /// The codes this rule can report, so that documentation and tests can list them.
    static var codes: [String] { get }
    func findings(in request: PaymentRequest, subject: String) -> [Finding]
}

/// Applies every rule of sections 1.2, 2.1, 2.2 and 2.4 to a request, before a phone has to.
public struct PaymentRequestLinter: Sendable {
    /// In the order of the reference; the list reads as the specification.
    public static let rules: [any RequestRule] = [
        MerchantIdentifierRule(), CountryCodeRule(), CurrencyCodeRule(), NetworksRule(), CapabilitiesRule(), EMVCapabilityRule(),
        SaudiArabiaRule(), SummaryItemsRule(), AmountTextRule(), TotalSumRule(), TotalSignRule(), PendingTotalRule(),
        ContactFieldsRule(), ShippingMethodsRule(), CouponCodeRule(), OneTokenKindRule(), TokenContextsRule(), LaterChargeRule(),
    ]

    public init() {}

    public func findings(in request: PaymentRequest, subject: String = "payment request") -> [Finding] {
        Self.rules.flatMap { $0.findings(in: request, subject: subject) }
    }
}
