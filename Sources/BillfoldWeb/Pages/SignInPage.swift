/// `/sign-in`: posts name and password to `/api/session` and goes on to ``next``.
public struct SignInPage: Sendable {
    public var frame: PageFrame
    /// A path of this console; anything else leads to `/`.
    public var next: String

    public init(frame: PageFrame = PageFrame(links: []), next: String = "/") {
        self.frame = frame
        self.next = next
    }

    public func html() throws(WebError) -> String {
        let isPath = next.hasPrefix("/") && !next.hasPrefix("//") && !next.contains("\\")
        return try frame.render("console/sign-in", title: "Sign in", scripts: ["console/operators.js"], ["next": isPath ? next : "/"])
    }
}
