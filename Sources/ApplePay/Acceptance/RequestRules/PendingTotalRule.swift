public import BillfoldDiagnosis

/// A pending component makes the total pending [I]; in the UK and the EEA the amount on the sheet must be final [D].
public struct PendingTotalRule: RequestRule {
    public static let codes = ["apple-pay.request.total-not-pending", "apple-pay.request.total-not-final"]

    /// The EEA and the United Kingdom, where strong customer authentication binds the amount.
    static let strongAuthenticationCountries: Set<String> = [
        "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GB", "GR", "HR", "HU", "IE", "IS", "IT", "LI", "LT", "LU",
        "LV", "MT", "NL", "NO", "PL", "PT", "RO", "SE", "SI", "SK",
    ]

    public func findings(in request: PaymentRequest, subject: String) -> [Finding] {
        guard let total = request.total else { return [] }
        if total.kind == .final, let pending = request.paymentSummaryItems.first(where: { $0.kind == .pending }) {
            return [
                Finding(
                    code: Self.codes[0], severity: .warning, subject: subject,
                    cause: "A component is pending and the total claims to be final.",
                    evidence: [.init("pending item", pending.label), .init("total", total.amount)], mend: "Mark the total pending as well.")
            ]
        }
        if total.kind == .pending, Self.strongAuthenticationCountries.contains(request.countryCode) {
            return [
                Finding(
                    code: Self.codes[1], severity: .warning, subject: subject,
                    cause: "The total is pending where strong customer authentication needs the final amount on the sheet.",
                    evidence: [.init("countryCode", request.countryCode)],
                    mend: "Show the final amount, or the highest amount that will be charged.")
            ]
        }
        return []
    }
}
