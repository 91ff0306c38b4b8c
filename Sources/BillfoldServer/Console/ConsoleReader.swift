package import BillfoldWeb

/// Who reads a page, and in which console.
package struct ConsoleReader: Sendable {
    package var mode: ServerMode
    package var identity: OperatorIdentity?
    /// For the page's forms; `nil` for whoever did not sign in.
    package var csrfToken: String?
    /// Whether operators sign in at this console.
    package var offersSignIn: Bool
    /// Whether what takes a second person can be asked for at this console.
    package var offersRequests: Bool
    /// What the head of every page links to.
    package var links: [PageFrame.Link]

    package init(
        mode: ServerMode, identity: OperatorIdentity?, csrfToken: String?, offersSignIn: Bool, offersRequests: Bool, links: [PageFrame.Link]
    ) {
        self.mode = mode
        self.identity = identity
        self.csrfToken = csrfToken
        self.offersSignIn = offersSignIn
        self.offersRequests = offersRequests
        self.links = links
    }

    /// Whether the reader may do more than look.
    package var isOperator: Bool { identity?.roles.contains(.operator) == true }
    /// Whether the reader may ask for what takes a second person.
    package var mayRequest: Bool { offersRequests && isOperator }

    /// What stands around a page's content.
    package var frame: PageFrame {
        PageFrame(
            links: links, mode: mode.rawValue, operatorName: identity.flatMap { $0.isSignedIn ? $0.name : nil }, csrfToken: csrfToken,
            offersSignIn: offersSignIn && identity?.isSignedIn != true)
    }
}
