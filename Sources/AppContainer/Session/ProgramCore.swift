import BillfoldJSON

/// Where timers of a program come from: a clock on the wall, or one that a run moves itself.
protocol TimerSource: AnyObject {
    func start(_ id: Int, after milliseconds: Double)
    func cancel(_ id: Int)
}

/// A program in this process: the logic, its supervisor, and the inputs that wait between them. Confined to one thread.
final class ProgramCore: LogicEnvironment {
    private(set) var supervisor: ProgramSupervisor?
    private var logic: LogicLayer?
    private var inputs: [LogicInput] = []
    private let clock: () -> Double
    private let inbox: ProgramInbox
    private let timers: any TimerSource
    private let recorder: TraceRecorder?

    init(
        _ setup: MiniProgramSetup, inbox: ProgramInbox, timers: any TimerSource, recorder: TraceRecorder? = nil
    ) throws(AppContainerError) {
        self.inbox = inbox
        self.timers = timers
        self.recorder = recorder
        clock = setup.clock
        let supervisor = ProgramSupervisor(
            code: setup.code, identity: setup.identity, grant: setup.grant, limits: setup.limits, host: setup.host, store: setup.store,
            inbox: inbox, now: setup.clock, deliver: { [unowned self] in inputs.append($0) })
        self.supervisor = supervisor
        logic = try LogicLayer(code: setup.code, settings: setup.logic, environment: self)
    }

    /// Lets the supervisor act, and then runs every turn that follows from it.
    func act(_ body: (ProgramSupervisor) throws(AppContainerError) -> Void) throws(AppContainerError) {
        guard let supervisor else { return }
        _ = inbox.watch(true)
        defer { pump() }
        try body(supervisor)
    }

    func timer(_ id: Int) {
        _ = inbox.watch(true)
        inputs.append(.timer(id))
        pump()
    }

    /// Runs turns until nothing waits.
    func pump() {
        guard let supervisor, let logic else { return }
        _ = inbox.watch(true)
        repeat {
            while !inputs.isEmpty {
                let input = inputs.removeFirst()
                recorder?.input(input)
                logic.deliver(input)
                if supervisor.isOver { return end() }
                supervisor.drain()
            }
            supervisor.drain()
        } while !inputs.isEmpty || !inbox.watch(false)
    }

    func end() {
        inputs = []
        logic = nil
    }

    // MARK: What the logic asks

    func now() -> Double {
        let now = clock()
        recorder?.clock(now)
        return now
    }

    func emit(_ output: LogicOutput) {
        recorder?.output(output)
        switch output.kind {
        case "timer": timers.start(output.body["id"]?.int ?? 0, after: output.body["delay"]?.double ?? 0)
        case "clearTimer": timers.cancel(output.body["id"]?.int ?? 0)
        default: supervisor?.receive(output)
        }
    }

    func callSync(_ name: String, _ arguments: JSONValue) -> JSONObject {
        let answer = supervisor?.callSync(name, arguments) ?? []
        recorder?.sync(name, arguments: arguments, answer: answer)
        return answer
    }
}
