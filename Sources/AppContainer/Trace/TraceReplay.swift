import BillfoldJSON

/// Repeats a recorded run: the same inputs, clock, dice and answers in the same order, and compares what comes out.
public struct TraceReplay {
    /// Where a repetition left the recording.
    public struct Difference: Sendable, CustomStringConvertible {
        /// Counted from 1.
        public var turn: Int
        /// What the recording has there; nil where it has nothing more in that turn.
        public var recorded: String?
        public var repeated: String?

        public var description: String { "turn \(turn): recorded \(recorded ?? "nothing"), repeated \(repeated ?? "nothing")" }
    }

    public var trace: RunTrace
    public var code: MiniProgramCode

    public init(trace: RunTrace, code: MiniProgramCode) {
        self.trace = trace
        self.code = code
    }

    /// Whether the trace was recorded with this very code. A changed program can be replayed too: the difference says what changed.
    public var isOfThisCode: Bool { trace.codeMark == RunTrace.mark(of: code) }

    /// - Parameter turnLimit: Turns are ended as in a run.
    /// - Returns: The first difference; nil where there is none.
    /// - Throws: `engine-unavailable`, `malformed-trace`.
    public func run(turnLimit: Duration = .seconds(2)) throws(AppContainerError) -> Difference? {
        let environment = ReplayEnvironment(trace.lines)
        let settings = LogicSettings(
            appID: trace.appID, customInterfaces: trace.customInterfaces, seed: trace.seed, turnLimit: turnLimit)
        let logic = try LogicLayer(code: code, settings: settings, environment: environment)
        while let line = environment.nextInput() {
            guard let input = LogicInput(line.value) else {
                throw AppContainerError(code: .malformedTrace, reason: "turn \(environment.turn) has no input")
            }
            logic.deliver(input)
            environment.endTurn()
            if let difference = environment.difference { return difference }
        }
        return nil
    }
}

/// Gives a logic what was recorded, and notes the first thing that is not as recorded.
private final class ReplayEnvironment: LogicEnvironment {
    private let lines: [RunTrace.Line]
    private var position = 0
    private(set) var turn = 0
    private(set) var difference: TraceReplay.Difference?
    private var lastTime = 0.0

    init(_ lines: [RunTrace.Line]) { self.lines = lines }

    func nextInput() -> RunTrace.Line? {
        guard position < lines.count else { return nil }
        turn += 1
        defer { position += 1 }
        return lines[position]
    }

    func endTurn() {
        if position < lines.count, lines[position].kind != "in" { differ(repeated: nil) }
    }

    private func differ(repeated: String?) {
        guard difference == nil else { return }
        let recorded = position < lines.count && lines[position].kind != "in" ? lines[position].value.text : nil
        difference = .init(turn: turn, recorded: recorded, repeated: repeated)
    }

    func now() -> Double {
        guard difference == nil, position < lines.count, lines[position].kind == "now", let time = lines[position].value.double else {
            differ(repeated: "a look at the clock")
            return lastTime
        }
        position += 1
        lastTime = time
        return time
    }

    func emit(_ output: LogicOutput) {
        guard difference == nil else { return }
        let text = output.json.text
        guard position < lines.count, lines[position].kind == "out", lines[position].value.text == text else {
            return differ(repeated: text)
        }
        position += 1
    }

    func callSync(_ name: String, _ arguments: JSONValue) -> JSONObject {
        guard difference == nil, position < lines.count, lines[position].kind == "sync", lines[position].value["name"]?.string == name,
            lines[position].value["arguments"]?.text == arguments.text, let answer = lines[position].value["answer"]?.object
        else {
            differ(repeated: "my.\(name) \(arguments.text)")
            return []
        }
        position += 1
        return answer
    }
}
