public import BillfoldDiagnosis

/// The identifier names the processing certificate that Apple encrypts to, so a request without one reaches nobody. [D] The form of Apple
/// Pay JS has none: the merchant session does (apple-pay.md#web-forms [D]).
public struct MerchantIdentifierRule: RequestRule {
    public static let codes = ["apple-pay.request.merchant-identifier"]

    public func findings(in request: PaymentRequest, subject: String) -> [Finding] {
        let name = request.merchantIdentifier
        if name.utf8.count == 64, name.allSatisfy(\.isHexDigit) {
            return [
                Finding(
                    code: Self.codes[0], subject: subject,
                    cause: "merchantIdentifier is the hash of an identifier, as certificates hold it.",
                    evidence: [.init("merchantIdentifier", name)], mend: "Give the identifier itself, which begins with merchant.")
            ]
        }
        guard name.isEmpty, !request.isOfJavaScript else { return [] }
        return [
            Finding(
                code: Self.codes[0], subject: subject, cause: "The request has no merchant identifier.",
                evidence: [.init("merchantIdentifier", "")],
                mend: "Set merchantIdentifier to an identifier of the app's entitlement whose processing certificate the server holds.")
        ]
    }
}
