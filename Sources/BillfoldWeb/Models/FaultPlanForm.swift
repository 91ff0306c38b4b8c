/// What the sandbox's gateway can be told to do wrong for one order.
///
/// The page merges the plans of what is chosen into one JSON object and posts it to ``path``; it replaces any earlier plan.
/// Two choices that set one key differently exclude each other, and the page says so.
public struct FaultPlanForm: Sendable, Hashable {
    public struct Choice: Sendable, Hashable {
        public var name: String
        public var title: String
        public var effect: String
        /// A JSON object with the keys of the gateway's fault plan that this choice sets.
        public var plan: String

        public init(_ name: String, title: String, effect: String, plan: String) {
            self.name = name
            self.title = title
            self.effect = effect
            self.plan = plan
        }
    }

    /// Where the form posts, usually `/api/sandbox/plans/{orderId}` with the order's number at the gateway.
    public var path: String
    public var choices: [Choice]
    /// The names of the choices that hold now.
    public var chosen: Set<String>
    /// What a choice with `replyDelayMilliseconds` starts from; the reader may change it.
    public var delayMilliseconds: Int

    public init(path: String, choices: [Choice] = Self.gatewayChoices, chosen: Set<String> = [], delayMilliseconds: Int = 2000) {
        self.path = path
        self.choices = choices
        self.chosen = chosen
        self.delayMilliseconds = delayMilliseconds
    }

    public static func path(forOrder id: String) -> String { "/api/sandbox/plans/\(PathSegment.encoded(id))" }

    public static let gatewayChoices = [
        Choice("drop", title: "Drop the message", effect: "The gateway never sees the deduct message.", plan: #"{"loss":"request"}"#),
        Choice(
            "reply-lost", title: "Book it and lose the reply", effect: "The money moves and the merchant hears nothing.",
            plan: #"{"loss":"reply"}"#),
        Choice(
            "delay", title: "Delay the reply", effect: "The answer comes after the time below, perhaps after the merchant gave up.",
            plan: #"{"replyDelayMilliseconds":2000}"#),
        Choice(
            "duplicate", title: "Duplicate the notification", effect: "The same signed notification comes twice.",
            plan: #"{"duplicateNotifications":1}"#),
        Choice(
            "reorder", title: "Reorder", effect: "The notification overtakes the synchronous reply.",
            plan: #"{"notificationBeforeReply":true}"#),
        Choice(
            "late-success", title: "Succeed late", effect: "The state is unknown at first; success follows a minute later.",
            plan: #"{"lateSuccessSeconds":60,"replyCode":"05"}"#),
        Choice(
            "corrupt-signature", title: "Corrupt the signature", effect: "The notification’s signature does not fit.",
            plan: #"{"notification":"corruptSignature"}"#),
        Choice(
            "wrong-amount", title: "Report a wrong amount", effect: "The notification is signed well and names another amount.",
            plan: #"{"notification":"wrongAmount"}"#),
    ]

    var model: [String: Any] {
        [
            "path": path, "delay": delayMilliseconds,
            "choices": choices.map {
                ["name": $0.name, "title": $0.title, "effect": $0.effect, "plan": $0.plan, "isChosen": chosen.contains($0.name)]
                    as [String: Any]
            },
        ]
    }
}
