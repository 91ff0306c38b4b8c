public import BillfoldDiagnosis
import BillfoldMoney

/// An ISO 4217 alphabetic code. [D]
public struct CurrencyCodeRule: RequestRule {
    public static let codes = ["apple-pay.request.currency-code"]

    public func findings(in request: PaymentRequest, subject: String) -> [Finding] {
        guard (try? Currency(request.currencyCode)) == nil else { return [] }
        var evidence: [Finding.Evidence] = [.init("currencyCode", request.currencyCode)]
        if let numeric = try? Currency(numeric: request.currencyCode) {
            evidence.append(.init("numeric code of", numeric.alphabeticCode))
        }
        return [
            Finding(
                code: Self.codes[0], subject: subject, cause: "currencyCode is not a current ISO 4217 alphabetic code.", evidence: evidence,
                mend: "Send three upper-case letters such as CNY; the numeric code belongs in the decrypted payload only.")
        ]
    }
}
