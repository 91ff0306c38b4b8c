public import BillfoldDiagnosis

/// At most one of multi-token, recurring, automatic-reload and deferred per request. [D]
public struct OneTokenKindRule: RequestRule {
    public static let codes = ["apple-pay.request.token-kinds"]

    public func findings(in request: PaymentRequest, subject: String) -> [Finding] {
        let kinds = [
            request.multiTokenContexts.isEmpty ? nil : "multiTokenContexts",
            request.recurringPaymentRequest.map { _ in "recurringPaymentRequest" },
            request.automaticReloadPaymentRequest.map { _ in "automaticReloadPaymentRequest" },
            request.deferredPaymentRequest.map { _ in "deferredPaymentRequest" },
        ].compactMap { $0 }
        guard kinds.count > 1 else { return [] }
        return [
            Finding(
                code: Self.codes[0], subject: subject, cause: "The request mixes token kinds that exclude each other.",
                evidence: [.init("kinds", kinds.joined(separator: ","))], mend: "Send at most one of the four kinds in a request.")
        ]
    }
}
