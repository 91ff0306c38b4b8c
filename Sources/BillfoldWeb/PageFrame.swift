/// What every page shows around its content.
public struct PageFrame: Sendable {
    /// One link of the page's head.
    public struct Link: Sendable, Hashable {
        public var name: String
        public var path: String

        public init(_ name: String, path: String) {
            self.name = name
            self.path = path
        }
    }

    public var links: [Link]
    /// `test` or `production`, as the store says; nothing is shown for `nil`.
    public var mode: String?
    /// Who is signed in; `nil` for whoever did not have to.
    public var operatorName: String?
    /// The session's token, which scripts send as `X-CSRF-Token`.
    public var csrfToken: String?
    /// Whether the reader did not sign in and could.
    public var offersSignIn: Bool

    public init(
        links: [Link] = Self.consoleLinks, mode: String? = nil, operatorName: String? = nil, csrfToken: String? = nil,
        offersSignIn: Bool = false
    ) {
        self.links = links
        self.mode = mode
        self.operatorName = operatorName
        self.csrfToken = csrfToken
        self.offersSignIn = offersSignIn
    }

    /// What every console has. Add ``provisioningLink``, ``gatewayLink``, ``acquiringLink``, ``miniProgramsLink``, ``alarmsLink``,
    /// ``approvalsLink``, ``auditLink`` and ``doctorLink`` where those pages are mounted.
    public static let consoleLinks = [Link("Journeys", path: "/"), Link("Stories", path: "/stories")]
    public static let doctorLink = Link("Doctor", path: "/doctor")
    public static let provisioningLink = Link("Cards", path: "/provisioning")
    public static let gatewayLink = Link("Gateway", path: "/gateway")
    public static let acquiringLink = Link("Acquiring", path: "/acquiring")
    public static let miniProgramsLink = Link("Mini programs", path: "/mini-programs")
    public static let alarmsLink = Link("Alarms", path: "/alarms")
    public static let approvalsLink = Link("Approvals", path: "/approvals")
    public static let auditLink = Link("Audit", path: "/audit")

    /// Puts a page's content into the frame.
    ///
    /// - `path`: The page's own path, which marks its link as the current one.
    /// - `styles`: Paths below `/assets/`, loaded after `billfold.css`.
    /// - `scripts`: ES modules, paths below `/assets/`.
    public func render(
        _ template: String, title: String, path: String = "", styles: [String] = [], scripts: [String] = [], _ content: [String: Any]
    ) throws(WebError) -> String {
        var model = content
        model["title"] = title
        model["styles"] = styles
        model["scripts"] = scripts + (csrfToken == nil ? [] : ["console/session.js"])
        model["navigation"] = links.map {
            ["name": $0.name, "path": WebLink.checked($0.path) ?? "/", "isCurrent": $0.path == path] as [String: Any]
        }
        model["mode"] = mode
        model["isTest"] = mode == "test"
        model["operatorName"] = operatorName
        model["csrfToken"] = csrfToken
        model["signInPath"] = offersSignIn ? "/sign-in?next=\(PathSegment.encoded(path))" : nil
        return try PageTemplates.render(template, model)
    }
}
