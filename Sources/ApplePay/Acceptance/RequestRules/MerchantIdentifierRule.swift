public import BillfoldDiagnosis

/// The identifier names the processing certificate that Apple encrypts to, so a request without one reaches nobody. [D]
public struct MerchantIdentifierRule: RequestRule {
    public static let codes = ["apple-pay.request.merchant-identifier"]

    public func findings(in request: PaymentRequest, subject: String) -> [Finding] {
        guard request.merchantIdentifier.isEmpty else { return [] }
        return [
            Finding(
                code: Self.codes[0], subject: subject, cause: "The request has no merchant identifier.",
                evidence: [.init("merchantIdentifier", "")],
                mend: "Set merchantIdentifier to an identifier of the app's entitlement whose processing certificate the server holds.")
        ]
    }
}
