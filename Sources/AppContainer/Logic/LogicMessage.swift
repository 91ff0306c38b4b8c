import BillfoldJSON

/// What the logic is told; each begins one turn.
struct LogicInput: Sendable {
    var kind: String
    var body: JSONObject

    init(_ kind: String, _ body: KeyValuePairs<String, JSONValue> = [:]) {
        self.init(kind: kind, body: JSONObject(body.map { .init($0.key, $0.value) }))
    }

    init(kind: String, body: JSONObject) {
        self.kind = kind
        self.body = body
    }

    static func answer(_ id: Int, _ answer: JSAPIAnswer) -> LogicInput {
        LogicInput("answer", ["id": .integer(id), "ok": .bool(answer.isSuccess), "result": .object(answer.object)])
    }

    static func timer(_ id: Int) -> LogicInput { LogicInput("timer", ["id": .integer(id)]) }

    var json: JSONValue { .object(JSONObject([.init("kind", .string(kind)), .init("body", .object(body))])) }

    init?(_ json: JSONValue) {
        guard let kind = json["kind"]?.string, let body = json["body"]?.object else { return nil }
        self.init(kind: kind, body: body)
    }
}

/// What the logic tells. The kinds: `call`, `abort`, `update`, `timer`, `clearTimer`, `console`, `warning`, `error`, `share`.
struct LogicOutput: Sendable {
    var kind: String
    var body: JSONObject

    var json: JSONValue { .object(JSONObject([.init("kind", .string(kind)), .init("body", .object(body))])) }

    init(kind: String, body: JSONObject) {
        self.kind = kind
        self.body = body
    }

    init?(_ json: JSONValue) {
        guard let kind = json["kind"]?.string, let body = json["body"]?.object else { return nil }
        self.init(kind: kind, body: body)
    }
}

extension JSONValue {
    static func integer(_ value: Int) -> JSONValue { .number(String(value)) }

    var int: Int? { integer.flatMap { Int(exactly: $0) } }

    /// A number with or without a fraction; nil for what is none.
    var double: Double? {
        guard case .number(let text) = self else { return nil }
        return Double(text)
    }
}
