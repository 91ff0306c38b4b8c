/// `/audit`: one audit chain, newest row first, whether its chain of hashes holds, and the owner's other chains.
package struct AuditPage: Sendable {
    package struct Action: Sendable, Hashable {
        private let sequence: Int64
        private let at: InstantText
        private let actor: String
        private let action: String
        private let object: String
        private let result: String

        /// - Parameter at: Microseconds since 1970.
        package init(sequence: Int64, at: Int64, actor: String, action: String, object: String, result: String) {
            self.sequence = sequence
            self.at = InstantText(at)
            self.actor = actor
            self.action = action
            self.object = object
            self.result = result
        }
    }

    /// A chain to choose.
    package struct Chain: Sendable, Hashable {
        fileprivate let name: String
        private let rowCount: Int
        private let lastAt: InstantText
        private let brokenAt: Int64?
        fileprivate var path = ""
        fileprivate var isCurrent = false

        /// - Parameters:
        ///   - lastAt: When its last row was written: microseconds since 1970.
        ///   - brokenRow: The first row that is not as it was written; `nil` when every row was checked and holds.
        package init(name: String, rowCount: Int, lastAt: Int64, brokenRow: Int64? = nil) {
            self.name = name
            self.rowCount = rowCount
            self.lastAt = InstantText(lastAt)
            brokenAt = brokenRow
        }
    }

    private struct Owner: Sendable {
        let name: String
        let path: String
        let isCurrent: Bool
    }

    private let frame: PageFrame
    private let owners: [Owner]
    private let owner: String
    private let chain: String
    private let actions: [Action]
    private let brokenRow: Int64?
    private let chains: [Chain]
    private let nextPath: String?

    /// - Parameters:
    ///   - owners: Whose chains there are.
    ///   - brokenRow: The first row of the chain that is not as it was written; `nil` when every row was checked and holds.
    ///   - next: The chain before which the next page of them begins.
    package init(
        frame: PageFrame = PageFrame(), owners: [String], owner: String, chain: String, actions: [Action], brokenRow: Int64? = nil,
        chains: [Chain], next: String? = nil
    ) {
        self.frame = frame
        self.owners = owners.map { Owner(name: $0, path: Self.path(owner: $0), isCurrent: $0 == owner) }
        self.owner = owner
        self.chain = chain
        self.actions = actions
        self.brokenRow = brokenRow
        self.chains = chains.map {
            var each = $0
            each.path = Self.path(owner: owner, chain: each.name)
            each.isCurrent = each.name == chain
            return each
        }
        nextPath = next.map { "\(Self.path(owner: owner, chain: chain))&before=\(PathSegment.encoded($0))" }
    }

    package func html() throws(WebError) -> String {
        try frame.render("console/audit", title: "Audit", path: "/audit", self)
    }

    private static func path(owner: String, chain: String? = nil) -> String {
        "/audit?owner=\(PathSegment.encoded(owner))" + (chain.map { "&chain=\(PathSegment.encoded($0))" } ?? "")
    }
}
