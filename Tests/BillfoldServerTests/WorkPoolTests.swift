import BillfoldServer
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// Work that holds its thread until it is let go, as a call into a library does.
final class HeldWork: Sendable {
    private let isLetGo = Atomic(false)
    private let begun = Atomic(0)
    private let seen = Mutex<[String]>([])

    var count: Int { begun.load(ordering: .acquiring) }
    /// What was done, in its order.
    var order: [String] { seen.withLock { $0 } }

    func hold(_ name: String = "") {
        begun.add(1, ordering: .acquiringAndReleasing)
        seen.withLock { $0.append(name) }
        while !isLetGo.load(ordering: .acquiring) { usleep(500) }
    }

    func letGo() { isLetGo.store(true, ordering: .releasing) }
}

/// Waits until something is so; it is, soon.
func eventually(within limit: Duration = .seconds(10), _ condition: @Sendable () async -> Bool) async throws {
    let end = ContinuousClock.now + limit
    while await !condition() {
        try #require(ContinuousClock.now < end, "it is not so")
        try await Task.sleep(for: .milliseconds(2))
    }
}

@Suite(.timeLimit(.minutes(5))) struct WorkPoolTests {
    private func failure(_ body: () async throws -> Void) async -> ServerError? {
        do {
            try await body()
            return nil
        } catch { return error as? ServerError }
    }

    @Test func aCallerLeavesAThreadToOthers() async throws {
        let (pool, work) = (WorkPool("test", WorkPool.Limits(threads: 2, queue: 20)), HeldWork())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 { group.addTask { try await pool.run(for: "greedy") { _ in work.hold() } } }
            try await eventually { pool.waiting == 5 }
            #expect(pool.running.count == 1)
            #expect(try await pool.run(for: "modest") { _ in 7 } == 7)
            work.letGo()
            try await group.waitForAll()
        }
        #expect(work.count == 6 && pool.running.isEmpty && pool.waiting == 0)
    }

    @Test func callersTakeTurns() async throws {
        let (pool, first, work) = (WorkPool("test", WorkPool.Limits(threads: 1, queue: 20)), HeldWork(), HeldWork())
        work.letGo()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run(for: "greedy") { _ in first.hold() } }
            try await eventually { first.count == 1 }
            for (number, caller) in ["greedy", "greedy", "greedy", "modest"].enumerated() {
                group.addTask { try await pool.run(for: caller) { _ in work.hold(caller) } }
                try await eventually { pool.waiting == number + 1 }
            }
            first.letGo()
            try await group.waitForAll()
        }
        #expect(work.order == ["greedy", "modest", "greedy", "greedy"])
    }

    @Test func placesEndForOneCallerAndForAll() async throws {
        let limits = WorkPool.Limits(threads: 1, queue: 3, threadsPerCaller: 1, placesPerCaller: 2)
        let (pool, work) = (WorkPool("test", limits), HeldWork())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in ["a", "a", "b", "b"] {
                group.addTask { try await pool.run(for: caller) { _ in work.hold() } }
            }
            try await eventually { pool.waiting == 3 }
            let own = await failure { try await pool.run(for: "a") { _ in work.hold() } }
            #expect(own?.code == .rateLimited && own?.status == .tooManyRequests && own?.headers[.retryAfter] != nil)
            let all = await failure { try await pool.run(for: "c") { _ in work.hold() } }
            #expect(all?.code == .unavailable && all?.status == .serviceUnavailable && all?.headers[.retryAfter] != nil)
            work.letGo()
            try await group.waitForAll()
        }
        #expect(work.count == 4)
    }

    /// Whoever leaves is answered at once. What waits is not begun; what is on a thread holds it to its end, and is told.
    @Test func whoeverLeavesIsAnsweredAtOnce() async throws {
        let (pool, work) = (WorkPool("test", WorkPool.Limits(threads: 1, queue: 3)), HeldWork())
        let told = Atomic(false)
        let running = Task {
            try await pool.run(for: "a") { ticket in
                work.hold()
                told.store(ticket.isCancelled, ordering: .releasing)
            }
        }
        try await eventually { work.count == 1 }
        let waiting = Task { try await pool.run(for: "b") { _ in work.hold() } }
        try await eventually { pool.waiting == 1 }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(pool.waiting == 0)
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        #expect(pool.running.count == 1)
        work.letGo()
        try await eventually { pool.running.isEmpty }
        #expect(told.load(ordering: .acquiring) && work.count == 1)
        #expect(try await pool.run(for: "a") { _ in true })
    }

    @Test func aTaskThatWasCancelledBeforeBeginsNothing() async throws {
        let (pool, work) = (WorkPool("test", WorkPool.Limits(threads: 1, queue: 3)), HeldWork())
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await pool.run(for: "a") { _ in work.hold() }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        work.letGo()
        try await eventually { pool.running.isEmpty && pool.waiting == 0 }
    }

    @Test func timeEndsBesideWorkThatCannotBeStopped() async throws {
        let (pool, work) = (WorkPool("test", WorkPool.Limits(threads: 1, queue: 3)), HeldWork())
        let error = await failure { try await pool.run(for: "a", within: .milliseconds(30)) { _ in work.hold() } }
        #expect(error?.code == .deadlineExceeded && error?.headers[.retryAfter] != nil)
        #expect(pool.running.count == 1)
        // Behind it nobody waits longer than it wants to.
        #expect(await failure { try await pool.run(for: "b", within: .milliseconds(30)) { _ in } }?.code == .deadlineExceeded)
        work.letGo()
        try await eventually { pool.running.isEmpty }
    }

    @Test func whatTheWorkThrowsIsThrown() async throws {
        struct Broken: Error {}
        let pool = WorkPool("test", WorkPool.Limits(threads: 1, queue: 1))
        await #expect(throws: Broken.self) { try await pool.run(for: "a") { _ in throw Broken() } }
    }

    // MARK: Names

    /// Name servers that never answer hold up look-ups of their own site, and no others; what nobody says is told from what leads nowhere.
    /// A site is what one owner has: below registries' own labels it is a label longer.
    @Test(arguments: [("silent.example", "quick.example.org"), ("silent.com.cn", "shop.com.cn"), ("silent.co.jp", "quick.co.jp")])
    func silentNameServersHoldUpTheirOwnSite(silent: String, neighbour: String) async throws {
        let work = HeldWork()
        let pool = WorkPool("names", WorkPool.Limits(threads: 4, queue: 8, threadsPerCaller: 2, placesPerCaller: 3))
        let resolver = SystemNameResolver(pool: pool, limit: .milliseconds(300)) { host in
            if host.hasSuffix(silent) { work.hold() }
            if host == "nowhere.example" { throw SendFailure(code: .nameUnknown, reason: "", mayHaveArrived: false) }
            return [ResolvedAddress(octets: [198, 18, 0, 1])]
        }
        @Sendable func code(_ host: String) async -> SendFailure.Code? {
            do {
                _ = try await resolver.addresses(of: host)
                return nil
            } catch { return (error as? SendFailure)?.code }
        }
        let codes: [SendFailure.Code?] = try await withThrowingTaskGroup(of: SendFailure.Code?.self) { group in
            for number in 0..<6 { group.addTask { await code("\(number).\(silent)") } }
            try await eventually { work.count == 2 && pool.waiting == 1 }
            #expect(await code(neighbour) == nil)
            #expect(await code("nowhere.example") == .nameUnknown)
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.filter { $0 == .nameUnanswered }.count == 3 && codes.filter { $0 == .lookUpsBusy }.count == 3)
        #expect(work.count == 2)
        work.letGo()
    }

    @Test func anAddressIsFoundAtOnce() async throws {
        let found = try await SystemNameResolver().addresses(of: "127.0.0.1")
        #expect(Set(found.map(\.octets)) == [[127, 0, 0, 1]])
    }
}
