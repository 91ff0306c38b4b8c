/// Why there is no page here, with the code that a log can be searched for.
public struct ProblemPage: Sendable {
    public var frame: PageFrame
    public var status: Int
    public var code: String
    public var reason: String

    public init(frame: PageFrame = PageFrame(), status: Int, code: String, reason: String) {
        self.frame = frame
        self.status = status
        self.code = code
        self.reason = reason
    }

    public func html() throws(WebError) -> String {
        try frame.render("console/problem", title: "\(status)", ["status": status, "code": code, "reason": reason])
    }
}
