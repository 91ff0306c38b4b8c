public import BillfoldDiagnosis

/// The sheet gives up after about 30 seconds. [I]
public struct AnswerInTimeRule: SheetRule {
    public static let codes = ["apple-pay.session.answered-late"]
    static let limitMilliseconds: Int64 = 30_000

    public func findings(in session: SheetSession, subject: String) -> [Finding] {
        session.events.enumerated().compactMap { index, event in
            guard event.callback.needsAnswer, let answer = event.answers.first, answer.at > event.at else { return nil }
            // Times are outside data: their distance may take all of 64 bits.
            let waited = UInt64(bitPattern: answer.at &- event.at)
            guard waited > Self.limitMilliseconds else { return nil }
            return Finding(
                code: Self.codes[0], subject: subject, cause: "A callback was answered after the sheet had given up.",
                evidence: [.init("event", SheetSession.name(index, event)), .init("milliseconds", String(waited))],
                mend: "Answer well within 30 seconds; decide on the server what happens to a payment that is still unknown by then.")
        }
    }
}
