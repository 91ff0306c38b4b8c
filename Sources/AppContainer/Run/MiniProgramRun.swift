import BillfoldConcurrency
import BillfoldJSON
import MiniPrograms

/// Runs a mini program's logic without a screen: host calls are answered from a script, timers by a clock that jumps to the next one.
/// The same program, script and seed give the same transcript, at once.
///
/// It works on the caller's thread and returns when nothing is left to do.
public struct MiniProgramRun {
    public var code: MiniProgramCode
    public var script: HostScript
    public var limits = ContainerLimits()
    public var seed: UInt64
    /// Milliseconds since 1970 at which the run's clock begins.
    public var start: Double
    /// How long the run's clock may run on after the last step, in milliseconds: repeating timers never end.
    public var afterglow: Double = 60_000
    /// Asked for calls that the script has no answer to, such as a person at a terminal; nil lets them fail with 3.
    public var ask: (@Sendable (JSAPICall) -> JSAPIAnswer?)?
    /// Told of every entry as it happens.
    public var onEntry: (@Sendable (RunTranscript.Entry) -> Void)?

    public init(
        code: MiniProgramCode, script: HostScript = HostScript(), seed: UInt64 = 1, start: Double = 1_767_225_600_000,
        ask: (@Sendable (JSAPICall) -> JSAPIAnswer?)? = nil, onEntry: (@Sendable (RunTranscript.Entry) -> Void)? = nil
    ) {
        self.code = code
        self.script = script
        self.seed = seed
        self.start = start
        self.ask = ask
        self.onEntry = onEntry
    }

    static let turnLimit = 20_000

    /// Runs it to its end.
    /// - Throws: `engine-unavailable`, `unknown-page`. A program's own errors are in the transcript.
    public func run() throws(AppContainerError) -> RunTranscript { try perform(recorder: nil) }

    /// As ``run()``, and writes down what ``TraceReplay`` needs to repeat it.
    public func record() throws(AppContainerError) -> (transcript: RunTranscript, trace: RunTrace) {
        let recorder = TraceRecorder()
        let transcript = try perform(recorder: recorder)
        let settings = setup(RunHost(self, clock: RunClock(start)), RunClock(start)).logic
        return (transcript, RunTrace(settings: settings, code: code, lines: recorder.lines))
    }

    private func setup(_ host: RunHost, _ clock: RunClock) -> MiniProgramSetup {
        MiniProgramSetup(
            code: code, identity: script.identity, grant: script.grant, limits: limits, host: host, clock: { clock.now }, seed: seed)
    }

    private func perform(recorder: TraceRecorder?) throws(AppContainerError) -> RunTranscript {
        let clock = RunClock(start)
        let host = RunHost(self, clock: clock)
        // Everything answers on this thread, between turns: nobody has to be woken.
        let core = try ProgramCore(setup(host, clock), inbox: ProgramInbox {}, timers: clock, recorder: recorder)
        try core.act { (supervisor) throws(AppContainerError) in try supervisor.launch(script.launch) }
        var turns = 0
        for step in script.steps {
            advance(core, clock: clock, by: 0, turns: &turns)
            if case .wait(let time) = step { advance(core, clock: clock, by: time, turns: &turns) } else { try apply(step, core) }
        }
        advance(core, clock: clock, by: afterglow, turns: &turns, stopsWhenIdle: true)
        try core.act { $0.stop(nil) }
        core.end()
        return RunTranscript(entries: host.entries)
    }

    private func apply(_ step: HostScript.Step, _ core: ProgramCore) throws(AppContainerError) {
        try core.act { (supervisor) throws(AppContainerError) in
            switch step {
            case .event(let name, let values, let isTap, let node):
                supervisor.event(name, values, node: node, isTap: isTap, isStep: true)
            case .hide: supervisor.hide()
            case .show: supervisor.show()
            case .emit(let event, let data): supervisor.emit(event, data)
            case .component(let change): supervisor.component(change)
            case .reopen(let options): try supervisor.reopen(options)
            case .wait: break
            }
        }
    }

    /// Runs what is due, in the order of its times, up to so many milliseconds from now.
    private func advance(_ core: ProgramCore, clock: RunClock, by time: Double, turns: inout Int, stopsWhenIdle: Bool = false) {
        let end = clock.now + time
        while turns < Self.turnLimit, let next = clock.next(until: end) {
            turns += 1
            switch next {
            case .timer(let id): core.timer(id)
            case .reply(let reply):
                reply()
                core.pump()
            }
        }
        if !stopsWhenIdle { clock.jump(to: end) }
    }
}

/// The clock of a run, with everything that waits on it.
final class RunClock: TimerSource, Sendable {
    enum Due {
        case timer(Int)
        case reply(@Sendable () -> Void)
    }

    private struct Entry {
        var time: Double
        /// Which of two for the same time came first.
        var order: Int
        var due: Due
    }

    private struct State {
        var now: Double
        var order = 0
        var entries: [Entry] = []
    }

    private let state: Locked<State>

    init(_ start: Double) { state = Locked(State(now: start)) }

    var now: Double { state.withLock { $0.now } }

    func jump(to time: Double) { state.withLock { $0.now = max($0.now, time) } }

    func start(_ id: Int, after milliseconds: Double) { add(.timer(id), after: milliseconds) }

    func reply(after milliseconds: Double, _ reply: @escaping @Sendable () -> Void) { add(.reply(reply), after: milliseconds) }

    private func add(_ due: sending Due, after milliseconds: Double) {
        state.withLock { state in
            state.order += 1
            state.entries.append(Entry(time: state.now + max(0, milliseconds), order: state.order, due: due))
        }
    }

    func cancel(_ id: Int) {
        state.withLock { $0.entries.removeAll { if case .timer(id) = $0.due { true } else { false } } }
    }

    /// Takes what is due first, and sets the clock to its time.
    func next(until end: Double) -> Due? {
        state.withLock { state in
            guard
                let index = state.entries.indices.min(by: { left, right in
                    (state.entries[left].time, state.entries[left].order) < (state.entries[right].time, state.entries[right].order)
                }), state.entries[index].time <= end
            else { return nil }
            let entry = state.entries.remove(at: index)
            state.now = max(state.now, entry.time)
            return entry.due
        }
    }
}

/// Answers from the script and writes the transcript.
private final class RunHost: JSAPIHost {
    private struct State {
        var entries: [RunTranscript.Entry] = []
        var used: [String: Int] = [:]
    }

    private let script: HostScript
    private let ask: (@Sendable (JSAPICall) -> JSAPIAnswer?)?
    private let onEntry: (@Sendable (RunTranscript.Entry) -> Void)?
    private let clock: RunClock
    private let start: Double
    private let state = Locked(State())

    init(_ run: MiniProgramRun, clock: RunClock) {
        (script, ask, onEntry, start) = (run.script, run.ask, run.onEntry, run.start)
        self.clock = clock
    }

    var entries: [RunTranscript.Entry] { state.withLock { $0.entries } }

    private func put(_ kind: RunTranscript.Entry.Kind) {
        let entry = RunTranscript.Entry(at: clock.now - start, kind: kind)
        state.withLock { $0.entries.append(entry) }
        onEntry?(entry)
    }

    func observe(_ event: ProgramEvent) { put(.event(event)) }

    func show(_ update: ViewUpdate, painted: @escaping @Sendable () -> Void) {
        put(.update(update))
        painted()
    }

    func answer(_ call: JSAPICall, _ reply: @escaping @Sendable (JSAPIAnswer) -> Void) {
        guard let answer = scripted(call) else {
            return reply(ask?(call) ?? Self.usual(call))
        }
        if answer.delay > 0 { clock.reply(after: answer.delay) { reply(answer.answer) } } else { reply(answer.answer) }
    }

    private func scripted(_ call: JSAPICall) -> HostScript.Answer? {
        let answers = (script.answers[call.name] ?? []).filter { answer in
            answer.match.members.allSatisfy { call.arguments[$0.key]?.text == $0.value.text }
        }
        guard !answers.isEmpty else { return nil }
        // Each kind of call has a place of its own in the list.
        let key = call.name + "\n" + answers.map { JSONValue.object($0.match).text }.joined(separator: "\n")
        let index = state.withLock { state in
            defer { state.used[key, default: 0] += 1 }
            return state.used[key, default: 0]
        }
        return answers[min(index, answers.count - 1)]
    }

    /// What a person who says yes to everything does; for the rest the script must speak.
    private static func usual(_ call: JSAPICall) -> JSAPIAnswer {
        switch call.name {
        case "confirm": .success(JSONObject([.init("confirm", true), .init("ok", true)]))
        case "selectorQuery": .success(JSONObject([.init("results", .array([]))]))
        case "getSystemInfo": .success(DefaultDevice.info)
        case "alert", "showToast", "hideToast", "showLoading", "hideLoading", "setNavigationBar", "showNavigationBarLoading",
            "hideNavigationBarLoading", "hideKeyboard", "stopPullDownRefresh", "pageScrollTo", "reportAnalytics", "setTabBarBadge",
            "setClipboard", "vibrate", "vibrateShort", "vibrateLong":
            .success([])
        default: .failure(JSAPIFailure(.unknown, "the script has no answer for \(call.name)"))
        }
    }
}
