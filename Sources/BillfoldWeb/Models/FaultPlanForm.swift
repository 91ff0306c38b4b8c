import Foundation

/// A ``FaultMenu`` for one order, or for whichever comes next.
///
/// The page merges the plans of what is chosen into one JSON object and posts it to ``path``; it replaces any earlier plan.
/// Two choices that set one key differently exclude each other, and the page says so.
package struct FaultPlanForm: Sendable, Hashable {
    private struct Row: Sendable, Hashable {
        let choice: FaultMenu.Choice
        let isChosen: Bool
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
    /// Of the form's heading: a page can have several.
    private let id: String
    private let isNext: Bool
    /// Whether the reader may name an order instead of taking the next one.
    private let takesName: Bool
    private let party: String
    /// Where the form posts: the menu's path and the scope.
    package let path: String
    private let rows: [Row]
    private let held: String
    private let delayKey: String?
    /// What a choice with a delay starts from; the reader may change it.
    package let delayMilliseconds: Int
    /// The names of the choices that hold now.
    package var chosen: Set<String> { Set(rows.filter(\.isChosen).map(\.choice.name)) }

    package init(_ menu: FaultMenu, scope: Scope, chosen: Set<String> = [], delayMilliseconds: Int? = nil) {
        self.scope = scope
        id = "faults-" + String(menu.party.map { $0.isASCII && $0.isLetter ? $0 : "-" })
        isNext = scope == .next
        takesName = scope == .next && menu.correlation != nil
        party = menu.party
        path = "\(menu.path)/\(PathSegment.encoded(scope.name))"
        rows = menu.choices.map { Row(choice: $0, isChosen: chosen.contains($0.name)) }
        let titles = rows.filter(\.isChosen).map(\.choice.title)
        held = titles.isEmpty ? "No fault is set." : "Set now: \(titles.joined(separator: ", "))."
        delayKey = menu.delayKey
        self.delayMilliseconds = delayMilliseconds ?? 2000
    }

    /// The form with the plan that holds now.
    ///
    /// - Parameter plan: The party's plan as a JSON object, every key given; `nil` where none holds.
    package init(_ menu: FaultMenu, scope: Scope, holding plan: [UInt8]?) {
        let plan = plan.flatMap(Self.object) ?? [:]
        let delay = menu.delayKey.flatMap { (plan[$0] as? NSNumber)?.intValue } ?? 0
        let chosen = menu.choices.filter { choice in
            (Self.object(Array(choice.plan.utf8)) ?? [:]).allSatisfy { key, value in
                // The delay is the reader's own number: any delay is this choice.
                key == menu.delayKey ? delay > 0 : plan[key] == value || Self.holds(plan[key], all: value)
            }
        }
        self.init(menu, scope: scope, chosen: Set(chosen.map(\.name)), delayMilliseconds: delay > 0 ? delay : nil)
    }

    /// Choices that set the same list add to it.
    private static func holds(_ held: NSObject?, all chosen: NSObject) -> Bool {
        guard let held = held as? [NSObject], let chosen = chosen as? [NSObject] else { return false }
        return chosen.allSatisfy(held.contains)
    }

    private static func object(_ json: [UInt8]) -> [String: NSObject]? {
        (try? JSONSerialization.jsonObject(with: Data(json))) as? [String: NSObject]
    }
}
