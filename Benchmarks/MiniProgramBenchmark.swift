import AppContainer
import BillfoldJSON
import Foundation
import Synchronization

/// How long a mini program's logic needs to its first `setData`, what a call of `my` costs, and what 500 of them hold in memory.
///
/// These are absolute promises to a person who waits, not ratios to a bound: they are told with the machine's own times.
struct MiniProgramBenchmark {
    /// Milliseconds.
    static let warmStart = 10.0
    static let workerStart = 100.0
    /// Microseconds.
    static let roundTrip = 20.0
    static let alive = 500
    /// Bytes.
    static let aliveMemory = 2 << 30

    /// Answers every call at once, and says when the first data came and when the script said `done`.
    private final class Host: JSAPIHost {
        let data = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        let fault = Mutex<String?>(nil)

        func answer(_ call: JSAPICall, _ reply: @escaping @Sendable (JSAPIAnswer) -> Void) { reply(.success([])) }

        func show(_ update: ViewUpdate, painted: @escaping @Sendable () -> Void) {
            data.signal()
            painted()
        }

        func observe(_ event: ProgramEvent) {
            switch event {
            case .console(_, "done"): done.signal()
            case .error(let error): fail("\(error)")
            case .ended(let error?): fail("\(error)")
            default: break
            }
        }

        private func fail(_ text: String) {
            fault.withLock { $0 = text }
            data.signal()
            done.signal()
        }
    }

    private struct Failed: Error { var reason: String }

    func run() throws -> Bool {
        // Never called in a list: each result is told, whatever the one before said.
        let results = [try warm(), try inWorker(), try calls(), try together()]
        return results.allSatisfy { $0 }
    }

    private static func tell(_ name: String, _ value: Double, _ unit: String, atMost floor: Double, _ rest: String = "") -> Bool {
        let holds = value <= floor
        print("\(name): \(String(format: "%.2f", value)) \(unit)\(rest) (at most \(Int(floor))\(holds ? "" : ", MISSED"))")
        return holds
    }

    private static let page = "Page({ data: { items: [] }, onLoad() { this.setData({ items: [1, 2, 3], title: 'shop' }) } })"

    private func setup(_ page: String, _ host: Host, number: Int = 0) -> MiniProgramSetup {
        let code = MiniProgramCode(
            pages: ["pages/index/index"],
            modules: ["/app.js": .init(text: "App({ globalData: {} })"), "/pages/index/index.js": .init(text: page)])
        // The rate is a protection and not a part of a call's cost.
        let limits = ContainerLimits(turn: .seconds(60), callsPerSecond: 1_000_000, callBurst: 1_000_000)
        return MiniProgramSetup(
            code: code, identity: MiniProgramIdentity(appID: "bench-\(number)", userID: "bench"), limits: limits, host: host,
            clock: { Date().timeIntervalSince1970 * 1000 }, seed: 1)
    }

    private func wait(_ signal: DispatchSemaphore, _ host: Host) throws {
        guard signal.wait(timeout: .now() + 60) == .success else { throw Failed(reason: "nothing came in a minute") }
        if let fault = host.fault.withLock({ $0 }) { throw Failed(reason: fault) }
    }

    private func warm() throws -> Bool {
        var times: [Double] = []
        for _ in 0..<31 {
            let host = Host()
            times.append(
                try seconds {
                    let program = MiniProgram(setup(Self.page, host))
                    program.launch()
                    try wait(host.data, host)
                    program.end()
                } * 1000)
        }
        // The first pays for loading the engine.
        return Self.tell("start to first setData, warm, in process", median(Array(times.dropFirst())), "ms", atMost: Self.warmStart)
    }

    private var worker: URL {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "billfold-mini-program")
    }

    private func inWorker() throws -> Bool {
        var times: [Double] = []
        for _ in 0..<15 {
            let host = Host()
            times.append(
                try seconds {
                    let program = try WorkerProgram(setup(Self.page, host), executable: worker)
                    program.launch()
                    try wait(host.data, host)
                    program.end()
                } * 1000)
        }
        return Self.tell("start to first setData, in a fresh worker", median(times), "ms", atMost: Self.workerStart)
    }

    private func calls() throws -> Bool {
        let (host, count) = (Host(), 20_000)
        let chain =
            "let n = 0; const next = () => { if (n++ < \(count)) my.vibrate({ success: next }); else console.log('done') }; Page({ next })"
        let program = MiniProgram(setup(chain, host))
        program.launch()
        try wait(host.data, host)
        let elapsed = try seconds {
            program.trigger("next")
            try wait(host.done, host)
        }
        program.end()
        return Self.tell("JSAPI round trip in process", elapsed / Double(count) * 1_000_000, "µs", atMost: Self.roundTrip)
    }

    private func together() throws -> Bool {
        var programs: [MiniProgram] = []
        let before = Self.memory
        for number in 0..<Self.alive {
            let host = Host()
            let program = MiniProgram(setup(Self.page, host, number: number))
            program.launch()
            try wait(host.data, host)
            programs.append(program)
        }
        let grown = Self.memory - before
        for program in programs { program.end() }
        return Self.tell(
            "\(Self.alive) mini programs alive in process", Double(grown) / 1_048_576, "MiB", atMost: Double(Self.aliveMemory) / 1_048_576,
            ", \(grown / Self.alive / 1024) KiB each")
    }

    /// What this process holds, in bytes.
    private static var memory: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
