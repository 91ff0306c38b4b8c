/// What the sandbox's gateway can be told to do wrong for one order.
///
/// The page sends `{"faults":["drop-reply", …],"delayMilliseconds":2000}` to ``path``; the gateway's plan replaces any earlier one.
public struct FaultPlanForm: Sendable, Hashable {
    public struct Choice: Sendable, Hashable {
        /// As the plan carries it.
        public var name: String
        public var title: String
        public var effect: String

        public init(_ name: String, title: String, effect: String) {
            self.name = name
            self.title = title
            self.effect = effect
        }
    }

    /// Where the form posts, usually `/api/sandbox/plans/{orderId}`.
    public var path: String
    public var choices: [Choice]
    /// The plan that holds now.
    public var chosen: Set<String>
    public var delayMilliseconds: Int

    public init(path: String, choices: [Choice] = Self.gatewayChoices, chosen: Set<String> = [], delayMilliseconds: Int = 2000) {
        self.path = path
        self.choices = choices
        self.chosen = chosen
        self.delayMilliseconds = delayMilliseconds
    }

    public static func path(forOrder id: String) -> String { "/api/sandbox/plans/\(PathSegment.encoded(id))" }

    public static let gatewayChoices = [
        Choice("drop", title: "Drop the message", effect: "The gateway never sees the deduct message."),
        Choice("reply-lost", title: "Book it and lose the reply", effect: "The money moves and the merchant hears nothing."),
        Choice("delay", title: "Delay the reply", effect: "The answer comes after the time below, perhaps after the merchant gave up."),
        Choice("duplicate", title: "Duplicate the notification", effect: "The same signed notification comes twice."),
        Choice("reorder", title: "Reorder", effect: "The notification overtakes the synchronous reply."),
        Choice("late-success", title: "Succeed late", effect: "Queries say that nothing is known; success follows."),
        Choice("corrupt-signature", title: "Corrupt the signature", effect: "One byte of the notification’s signature is flipped."),
        Choice("wrong-amount", title: "Report a wrong amount", effect: "The notification is signed well and names another amount."),
    ]

    var model: [String: Any] {
        [
            "path": path, "delay": delayMilliseconds,
            "choices": choices.map {
                ["name": $0.name, "title": $0.title, "effect": $0.effect, "isChosen": chosen.contains($0.name)] as [String: Any]
            },
        ]
    }
}
