import Testing

@testable import BillfoldConcurrency

struct FirstAnswerTests {
    private struct Fault: Error {}

    // MARK: The place

    @Test func anAnswerThatComesTwiceCountsOnce() async {
        let place = FirstAnswer<Int>()
        #expect(place.give(1))
        #expect(!place.give(2))
        for _ in 0..<2 { #expect(await place.value == 1) }
    }

    @Test func everybodyWhoWaitsIsToldTheFirst() async {
        let place = FirstAnswer<Int>()
        let waiting = (0..<3).map { _ in Task { await place.value } }
        for _ in 0..<10 { await Task.yield() }
        #expect([place.give(1), place.give(2)] == [true, false])
        for task in waiting { #expect(await task.value == 1) }
    }

    @Test func ofManyAtOnceOneCounts() async {
        let place = FirstAnswer<Int>()
        let counted = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<100 { group.addTask { place.give(number) } }
            return await group.reduce(into: 0) { if $1 { $0 += 1 } }
        }
        #expect(counted == 1)
    }

    // MARK: The wait

    @Test func answerInTimeIsTakenAndTheClockIsStopped() async throws {
        let isStopped = FirstAnswer<Bool>()
        let answer = try await firstAnswer(
            within: .seconds(3_600),
            by: { limit in
                do { try await Task.sleep(for: limit) } catch {
                    isStopped.give(true)
                    throw error
                }
            }, of: { 1 })
        #expect(answer == 1)
        #expect(await isStopped.value)
    }

    @Test func lateWorkIsCancelledAndNotWaitedFor() async {
        let (letGo, wasCancelled) = (FirstAnswer<Int>(), FirstAnswer<Bool>())
        await #expect(throws: NoAnswer.late) {
            try await firstAnswer(within: .milliseconds(1)) {
                let answer = await letGo.value
                wasCancelled.give(Task.isCancelled)
                return answer
            }
        }
        letGo.give(1)
        #expect(await wasCancelled.value)
    }

    @Test func whoeverIsCancelledDoesNotWait() async {
        let (hasBegun, letGo, wasCancelled) = (FirstAnswer<Bool>(), FirstAnswer<Int>(), FirstAnswer<Bool>())
        let caller = Task {
            try await firstAnswer(within: .seconds(3_600)) {
                hasBegun.give(true)
                let answer = await letGo.value
                wasCancelled.give(Task.isCancelled)
                return answer
            }
        }
        #expect(await hasBegun.value)
        caller.cancel()
        await #expect(throws: NoAnswer.left) { try await caller.value }
        letGo.give(1)
        #expect(await wasCancelled.value)
    }

    @Test func whoeverWasCancelledBeforeDoesNotWaitEither() async {
        let letGo = FirstAnswer<Int>()
        let caller = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await firstAnswer(within: .seconds(3_600)) { await letGo.value }
        }
        await #expect(throws: NoAnswer.left) { try await caller.value }
        letGo.give(1)
    }

    @Test func clockThatFailsLimitsNothing() async throws {
        let answer = try await firstAnswer(
            within: .zero, by: { _ in throw Fault() },
            of: {
                try? await Task.sleep(for: .milliseconds(5))
                return 1
            })
        #expect(answer == 1)
    }
}
