public import BillfoldDiagnosis

/// Two upper-case letters: the merchant's processing country. [D]
public struct CountryCodeRule: RequestRule {
    public static let codes = ["apple-pay.request.country-code"]

    public func findings(in request: PaymentRequest, subject: String) -> [Finding] {
        let letters = request.countryCode.utf8
        guard letters.count != 2 || !letters.allSatisfy({ (0x41...0x5A).contains($0) }) else { return [] }
        return [
            Finding(
                code: Self.codes[0], subject: subject, cause: "countryCode is not an ISO 3166-1 alpha-2 code.",
                evidence: [.init("countryCode", request.countryCode)],
                mend: "Send the two upper-case letters of the country where the merchant's payments are processed.")
        ]
    }
}
