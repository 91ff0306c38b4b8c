import BillfoldJSON
package import BillfoldServer
import HTTPTypes

/// Reads request bodies, refusing with `malformed-request`.
typealias EventRequestReader = ClosedObjectReader<EventRequestRefusal>

/// A request that cannot be read.
struct EventRequestRefusal: RequestRefusal {
    var reason: String

    static func malformed(_ reason: String) -> Self { Self(reason: reason) }
}

extension EventRequestReader {
    /// Types by their names. Refuses one that is not in the list.
    static func types(_ names: [String], _ field: String) throws -> Set<EventType> {
        Set(
            try names.map { name in
                guard let type = EventType.named(name) else {
                    let kind = name.prefix { $0 != "." }
                    let others = EventType.all.map(\.rawValue).filter { $0.hasPrefix("\(kind).") }
                    let rest = others.isEmpty ? "" : "; there are \(others.joined(separator: ", "))"
                    throw malformed(field, "names '\(name.prefix(64))', which is no type of event" + rest)
                }
                return type
            })
    }
}

extension ErrorMapping {
    /// The mapping with what the routes of events refuse added.
    package func withEvents() -> ErrorMapping {
        var mapping = self
        mapping.add { error in
            (error as? EventRequestRefusal).map { Refusal(status: .badRequest, code: "malformed-request", reason: $0.reason) }
        }
        return mapping
    }
}
