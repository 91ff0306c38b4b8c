public import BillfoldDiagnosis

/// Later charges need a page where the customer manages them, and should name an address for token events. [D]
public struct LaterChargeRule: RequestRule {
    public static let codes = ["apple-pay.request.management-url", "apple-pay.request.token-notification-url"]

    public func findings(in request: PaymentRequest, subject: String) -> [Finding] {
        let charges: [(String, PaymentRequest.LaterCharge?)] = [
            ("recurringPaymentRequest", request.recurringPaymentRequest),
            ("automaticReloadPaymentRequest", request.automaticReloadPaymentRequest),
            ("deferredPaymentRequest", request.deferredPaymentRequest),
        ]
        return charges.flatMap { name, charge -> [Finding] in
            guard let charge else { return [] }
            var findings: [Finding] = []
            if charge.managementURL.isEmpty {
                findings.append(
                    Finding(
                        code: Self.codes[0], subject: subject, cause: "A later charge has no managementURL.",
                        evidence: [.init("\(name).managementURL", "")] + Self.nearMiss("managementURL", charge),
                        mend: "Give the address of the page where the customer changes or ends the arrangement."))
            }
            if charge.tokenNotificationURL == nil {
                findings.append(
                    Finding(
                        code: Self.codes[1], severity: .warning, subject: subject,
                        cause: "A later charge has no tokenNotificationURL, so token life-cycle events are missed.",
                        evidence: [.init("\(name).tokenNotificationURL", "absent")] + Self.nearMiss("tokenNotificationURL", charge),
                        mend: "Give an address that takes merchant-token events."))
            }
            return findings
        }
    }

    /// A member whose name differs in its letter case alone.
    private static func nearMiss(_ name: String, _ charge: PaymentRequest.LaterCharge) -> [Finding.Evidence] {
        (charge.terms?.names ?? []).filter { $0 != name && $0.lowercased() == name.lowercased() }.map { .init("misspelt", $0) }
    }
}
