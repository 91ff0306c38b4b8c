public import BillfoldDiagnosis
import BillfoldMoney

/// The total may not be negative [D]; zero totals were refused before iOS 12 [D].
public struct TotalSignRule: RequestRule {
    public static let codes = ["apple-pay.request.total-negative", "apple-pay.request.total-zero"]

    public func findings(in request: PaymentRequest, subject: String) -> [Finding] {
        guard let total = request.total, let value = DecimalSum.scaled(total.amount), value <= 0 else { return [] }
        if value < 0 {
            return [
                Finding(
                    code: Self.codes[0], subject: subject, cause: "The total is negative.", evidence: [.init("total", total.amount)],
                    mend: "Limit discounts to what they reduce; the total is at least zero.")
            ]
        }
        guard total.kind == .final else { return [] }
        return [
            Finding(
                code: Self.codes[1], severity: .warning, subject: subject, cause: "The total is zero, which systems before iOS 12 refuse.",
                evidence: [.init("total", total.amount)],
                mend: "Mark the total pending when the amount is not known, or skip the sheet when nothing is to be paid.")
        ]
    }
}
