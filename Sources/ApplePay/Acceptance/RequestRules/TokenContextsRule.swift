public import BillfoldDiagnosis
import BillfoldMoney

/// The amounts of token contexts are not negative and do not exceed the total. [D]
public struct TokenContextsRule: RequestRule {
    public static let codes = ["apple-pay.request.context-amount-negative", "apple-pay.request.context-sum"]

    public func findings(in request: PaymentRequest, subject: String) -> [Finding] {
        var findings: [Finding] = []
        for (index, context) in request.multiTokenContexts.enumerated() {
            guard let amount = DecimalSum.scaled(context.amount), amount < 0 else { continue }
            findings.append(
                Finding(
                    code: Self.codes[0], subject: subject, cause: "A token context has a negative amount.",
                    evidence: [.init("multiTokenContexts[\(index)].amount", context.amount)], mend: "Give each context what it may charge.")
            )
        }
        if !request.multiTokenContexts.isEmpty, let total = request.total, let limit = DecimalSum.scaled(total.amount),
            let sum = DecimalSum.sum(request.multiTokenContexts.map(\.amount)), sum > limit
        {
            findings.append(
                Finding(
                    code: Self.codes[1], subject: subject, cause: "The token contexts add up to more than the total.",
                    evidence: [.init("total", total.amount), .init("sum of contexts", DecimalSum.text(sum))],
                    mend: "Split the total; the contexts' amounts may not exceed it."))
        }
        return findings
    }
}
