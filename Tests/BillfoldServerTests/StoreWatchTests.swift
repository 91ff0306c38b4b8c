import BillfoldServer
import BillfoldStorage
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// What a server says of a store that takes no writes.
struct StoreWatchTests {
    /// A store that is as ill as a test wants it.
    final class Patient: Database {
        let ailment = Mutex<StorageError?>(nil)
        let probes = Atomic<Int>(0)

        var isShared: Bool { false }
        var illness: StorageError? { ailment.withLock { $0 } }

        func probe() async throws {
            probes.add(1, ordering: .relaxed)
            if let illness { throw illness }
        }

        func write<Result: Sendable>(
            resolve: (@Sendable (any Transaction) throws -> Result?)?, _ body: @escaping @Sendable (any Transaction) throws -> Result
        ) async throws -> Result { throw StorageError(code: .unavailable, reason: "nobody writes here") }

        func read<Result: Sendable>(
            _ consistency: ReadConsistency, _ body: @escaping @Sendable (any Transaction) throws -> Result
        ) async throws -> Result { try body(Nothing()) }

        func close() async throws {}

        func fallIll() { ailment.withLock { $0 = StorageError(code: .storeIll, reason: "the disk is full") } }
        func recover() { ailment.withLock { $0 = nil } }
    }

    private final class Nothing: Transaction {
        func execute(_ sql: String, _ bindings: [SQLValue]) throws -> Int { 0 }
        func query(_ sql: String, _ bindings: [SQLValue]) throws -> [Row] { [] }
        func executeBatch(_ statements: [Statement]) throws -> [Int] { [] }
    }

    @Test func illStoreIsNotReadyByItsNameAndOtherStoresAre() async throws {
        let (ill, well) = (Patient(), Patient())
        let (readiness, metrics) = (Readiness(), PrometheusMetrics())
        readiness.add(StoreWatch("database", ill, metrics: metrics) { _ in }.check)
        readiness.add(StoreWatch("wallet database", well, metrics: metrics) { _ in }.check)
        #expect(await readiness.states() == ["serving": true, "database": true, "wallet database": true])
        #expect(metrics.text().contains(#"store_ill{store="database"} 0"#))
        ill.fallIll()
        #expect(await readiness.states() == ["serving": true, "database": false, "wallet database": true])
        #expect(metrics.text().contains(#"store_ill{store="database"} 1"#))
        #expect(metrics.text().contains(#"store_ill{store="wallet database"} 0"#))
        ill.recover()
        #expect(await readiness.states() == ["serving": true, "database": true, "wallet database": true])
        #expect(metrics.text().contains(#"store_ill{store="database"} 0"#))
    }

    /// Whichever of them comes last, and also those that were there from the start.
    @Test(arguments: [[true, false], [false, true]])
    func checksOfOneNameAreAllSeen(outcomes: [Bool]) async {
        struct Down: Error {}
        func check(_ name: String, _ passes: Bool) -> ReadinessCheck { ReadinessCheck(name) { if !passes { throw Down() } } }
        let readiness = Readiness(checks: [check("database", outcomes[0]), check("serving", false)])
        readiness.add(check("database", outcomes[1]))
        readiness.add(check("status", true))
        readiness.add(check("database 2", true))
        let expected = [
            "serving": true, "database": outcomes[0], "serving 2": false, "database 2": outcomes[1], "status 2": true, "database 2 2": true,
        ]
        #expect(await readiness.states() == expected)
    }

    @Test func storeThatCannotBeReadIsNotReady() async {
        let readiness = Readiness()
        readiness.add(
            StoreWatch("database", Patient(), metrics: PrometheusMetrics()) { _ in
                throw StorageError(code: .unavailable, reason: "it cannot be read")
            }.check)
        #expect(await readiness.states()["database"] == false)
    }

    /// Nobody asks for readiness; the metric tells all the same, and the store is asked for as long as it is ill.
    @Test func workerTellsAndAsksWhileTheStoreIsIll() async throws {
        let patient = Patient()
        let metrics = PrometheusMetrics()
        let watch = StoreWatch("database", patient, metrics: metrics, pause: .milliseconds(5)) { _ in }
        let running = Task { try await watch.run() }
        try await Task.sleep(for: .milliseconds(50))
        #expect(patient.probes.load(ordering: .relaxed) == 0)
        patient.fallIll()
        for _ in 0..<400 where !metrics.text().contains(#"store_ill{store="database"} 1"#) { try await Task.sleep(for: .milliseconds(5)) }
        #expect(metrics.text().contains(#"store_ill{store="database"} 1"#))
        #expect(patient.probes.load(ordering: .relaxed) > 0)
        patient.recover()
        for _ in 0..<400 where !metrics.text().contains(#"store_ill{store="database"} 0"#) { try await Task.sleep(for: .milliseconds(5)) }
        #expect(metrics.text().contains(#"store_ill{store="database"} 0"#))
        running.cancel()
        try await running.value
    }

    @Test func callersAreToldWhenToAskAgain() {
        for code in [StorageError.Code.storeIll, .unavailable] {
            let refusal = ErrorMapping().refusal(for: StorageError(code: code, reason: "no space left on device"))
            #expect(refusal?.status == .serviceUnavailable)
            #expect(refusal?.headers[.retryAfter].flatMap { Int($0) } ?? 0 > 0, "\(code)")
        }
    }
}
