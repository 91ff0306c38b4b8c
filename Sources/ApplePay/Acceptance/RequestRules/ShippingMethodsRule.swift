public import BillfoldDiagnosis
import BillfoldMoney

/// Shipping methods come only with a physical delivery, and each has its own identifier and a label (apple-pay.md#payment-request).
public struct ShippingMethodsRule: RequestRule {
    public static let codes = [
        "apple-pay.request.shipping-without-address", "apple-pay.request.shipping-identifier", "apple-pay.request.shipping-label",
        "apple-pay.request.shipping-amount-negative",
    ]

    public func findings(in request: PaymentRequest, subject: String) -> [Finding] {
        guard !request.shippingMethods.isEmpty else { return [] }
        var findings: [Finding] = []
        if !request.requiredShippingContactFields.contains(.postalAddress) {
            findings.append(
                Finding(
                    code: Self.codes[0], subject: subject, cause: "There are shipping methods, and no postal address is asked for.",
                    evidence: [
                        .init("shippingMethods", String(request.shippingMethods.count)),
                        .init(
                            "requiredShippingContactFields",
                            request.requiredShippingContactFields.map(\.rawValue).sorted().joined(separator: ",")),
                    ],
                    mend: "For delivered goods require postalAddress; for electronic goods send no shipping methods."))
        }
        var seen: Set<String> = []
        for (index, method) in request.shippingMethods.enumerated() {
            if method.identifier.isEmpty || !seen.insert(method.identifier).inserted {
                findings.append(
                    Finding(
                        code: Self.codes[1], subject: subject,
                        cause: "A shipping method has no identifier of its own, so the selection cannot be told apart.",
                        evidence: [.init("shippingMethods[\(index)].identifier", method.identifier)],
                        mend: "Give every shipping method a different, non-empty identifier."))
            }
            if method.label.isEmpty {
                findings.append(
                    Finding(
                        code: Self.codes[2], subject: subject, cause: "A shipping method has no label.",
                        evidence: [.init("shippingMethods[\(index)].label", "")], mend: "Name each shipping method."))
            }
            if let amount = DecimalSum.scaled(method.amount), amount < 0 {
                findings.append(
                    Finding(
                        code: Self.codes[3], subject: subject, cause: "A shipping method costs less than nothing.",
                        evidence: [.init("shippingMethods[\(index)].amount", method.amount)],
                        mend: "Show free shipping as 0 and discounts as summary items."))
            }
        }
        return findings
    }
}
