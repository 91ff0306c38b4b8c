public import BillfoldDiagnosis

/// At least one item; every item has a label, the last one the merchant's name (apple-pay.md#summary-items).
public struct SummaryItemsRule: RequestRule {
    public static let codes = ["apple-pay.request.items-empty", "apple-pay.request.item-label"]

    public func findings(in request: PaymentRequest, subject: String) -> [Finding] {
        guard !request.paymentSummaryItems.isEmpty else {
            return [
                Finding(
                    code: Self.codes[0], subject: subject, cause: "The request has no summary items, so it has no total.",
                    evidence: [.init("paymentSummaryItems", "[]")],
                    mend: "Send the lines and, last, the total with the merchant's name as its label.")
            ]
        }
        return request.paymentSummaryItems.indices.filter { request.paymentSummaryItems[$0].label.isEmpty }.map { index in
            Finding(
                code: Self.codes[1], subject: subject, cause: "A summary item has no label.",
                evidence: [.init("paymentSummaryItems[\(index)].label", "")],
                mend: "Name each line; the last item's label is the merchant's name as customers know it.")
        }
    }
}
