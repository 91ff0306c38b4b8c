import BillfoldConcurrency
import BillfoldJSON
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The worker's side: one mini program in a process of its own, with limits that the system enforces.
///
/// Its only door is the socket that it was started with as standard input. It gives up files, connections and processes before it reads from
/// there (``WorkerSandbox``), and ends when the host does. A full heap ends this process and no other.
public enum MiniProgramWorker {
    /// Confined to the program's thread, but for the waiting of ``WorkerEnvironment/callSync(_:_:)``.
    private final class Place: @unchecked Sendable {
        // Read and written by jobs of one thread only.
        var engine: JavaScriptEngine?
        var logic: LogicLayer?
        var environment: WorkerEnvironment?
    }

    /// Runs until the host hangs up or says `end`. To be called before the process starts a thread.
    ///
    /// - Parameter clock: Milliseconds since 1970.
    /// - Returns: The process's exit code: 0, or 65 after a frame that is none.
    public static func run(clock: @escaping @Sendable () -> Double) -> Int32 {
        let confinement = WorkerConfinement()
        let socket = FrameSocket(descriptor: 0)
        limit(.core, 0)
        limit(.fileSize, 0)
        let thread = ProgramThread(name: "mini-program")
        let place = Place()
        let answers = SyncAnswers()
        let isStarted = DispatchSemaphore(value: 0)
        thread.post {
            place.engine = try? JavaScriptEngine()
            isStarted.signal()
        }
        // The engine has opened its files. What comes from the host is read when nothing can be opened any more.
        isStarted.wait()
        let sandbox = confinement.close()
        if !socket.write(WorkerFrame("sandbox", sandbox.json)) { return 0 }
        do throws(AppContainerError) {
            while let frame = try socket.read() {
                switch frame.kind {
                case "start":
                    let start = try WorkerStart(frame.body)
                    // Whose host insists on a sandbox has heard that there is none, and says no more.
                    guard sandbox.isSufficient || !start.requiresSandbox else { continue }
                    thread.post {
                        begin(
                            start, in: place, confinement: confinement,
                            environment: WorkerEnvironment(socket: socket, thread: thread, answers: answers, clock: clock)
                        ) {
                            place.logic?.deliver(.timer($0))
                        }
                    }
                case "input":
                    guard let input = LogicInput(frame.body) else {
                        throw AppContainerError(code: .malformedFrame, reason: "an input that is none")
                    }
                    thread.post {
                        place.logic?.deliver(input)
                        place.environment?.say("turn")
                    }
                case "answer": answers.put(frame.body.object ?? [])
                default: return 0
                }
            }
        } catch {
            return 65
        }
        return 0
    }

    private static func begin(
        _ start: WorkerStart, in place: Place, confinement: WorkerConfinement, environment: WorkerEnvironment,
        onTimer: @escaping @Sendable (Int) -> Void
    ) {
        environment.onTimer = onTimer
        place.environment = environment
        do throws(AppContainerError) {
            place.logic = try LogicLayer(code: start.code, settings: start.settings, environment: environment, engine: place.engine)
            place.engine = nil
            // Private writable memory may grow by so much, after the engine has reserved what it always reserves: beyond it the system
            // refuses, and the engine ends the process.
            if let held = confinement.privateMemory { limit(.data, held + start.memoryBytes) }
            environment.say("ready")
        } catch {
            environment.say("failed", .string(error.reason))
        }
    }

    private enum Limit {
        case core, fileSize, data

        #if canImport(Glibc)
            var name: __rlimit_resource_t {
                switch self {
                case .core: __rlimit_resource_t(RLIMIT_CORE.rawValue)
                case .fileSize: __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
                case .data: __rlimit_resource_t(RLIMIT_DATA.rawValue)
                }
            }
        #else
            var name: Int32 {
                switch self {
                case .core: RLIMIT_CORE
                case .fileSize: RLIMIT_FSIZE
                case .data: RLIMIT_DATA
                }
            }
        #endif
    }

    private static func limit(_ what: Limit, _ value: Int) {
        var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
        _ = setrlimit(what.name, &limit)
    }
}

/// The logic's way to the host.
private final class WorkerEnvironment: LogicEnvironment, @unchecked Sendable {
    // Used by the program's thread only, once `onTimer` is set.
    var onTimer: @Sendable (Int) -> Void = { _ in }
    private let socket: FrameSocket
    private let thread: ProgramThread
    private let answers: SyncAnswers
    private let clock: @Sendable () -> Double

    init(socket: FrameSocket, thread: ProgramThread, answers: SyncAnswers, clock: @escaping @Sendable () -> Double) {
        (self.socket, self.thread, self.answers, self.clock) = (socket, thread, answers, clock)
    }

    func say(_ kind: String, _ body: JSONValue = .null) {
        // Nobody is left to speak for when the host is gone.
        if !socket.write(WorkerFrame(kind, body)) { exit(0) }
    }

    func now() -> Double { clock() }

    func emit(_ output: LogicOutput) {
        switch output.kind {
        case "timer":
            let id = output.body["id"]?.int ?? 0
            thread.post(after: output.body["delay"]?.double ?? 0, id: id) { [self] in
                say("begin")
                onTimer(id)
                say("turn")
            }
        case "clearTimer": thread.cancel(id: output.body["id"]?.int ?? 0)
        default: say("output", output.json)
        }
    }

    func callSync(_ name: String, _ arguments: JSONValue) -> JSONObject {
        say("sync", .object(JSONObject([.init("name", .string(name)), .init("arguments", arguments)])))
        return answers.take()
    }
}

/// Answers of the host to calls that wait for them.
private final class SyncAnswers: Sendable {
    private let answers = Locked<[JSONObject]>([])
    private let signal = DispatchSemaphore(value: 0)

    func put(_ answer: JSONObject) {
        answers.withLock { $0.append(answer) }
        signal.signal()
    }

    func take() -> JSONObject {
        signal.wait()
        return answers.withLock { $0.isEmpty ? [] : $0.removeFirst() }
    }
}
