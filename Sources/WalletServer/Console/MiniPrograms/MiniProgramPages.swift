package import BillfoldWeb

/// `/mini-programs`: what the platform hosts, and whose servers may call it.
package struct MiniProgramsPage: Sendable {
    package let frame: PageFrame
    package let shelf: MiniProgramShelf

    static let styles = ["console/ledger.css"]

    package init(frame: PageFrame = PageFrame(), shelf: MiniProgramShelf) {
        self.frame = frame
        self.shelf = shelf
    }

    package func html() throws(WebError) -> String {
        try frame.render(
            "console/mini-programs", of: .wallet, title: "Mini programs", path: "/mini-programs", styles: Self.styles, self)
    }
}

/// `/mini-programs/{appId}`: versions, review, release and permissions of one mini program.
package struct MiniProgramPage: Sendable {
    package let frame: PageFrame
    package let view: MiniProgramView
    /// Whether the reader may ask for steps, which a second person approves.
    package let offersSteps: Bool

    package init(frame: PageFrame = PageFrame(), view: MiniProgramView, offersSteps: Bool = false) {
        self.frame = frame
        self.view = view
        self.offersSteps = offersSteps
    }

    package func html() throws(WebError) -> String {
        try frame.render(
            "console/mini-program", of: .wallet, title: view.program.name, path: "/mini-programs", styles: MiniProgramsPage.styles,
            scripts: ["console/operators.js"], self)
    }
}
