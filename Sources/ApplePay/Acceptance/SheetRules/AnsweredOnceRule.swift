public import BillfoldDiagnosis

/// Every callback that asks is answered, exactly once.
public struct AnsweredOnceRule: SheetRule {
    public static let codes = ["apple-pay.session.unanswered", "apple-pay.session.answered-twice"]

    public func findings(in session: SheetSession, subject: String) -> [Finding] {
        session.events.enumerated().compactMap { index, event in
            guard event.callback.needsAnswer else { return nil }
            let evidence: [Finding.Evidence] = [
                .init("event", SheetSession.name(index, event)), .init("answers", String(event.answers.count)),
            ]
            return switch event.answers.count {
            case 1: nil
            case 0:
                Finding(
                    code: Self.codes[0], subject: subject,
                    cause: "A callback was never answered: the sheet spins until the system gives up.", evidence: evidence,
                    mend: "Call the completion on every path, errors included; a one-shot reply type makes a missing answer visible.")
            default:
                Finding(
                    code: Self.codes[1], subject: subject, cause: "A callback was answered more than once; only the first answer counts.",
                    evidence: evidence, mend: "Answer once, after the outcome is known.")
            }
        }
    }
}
