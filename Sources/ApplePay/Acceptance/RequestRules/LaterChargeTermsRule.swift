import BillfoldDiagnosis

/// What the web's form asks of the charges of an arrangement (apple-pay.md#later-charges [D]).
struct LaterChargeTermsRule: RequestRule {
    static let codes = [
        "apple-pay.request.billing-missing", "apple-pay.request.payment-timing", "apple-pay.request.deferred-date",
        "apple-pay.request.recurring-dates",
    ]

    func findings(in request: PaymentRequest, subject: String) -> [Finding] {
        let charges: [(name: String, timing: String, charge: PaymentRequest.LaterCharge?)] = [
            ("recurringPaymentRequest", "recurring", request.recurringPaymentRequest),
            ("automaticReloadPaymentRequest", "automaticReload", request.automaticReloadPaymentRequest),
            ("deferredPaymentRequest", "deferred", request.deferredPaymentRequest),
        ]
        return charges.flatMap { name, timing, charge -> [Finding] in
            guard let terms = charge?.terms else { return [] }
            let place = "\(name).\(terms.billingName)"
            guard terms.hasBilling else {
                return [
                    Finding(
                        code: Self.codes[0], subject: subject, cause: "The charges of the arrangement are missing.",
                        evidence: [.init(place, "absent")], mend: "Give \(terms.billingName): label, amount and paymentTiming.")
                ]
            }
            return Self.findings(in: terms, at: place, due: timing, subject: subject)
        }
    }

    private static func findings(
        in terms: PaymentRequest.LaterCharge.Terms, at place: String, due timing: String, subject: String
    ) -> [Finding] {
        var findings: [Finding] = []
        if terms.timing != timing {
            findings.append(
                Finding(
                    code: codes[1], subject: subject, cause: "The sheet refuses the request: this is no \(timing) line item.",
                    evidence: [.init("\(place).paymentTiming", terms.timing ?? "absent")], mend: "Set paymentTiming to \(timing)."))
        }
        if timing == "deferred", terms.deferredDate == nil {
            findings.append(
                Finding(
                    code: codes[2], subject: subject, cause: "The deferred charge has no date.",
                    evidence: [.init("\(place).deferredPaymentDate", "absent")], mend: "Give the day on which it will be charged."))
        }
        // Instants as JavaScript writes them sort as texts.
        if let start = terms.start, let end = terms.end, start.utf8.count == end.utf8.count, start.hasSuffix("Z"), end.hasSuffix("Z"),
            !start.utf8.lexicographicallyPrecedes(end.utf8)
        {
            findings.append(
                Finding(
                    code: codes[3], subject: subject, cause: "The arrangement ends before its second charge.",
                    evidence: [.init("\(place).recurringPaymentStartDate", start), .init("\(place).recurringPaymentEndDate", end)],
                    mend: "Leave the end out, or set it behind the start."))
        }
        return findings
    }
}
