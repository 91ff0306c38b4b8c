import BillfoldServer
import BillfoldServerTestSupport
import Logging
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct ShutdownDeadlineTests {
    private func deadline(_ limit: Duration, _ log: MemoryLog, _ ends: Notes) -> ShutdownDeadline {
        ShutdownDeadline(limit: limit, logger: RunningServer.surroundings(log: log).logger) { status in ends.note("ended \(status)") }
    }

    /// What happened, in its order.
    private final class Notes: Sendable {
        private let notes = Mutex<[String]>([])
        func note(_ text: String) { notes.withLock { $0.append(text) } }
        var all: [String] { notes.withLock { $0 } }
    }

    @Test func whatStillRunsIsNamedAndStoresAreClosedBeforeTheEnd() async throws {
        let (log, ends, work) = (MemoryLog(), Notes(), HeldWork())
        let pool = WorkPool("stubborn work", WorkPool.Limits(threads: 1, queue: 1))
        let task = Task { try await pool.run(for: "a") { _ in work.hold() } }
        try await eventually { work.count == 1 }
        let deadline = deadline(.milliseconds(50), log, ends)
        deadline.closeFirst([{ ends.note("closed") }])
        deadline.begin()
        deadline.begin()
        try await eventually { ends.all.count == 2 }
        #expect(ends.all == ["closed", "ended 0"])
        #expect(log.lines.contains { $0.contains("ended by force") && $0.contains("stubborn work") })
        work.letGo()
        try await task.value
    }

    @Test func aStoreThatDoesNotCloseIsNotWaitedForLong() async throws {
        let (log, ends) = (MemoryLog(), Notes())
        let deadline = deadline(.zero, log, ends)
        deadline.closeFirst([{ try await Task.sleep(for: .seconds(60)) }])
        deadline.begin()
        try await eventually { !ends.all.isEmpty }
        #expect(ends.all == ["ended 0"] && log.lines.contains { $0.contains("could not be closed in time") })
    }

    @Test func whoeverStoppedInTimeIsNotEnded() async throws {
        let (log, ends) = (MemoryLog(), Notes())
        let deadline = deadline(.milliseconds(20), log, ends)
        deadline.begin()
        deadline.cancel()
        try await Task.sleep(for: .milliseconds(100))
        #expect(ends.all.isEmpty && !log.lines.contains { $0.contains("by force") })
    }
}
