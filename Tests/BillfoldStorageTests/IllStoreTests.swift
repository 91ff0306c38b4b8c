import BillfoldStorage
import BillfoldTestSupport
import Foundation
import Testing

/// A SQLite store whose disk falls ill under load and is mended: it says so within two seconds, acknowledges nothing meanwhile, tells no
/// write as failed that stands, takes writes again within ten seconds, and has lost nothing.
@Suite(.serialized) struct IllStoreTests {
    /// The preloaded library that makes a disk ill: Tests/PowerCut/ill-disk.c.
    static let shim: Result<String, any Error> = Result {
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("PowerCut/ill-disk.c")
        let library = try ShimFolder.folder.get().path("ill-disk.so")
        let compiled = ChildProcess.succeeds([
            "/usr/bin/cc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", library, source.path, "-ldl",
        ])
        try #require(compiled, "the shim does not compile")
        return library
    }

    private enum ShimFolder { static let folder = Result { try TemporaryFolder() } }

    /// A driver on a disk with a switch.
    struct Disk {
        let files = Result { try TemporaryFolder() }
        let control = Result { try TemporaryFolder() }

        var store: String { get throws { try files.get().path("store.sqlite") } }
        var lever: String { get throws { try control.get().path("switch") } }

        func start() throws -> PatientDriver {
            try PatientDriver(
                "sqlite", store,
                environment: [
                    "LD_PRELOAD": IllStoreTests.shim.get(), "BILLFOLD_ILL_FOLDER": files.get().path, "BILLFOLD_ILL_SWITCH": lever,
                ])
        }

        func fallIll(_ word: String) throws { try word.write(toFile: lever, atomically: true, encoding: .utf8) }
        func mend() throws { try FileManager.default.removeItem(atPath: lever) }
        /// Whether a sync was believed whose file had failed one before.
        var wasBelieved: Bool { get throws { FileManager.default.fileExists(atPath: try lever + ".believed") } }
    }

    static func audit(_ driver: PatientDriver, _ disk: Disk) async throws {
        let outcome = try await driver.kill()
        #expect(outcome.acknowledgements > 50)
        let wrong = driver.lines.filter { $0.hasPrefix("wrong") }
        #expect(wrong == [])
        let audit = try await StoreAudit.ofFile(disk.store, outcome)
        #expect(audit.lost == 0)
        #expect(audit.faults == [])
    }

    @Test(arguments: ["full", "sync", "broken", "read-only"]) func illStoreSaysSoAndRecovers(_ illness: String) async throws {
        let disk = Disk()
        let driver = try disk.start()
        try await driver.wait(for: "ack", count: 50, from: 0, within: .seconds(30))
        try disk.fallIll(illness)
        let told = try await driver.wait(for: "unready", from: 0, within: .seconds(2))
        // Time for an attempt that fails.
        try await Task.sleep(for: .milliseconds(1_500))
        let meanwhile = driver.lines[told...]
        // What was acknowledged before may be printed after.
        let acknowledged = meanwhile.count { $0.hasPrefix("ack") }
        #expect(acknowledged <= 4, "\(acknowledged) writes were acknowledged on an ill disk")
        let refusals = Set(meanwhile.filter { $0.hasPrefix("fail") }.map { $0.split(separator: " ")[1] })
        #expect(refusals.isSubset(of: ["store-ill", "commit-unknown"]), "\(refusals)")
        let unread = meanwhile.filter { $0.hasPrefix("unread ") }
        #expect(unread == [], "a store that takes no writes is read on")
        if illness == "full" { #expect(!driver.lines.contains { $0.hasPrefix("fail commit-unknown") }, "a full disk leaves nothing open") }
        let before = driver.lines.count
        try disk.mend()
        let ready = try await driver.wait(for: "ready", from: before, within: .seconds(10))
        try await driver.wait(for: "ack", count: 50, from: ready, within: .seconds(10))
        #expect(try !disk.wasBelieved, "the store went on with a file whose sync had failed")
        try await Self.audit(driver, disk)
    }

    /// The log has used up the room, and no more is given: copied back, it gives its own.
    @Test func logThatFilledTheDiskIsCopiedBack() async throws {
        let disk = Disk()
        try disk.fallIll("log-full")
        let driver = try disk.start()
        let told = try await driver.wait(for: "unready", from: 0, within: .seconds(60))
        let ready = try await driver.wait(for: "ready", from: told, within: .seconds(10))
        try await driver.wait(for: "ack", count: 50, from: ready, within: .seconds(10))
        #expect(!driver.lines.contains { $0.hasPrefix("fail commit-unknown") })
        try await Self.audit(driver, disk)
    }

    @Test func fileThatVanishesEndsAcknowledgementUntilItIsBack() async throws {
        let disk = Disk()
        let driver = try disk.start()
        try await driver.wait(for: "ack", count: 50, from: 0, within: .seconds(30))
        let store = try disk.store
        let elsewhere = store + ".elsewhere"
        try FileManager.default.moveItem(atPath: store, toPath: elsewhere)
        let told = try await driver.wait(for: "unready", from: 0, within: .seconds(2))
        // Another file in its place is neither written to nor taken for it.
        #expect(FileManager.default.createFile(atPath: store, contents: nil))
        try await Task.sleep(for: .milliseconds(1_500))
        #expect(driver.lines[told...].count { $0.hasPrefix("ack") } <= 4)
        #expect(try Data(contentsOf: URL(fileURLWithPath: store)).isEmpty)
        try FileManager.default.removeItem(atPath: store)
        let before = driver.lines.count
        try FileManager.default.moveItem(atPath: elsewhere, toPath: store)
        let ready = try await driver.wait(for: "ready", from: before, within: .seconds(10))
        try await driver.wait(for: "ack", count: 50, from: ready, within: .seconds(10))
        try await Self.audit(driver, disk)
    }
}
