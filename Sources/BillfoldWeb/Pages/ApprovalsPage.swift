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

        package var id: String
        package var kind: String
        package var subject: String
        /// What is run, as it is stored.
        package var detail: String
        package var lines: [Line]
        package var requestedBy: String
        /// Microseconds since 1970.
        package var requestedAt: Int64
        package var state: String
        package var decidedBy: String?
        package var outcome: String?
        /// Whether the reader may decide on it: it waits, and somebody else asked for it.
        package var mayDecide: Bool

        package init(
            id: String, kind: String, subject: String, detail: String, lines: [Line] = [], requestedBy: String, requestedAt: Int64,
            state: String, decidedBy: String? = nil, outcome: String? = nil, mayDecide: Bool = false
        ) {
            self.id = id
            self.kind = kind
            self.subject = subject
            self.detail = detail
            self.lines = lines
            self.requestedBy = requestedBy
            self.requestedAt = requestedAt
            self.state = state
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
        let rows = requests.map { request in
            var row: [String: Any] = [
                "kind": request.kind, "subject": request.subject, "detail": request.detail,
                "lines": request.lines.map { ["label": $0.label, "value": $0.value] }, "hasLines": !request.lines.isEmpty,
                "requestedBy": request.requestedBy,
                "requestedAt": InstantText.utc(request.requestedAt), "state": StateWord(request.state),
                "mayDecide": request.mayDecide,
                "path": "/api/approvals/\(PathSegment.encoded(request.id))",
            ]
            row["decidedBy"] = request.decidedBy
            row["outcome"] = request.outcome
            return row
        }
        return try frame.render(
            "console/approvals", title: "Approvals", path: "/approvals", scripts: ["console/operators.js"],
            ["requests": rows, "hasRequests": !requests.isEmpty, "onePersonSuffices": onePersonSuffices])
    }
}
