/// What every page shows around its content.
package struct PageFrame: Sendable {
    /// One link of the page's head.
    package struct Link: Sendable, Hashable {
        package var name: String
        package var path: String

        package init(_ name: String, path: String) {
            self.name = name
            self.path = path
        }
    }

    package var links: [Link]
    /// `test` or `production`, as the store says; nothing is shown for `nil`.
    package var mode: String?
    /// Who is signed in; `nil` for whoever did not have to.
    package var operatorName: String?
    /// The session's token, which scripts send as `X-CSRF-Token`.
    package var csrfToken: String?
    /// Whether the reader did not sign in and could.
    package var offersSignIn: Bool

    package init(
        links: [Link] = Self.consoleLinks, mode: String? = nil, operatorName: String? = nil, csrfToken: String? = nil,
        offersSignIn: Bool = false
    ) {
        self.links = links
        self.mode = mode
        self.operatorName = operatorName
        self.csrfToken = csrfToken
        self.offersSignIn = offersSignIn
    }

    /// What every console has. Add ``webhooksLink``, ``alarmsLink``, ``approvalsLink``, ``auditLink``, ``doctorLink`` and ``connectLink``,
    /// and those of desks, where their pages are mounted.
    package static let consoleLinks = [Link("Journeys", path: "/"), Link("Stories", path: "/stories")]
    package static let doctorLink = Link("Doctor", path: "/doctor")
    package static let connectLink = Link("Connect", path: "/connect")
    package static let alarmsLink = Link("Alarms", path: "/alarms")
    package static let approvalsLink = Link("Approvals", path: "/approvals")
    package static let webhooksLink = Link("Webhooks", path: "/webhooks")
    package static let auditLink = Link("Audit", path: "/audit")

    /// Puts a page's content into the frame.
    ///
    /// - Parameters:
    ///   - path: The page's own path, which marks its link as the current one.
    ///   - styles: Paths below `/assets/`, loaded after `billfold.css`.
    ///   - scripts: ES modules, paths below `/assets/`.
    ///   - pages: The set that the template belongs to.
    ///   - content: What the template names; see ``PageSet/render(_:_:)``. The frame's own names come first.
    package func render(
        _ template: String, of pages: PageSet = .common, title: String, path: String = "", styles: [String] = [], scripts: [String] = [],
        _ content: some Sendable
    ) throws(WebError) -> String {
        let values = Values(
            title: title, styles: styles, scripts: scripts + (csrfToken == nil ? [] : ["console/session.js"]),
            navigation: links.map {
                Values.Link(name: $0.name, path: WebLink.checked($0.path) ?? "/", isCurrent: $0.path == path)
            }, mode: mode, isTest: mode == "test", operatorName: operatorName, csrfToken: csrfToken,
            signInPath: offersSignIn ? "/sign-in?next=\(PathSegment.encoded(path))" : nil)
        return try pages.draw(template, [values, content])
    }

    /// What `frame.mustache` names.
    private struct Values {
        struct Link {
            var name: String
            var path: String
            var isCurrent: Bool
        }

        var title: String
        var styles: [String]
        var scripts: [String]
        var navigation: [Link]
        var mode: String?
        var isTest: Bool
        var operatorName: String?
        var csrfToken: String?
        var signInPath: String?
    }
}
