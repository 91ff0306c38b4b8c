import Foundation

/// What the sandbox's gateway can be told to do wrong for one order, or for whichever comes next.
///
/// The page merges the plans of what is chosen into one JSON object and posts it to ``path``; it replaces any earlier plan.
/// Two choices that set one key differently exclude each other, and the page says so.
package struct FaultPlanForm: Sendable, Hashable {
    package struct Choice: Sendable, Hashable {
        package var name: String
        package var title: String
        package var effect: String
        /// A JSON object with the keys of the gateway's fault plan that this choice sets.
        package var plan: String
        package fileprivate(set) var isChosen = false

        package init(_ name: String, title: String, effect: String, plan: String) {
            self.name = name
            self.title = title
            self.effect = effect
            self.plan = plan
        }
    }

    /// Whose messages the plan disturbs.
    package enum Scope: Sendable, Hashable {
        case order(String)
        /// The next message about money, whatever order it belongs to; the plan is used up by it.
        case next

        /// `next`, or the order's id: the last part of ``FaultPlanForm/path``.
        package var name: String {
            switch self {
            case .order(let id): id
            case .next: "next"
            }
        }
    }

    package let scope: Scope
    private let isNext: Bool
    /// Where the form posts: `/api/sandbox/plans/{scope}`.
    package let path: String
    private let choices: [Choice]
    private let held: String
    /// What a choice with `replyDelayMilliseconds` starts from; the reader may change it.
    package let delayMilliseconds: Int
    /// The names of the choices that hold now.
    package var chosen: Set<String> { Set(choices.filter(\.isChosen).map(\.name)) }

    package init(scope: Scope, choices: [Choice] = Self.gatewayChoices, chosen: Set<String> = [], delayMilliseconds: Int? = nil) {
        self.scope = scope
        isNext = scope == .next
        path = "/api/sandbox/plans/\(PathSegment.encoded(scope.name))"
        self.choices = choices.map {
            var choice = $0
            choice.isChosen = chosen.contains($0.name)
            return choice
        }
        let titles = self.choices.filter(\.isChosen).map(\.title)
        held = titles.isEmpty ? "No fault is set." : "Set now: \(titles.joined(separator: ", "))."
        self.delayMilliseconds = delayMilliseconds ?? 2000
    }

    /// The form with the plan that holds now.
    ///
    /// - Parameter plan: The gateway's plan as a JSON object, every key given; `nil` where none holds.
    package init(scope: Scope, holding plan: [UInt8]?) {
        let plan = plan.flatMap(Self.object) ?? [:]
        let delay = (plan[Self.delayKey] as? NSNumber)?.intValue ?? 0
        let chosen = Self.gatewayChoices.filter { choice in
            (Self.object(Array(choice.plan.utf8)) ?? [:]).allSatisfy { key, value in
                // The delay is the reader's own number: any delay is this choice.
                key == Self.delayKey ? delay > 0 : plan[key] == value
            }
        }
        self.init(scope: scope, chosen: Set(chosen.map(\.name)), delayMilliseconds: delay > 0 ? delay : nil)
    }

    private static let delayKey = "replyDelayMilliseconds"

    private static func object(_ json: [UInt8]) -> [String: NSObject]? {
        (try? JSONSerialization.jsonObject(with: Data(json))) as? [String: NSObject]
    }

    package static let gatewayChoices = [
        Choice(
            "request-lost", title: "Drop the message", effect: "The gateway never sees the deduct message.", plan: #"{"loss":"request"}"#),
        Choice(
            "reply-lost", title: "Book it and lose the reply", effect: "The money moves and the merchant hears nothing.",
            plan: #"{"loss":"reply"}"#),
        Choice(
            "reply-late", title: "Delay the reply", effect: "The answer comes after the time below, perhaps after the merchant gave up.",
            plan: #"{"replyDelayMilliseconds":2000}"#),
        Choice(
            "notification-doubled", title: "Duplicate the notification", effect: "The same signed notification comes twice.",
            plan: #"{"duplicateNotifications":1}"#),
        Choice(
            "notification-early", title: "Reorder", effect: "The notification overtakes the synchronous reply.",
            plan: #"{"notificationBeforeReply":true}"#),
        Choice(
            "late-success", title: "Succeed late", effect: "The state is unknown at first; success follows a minute later.",
            plan: #"{"lateSuccessSeconds":60,"replyCode":"05"}"#),
        Choice(
            "notification-corrupt", title: "Corrupt the signature", effect: "The notification’s signature does not fit.",
            plan: #"{"notification":"corruptSignature"}"#),
        Choice(
            "notification-wrong-amount", title: "Report a wrong amount",
            effect: "The notification is signed well and names another amount.",
            plan: #"{"notification":"wrongAmount"}"#),
    ]
}
