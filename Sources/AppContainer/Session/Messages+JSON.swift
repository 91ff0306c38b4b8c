import BillfoldJSON

extension PageStack.Change {
    /// As the logic's scripts read it.
    var json: JSONValue {
        switch self {
        case .load(let page, let query):
            let members = query.sorted { $0.key < $1.key }.map { JSONObject.Member($0.key, .string($0.value)) }
            return .object(
                JSONObject([
                    .init("kind", "load"), .init("id", .integer(page.id)), .init("route", .string(page.route)),
                    .init("query", .object(JSONObject(members))),
                ]))
        case .show(let page): return Self.json("show", page)
        case .hide(let page): return Self.json("hide", page)
        case .unload(let page): return Self.json("unload", page)
        }
    }

    private static func json(_ kind: String, _ page: PageStack.Page) -> JSONValue {
        .object(JSONObject([.init("kind", .string(kind)), .init("id", .integer(page.id))]))
    }
}

extension ViewUpdate {
    init?(_ body: JSONObject, routes: [PageStack.Page]) {
        guard let page = body["page"]?.int, let batch = body["batch"]?.int, let changes = body["changes"]?.array else { return nil }
        self.page = page
        self.batch = batch
        route = routes.first { $0.id == page }?.route ?? ""
        bytes = body["bytes"]?.int ?? 0
        self.changes = changes.compactMap(Change.init)
    }

    var json: JSONValue {
        .object(
            JSONObject([
                .init("page", .integer(page)), .init("route", .string(route)), .init("batch", .integer(batch)),
                .init("changes", .array(changes.map(\.json))),
            ]))
    }
}

extension ViewUpdate.Change {
    init?(_ json: JSONValue) {
        guard let node = json["node"]?.int, let operation = json["op"]?.string.flatMap(Operation.init), let path = json["path"]?.array,
            let value = json["value"]
        else { return nil }
        self.init(node: node, operation: operation, path: path, value: value)
    }

    var json: JSONValue {
        .object(
            JSONObject([
                .init("node", .integer(node)), .init("op", .string(operation.rawValue)), .init("path", .array(path)), .init("value", value),
            ]))
    }

    /// The path as a script writes it, such as `list[2].name`; empty for the whole data.
    public var pathText: String {
        path.reduce(into: "") { text, step in
            switch step {
            case .number(let index): text += "[\(index)]"
            case .string(let name): text += text.isEmpty ? name : ".\(name)"
            default: break
            }
        }
    }
}

extension ProgramError {
    init(_ body: JSONObject) {
        self.init(
            code: body["code"]?.string ?? AppContainerError.Code.scriptError.description, place: body["where"]?.string ?? "",
            message: body["message"]?.string ?? "", file: body["file"]?.string, line: body["line"]?.int, column: body["column"]?.int,
            stack: body["stack"]?.array?.compactMap(\.string) ?? [])
    }
}

extension JSONValue {
    /// Whether its text stays within so many bytes, roughly: escapes are not counted.
    func isWithin(_ bytes: Int) -> Bool {
        var left = bytes
        return measure(&left)
    }

    private func measure(_ left: inout Int) -> Bool {
        switch self {
        case .null, .bool: left -= 4
        case .number(let text), .string(let text): left -= text.utf8.count + 2
        case .array(let values):
            left -= 2
            for value in values where left >= 0 { _ = value.measure(&left) }
        case .object(let object):
            left -= 2
            for member in object.members where left >= 0 {
                left -= member.key.utf8.count + 3
                _ = member.value.measure(&left)
            }
        }
        return left >= 0
    }
}
