public import BillfoldDiagnosis

/// Authorisation is answered only after the merchant's server answered. [O]
public struct ServerFirstRule: SheetRule {
    public static let codes = ["apple-pay.session.success-before-server"]

    public func findings(in session: SheetSession, subject: String) -> [Finding] {
        session.events.enumerated().compactMap { index, event in
            guard event.callback == .didAuthorizePayment, let answer = event.answers.first(where: { $0.status == "success" }) else {
                return nil
            }
            if let server = event.serverAnsweredAt, server <= answer.at { return nil }
            return Finding(
                code: Self.codes[0], subject: subject, cause: "The sheet was told success before the merchant's server had answered.",
                evidence: [
                    .init("event", SheetSession.name(index, event)), .init("answered at", "\(answer.at) ms"),
                    .init("server answered at", event.serverAnsweredAt.map { "\($0) ms" } ?? "never"),
                ],
                mend: "Keep the completion until the server's answer is there, and pass its outcome on.")
        }
    }
}
