import BillfoldTrace
import Testing

@Suite struct TraceStoreTests {
    private func entry(_ id: String, at: Int64 = 0, _ correlation: [String: String]) -> TraceEntry {
        TraceEntry(id: id, at: at, from: "merchant", to: "unionpay", kind: .request, title: id, correlation: correlation)
    }

    @Test func entriesThatShareAnIdAreOneStory() {
        let store = TraceStore()
        store.ingest([entry("a", ["order": "1"]), entry("b", ["order": "1"]), entry("c", ["order": "2"])])
        #expect(store.story("1")?.entries.map(\.id) == ["a", "b"])
        #expect(store.story("order:2")?.entries.map(\.id) == ["c"])
    }

    @Test func entriesLinkedThroughAThirdBecomeOneStory() {
        let store = TraceStore()
        store.ingest([entry("a", ["order": "1"]), entry("b", ["payment": "9"])])
        #expect(store.story("1")?.id != store.story("9")?.id)
        store.ingest([entry("c", ["order": "1", "payment": "9"])])
        for id in ["1", "9", "a", "b", "c", "order:1", "payment:9"] {
            #expect(store.story(id)?.entries.map(\.id) == ["a", "b", "c"], "through \(id)")
        }
        #expect(store.story("1")?.id == "a")
    }

    @Test func theSameValueUnderAnotherNamespaceDoesNotLink() {
        let store = TraceStore()
        store.ingest([entry("a", ["order": "1"]), entry("b", ["refund": "1"])])
        #expect(store.story("order:1")?.entries.map(\.id) == ["a"])
        #expect(store.story("refund:1")?.entries.map(\.id) == ["b"])
    }

    @Test func aValueIsFoundUnderWhateverNamespaceIsLeft() {
        let store = TraceStore(maximumEntries: 20)
        store.ingest([entry("a", ["order": "1"]), entry("b", ["refund": "1"])])
        // Both are named alike: the story that moved last is meant.
        #expect(store.story("1")?.id == "b")
        for number in 0..<18 { store.ingest([entry("e\(number)", ["o": "x\(number)"])]) }
        store.ingest([entry("c", ["refund": "1"]), entry("d", ["o": "y"])])
        #expect(store.story("order:1") == nil)
        #expect(store.story("1")?.entries.map(\.id) == ["b", "c"])
        store.ingest([entry("f", ["order": "1"])])
        #expect(store.story("1")?.entries.map(\.id) == ["f"])
    }

    @Test func anEntryIsGivenBackAsItWasTaken() {
        var whole = entry("whole", at: -5, ["order": "Bestellung ü", "payment": ""])
        whole.kind = .notification
        whole.fields = [.init("name", "张", meaning: "a name"), .init("", "", meaning: ""), .init("plain", "value")]
        whole.bytes = String(repeating: "QUJD", count: 5_000)
        whole.problem = ""
        let bare = TraceEntry(id: "bare", at: .max, from: "", to: "", kind: .note, title: "", correlation: ["order": "Bestellung ü"])
        let store = TraceStore()
        store.ingest([whole, bare])
        #expect(store.story("whole")?.entries == [whole, bare])
    }

    @Test func aStoryIsOrderedByTimeThenArrival() {
        let store = TraceStore()
        store.ingest([
            entry("late", at: 30, ["o": "1"]), entry("early", at: 10, ["o": "1"]), entry("tie1", at: 20, ["o": "1"]),
            entry("tie2", at: 20, ["o": "1"]),
        ])
        #expect(store.story("1")?.entries.map(\.id) == ["early", "tie1", "tie2", "late"])
    }

    @Test func aKnownEntryIsIgnored() {
        let store = TraceStore()
        #expect(store.ingest([entry("a", ["o": "1"])]) == 1)
        var changed = entry("a", ["o": "1"])
        changed.title = "changed"
        #expect(store.ingest([changed]) == 0)
        #expect(store.story("1")?.entries.map(\.title) == ["a"])
        #expect(store.count == 1)
    }

    @Test func theStoryThatWasSilentLongestIsForgottenFirst() {
        let store = TraceStore(maximumEntries: 20)
        for number in 0..<20 { store.ingest([entry("e\(number)", ["o": "\(number)"])]) }
        store.ingest([entry("again", ["o": "0"])])
        #expect(store.count <= 20)
        #expect(store.story("0")?.entries.map(\.id) == ["e0", "again"])
        #expect(store.story("1") == nil)
        #expect(store.story("19") != nil)
        // What was forgotten may come again.
        #expect(store.ingest([entry("e1", ["o": "1"])]) == 1)
    }

    @Test func theStoreIsBoundedByBytesToo() {
        let store = TraceStore(maximumBytes: 1_000_000)
        for number in 0..<2_000 {
            var big = entry("e\(number)", ["o": "\(number)"])
            big.fields = [.init("text", String(repeating: "x", count: 4_000))]
            store.ingest([big])
        }
        #expect((150...240).contains(store.count))
        #expect(store.story("1999") != nil && store.story("0") == nil)
    }

    @Test func oneStoryCannotCrowdOutTheStore() {
        let store = TraceStore(maximumEntries: 100, maximumEntriesPerStory: 5)
        for number in 0..<50 { store.ingest([entry("e\(number)", at: Int64(number), ["o": "1"])]) }
        #expect(store.story("1")?.entries.map(\.id) == ["e45", "e46", "e47", "e48", "e49"])
        #expect(store.count == 5)
    }

    @Test func aSubscriberGetsWhatJoinsItsStoryAndNothingElse() async {
        let store = TraceStore()
        store.ingest([entry("a", ["order": "1"])])
        var arrivals = store.arrivals(of: "1").makeAsyncIterator()
        store.ingest([entry("x", ["order": "2"]), entry("b", ["order": "1"])])
        #expect(await arrivals.next()?.entry.id == "b")
    }

    @Test func aSubscriberMayComeBeforeTheFirstEntry() async {
        let store = TraceStore()
        var arrivals = store.arrivals(of: "1").makeAsyncIterator()
        store.ingest([entry("a", ["order": "1"])])
        #expect(await arrivals.next()?.entry.id == "a")
    }

    @Test func aSubscriberGetsTheOtherHalfWhenTwoStoriesAreOne() async {
        let store = TraceStore()
        store.ingest([entry("a", ["order": "1"]), entry("b", ["payment": "9"])])
        var arrivals = store.arrivals(of: "9").makeAsyncIterator()
        store.ingest([entry("c", ["order": "1", "payment": "9"])])
        #expect(await arrivals.next()?.entry.id == "a")
        #expect(await arrivals.next()?.entry.id == "c")
    }

    @Test func aReturningSubscriberGetsWhatItMissed() async throws {
        let store = TraceStore()
        store.ingest([entry("a", ["o": "1"]), entry("b", ["o": "1"]), entry("c", ["o": "1"])])
        let first = try #require(store.story("1")?.arrivals.first)
        var arrivals = store.arrivals(of: "1", after: first.sequence).makeAsyncIterator()
        #expect(await arrivals.next()?.entry.id == "b")
        #expect(await arrivals.next()?.entry.id == "c")
    }

    @Test func recentStoriesBeginWithTheOneThatMovedLast() {
        let store = TraceStore()
        store.ingest([entry("a", ["o": "1"]), entry("b", ["o": "2"]), entry("c", ["o": "1"])])
        #expect(store.recentStories().map(\.id) == ["a", "b"])
        #expect(store.recentStories(limit: 1).map(\.id) == ["a"])
    }

    // MARK: From a forwarder of the same process

    private func forward(_ entries: [TraceEntry], into store: TraceStore) async {
        let buffer = TraceBuffer()
        for entry in entries { buffer.record(entry) }
        await TraceForwarder(buffer: buffer, into: store).flush()
    }

    @Test func whatIsForwardedIsGroupedWhenSomebodyLooks() async {
        let store = TraceStore()
        await forward([entry("a", ["order": "1"]), entry("b", ["payment": "9"]), entry("x", ["order": "2"])], into: store)
        await forward([entry("c", ["order": "1", "payment": "9"]), entry("a", ["order": "2"])], into: store)
        #expect(store.story("9")?.entries.map(\.id) == ["a", "b", "c"])
        #expect(store.story("2")?.entries.map(\.id) == ["x"])
        #expect(store.recentStories().map(\.id) == ["a", "x"])
        #expect(store.count == 4)
        // What is reported once more belongs to what was forwarded before.
        #expect(store.ingest([entry("b", ["order": "2"]), entry("d", ["payment": "9"])]) == 1)
        #expect(store.story("1")?.entries.map(\.id) == ["a", "b", "c", "d"])
    }

    @Test func aSubscriberGetsWhatIsForwarded() async throws {
        let store = TraceStore()
        await forward([entry("a", ["o": "1"]), entry("b", ["o": "1"])], into: store)
        let first = try #require(store.story("1")?.arrivals.first)
        var arrivals = store.arrivals(of: "1", after: first.sequence).makeAsyncIterator()
        await forward([entry("x", ["o": "2"]), entry("c", ["o": "1"])], into: store)
        #expect(await arrivals.next()?.entry.id == "b")
        #expect(await arrivals.next()?.entry.id == "c")
    }

    @Test func moreThanIsGroupedAtOnceIsGroupedInOrder() async {
        let store = TraceStore()
        await forward((0..<1_000).map { entry("e\($0)", at: Int64($0), ["o": "\($0 % 3)"]) }, into: store)
        await store.groupWhatWaits()
        #expect(store.recentStories().map(\.entries.count) == [334, 333, 333])
        #expect(store.story("0")?.arrivals.map(\.sequence) == (0..<334).map { UInt64($0 * 3 + 1) })
    }

    @Test func ofWhatNobodyLooksAtTheOldestIsForgotten() async {
        let store = TraceStore(maximumEntries: 20)
        for start in [0, 10, 20] { await forward((start..<start + 10).map { entry("e\($0)", ["o": "\($0)"]) }, into: store) }
        // At the bound a tenth goes besides.
        #expect(store.count == 18)
        #expect(store.story("11") == nil && store.story("12") != nil && store.story("29") != nil)
    }

    @Test func whatWasLookedAtIsForgottenBeforeWhatCameThen() async {
        let store = TraceStore(maximumEntries: 20)
        await forward((0..<10).map { entry("e\($0)", ["o": "\($0)"]) }, into: store)
        #expect(store.count == 10)
        await forward((10..<25).map { entry("e\($0)", ["o": "\($0)"]) }, into: store)
        #expect(store.story("6") == nil && store.story("7") != nil && store.story("10") != nil)
        #expect(store.count == 18)
    }

    @Test func aSubscriberGetsAllOfABatchThatDoesNotFit() async {
        let store = TraceStore(maximumEntries: 300)
        var arrivals = store.arrivals().makeAsyncIterator()
        await forward((0..<1_000).map { entry("e\($0)", ["o": "\($0)"]) }, into: store)
        var told: [String] = []
        for _ in 0..<1_000 { if let id = await arrivals.next()?.entry.id { told.append(id) } }
        #expect(told == (0..<1_000).map { "e\($0)" })
        #expect(store.count <= 300)
        #expect(store.story("0") == nil && store.story("999") != nil)
    }

    @Test func readersAndAForwarderAtOnceLoseNothing() async {
        let store = TraceStore()
        await withTaskGroup(of: Void.self) { tasks in
            for part in 0..<20 {
                tasks.addTask { await forward((0..<50).map { entry("\(part)-\($0)", ["o": "\(part)"]) }, into: store) }
                tasks.addTask { await store.groupWhatWaits() }
                tasks.addTask { _ = store.recentStories() }
            }
        }
        #expect(store.count == 1_000)
        #expect(store.recentStories().map(\.entries.count) == Array(repeating: 50, count: 20))
    }

    @Test(.timeLimit(.minutes(2))) func readersThatEndWhileMessagesArriveHoldUpNobody() async {
        let store = TraceStore()
        await withTaskGroup(of: Void.self) { tasks in
            for part in 0..<100 {
                tasks.addTask {
                    let reader = Task { for await _ in store.arrivals() {} }
                    await forward((0..<20).map { entry("\(part)-\($0)", ["o": "\(part)"]) }, into: store)
                    reader.cancel()
                    await forward([entry("\(part)-last", ["o": "\(part)"])], into: store)
                    await reader.value
                }
            }
        }
        #expect(store.count == 2_100)
    }

    @Test func whatWaitsIsBoundedByBytesToo() async {
        let store = TraceStore(maximumBytes: 1_000_000)
        for number in 0..<2_000 {
            var big = entry("e\(number)", ["o": "\(number)"])
            big.fields = [.init("text", String(repeating: "x", count: 4_000))]
            await forward([big], into: store)
        }
        #expect((150...240).contains(store.count))
        #expect(store.story("1999") != nil && store.story("0") == nil)
    }
}
