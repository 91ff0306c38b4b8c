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

    package let id: String
    /// The kind of the approval that settles it.
    package let action: String
    /// In one line: what an approval repeats.
    package let summary: String
    /// What of ours it names; empty where it names nothing.
    package let about: String
    /// The message, masked where it may hold card data.
    package let evidence: String
    /// What came of an earlier settlement that had no effect; empty where there was none.
    package let note: String
    package let receivedAt: InstantText
    package let ways: [Way]

    /// - Parameter receivedAt: Microseconds since 1970.
    package init(
        id: String, action: String, summary: String, about: String, evidence: String, note: String = "", receivedAt: Int64, ways: [Way]
    ) {
        self.id = id
        self.action = action
        self.summary = summary
        self.about = about
        self.evidence = evidence
        self.note = note
        self.receivedAt = InstantText(receivedAt)
        self.ways = ways
    }
}

extension AlarmSection {
    /// Notices about things that no books here know.
    ///
    /// - Parameters:
    ///   - inAll: How many are open; of very many not all are shown.
    ///   - mayAsk: Whether the reader may ask to settle one.
    package static func unmatchedNotices(_ shown: [UnmatchedNoticeView], inAll: Int64, mayAsk: Bool) -> Self {
        Self("console/unmatched-notices", UnmatchedNotices(notices: shown, inAll: inAll, mayAsk: mayAsk))
    }
}

private struct UnmatchedNotices: Sendable {
    let notices: [UnmatchedNoticeView]
    let someNotices: String?
    let mayAsk: Bool

    init(notices: [UnmatchedNoticeView], inAll: Int64, mayAsk: Bool) {
        self.notices = notices
        someNotices =
            inAll > Int64(notices.count)
            ? "\(inAll) are open. Shown are \(notices.count): of each source those that came first and last." : nil
        self.mayAsk = mayAsk
    }
}
