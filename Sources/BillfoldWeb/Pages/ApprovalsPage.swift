/// `/approvals`: actions that move money or trust, waiting for a second person, and those decided.
package struct ApprovalsPage: Sendable {
    package struct Request: Sendable, Hashable {
        /// What is asked for, in words: a label with its value.
        package struct Line: Sendable, Hashable {
            package var label: String
            package var value: String

            package init(label: String, value: String) {
                self.label = label
                self.value = value
            }
        }

        private let path: String
        private let kind: String
        private let subject: String
        private let detail: String
        private let lines: [Line]
        private let requestedBy: String
        private let requestedAt: InstantText
        private let state: StateWord
        private let decidedBy: String?
        private let outcome: String?
        private let mayDecide: Bool

        /// - Parameters:
        ///   - detail: What is run, as it is stored.
        ///   - requestedAt: Microseconds since 1970.
        ///   - mayDecide: Whether the reader may decide on it: it waits, and somebody else asked for it.
        package init(
            id: String, kind: String, subject: String, detail: String, lines: [Line] = [], requestedBy: String, requestedAt: Int64,
            state: String, decidedBy: String? = nil, outcome: String? = nil, mayDecide: Bool = false
        ) {
            path = "/api/approvals/\(PathSegment.encoded(id))"
            self.kind = kind
            self.subject = subject
            self.detail = detail
            self.lines = lines
            self.requestedBy = requestedBy
            self.requestedAt = InstantText(requestedAt)
            self.state = StateWord(state)
            self.decidedBy = decidedBy
            self.outcome = outcome
            self.mayDecide = mayDecide
        }
    }

    package var frame: PageFrame
    package var requests: [Request]
    /// Whether the person who asks may also approve, as in a sandbox on one machine.
    package var onePersonSuffices: Bool

    package init(frame: PageFrame = PageFrame(), requests: [Request], onePersonSuffices: Bool = false) {
        self.frame = frame
        self.requests = requests
        self.onePersonSuffices = onePersonSuffices
    }

    package func html() throws(WebError) -> String {
        try frame.render("console/approvals", title: "Approvals", path: "/approvals", scripts: ["console/operators.js"], self)
    }
}
