import BillfoldJSON

/// Writes down everything that goes into a run's logic and comes out of it. Confined to the program's thread.
final class TraceRecorder {
    private(set) var lines: [RunTrace.Line] = []

    func input(_ input: LogicInput) { lines.append(.init("in", input.json)) }
    func clock(_ now: Double) { lines.append(.init("now", .number(String(now)))) }
    func output(_ output: LogicOutput) { lines.append(.init("out", output.json)) }

    func sync(_ name: String, arguments: JSONValue, answer: JSONObject) {
        lines.append(
            .init(
                "sync",
                .object(JSONObject([.init("name", .string(name)), .init("arguments", arguments), .init("answer", .object(answer))]))))
    }
}
