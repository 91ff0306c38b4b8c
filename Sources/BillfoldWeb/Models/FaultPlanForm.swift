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

    package var scope: Scope
    /// Where the form posts: `/api/sandbox/plans/{scope}`.
    package var path: String { "/api/sandbox/plans/\(PathSegment.encoded(scope.name))" }
    package var choices: [Choice]
    /// The names of the choices that hold now.
    package var chosen: Set<String>
    /// What a choice with `replyDelayMilliseconds` starts from; the reader may change it.
    package var delayMilliseconds: Int

    package init(scope: Scope, choices: [Choice] = Self.gatewayChoices, chosen: Set<String> = [], delayMilliseconds: Int = 2000) {
        self.scope = scope
        self.choices = choices
        self.chosen = chosen
        self.delayMilliseconds = delayMilliseconds
    }

    /// The form with the plan that holds now.
    ///
    /// - `plan`: The gateway's plan as a JSON object, every key given; `nil` where none holds.
    package init(scope: Scope, holding plan: [UInt8]?) {
        self.init(scope: scope)
        guard let plan = plan.flatMap(Self.object) else { return }
        let delay = (plan[Self.delayKey] as? NSNumber)?.intValue ?? 0
        if delay > 0 { delayMilliseconds = delay }
        for choice in choices {
            let holds = (Self.object(Array(choice.plan.utf8)) ?? [:]).allSatisfy { key, value in
                // The delay is the reader's own number: any delay is this choice.
                key == Self.delayKey ? delay > 0 : plan[key] == value
            }
            if holds { chosen.insert(choice.name) }
        }
    }

    private static let delayKey = "replyDelayMilliseconds"

    private static func object(_ json: [UInt8]) -> [String: NSObject]? {
        (try? JSONSerialization.jsonObject(with: Data(json))) as? [String: NSObject]
    }

    package static let gatewayChoices = [
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
        let held = choices.filter { chosen.contains($0.name) }.map(\.title)
        return [
            "path": path, "delay": delayMilliseconds, "isNext": scope == .next,
            "held": held.isEmpty ? "No fault is set." : "Set now: \(held.joined(separator: ", ")).",
            "choices": choices.map {
                ["name": $0.name, "title": $0.title, "effect": $0.effect, "plan": $0.plan, "isChosen": chosen.contains($0.name)]
                    as [String: Any]
            },
        ]
    }
}
