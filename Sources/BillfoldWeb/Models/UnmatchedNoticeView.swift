/// What others have verifiably said of something that the books do not know.
package struct UnmatchedNoticeView: Sendable, Hashable {
    /// How it may be settled.
    package struct Way: Sendable, Hashable {
        package var name: String
        package var title: String

        package init(name: String, title: String) {
            self.name = name
            self.title = title
        }
    }

    package var id: String
    /// The kind of the approval that settles it.
    package var action: String
    /// In one line: what an approval repeats.
    package var summary: String
    /// What of ours it names; empty where it names nothing.
    package var about: String
    /// The message, masked where it may hold card data.
    package var evidence: String
    /// What came of an earlier settlement that had no effect; empty where there was none.
    package var note: String
    /// Microseconds since 1970.
    package var receivedAt: Int64
    package var ways: [Way]

    package init(
        id: String, action: String, summary: String, about: String, evidence: String, note: String = "", receivedAt: Int64, ways: [Way]
    ) {
        self.id = id
        self.action = action
        self.summary = summary
        self.about = about
        self.evidence = evidence
        self.note = note
        self.receivedAt = receivedAt
        self.ways = ways
    }
}

extension UnmatchedNoticeView {
    fileprivate func model(mayAsk: Bool) -> [String: Any] {
        [
            "id": id, "action": action, "summary": summary, "evidence": evidence, "note": note, "hasNote": !note.isEmpty, "mayAsk": mayAsk,
            "receivedAt": InstantText.utc(receivedAt), "receivedAtMachine": InstantText.machine(receivedAt),
            "ways": ways.map { ["name": $0.name, "title": $0.title] },
        ]
    }
}

extension AlarmSection {
    /// Notices about things that no books here know.
    ///
    /// - `inAll`: How many are open; of very many not all are shown.
    /// - `mayAsk`: Whether the reader may ask to settle one.
    package static func unmatchedNotices(_ shown: [UnmatchedNoticeView], inAll: Int64, mayAsk: Bool) -> Self {
        var model: [String: Any] = ["notices": shown.map { $0.model(mayAsk: mayAsk) }, "hasNotices": !shown.isEmpty]
        if inAll > Int64(shown.count) {
            model["someNotices"] = "\(inAll) are open. Shown are \(shown.count): of each source those that came first and last."
        }
        return Self("console/unmatched-notices", model)
    }
}
