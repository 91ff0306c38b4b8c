/// `/sign-in`: posts name and password to `/api/session` and goes on to another page.
package struct SignInPage: Sendable {
    private let frame: PageFrame
    private let next: String

    /// - Parameter next: A path of this console; anything else leads to `/`.
    package init(frame: PageFrame = PageFrame(links: []), next: String = "/") {
        self.frame = frame
        // Browsers drop tabs and line feeds from an address, and take a backslash for a slash.
        let isPlain = next.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") }
        let isPath = isPlain && next.hasPrefix("/") && !next.hasPrefix("//")
        self.next = isPath ? next : "/"
    }

    package func html() throws(WebError) -> String {
        try frame.render("console/sign-in", title: "Sign in", scripts: ["console/operators.js"], self)
    }
}
