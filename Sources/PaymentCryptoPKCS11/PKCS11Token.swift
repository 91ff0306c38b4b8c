import CP11Kit
import Foundation
public import PaymentCrypto
import Synchronization

/// A token of a PKCS#11 module, worked by threads that each hold a session.
///
/// Calls into a module block, some for long: they never run on the threads that serve requests. A caller that is cancelled, as by a
/// time limit, is let go at once; the thread finishes its call and nobody looks at the outcome.
public final class PKCS11Token: Sendable {
    /// Which token it is, and how much it is asked at once.
    public struct Configuration: Sendable {
        /// The module: a path, such as `/usr/lib/softhsm/libsofthsm2.so`, or a name that p11-kit knows.
        public var module: String
        public var label: String
        public var pin: SecretPIN
        /// Calls that are under way at once at the most.
        public var sessions = 4
        /// Calls that wait for a session at the most; more are refused, so that a dead device does not fill memory.
        public var waiting = 1_024
        /// Whether keys can be put on the token.
        public var isReadWrite = false

        public init(module: String, label: String, pin: SecretPIN) {
            self.module = module
            self.label = label
            self.pin = pin
        }
    }

    private let work: Work

    /// Loads the module, finds the token and logs in on one session, so that what is wrong is seen at once.
    ///
    /// Throws `key-store-unavailable`.
    public init(_ configuration: Configuration) async throws(PaymentCryptoError) {
        let library = try PKCS11Library.at(configuration.module)
        func find() throws(PaymentCryptoError) -> CK_SLOT_ID { try library.slot(label: configuration.label) }
        let slot: Result<CK_SLOT_ID, PaymentCryptoError> = library.use { _ in
            do throws(PaymentCryptoError) { return .success(try find()) } catch { return .failure(error) }
        }
        work = Work(library: library, slot: try slot.get(), configuration: configuration)
        for number in 1...max(1, configuration.sessions) {
            let thread = Thread { [work] in work.run() }
            thread.name = "pkcs11-\(number)"
            thread.start()
        }
        do throws(PaymentCryptoError) {
            _ = try await run { _ in [] }
        } catch {
            await close()
            throw error
        }
    }

    deinit { work.close() }

    /// Refuses further calls, finishes what has begun, closes the sessions and returns when the threads have ended.
    public func close() async {
        work.close()
        await withCheckedContinuation { continuation in work.whenEnded { continuation.resume() } }
    }

    /// Runs a call on a free session. A session that has broken is replaced, a token that is in another slot now is found there, and the
    /// call made once more.
    func run(
        _ body: @escaping @Sendable (PKCS11Session) throws -> [UInt8]
    ) async throws(PaymentCryptoError) -> [UInt8] {
        let job = Job(body)
        let result: Result<[UInt8], PaymentCryptoError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if job.wait(with: continuation) { work.add(job) }
            }
        } onCancel: {
            job.finish(.failure(PaymentCryptoError(code: .keyStoreUnavailable, reason: "the call was given up")))
        }
        return try result.get()
    }

    /// One call and whoever waits for it.
    fileprivate final class Job: Sendable {
        private enum State {
            case new
            case waiting(CheckedContinuation<Result<[UInt8], PaymentCryptoError>, Never>)
            case done(Result<[UInt8], PaymentCryptoError>?)
        }

        let body: @Sendable (PKCS11Session) throws -> [UInt8]
        private let state = Mutex(State.new)

        init(_ body: @escaping @Sendable (PKCS11Session) throws -> [UInt8]) { self.body = body }

        var isWanted: Bool { state.withLock { if case .waiting = $0 { true } else { false } } }

        /// Returns false when the job was given up before anybody waited; the continuation is then resumed already.
        func wait(with continuation: CheckedContinuation<Result<[UInt8], PaymentCryptoError>, Never>) -> Bool {
            let early = state.withLock { state -> Result<[UInt8], PaymentCryptoError>? in
                if case .done(let result) = state { return result }
                state = .waiting(continuation)
                return nil
            }
            if let early { continuation.resume(returning: early) }
            return early == nil
        }

        /// The first outcome counts.
        func finish(_ result: Result<[UInt8], PaymentCryptoError>) {
            let continuation = state.withLock { state -> CheckedContinuation<Result<[UInt8], PaymentCryptoError>, Never>? in
                defer { if case .done = state {} else { state = .done(result) } }
                if case .waiting(let continuation) = state { return continuation }
                return nil
            }
            continuation?.resume(returning: result)
        }
    }

    /// What the threads share.
    fileprivate final class Work: Sendable {
        private struct State {
            var jobs: [Job] = []
            var isClosed = false
            /// Where the token was found last.
            var slot: CK_SLOT_ID
            /// Once the PIN is refused nobody tries it again: a few wrong ones lock a token.
            var pinRefusal: PaymentCryptoError?
            var threads: Int
            /// Whoever waits for the last thread.
            var ended: [@Sendable () -> Void] = []
        }

        private let library: PKCS11Library
        private let configuration: Configuration
        private let state: Mutex<State>
        private let signal = DispatchSemaphore(value: 0)

        init(library: PKCS11Library, slot: CK_SLOT_ID, configuration: Configuration) {
            self.library = library
            self.configuration = configuration
            state = Mutex(State(slot: slot, threads: max(1, configuration.sessions)))
        }

        func whenEnded(_ body: @escaping @Sendable () -> Void) {
            let isOver = state.withLock { state in
                if state.threads > 0 { state.ended.append(body) }
                return state.threads == 0
            }
            if isOver { body() }
        }

        /// A thread's whole life.
        func run() {
            work()
            let ended = state.withLock { state -> [@Sendable () -> Void] in
                state.threads -= 1
                return state.threads == 0 ? state.ended : []
            }
            for body in ended { body() }
        }

        func add(_ job: Job) {
            let isAdded = state.withLock { state in
                guard !state.isClosed, state.jobs.count < configuration.waiting else { return false }
                state.jobs.append(job)
                return true
            }
            if isAdded {
                signal.signal()
            } else {
                job.finish(
                    .failure(PaymentCryptoError(code: .keyStoreUnavailable, reason: "the token is closed, or too much waits for it")))
            }
        }

        func close() {
            let left = state.withLock { state in
                state.isClosed = true
                defer { state.jobs = [] }
                return state.jobs
            }
            for job in left { job.finish(.failure(PaymentCryptoError(code: .keyStoreUnavailable, reason: "the token is closed"))) }
            for _ in 0..<max(1, configuration.sessions) { signal.signal() }
        }

        /// Runs jobs until the token is closed. The session goes with the call.
        private func work() {
            var session: PKCS11Session?
            while true {
                signal.wait()
                let (job, isClosed) = state.withLock { ($0.jobs.isEmpty ? nil : $0.jobs.removeFirst(), $0.isClosed) }
                guard let job else {
                    if isClosed { return }
                    continue
                }
                guard job.isWanted else { continue }
                job.finish(outcome(of: job, &session))
            }
        }

        private func outcome(of job: Job, _ session: inout PKCS11Session?) -> Result<[UInt8], PaymentCryptoError> {
            var attempts = 0
            while true {
                attempts += 1
                let (slot, pinRefusal) = state.withLock { ($0.slot, $0.pinRefusal) }
                if let pinRefusal { return .failure(pinRefusal) }
                let refusal: PKCS11Session.Refusal
                switch attempt(job, in: &session, slot: slot) {
                case .success(let result): return .success(result)
                case .failure(let failure): refusal = failure
                }
                let failure =
                    refusal == .missingKey
                    ? PaymentCryptoError(code: .unknownKey, reason: "the token has no such key, or several")
                    : PaymentCryptoError(
                        code: .keyStoreUnavailable, reason: "\(refusal.function): \(PKCS11Failure.text(refusal.result))")
                if PKCS11Failure.isOfPIN(refusal.result) {
                    state.withLock { $0.pinRefusal = failure }
                    return .failure(failure)
                }
                guard attempts == 1, isElsewhere(than: slot) || PKCS11Failure.isOfSession(refusal.result) else { return .failure(failure) }
            }
        }

        private func attempt(
            _ job: Job, in session: inout PKCS11Session?, slot: CK_SLOT_ID
        ) -> Result<[UInt8], PKCS11Session.Refusal> {
            library.use { generation in
                do {
                    if let known = session, known.generation != generation { session = nil }
                    let current =
                        try session
                        ?? PKCS11Session(
                            library, slot: slot, pin: configuration.pin, isReadWrite: configuration.isReadWrite, generation: generation)
                    session = current
                    return .success(try job.body(current))
                } catch {
                    // Whatever went wrong, an operation may be left open in the session.
                    session = nil
                    return .failure(error as? PKCS11Session.Refusal ?? .init(function: "session", result: CK_RV(CKR_GENERAL_ERROR)))
                }
            }
        }

        /// Looks for the token again, as after it was taken out or initialised anew, and returns whether it is in another slot now.
        private func isElsewhere(than slot: CK_SLOT_ID) -> Bool {
            let label = configuration.label
            func find() -> CK_SLOT_ID? { library.use { _ in try? library.slot(label: label) } }
            guard let found = find() ?? (library.restart() ? find() : nil) else { return false }
            state.withLock { $0.slot = found }
            return found != slot
        }
    }
}
