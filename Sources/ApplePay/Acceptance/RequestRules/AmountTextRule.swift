public import BillfoldDiagnosis
import BillfoldMoney

/// Amounts are plain decimals with no more digits than the currency's minor units (apple-pay.md#amounts). [I: ISO 4217]
///
/// A long tail of digits is the mark of binary floating point.
public struct AmountTextRule: RequestRule {
    public static let codes = ["apple-pay.request.amount-malformed", "apple-pay.request.amount-digits"]

    public func findings(in request: PaymentRequest, subject: String) -> [Finding] {
        guard let currency = try? Currency(request.currencyCode) else { return [] }
        var amounts = request.paymentSummaryItems.enumerated().map { ("paymentSummaryItems[\($0.offset)].amount", $0.element.amount) }
        amounts += request.shippingMethods.enumerated().map { ("shippingMethods[\($0.offset)].amount", $0.element.amount) }
        amounts += request.multiTokenContexts.enumerated().map { ("multiTokenContexts[\($0.offset)].amount", $0.element.amount) }
        return amounts.compactMap { name, text -> Finding? in
            do throws(MoneyError) {
                _ = try Amount(text, currency: currency)
                return nil
            } catch {
                if error.code == .tooManyDigits {
                    return Finding(
                        code: Self.codes[1], subject: subject,
                        cause: "An amount has more decimal digits than \(currency) has minor units (\(currency.fractionDigits)).",
                        evidence: [.init(name, text)],
                        mend:
                            "Build amounts from integers or decimal strings, never from binary floating point, and round each line before adding."
                    )
                }
                return Finding(
                    code: Self.codes[0], subject: subject, cause: "An amount is not a plain decimal number.", evidence: [.init(name, text)],
                    mend: "Write digits with an optional minus and point: no exponent, no grouping, no currency sign.")
            }
        }
    }
}
