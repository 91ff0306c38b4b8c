public import BillfoldDiagnosis

/// A selection is answered with the full item list, and the list still adds up. [O 7]
public struct AnswerItemsRule: SheetRule {
    public static let codes = ["apple-pay.session.items-empty", "apple-pay.session.total-sum"]

    public func findings(in session: SheetSession, subject: String) -> [Finding] {
        session.events.enumerated().flatMap { index, event -> [Finding] in
            guard event.callback.answerHasItems else { return [] }
            return event.answers.compactMap { answer -> Finding? in
                guard let items = answer.items, !items.isEmpty else {
                    return Finding(
                        code: Self.codes[0], subject: subject,
                        cause: "A callback was answered with an empty item list, so the sheet shows a zero total.",
                        evidence: [.init("event", SheetSession.name(index, event)), .init("items", "0")],
                        mend: "Return the current items when nothing changed.")
                }
                guard var finding = TotalSumRule.finding(items, code: Self.codes[1], subject: subject) else { return nil }
                finding.evidence.insert(.init("event", SheetSession.name(index, event)), at: 0)
                return finding
            }
        }
    }
}
