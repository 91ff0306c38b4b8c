import Testing

@testable import BillfoldConcurrency

@MainActor
struct FeedTests {
    @Test func whoeverListensIsToldEachValueFromThePresentOneToTheLast() async {
        let feed = Feed<Int>()
        let early = feed.values(from: 1)
        feed.tell(2)
        let late = feed.values(from: 2)
        feed.tell(3, isLast: true)
        feed.tell(4)
        #expect(await collected(early) == [1, 2, 3])
        #expect(await collected(late) == [2, 3])
        #expect(!feed.hasListeners)
        #expect(await collected(feed.values(from: 3, isLast: true)) == [3])
    }

    @Test func aSlowListenerLosesTheOldestValuesWhereThereIsABacklog() async {
        let (short, long) = (Feed<Int>(backlog: 2), Feed<Int>())
        let (some, all) = (short.values(from: 0), long.values(from: 0))
        for value in 1...500 {
            short.tell(value)
            long.tell(value)
        }
        short.finish()
        long.finish()
        #expect(await collected(some) == [499, 500])
        #expect(await collected(all) == Array(0...500))
    }

    @Test func whoeverLeavesIsForgotten() async {
        let feed = Feed<Int>()
        let listener = Task {
            for await _ in feed.values(from: 1) {}
        }
        while !feed.hasListeners { await Task.yield() }
        listener.cancel()
        await listener.value
        while feed.hasListeners { await Task.yield() }
    }

    private func collected(_ values: AsyncStream<Int>) async -> [Int] {
        var all: [Int] = []
        for await value in values { all.append(value) }
        return all
    }
}
