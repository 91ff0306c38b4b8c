import BillfoldDiagnosis
import BillfoldStorage
import BillfoldStoragePostgreSQL
import BillfoldTestSupport
import Testing

/// The server stopped in the middle of a driver's writes, without a checkpoint.
@Suite(.serialized, .enabled(if: PostgreSQLCluster.binaries != nil, "PostgreSQL is not installed"))
struct PostgreSQLCrashTests {
    /// The log writer sleeps for as long as it may, so that what was not synced at a commit is still in memory.
    static let settings = ["wal_writer_delay = 10s"]

    static func audit(_ cluster: PostgreSQLCluster, _ outcome: DriverRun.Outcome) async throws -> StoreAudit {
        let database = try await PostgreSQLDatabase(
            PostgreSQLConfiguration(connection: Secret(cluster.connection())), randomness: SeededStoreGenerator(seed: 1),
            logger: TestStore.logger)
        let audit = try await StoreAudit.of(database, outcome)
        try await database.close()
        return audit
    }

    static func stopped(_ engine: String, seed: UInt64) async throws -> (StoreAudit, DriverRun.Outcome) {
        let cluster = try PostgreSQLCluster(settings: settings)
        var generator = SeededStoreGenerator(seed: seed)
        let run = try DriverRun(engine, cluster.connection(), lanes: engine == "postgresql" ? 8 : 1)
        let outcome = run.killed(after: Int.random(in: 20..<300, using: &generator))
        try cluster.stopImmediately()
        try cluster.start()
        return (try await audit(cluster, outcome), outcome)
    }

    @Test(arguments: PowerCutTests.seeds) func immediateStopLosesNothingAcknowledged(_ seed: UInt64) async throws {
        let (audit, outcome) = try await Self.stopped("postgresql", seed: seed)
        #expect(outcome.acknowledgements >= 20)
        #expect(audit.lost == 0)
        #expect(audit.faults == [])
    }

    @Test(arguments: PowerCutTests.seeds.prefix(2)) func immediateStopLosesRowsWhenSynchronousCommitIsOff(_ seed: UInt64) async throws {
        var lost = 0
        // Now and then the log writer's turn comes just before the stop, and nothing is lost.
        for attempt in 0..<5 as Range<UInt64> where lost == 0 {
            let (audit, outcome) = try await Self.stopped("postgresql-weak", seed: seed + attempt * 1_000)
            #expect(outcome.acknowledgements >= 20)
            #expect(audit.faults == [])
            lost = audit.lost
        }
        #expect(lost > 0)
    }
}
