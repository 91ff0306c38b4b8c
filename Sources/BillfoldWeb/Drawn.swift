import Mustache
import Synchronization

/// A value as templates see it: its stored properties by their names, each looked at once.
///
/// The library would look at every property of every enclosing value for each name of a template.
struct Drawn: MustacheParent, CustomStringConvertible {
    /// Later ones have the names that earlier ones lack.
    private let values: [Any]
    private let properties: [String: Any]
    private let isOutermost: Bool

    /// A page: the values that its template names.
    init(page values: [Any]) { self.init(values, isOutermost: true) }

    private init(_ values: [Any], isOutermost: Bool = false) {
        self.values = values
        self.isOutermost = isOutermost
        properties = values.reduce(into: [:]) { properties, value in
            for (name, property) in Self.properties(of: value) where properties[name] == nil { properties[name] = Self.drawn(property) }
        }
    }

    var description: String { values.map { "\($0)" }.joined() }

    func child(named name: String) -> Any? {
        let child = properties[name]
        MissingNames.log?.note(name, isKnown: child != nil || declares(name), isLast: child != nil || isOutermost)
        return child
    }

    private func declares(_ name: String) -> Bool { values.contains { value in Self.properties(of: value).contains { $0.0 == name } } }

    private static func properties(of value: Any) -> [(String, Any)] {
        if let members = value as? [String: Any] { return members.map { ($0, $1) } }
        return Mirror(reflecting: value).children.compactMap { child in child.label.map { ($0, child.value) } }
    }

    /// Nothing for `nil`, an array for a collection, and what a template writes as it is for text, numbers, `Bool` and enumerations.
    private static func drawn(_ value: Any) -> Any? {
        if value is String || value is Bool || value is any BinaryInteger { return value }
        let mirror = Mirror(reflecting: value)
        return switch mirror.displayStyle {
        case .optional: mirror.children.first.flatMap { drawn($0.value) }
        case .collection, .set: mirror.children.compactMap { drawn($0.value) }
        case .dictionary: Drawn([value])
        case .struct where !(value is any StringProtocol) && !mirror.children.isEmpty: Drawn([value])
        default: value
        }
    }
}

/// The names that templates ask for and no value has, not even as `nil`. For tests: such a name is drawn as nothing.
package final class MissingNames: Sendable {
    @TaskLocal package static var log: MissingNames?

    private struct State {
        var isKnown = false
        var missing: Set<String> = []
    }

    private let state = Mutex(State())

    package init() {}

    package var names: Set<String> { state.withLock { $0.missing } }

    /// One value of those that enclose a name, the innermost first.
    fileprivate func note(_ name: String, isKnown: Bool, isLast: Bool) {
        state.withLock { state in
            state.isKnown = state.isKnown || isKnown
            guard isLast else { return }
            if !state.isKnown { state.missing.insert(name) }
            state.isKnown = false
        }
    }
}
