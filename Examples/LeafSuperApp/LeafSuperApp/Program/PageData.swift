import AppContainer
import BillfoldJSON

/// What a page has in its `data`, kept up by the updates that its script sends.
struct PageData {
    private var value = JSONValue.object([])

    mutating func apply(_ change: ViewUpdate.Change) {
        // A view draws components; the page's own data is shown here.
        guard change.node == 0 else { return }
        switch change.operation {
        case .page: value = change.value
        case .component: break
        case .set: Self.set(&value, at: change.path[...], to: change.value)
        case .splice:
            guard let parts = change.value.array, parts.count == 3, let items = parts[2].array else { return }
            var list = Self.value(value, at: change.path[...]).array ?? []
            let start = min(max(0, Int(parts[0].integer ?? 0)), list.count)
            let end = min(start + max(0, Int(parts[1].integer ?? 0)), list.count)
            list.replaceSubrange(start..<end, with: items)
            Self.set(&value, at: change.path[...], to: .array(list))
        }
    }

    /// A line for each member: texts as they are, everything else as JSON.
    var lines: [String] { (value.members ?? []).map { "\($0.key): \($0.value.string ?? $0.value.text)" } }

    private static func value(_ value: JSONValue, at path: ArraySlice<JSONValue>) -> JSONValue {
        guard let step = path.first else { return value }
        return self.value(part(of: value, at: step), at: path.dropFirst())
    }

    private static func set(_ value: inout JSONValue, at path: ArraySlice<JSONValue>, to new: JSONValue) {
        guard let step = path.first else {
            value = new
            return
        }
        var inner = part(of: value, at: step)
        set(&inner, at: path.dropFirst(), to: new)
        if let index = step.integer, var list = value.array, index >= 0, index <= list.count {
            if index < list.count { list[Int(index)] = inner } else { list.append(inner) }
            value = .array(list)
        } else {
            var object = value.object ?? []
            object[step.scalar ?? ""] = inner
            value = .object(object)
        }
    }

    private static func part(of value: JSONValue, at step: JSONValue) -> JSONValue {
        if let index = step.integer, let list = value.array { return index >= 0 && index < list.count ? list[Int(index)] : .null }
        return value.object?[step.scalar ?? ""] ?? .null
    }
}
