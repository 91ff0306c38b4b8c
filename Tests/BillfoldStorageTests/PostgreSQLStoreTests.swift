import BillfoldDiagnosis
import BillfoldStorage
import BillfoldStoragePostgreSQL
import BillfoldTestSupport
import Foundation
import Synchronization
import Testing

/// What is PostgreSQL's own: sessions that vanish, commits nobody heard of, servers that stop.
@Suite(.serialized, .enabled(if: PostgreSQLCluster.binaries != nil, "PostgreSQL is not installed"))
struct PostgreSQLStoreTests {
    static func open(
        _ cluster: PostgreSQLCluster, options: String = "", change: (inout PostgreSQLConfiguration) -> Void = { _ in }
    ) async throws -> PostgreSQLDatabase {
        var configuration = PostgreSQLConfiguration(
            connection: Secret("host=127.0.0.1 port=\(cluster.port) user=billfold dbname=postgres options='\(options)'"))
        change(&configuration)
        return try await PostgreSQLDatabase(
            configuration, randomness: SeededStoreGenerator(seed: StoreEngine.seed), logger: TestStore.logger)
    }

    static func makeTable(_ database: any Database, _ name: String) async throws {
        try await database.write { _ = try $0.execute("CREATE TABLE \(name) (id BIGINT NOT NULL PRIMARY KEY, backend BIGINT)") }
    }

    static func ids(_ database: any Database, _ table: String) async throws -> [Int64] {
        try await database.read { try $0.query("SELECT id FROM \(table) ORDER BY id").map { try $0.integer(0) } }
    }

    @Test(arguments: ["-csynchronous_commit=off", "-csynchronous_commit=local", "-csynchronous_commit=remote_write"])
    func weakenedSettingRefusesToStart(_ options: String) async throws {
        let cluster = try PostgreSQLCluster.shared.get()
        let error = await #expect(throws: StorageError.self) { try await Self.open(cluster, options: options) }
        #expect(error?.code == .unsafeSettings)
    }

    @Test func serverWithoutFsyncIsRefused() async throws {
        let cluster = try PostgreSQLCluster(settings: ["fsync = off"])
        let error = await #expect(throws: StorageError.self) { try await Self.open(cluster) }
        #expect(error?.code == .unsafeSettings)
    }

    @Test func unreachableServerIsUnavailable() async throws {
        let configuration = PostgreSQLConfiguration(connection: Secret("host=127.0.0.1 port=1 user=nobody dbname=none"))
        let error = await #expect(throws: StorageError.self) {
            try await StorageDeadline.$current.withValue(.now + .milliseconds(200)) {
                try await PostgreSQLDatabase(configuration, randomness: SeededStoreGenerator(seed: 1), logger: TestStore.logger)
            }
        }
        #expect(error?.code == .unavailable)
    }

    @Test func secondHostIsUsedWhenTheFirstIsDown() async throws {
        let cluster = try PostgreSQLCluster.shared.get()
        let configuration = PostgreSQLConfiguration(
            connection: Secret("host=127.0.0.1,127.0.0.1 port=1,\(cluster.port) user=billfold dbname=postgres"))
        let database = try await PostgreSQLDatabase(
            configuration, randomness: SeededStoreGenerator(seed: 1), logger: TestStore.logger)
        #expect(try await database.read { try $0.query("SELECT CAST(7 AS BIGINT)")[0].integer(0) } == 7)
        try await database.close()
    }

    @Test func backendKilledInTheMiddleOfAWriteIsRunAgain() async throws {
        let database = try await Self.open(try PostgreSQLCluster.shared.get())
        try await Self.makeTable(database, "killed")
        let runs = Atomic<Int>(0)
        let kills = PostgreSQLKiller(try await Self.open(try PostgreSQLCluster.shared.get()))
        try await database.write { transaction in
            try transaction.execute("INSERT INTO killed (id) VALUES (1)")
            if runs.add(1, ordering: .relaxed).newValue == 1 {
                kills.kill(try transaction.query("SELECT pg_backend_pid()")[0].integer(0))
            }
            try transaction.execute("INSERT INTO killed (id) VALUES (2)")
        }
        #expect(runs.load(ordering: .relaxed) == 2)
        #expect(try await Self.ids(database, "killed") == [1, 2])
        try await kills.database.close()
        try await database.close()
    }

    @Test func idleSessionsThatWereKilledAreReplaced() async throws {
        let database = try await Self.open(try PostgreSQLCluster.shared.get()) { $0.connections = 1 }
        let kills = PostgreSQLKiller(try await Self.open(try PostgreSQLCluster.shared.get()))
        for _ in 0..<3 {
            let process = try await database.read { try $0.query("SELECT pg_backend_pid()")[0].integer(0) }
            kills.kill(process)
            let next = try await database.read { try $0.query("SELECT pg_backend_pid()")[0].integer(0) }
            #expect(process != next)
        }
        try await kills.database.close()
        try await database.close()
    }

    /// The commit waits for a standby that never comes, so that there is time to kill it.
    @Test func backendKilledDuringItsCommitIsResolved() async throws {
        let cluster = try PostgreSQLCluster()
        let database = try await Self.open(cluster)
        try await Self.makeTable(database, "waiting")
        let admin = try await Self.open(cluster)
        try cluster.appendSettings(["synchronous_standby_names = 'nowhere'"])
        _ = try await admin.read { try $0.query("SELECT pg_reload_conf()") }
        let kills = PostgreSQLKiller(admin)
        let killing = Task {
            try await kills.killWhenWaitingForAStandby(commits: 1)
            // The next commit needs no standby any more.
            try cluster.appendSettings(["synchronous_standby_names = ''"])
            _ = try await admin.read { try $0.query("SELECT pg_reload_conf()") }
        }
        let runs = Atomic<Int>(0)
        let found = try await database.write(
            resolve: { try $0.query("SELECT id FROM waiting WHERE id = 1").first?.integer(0) }
        ) { transaction in
            runs.add(1, ordering: .relaxed)
            try transaction.execute("INSERT INTO waiting (id) VALUES (1) ON CONFLICT DO NOTHING")
            return 1
        }
        try await killing.value
        #expect(found == 1)
        #expect(try await Self.ids(database, "waiting") == [1])
        try await admin.close()
        try await database.close()
    }

    @Test func cancelledWaitForAStandbyIsUnknownNotAcknowledged() async throws {
        let cluster = try PostgreSQLCluster()
        let database = try await Self.open(cluster)
        try await Self.makeTable(database, "local")
        let admin = try await Self.open(cluster)
        try cluster.appendSettings(["synchronous_standby_names = 'nowhere'"])
        _ = try await admin.read { try $0.query("SELECT pg_reload_conf()") }
        let cancelling = Task { try await PostgreSQLKiller(admin).killWhenWaitingForAStandby(commits: 1, function: "pg_cancel_backend") }
        let error = await #expect(throws: StorageError.self) {
            try await database.write { _ = try $0.execute("INSERT INTO local (id) VALUES (1)") }
        }
        #expect(error?.code == .commitUnknown)
        try await cancelling.value
        try await admin.close()
        try await database.close()
    }

    @Test func deadlineDuringACommitIsUnknown() async throws {
        let cluster = try PostgreSQLCluster()
        let database = try await Self.open(cluster)
        try await Self.makeTable(database, "late")
        try cluster.appendSettings(["synchronous_standby_names = 'nowhere'"])
        _ = try await database.read { try $0.query("SELECT pg_reload_conf()") }
        // The server's checkpointer reads the setting in its turn; a commit before that waits for nobody.
        var error: (any Error)?
        for id in 1...100 where error == nil {
            do {
                try await StorageDeadline.$current.withValue(.now + .milliseconds(500)) {
                    try await database.write { _ = try $0.execute("INSERT INTO late (id) VALUES (\(id))") }
                }
            } catch let thrown { error = thrown }
        }
        #expect((error as? StorageError)?.code == .commitUnknown)
        try await database.close()
    }

    @Test func deadlineDuringAStatementIsUnavailableAndLeavesNothing() async throws {
        let database = try await Self.open(try PostgreSQLCluster.shared.get())
        try await Self.makeTable(database, "slow")
        let error = await #expect(throws: StorageError.self) {
            try await StorageDeadline.$current.withValue(.now + .milliseconds(300)) {
                try await database.write { transaction in
                    try transaction.execute("INSERT INTO slow (id) VALUES (1)")
                    _ = try transaction.query("SELECT CAST(pg_sleep(30) AS TEXT)")
                }
            }
        }
        #expect(error?.code == .unavailable)
        #expect(try await Self.ids(database, "slow") == [])
        try await database.close()
    }

    @Test func immediateStopLosesNothingAcknowledgedAndWritesGoOnAfterwards() async throws {
        let cluster = try PostgreSQLCluster()
        let database = try await Self.open(cluster)
        try await Self.makeTable(database, "stopped")
        let acknowledged = Acknowledged()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<4 as Range<Int64> {
                group.addTask {
                    for number in 0..<150 as Range<Int64> {
                        let id = lane * 1_000 + number
                        _ = try await database.write(
                            resolve: { try $0.query("SELECT id FROM stopped WHERE id = ?", [.integer(id)]).first?.integer(0) }
                        ) { transaction in
                            try transaction.execute("INSERT INTO stopped (id) VALUES (?) ON CONFLICT DO NOTHING", [.integer(id)])
                            return id
                        }
                        acknowledged.ids.withLock { $0.append(id) }
                    }
                }
            }
            group.addTask {
                while acknowledged.ids.withLock({ $0.count }) < 50 { try await Task.sleep(for: .milliseconds(1)) }
                try cluster.stopImmediately()
                try cluster.start()
            }
            try await group.waitForAll()
        }
        let present = try await Self.ids(database, "stopped")
        #expect(present == acknowledged.ids.withLock { $0.sorted() })
        #expect(present.count == 600)
        try await database.close()
    }

    @Test func schemaChangeBetweenTwoRunsOfAStatementIsNoticed() async throws {
        let database = try await Self.open(try PostgreSQLCluster.shared.get()) { $0.connections = 1 }
        try await Self.makeTable(database, "widened")
        try await database.write { _ = try $0.execute("INSERT INTO widened (id) VALUES (?)", [1]) }
        #expect(try await database.read { try $0.query("SELECT * FROM widened")[0].values.count } == 2)
        try await database.write { _ = try $0.execute("ALTER TABLE widened ADD COLUMN name TEXT") }
        #expect(try await database.read { try $0.query("SELECT * FROM widened")[0].values.count } == 3)
        try await database.close()
    }

    @Test func sumWithoutACastIsExplained() async throws {
        let database = try await Self.open(try PostgreSQLCluster.shared.get())
        let error = await #expect(throws: StorageError.self) {
            try await database.read { try $0.query("SELECT SUM(a) FROM (VALUES (CAST(1 AS BIGINT))) AS t (a)")[0].integer(0) }
        }
        #expect(error?.code == .unexpectedValue)
        #expect(error?.reason.contains("CAST") == true)
        try await database.close()
    }
}

/// The ids whose writes were acknowledged so far.
final class Acknowledged: Sendable {
    let ids = Mutex<[Int64]>([])
}
