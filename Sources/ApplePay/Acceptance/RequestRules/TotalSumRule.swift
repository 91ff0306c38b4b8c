public import BillfoldDiagnosis
import BillfoldMoney

/// The last item equals the exact sum of all others. [D]
public struct TotalSumRule: RequestRule {
    public static let codes = ["apple-pay.request.total-sum"]

    public func findings(in request: PaymentRequest, subject: String) -> [Finding] {
        Self.finding(request.paymentSummaryItems, code: Self.codes[0], subject: subject).map { [$0] } ?? []
    }

    /// Shared with the session rule: a callback's new items obey the same sum.
    static func finding(_ items: [PaymentRequest.SummaryItem], code: String, subject: String) -> Finding? {
        guard items.count > 1, let total = items.last, let stated = DecimalSum.scaled(total.amount),
            let sum = DecimalSum.sum(items.dropLast().map(\.amount)), sum != stated
        else { return nil }
        var evidence: [Finding.Evidence] = [.init("total", total.amount), .init("sum of items", DecimalSum.text(sum))]
        let (difference, overflow) = stated.subtractingReportingOverflow(sum)
        if !overflow { evidence.append(.init("difference", DecimalSum.text(difference))) }
        return Finding(
            code: code, subject: subject, cause: "The total is not the exact sum of the other items.", evidence: evidence,
            mend: "Round each line to the currency's minor units, add the rounded lines, and never round the total by itself.")
    }
}
