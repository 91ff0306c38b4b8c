public import BillfoldJSON

/// What a run did, in order: every call with its answer, every `setData`, every error with its place.
public struct RunTranscript: Sendable {
    /// One line.
    public struct Entry: Sendable {
        /// What the line tells.
        public enum Kind: Sendable {
            case event(ProgramEvent)
            case update(ViewUpdate)
        }

        /// Milliseconds of the run's own clock since it began.
        public var at: Double
        public var kind: Kind
    }

    public var entries: [Entry]

    /// The errors among the entries, and why the run was ended where something ended it.
    public var errors: [ProgramError] {
        entries.compactMap {
            switch $0.kind {
            case .event(.error(let error)): error
            case .event(.ended(let error?)):
                ProgramError(
                    code: error.code.description, place: "run", message: error.reason, file: nil, line: nil, column: nil, stack: [])
            default: nil
            }
        }
    }

    /// `{"entries":[…],"errors":n}`.
    public var json: JSONObject {
        JSONObject([.init("entries", .array(entries.map { .object($0.json) })), .init("errors", .integer(errors.count))])
    }
}

extension RunTranscript.Entry {
    /// One line for people.
    public var text: String { lines.joined(separator: "\n") }

    /// The entry's lines: what happened, and below an error where it came from. What the mini program wrote is in them as it is.
    public var lines: [String] {
        let first = "\(Int(at)) ms  \(words)"
        guard case .event(.error(let error)) = kind else { return [first] }
        return [first] + error.stack.map { "    \($0)" }
    }

    private var words: String {
        switch kind {
        case .update(let update):
            let changes = update.changes.map { "\($0.operation.rawValue) \($0.pathText)\($0.pathText.isEmpty ? "" : " ")\($0.value.text)" }
            return "setData \(update.route): \(changes.joined(separator: "; "))"
        case .event(.called(let name, let arguments)): return "my.\(name) \(arguments.text)"
        case .event(.answered(let name, let answer)):
            return "my.\(name) \(answer.isSuccess ? "succeeded" : "failed") \(JSONValue.object(answer.object).text)"
        case .event(.opened(_, let route)): return "page opened: \(route)"
        case .event(.closed(_, let route)): return "page closed: \(route)"
        case .event(.shown(_, let route)): return "page shown: \(route)"
        case .event(.console(let level, let text)): return "console.\(level) \(text)"
        case .event(.warning(let text)): return "warning: \(text)"
        case .event(.error(let error)): return "error \(error)"
        case .event(.ended(let error)): return "ended" + (error.map { ": \($0)" } ?? "")
        }
    }

    public var json: JSONObject {
        var object = JSONObject([.init("at", .integer(Int(at)))])
        func put(_ kind: String, _ members: KeyValuePairs<String, JSONValue?>) {
            object["kind"] = .string(kind)
            for (name, value) in members { object[name] = value }
        }
        switch kind {
        case .update(let update):
            put("setData", ["page": .string(update.route), "changes": .array(update.changes.map(\.json))])
        case .event(.called(let name, let arguments)): put("call", ["name": .string(name), "arguments": arguments])
        case .event(.answered(let name, let answer)):
            put("answer", ["name": .string(name), "ok": .bool(answer.isSuccess), "result": .object(answer.object)])
        case .event(.opened(_, let route)): put("opened", ["page": .string(route)])
        case .event(.closed(_, let route)): put("closed", ["page": .string(route)])
        case .event(.shown(_, let route)): put("shown", ["page": .string(route)])
        case .event(.console(let level, let text)): put("console", ["level": .string(level), "text": .string(text)])
        case .event(.warning(let text)): put("warning", ["text": .string(text)])
        case .event(.error(let error)):
            put(
                "error",
                [
                    "code": .string(error.code), "where": .string(error.place), "message": .string(error.message),
                    "file": error.file.map(JSONValue.string), "line": error.line.map(JSONValue.integer),
                    "column": error.column.map(JSONValue.integer), "stack": .array(error.stack.map(JSONValue.string)),
                ])
        case .event(.ended(let error)):
            put("ended", ["code": error.map { .string($0.code.description) }, "reason": error.map { .string($0.reason) }])
        }
        return object
    }
}
