/// `/audit`: what operators did, newest first, and whether the chain of hashes over it holds.
public struct AuditPage: Sendable {
    public struct Action: Sendable, Hashable {
        public var sequence: Int64
        /// Microseconds since 1970.
        public var at: Int64
        public var actor: String
        public var action: String
        public var object: String
        public var result: String

        public init(sequence: Int64, at: Int64, actor: String, action: String, object: String, result: String) {
            self.sequence = sequence
            self.at = at
            self.actor = actor
            self.action = action
            self.object = object
            self.result = result
        }
    }

    public var frame: PageFrame
    public var actions: [Action]
    /// Why the chain does not hold; `nil` when every row was checked and holds.
    public var brokenChain: String?

    public init(frame: PageFrame = PageFrame(), actions: [Action], brokenChain: String? = nil) {
        self.frame = frame
        self.actions = actions
        self.brokenChain = brokenChain
    }

    public func html() throws(WebError) -> String {
        var model: [String: Any] = [
            "actions": actions.map {
                [
                    "sequence": $0.sequence, "at": InstantText.utc($0.at), "actor": $0.actor, "action": $0.action, "object": $0.object,
                    "result": $0.result,
                ] as [String: Any]
            },
            "hasActions": !actions.isEmpty,
        ]
        model["brokenChain"] = brokenChain
        return try frame.render("console/audit", title: "Audit", path: "/audit", model)
    }
}
