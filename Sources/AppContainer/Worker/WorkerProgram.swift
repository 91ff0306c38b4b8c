#if os(Linux) || os(macOS)
    public import BillfoldJSON
    public import Foundation
    import MiniPrograms

    #if canImport(Glibc)
        import Glibc
    #else
        import Darwin
    #endif

    /// A mini program whose script runs in a process of its own, for scripts that nobody vouches for.
    ///
    /// Every check stays in this process. The worker has a limit of memory that the system enforces, and is killed where a turn does not
    /// end: what a script can do at worst is end its own worker. Behind the engine stands the system's sandbox (``WorkerSandbox``): code that
    /// broke out of the engine finds no file, no connection and no process.
    public final class WorkerProgram: Sendable {
        /// Confined to the program's thread.
        private final class Place: @unchecked Sendable {
            // Read and written by jobs of one thread only.
            var supervisor: ProgramSupervisor?
            /// Turns that were sent and are not done, and since when the oldest of them runs.
            var turns = 0
            var busySince: ContinuousClock.Instant?
            var isReady = false
            var reason: AppContainerError?
            var sandbox: WorkerSandbox?
            /// Of the empty engine, in bytes.
            var memoryAtStart = 0
        }

        private let thread: ProgramThread
        private let place = Place()
        private let socket: FrameSocket
        private let process: WorkerProcess
        private let limits: ContainerLimits
        private let requiresSandbox: Bool

        /// Starts the worker and hands it the program; the script begins with ``launch(_:)``.
        ///
        /// - Parameters:
        ///   - setup: Host, store and clock stay in this process; the worker gets the code and what its script needs to run.
        ///   - executable: A program that runs ``MiniProgramWorker/run(clock:)``, such as `billfold-mini-program`.
        ///   - requiresSandbox: Ends with `worker-unsandboxed`, before any script runs, where the sandbox is not sufficient.
        /// - Throws: `worker-unavailable`.
        public init(_ setup: MiniProgramSetup, executable: URL, requiresSandbox: Bool = false) throws(AppContainerError) {
            self.requiresSandbox = requiresSandbox
            let process = try WorkerProcess(executable)
            self.process = process
            socket = FrameSocket(descriptor: process.descriptor)
            limits = setup.limits
            thread = ProgramThread(name: setup.identity.appID)
            let (thread, place, socket) = (thread, place, socket)
            let start = WorkerStart(
                code: setup.code, settings: setup.logic, memoryBytes: setup.limits.workerMemoryBytes, requiresSandbox: requiresSandbox)
            thread.post { [weak self] in
                let inbox = ProgramInbox { thread.post { place.supervisor?.drain() } }
                place.supervisor = ProgramSupervisor(
                    code: setup.code, identity: setup.identity, grant: setup.grant, limits: setup.limits, host: setup.host,
                    store: setup.store, inbox: inbox, now: setup.clock,
                    deliver: { [weak self] input in self?.send(WorkerFrame("input", input.json)) })
                self?.send(WorkerFrame("start", start.json))
            }
            let reader = Thread { [weak self] in
                var fault: AppContainerError?
                do throws(AppContainerError) {
                    while let frame = try socket.read() { thread.post { [weak self] in self?.receive(frame) } }
                } catch {
                    fault = error
                }
                process.kill()
                // Collected here, also where nobody asks how it ended.
                let ending = process.ending
                thread.post { [weak self, fault] in self?.over(fault, ending) }
            }
            reader.stackSize = 524_288
            reader.start()
        }

        deinit { end() }

        /// The worker's process id, for whoever watches it.
        public var processID: Int32 { process.id }

        /// As ``MiniProgram/launch(_:)``.
        public func launch(_ options: LaunchOptions = LaunchOptions()) {
            act { (supervisor) throws(AppContainerError) in try supervisor.launch(options) }
        }

        /// As ``MiniProgram/reopen(_:)``.
        public func reopen(_ options: LaunchOptions) {
            act { (supervisor) throws(AppContainerError) in try supervisor.reopen(options) }
        }

        /// As ``MiniProgram/back()``.
        public func back() { act { $0.back() } }

        /// As ``MiniProgram/show()``.
        public func show() { act { $0.show() } }
        /// As ``MiniProgram/hide()``.
        public func hide() { act { $0.hide() } }

        /// As ``MiniProgram/trigger(_:_:node:isTap:)``.
        public func trigger(_ handler: String, _ values: [JSONValue] = [], node: Int = 0, isTap: Bool = false) {
            act { $0.event(handler, values, node: node, isTap: isTap) }
        }

        /// As ``MiniProgram/componentChanged(_:)``.
        public func componentChanged(_ change: ComponentChange) { act { $0.component(change) } }

        /// As ``MiniProgram/emit(_:_:)``.
        public func emit(_ event: String, _ data: JSONValue = .null) { act { $0.emit(event, data) } }

        /// As ``MiniProgram/tapped()``.
        public func tapped() { act { $0.tapped() } }

        /// As ``MiniProgram/callFromWebPage(_:_:origin:)``.
        public func callFromWebPage(_ name: String, _ arguments: JSONValue, origin: String) async -> JSAPIAnswer {
            await withCheckedContinuation { continuation in
                thread.post { [place] in
                    guard let supervisor = place.supervisor, !supervisor.isOver else {
                        return continuation.resume(returning: .failure(JSAPIFailure(.unknown, "the mini program has ended")))
                    }
                    supervisor.callFromWebPage(name, arguments, origin: origin) { continuation.resume(returning: $0) }
                    supervisor.drain()
                }
            }
        }

        /// Ends the run and the worker.
        public func end() {
            thread.post { [place, thread, process] in
                place.supervisor?.stop(nil)
                place.supervisor = nil
                process.kill()
                thread.end()
            }
        }

        // MARK: On the program's thread

        private func act(_ body: @escaping @Sendable (ProgramSupervisor) throws(AppContainerError) -> Void) {
            thread.post { [self] in
                guard let supervisor = place.supervisor, !supervisor.isOver else { return }
                do throws(AppContainerError) {
                    try body(supervisor)
                } catch {
                    fail(error)
                }
            }
        }

        private func send(_ frame: WorkerFrame) {
            if frame.kind == "input" || frame.kind == "start" { begin() }
            if !socket.write(frame) { fail(AppContainerError(code: .workerUnresponsive, reason: "the worker takes no messages")) }
        }

        private func begin() {
            place.turns += 1
            guard place.busySince == nil else { return }
            place.busySince = ContinuousClock.now
            watch()
        }

        private func finish() {
            place.turns = max(0, place.turns - 1)
            place.busySince = place.turns == 0 ? nil : ContinuousClock.now
        }

        /// Looks at a worker that is at work, every tenth of a second.
        private func watch() {
            thread.post(after: 100, id: -1) { [weak self] in
                guard let self, let since = place.busySince, place.supervisor?.isOver == false else { return }
                let memory = process.memory
                if place.isReady, memory - place.memoryAtStart > limits.workerMemoryBytes {
                    return fail(
                        AppContainerError(code: .memoryExceeded, reason: "the worker grew by more than \(limits.workerMemoryBytes) bytes"))
                }
                if ContinuousClock.now - since > limits.workerSilence {
                    return fail(
                        AppContainerError(
                            code: .workerUnresponsive, reason: "a turn did not end in \(limits.workerSilence / .seconds(1)) s"))
                }
                watch()
            }
        }

        private func receive(_ frame: WorkerFrame) {
            guard let supervisor = place.supervisor, !supervisor.isOver else { return }
            switch frame.kind {
            case "sandbox":
                place.sandbox = WorkerSandbox(frame.body)
                refuseWithoutSandbox()
            case "ready":
                refuseWithoutSandbox()
                place.isReady = true
                place.memoryAtStart = process.memory
                finish()
            case "failed": fail(AppContainerError(code: .engineUnavailable, reason: AppContainerError.quoted(frame.body.string ?? "")))
            case "begin": begin()
            case "turn": finish()
            case "output":
                if let output = LogicOutput(frame.body) { supervisor.receive(output) }
            case "sync":
                let answer = supervisor.callSync(frame.body["name"]?.string ?? "", frame.body["arguments"] ?? .null)
                send(WorkerFrame("answer", .object(answer)))
            default: fail(AppContainerError(code: .malformedFrame, reason: "a frame of an unknown kind"))
            }
            supervisor.drain()
            if supervisor.isOver { process.kill() }
        }

        /// A worker of another version says nothing of a sandbox, so it is asked for again when it is ready.
        private func refuseWithoutSandbox() {
            guard requiresSandbox, place.sandbox?.isSufficient != true else { return }
            let complaint = place.sandbox?.complaint ?? "the worker says nothing of a sandbox"
            fail(AppContainerError(code: .workerUnsandboxed, reason: complaint))
        }

        private func fail(_ error: AppContainerError) {
            process.kill()
            place.supervisor?.stop(error)
        }

        /// The worker's end of the socket is closed.
        private func over(_ fault: AppContainerError?, _ ending: String) {
            place.supervisor?.stop(fault ?? AppContainerError(code: .workerEnded, reason: "the worker ended: \(ending)"))
        }
    }
#endif
