import AppContainer
import BillfoldJSON

/// What the page on top has in its `data`, kept up by the updates that its script sends.
struct PageData: Sendable {
    private(set) var value: JSONValue = .object([])

    mutating func apply(_ change: ViewUpdate.Change) {
        // Components are drawn by a view; the page alone is told here.
        guard change.node == 0 else { return }
        switch change.operation {
        case .page: value = change.value
        case .component: break
        case .set: value.set(change.path[...], to: change.value)
        case .splice:
            guard let parts = change.value.array, parts.count == 3, let start = parts[0].integer, let count = parts[1].integer,
                let items = parts[2].array
            else { return }
            value.splice(change.path[...], at: Int(clamping: start), removing: Int(clamping: count), inserting: items)
        }
    }

    /// By names, each short enough for a line: texts as they are, everything else as JSON.
    var lines: [SuperAppScreen.Program.Value] {
        (value.members ?? []).prefix(60).map { member in
            let text = member.value.string ?? member.value.text
            return .init(name: member.key, value: text.count > 300 ? "\(text.prefix(300))…" : text)
        }
    }
}

extension JSONValue {
    /// Puts a value at a path of names and indexes. What lies on the way and is neither object nor list is replaced.
    fileprivate mutating func set(_ path: ArraySlice<JSONValue>, to new: JSONValue) {
        guard let step = path.first else {
            self = new
            return
        }
        var inner = part(at: step)
        inner.set(path.dropFirst(), to: new)
        put(inner, at: step)
    }

    fileprivate mutating func splice(_ path: ArraySlice<JSONValue>, at start: Int, removing count: Int, inserting items: [JSONValue]) {
        guard let step = path.first else {
            var list = array ?? []
            let first = min(max(0, start), list.count)
            list.replaceSubrange(first..<min(list.count, first + max(0, count)), with: items)
            self = .array(list)
            return
        }
        var inner = part(at: step)
        inner.splice(path.dropFirst(), at: start, removing: count, inserting: items)
        put(inner, at: step)
    }

    /// What is at a step now; null where nothing is.
    private func part(at step: JSONValue) -> JSONValue {
        guard let index = Self.index(step) else { return object?[Self.name(step)] ?? .null }
        return array.flatMap { index < $0.count ? $0[index] : nil } ?? .null
    }

    private mutating func put(_ new: JSONValue, at step: JSONValue) {
        if let index = Self.index(step) {
            var list = array ?? []
            // A script's list may be sparse; ours is not, and belongs to the process of everybody.
            guard index <= list.count + 1_000 else { return }
            while list.count <= index { list.append(.null) }
            list[index] = new
            self = .array(list)
        } else {
            var object = object ?? []
            object[Self.name(step)] = new
            self = .object(object)
        }
    }

    private static func index(_ step: JSONValue) -> Int? {
        step.integer.flatMap { Int(exactly: $0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    private static func name(_ step: JSONValue) -> String { step.string ?? step.text }
}
