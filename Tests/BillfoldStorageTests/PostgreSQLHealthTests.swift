import BillfoldStorage
import BillfoldStoragePostgreSQL
import BillfoldTestSupport
import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A server that turns read-only or is killed, and comes back.
@Suite(.serialized, .enabled(if: PostgreSQLCluster.binaries != nil, "PostgreSQL is not installed"))
struct PostgreSQLHealthTests {
    @Test func readOnlyServerSaysSoAndIsReadOn() async throws {
        let cluster = try PostgreSQLCluster()
        let database = try await PostgreSQLStoreTests.open(cluster) { $0.connections = 2 }
        try await PostgreSQLStoreTests.makeTable(database, "item")
        try await database.write { _ = try $0.execute("INSERT INTO item (id) VALUES (1)") }
        try await database.probe()
        #expect(database.illness == nil)

        try await Self.turn(database, cluster, readOnly: true)
        let probed = await #expect(throws: StorageError.self) { try await database.probe() }
        #expect(probed?.code == .storeIll)
        #expect(database.illness?.code == .storeIll)
        let refused = await #expect(throws: StorageError.self) {
            try await database.write { _ = try $0.execute("INSERT INTO item (id) VALUES (2)") }
        }
        #expect(refused?.code == .storeIll)
        #expect(try await PostgreSQLStoreTests.ids(database, "item") == [1])

        try await Self.turn(database, cluster, readOnly: false)
        try await database.probe()
        #expect(database.illness == nil)
        try await database.write { _ = try $0.execute("INSERT INTO item (id) VALUES (3)") }
        #expect(try await PostgreSQLStoreTests.ids(database, "item") == [1, 3])
        try await database.close()
    }

    /// Commits that wait for a standby which is gone are answered to nobody, and nothing else tells of it.
    @Test func serverWhoseStandbyIsGoneIsNotWell() async throws {
        let cluster = try PostgreSQLCluster()
        let database = try await PostgreSQLStoreTests.open(cluster) { $0.connections = 4 }
        try await database.probe()
        try await Self.turn(database, cluster, "synchronous_standby_names = 'ANY 1 (gone)'")
        for _ in 0..<3 {
            let begun = ContinuousClock.now
            let probed = await #expect(throws: StorageError.self) { try await database.probe() }
            // A second and a half where nothing else runs: it waits for a while, and not for the standby.
            #expect(probed?.code == .unavailable && ContinuousClock.now - begun < .seconds(30))
        }
        #expect(database.illness?.code == .unavailable)
        // All of them waited for one commit.
        let stuck = try await database.read { tx in
            try tx.query("SELECT CAST(COUNT(*) AS BIGINT) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")[0].integer(0)
        }
        #expect(stuck == 1)
        try await Self.turn(database, cluster, "synchronous_standby_names = ''")
        try await database.probe()
        #expect(database.illness == nil)
        try await database.close()
    }

    private static func turn(_ database: PostgreSQLDatabase, _ cluster: PostgreSQLCluster, readOnly: Bool) async throws {
        try await turn(database, cluster, "default_transaction_read_only = \(readOnly ? "on" : "off")")
    }

    /// Tells the server, and waits until every session has heard it.
    private static func turn(_ database: PostgreSQLDatabase, _ cluster: PostgreSQLCluster, _ setting: String) async throws {
        try cluster.appendSettings([setting])
        _ = try await database.read { try $0.query("SELECT pg_reload_conf()") }
        for _ in 0..<20 {
            _ = try? await database.read { try $0.query("SELECT CAST(pg_sleep(0.02) AS TEXT)") }
        }
    }

    @Test func killedServerIsToldAtOnceAndUsedAgainWhenItIsBack() async throws {
        let cluster = try PostgreSQLCluster()
        let database = try await PostgreSQLStoreTests.open(cluster)
        try await database.probe()
        let pid = try String(contentsOfFile: cluster.dataFolder + "/postmaster.pid", encoding: .utf8).split(separator: "\n")[0]
        kill(try #require(pid_t(pid)), SIGKILL)
        let killed = ContinuousClock.now
        while (try? await database.probe()) != nil, ContinuousClock.now - killed < .seconds(5) {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(ContinuousClock.now - killed < .seconds(2))
        #expect(database.illness?.code == .unavailable)
        // Its children notice that they are orphans, and give the memory back.
        try await Task.sleep(for: .seconds(1))
        // The killed process is not yet gone for good: the shell that started it reaps it later.
        try FileManager.default.removeItem(atPath: cluster.dataFolder + "/postmaster.pid")
        try cluster.start()
        let back = ContinuousClock.now
        while (try? await database.probe()) == nil, ContinuousClock.now - back < .seconds(10) {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(database.illness == nil)
        try await database.close()
    }
}
