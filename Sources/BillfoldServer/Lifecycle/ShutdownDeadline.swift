import Dispatch
import Foundation
public import Logging
import Synchronization

/// Ends the process a while after SIGTERM or SIGINT, whatever it still does: work inside a library cannot be stopped, and waiting for it
/// would end with the supervisor's SIGKILL, stores open.
///
/// It needs neither the tasks' threads nor the event loops, for either may be what hangs. The usual way ends the process before.
public final class ShutdownDeadline: Sendable {
    public typealias Closing = @Sendable () async throws -> Void

    /// What is left to closing when the time is over.
    private static let closingLimit: DispatchTimeInterval = .seconds(3)

    /// Dispatch's own objects may be used on any thread.
    private struct Source: @unchecked Sendable {
        var dispatch: any DispatchSourceSignal
    }

    private enum State: Sendable {
        case waiting
        case begun
        /// Everything has stopped by itself.
        case over
    }

    private let limit: Duration
    private let logger: Logger
    private let end: @Sendable (Int32) -> Void
    private let queue = DispatchQueue(label: "billfold.shutdown-deadline", qos: .userInitiated)
    private let closings = Mutex<[Closing]>([])
    private let sources = Mutex<[Source]>([])
    private let state = Mutex(State.waiting)
    private let status = Atomic<Int32>(0)

    /// - Parameters:
    ///   - limit: From the signal to the end. Longer than what the listeners are given, so that the usual way comes first.
    ///   - logger: Told when a stop begins, and what was still running when it ends by force.
    ///   - end: Ends the process with an exit status, without running anything more.
    public init(limit: Duration, logger: Logger, end: (@Sendable (Int32) -> Void)? = nil) {
        self.limit = limit
        self.logger = logger
        self.end = end ?? { _exit($0) }
    }

    /// Begins to wait for the signals.
    public func watch() {
        let made = [SIGTERM, SIGINT].map { Source(dispatch: DispatchSource.makeSignalSource(signal: $0, queue: queue)) }
        for source in made {
            source.dispatch.setEventHandler { [weak self] in self?.begin() }
            source.dispatch.activate()
        }
        sources.withLock { $0 = made }
    }

    /// Call it when everything has stopped by itself.
    public func cancel() {
        state.withLock { $0 = .over }
        sources.withLock { sources in
            for source in sources { source.dispatch.cancel() }
            sources = []
        }
        closings.withLock { $0 = [] }
    }

    /// Has stores closed before the process is ended by force.
    public func closeFirst(_ closings: [Closing]) { self.closings.withLock { $0 += closings } }

    /// What a signal does.
    ///
    /// - Parameter status: Of the process where it has to be ended by force.
    public func begin(status: Int32 = 0) {
        if status != 0 { self.status.store(status, ordering: .releasing) }
        let begins = state.withLock { state in
            guard case .waiting = state else { return false }
            state = .begun
            return true
        }
        guard begins else { return }
        logger.info(status == 0 ? "asked to stop" : "stopping after a failure", metadata: ["limit": "\(limit)"])
        let (seconds, attoseconds) = limit.components
        let time = DispatchTime.now() + .seconds(Int(seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000))
        queue.asyncAfter(deadline: time) { [self] in expire() }
    }

    private func expire() {
        if case .over = state.withLock({ $0 }) { return }
        let running = WorkRegister.process.running.map { "\($0.pool) for \($0.elapsed.components.seconds) s" }
        logger.error(
            "ended by force: something did not stop in time",
            metadata: [
                "limit": "\(limit)", "running": "\(running.isEmpty ? "nothing on threads of its own" : running.joined(separator: ", "))",
            ])
        let closings = closings.withLock { $0 }
        let closed = DispatchSemaphore(value: 0)
        Task.detached {
            for close in closings { try? await close() }
            closed.signal()
        }
        if closed.wait(timeout: .now() + Self.closingLimit) == .timedOut { logger.error("a store could not be closed in time") }
        end(status.load(ordering: .acquiring))
    }
}
