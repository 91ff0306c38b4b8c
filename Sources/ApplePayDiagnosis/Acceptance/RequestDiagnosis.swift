import ApplePay
import BillfoldDiagnosis

/// Lints requests and recorded sheets.
struct RequestDiagnosis {
    let file: CaseFile

    func examine(into diagnosis: inout Diagnosis) {
        for request in file.requests {
            diagnosis.identified.append(
                .init(
                    artifact: request.name, kind: "apple-pay.payment-request",
                    summary:
                        "payment request of \(request.value.merchantIdentifier), \(request.value.currencyCode) \(request.value.total?.amount ?? "without a total")"
                ))
            diagnosis.findings += PaymentRequestLinter().findings(in: request.value, subject: request.name)
        }
        for session in file.sessions {
            diagnosis.identified.append(
                .init(artifact: session.name, kind: SheetSession.kind, summary: "recorded sheet with \(session.value.events.count) events"))
            diagnosis.findings += SheetSessionLinter().findings(in: session.value, subject: session.name)
        }
    }
}
