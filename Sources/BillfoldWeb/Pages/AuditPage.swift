/// `/audit`: one audit chain, newest row first, whether its chain of hashes holds, and the owner's other chains.
package struct AuditPage: Sendable {
    package struct Action: Sendable, Hashable {
        package var sequence: Int64
        /// Microseconds since 1970.
        package var at: Int64
        package var actor: String
        package var action: String
        package var object: String
        package var result: String

        package init(sequence: Int64, at: Int64, actor: String, action: String, object: String, result: String) {
            self.sequence = sequence
            self.at = at
            self.actor = actor
            self.action = action
            self.object = object
            self.result = result
        }
    }

    /// A chain to choose.
    package struct Chain: Sendable, Hashable {
        package var name: String
        package var rowCount: Int
        /// When its last row was written: microseconds since 1970.
        package var lastAt: Int64
        /// The first row that is not as it was written; `nil` when every row was checked and holds.
        package var brokenRow: Int64?

        package init(name: String, rowCount: Int, lastAt: Int64, brokenRow: Int64? = nil) {
            self.name = name
            self.rowCount = rowCount
            self.lastAt = lastAt
            self.brokenRow = brokenRow
        }
    }

    package var frame: PageFrame
    /// Whose chains there are.
    package var owners: [String]
    package var owner: String
    package var chain: String
    package var actions: [Action]
    /// The first row of the chain that is not as it was written; `nil` when every row was checked and holds.
    package var brokenRow: Int64?
    package var chains: [Chain]
    /// The chain before which the next page of them begins.
    package var next: String?

    package init(
        frame: PageFrame = PageFrame(), owners: [String], owner: String, chain: String, actions: [Action], brokenRow: Int64? = nil,
        chains: [Chain], next: String? = nil
    ) {
        self.frame = frame
        self.owners = owners
        self.owner = owner
        self.chain = chain
        self.actions = actions
        self.brokenRow = brokenRow
        self.chains = chains
        self.next = next
    }

    package func html() throws(WebError) -> String {
        var model: [String: Any] = [
            "owner": owner, "chain": chain,
            "owners": owners.map { ["name": $0, "path": Self.path(owner: $0), "isCurrent": $0 == owner] as [String: Any] },
            "actions": actions.map {
                [
                    "sequence": $0.sequence, "at": InstantText.utc($0.at), "actor": $0.actor, "action": $0.action, "object": $0.object,
                    "result": $0.result,
                ] as [String: Any]
            },
            "hasActions": !actions.isEmpty,
            "chains": chains.map { each in
                var row: [String: Any] = [
                    "name": each.name, "path": Self.path(owner: owner, chain: each.name), "isCurrent": each.name == chain,
                    "rowCount": each.rowCount, "lastAt": InstantText.utc(each.lastAt), "lastAtMachine": InstantText.machine(each.lastAt),
                ]
                row["brokenAt"] = each.brokenRow
                return row
            },
            "hasChains": !chains.isEmpty,
        ]
        model["brokenRow"] = brokenRow
        model["nextPath"] = next.map { "\(Self.path(owner: owner, chain: chain))&before=\(PathSegment.encoded($0))" }
        return try frame.render("console/audit", title: "Audit", path: "/audit", model)
    }

    private static func path(owner: String, chain: String? = nil) -> String {
        "/audit?owner=\(PathSegment.encoded(owner))" + (chain.map { "&chain=\(PathSegment.encoded($0))" } ?? "")
    }
}
