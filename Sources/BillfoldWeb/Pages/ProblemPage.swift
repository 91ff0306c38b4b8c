/// Why there is no page here, with the code that a log can be searched for.
package struct ProblemPage: Sendable {
    package var frame: PageFrame
    package var status: Int
    package var code: String
    package var reason: String

    package init(frame: PageFrame = PageFrame(), status: Int, code: String, reason: String) {
        self.frame = frame
        self.status = status
        self.code = code
        self.reason = reason
    }

    package func html() throws(WebError) -> String {
        try frame.render("console/problem", title: "\(status)", self)
    }
}
