public import BillfoldDiagnosis

/// Errors come from PassKit's factory functions: its domain and its codes. A private domain crashed one team's app. [O]
public struct ErrorDomainRule: SheetRule {
    public static let codes = ["apple-pay.session.error-domain", "apple-pay.session.error-code"]
    /// The domain of PassKit's payment errors.
    public static let domain = "PKPaymentErrorDomain"
    static let known: Set<String> = [
        "shippingContactInvalid", "billingContactInvalid", "shippingAddressUnserviceable", "addressUnserviceable", "couponCodeInvalid",
        "couponCodeExpired", "unknown",
    ]

    public func findings(in session: SheetSession, subject: String) -> [Finding] {
        session.events.enumerated().flatMap { index, event in
            event.answers.flatMap(\.errors).compactMap { error -> Finding? in
                if error.domain != Self.domain {
                    return Finding(
                        code: Self.codes[0], subject: subject, cause: "An error from outside PassKit's domain was handed to the sheet.",
                        evidence: [.init("event", SheetSession.name(index, event)), .init("domain", error.domain)],
                        mend: "Build errors with PassKit's factory functions such as paymentShippingAddressUnserviceableError.")
                }
                guard !Self.known.contains(error.code) else { return nil }
                return Finding(
                    code: Self.codes[1], subject: subject, cause: "An error code is none of PassKit's.",
                    evidence: [.init("event", SheetSession.name(index, event)), .init("code", error.code)],
                    mend:
                        "Use shippingContactInvalid, billingContactInvalid, shippingAddressUnserviceable, couponCodeInvalid or couponCodeExpired."
                )
            }
        }
    }
}
