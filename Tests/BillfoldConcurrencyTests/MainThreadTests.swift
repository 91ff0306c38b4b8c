import BillfoldConcurrency
import Foundation
import Testing

/// Work that is handed to the main thread, from it and from elsewhere.
@MainActor @Suite struct MainThreadTests {
    @MainActor private final class Steps {
        private(set) var said: [String] = []
        nonisolated func say(_ step: String) { MainActor.assumeIsolated { said.append(step) } }
    }

    private let steps = Steps()

    @Test func itIsHereBehindAnAwait() async {
        await Task.yield()
        #expect(MainThread.isHere)
        let isElsewhere = await Task.detached { !MainThread.isHere }.value
        #expect(isElsewhere)
    }

    @Test func workIsDoneAtOnceHere() async {
        await Task.yield()
        MainThread.soon { [steps] in steps.say("soon") }
        MainThread.run { steps.say("run") }
        #expect(steps.said == ["soon", "run"])
    }

    @Test func workFromElsewhereIsDoneInOrder() async {
        let steps = steps
        let count = await Task.detached {
            MainThread.soon { steps.say("first") }
            MainThread.soon { steps.say("second") }
            return MainThread.run { steps.said.count }
        }.value
        #expect(count == 2 && steps.said == ["first", "second"])
    }

    /// Nobody waits: not even where the main thread waits for the caller.
    @Test func nobodyWaitsForWorkThatGivesNothingBack() async {
        let steps = steps
        let isDone = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            MainThread.soon { steps.say("later") }
            isDone.signal()
        }
        #expect(Self.waits(for: isDone) == .success && steps.said.isEmpty)
        for _ in 0..<100_000 where steps.said.isEmpty { await Task.yield() }
        #expect(steps.said == ["later"])
    }

    private nonisolated static func waits(for semaphore: DispatchSemaphore) -> DispatchTimeoutResult {
        semaphore.wait(timeout: .now() + 10)
    }

    @Test func valuesOfTheCallersTaskAreKept() async {
        await Caller.$name.withValue("bound") { await Self.callsFromElsewhere(steps) }
        #expect(steps.said == ["bound"])
    }

    @concurrent private nonisolated static func callsFromElsewhere(_ steps: Steps) async {
        guard !MainThread.isHere else { return }
        MainThread.soon { steps.say(Caller.name) }
    }
}

private enum Caller {
    @TaskLocal static var name = "none"
}
