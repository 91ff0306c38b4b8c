import BillfoldStorage
import BillfoldStorageSQLite
import BillfoldTestSupport
import Foundation
import Testing

/// Kills, power cuts and broken disks, against a driver in a process of its own.
///
/// A seed decides each moment and is in the test's name. `BILLFOLD_SOAK_SEEDS` asks for more of them (see
/// `scripts/soak-storage`).
@Suite(.serialized) struct PowerCutTests {
    static let seeds: [UInt64] = {
        let count = ProcessInfo.processInfo.environment["BILLFOLD_SOAK_SEEDS"].flatMap { UInt64($0) } ?? 3
        let first = ProcessInfo.processInfo.environment["BILLFOLD_SOAK_FIRST"].flatMap { UInt64($0) } ?? 1
        return Array(first..<(first + count))
    }()

    /// The preloaded library, built once with the machine's C compiler.
    static let shim: Result<String, any Error> = Result {
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("PowerCut/sync-shadow.c")
        let library = try ShimFolder.folder.get().path("sync-shadow.so")
        let compiled = ChildProcess.succeeds([
            "/usr/bin/cc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", library, source.path, "-ldl",
        ])
        try #require(compiled, "the shim does not compile")
        return library
    }

    private enum ShimFolder { static let folder = Result { try TemporaryFolder() } }

    /// Runs the driver under the shim, cuts the power after a number of acknowledgements that the seed draws, and returns
    /// what was said and the folder that the disk would hold.
    static func cutPower(_ engine: String, seed: UInt64, lanes: Int) throws -> (DriverRun.Outcome, TemporaryFolder) {
        let (disk, shadow) = (try TemporaryFolder(), try TemporaryFolder())
        var generator = SeededStoreGenerator(seed: seed)
        let run = try DriverRun(
            engine, disk.path("store.sqlite"), lanes: lanes,
            environment: ["LD_PRELOAD": shim.get(), "BILLFOLD_SHADOW_FROM": disk.path, "BILLFOLD_SHADOW_TO": shadow.path])
        return (run.killed(after: Int.random(in: 20..<600, using: &generator)), shadow)
    }

    @Test(arguments: seeds) func powerCutLosesNothingAcknowledged(_ seed: UInt64) async throws {
        let (outcome, shadow) = try Self.cutPower("sqlite", seed: seed, lanes: 8)
        #expect(outcome.acknowledgements >= 20)
        let audit = try await StoreAudit.ofFile(shadow.path("store.sqlite"), outcome)
        #expect(audit.lost == 0)
        #expect(audit.faults == [])
    }

    /// The test above is worth something only if it fails where durability is lowered.
    @Test(arguments: seeds.prefix(2)) func powerCutLosesRowsWhenSynchronousIsWeakened(_ seed: UInt64) async throws {
        let (outcome, shadow) = try Self.cutPower("sqlite-weak", seed: seed, lanes: 1)
        #expect(outcome.acknowledgements >= 20)
        let audit = try await StoreAudit.ofFile(shadow.path("store.sqlite"), outcome)
        #expect(audit.lost > 0)
        #expect(audit.faults == [])
    }

    @Test(arguments: seeds) func tornTailOfTheLogLeavesAPrefix(_ seed: UInt64) async throws {
        let (outcome, shadow) = try Self.cutPower("sqlite", seed: seed, lanes: 4)
        var generator = SeededStoreGenerator(seed: seed)
        let log = URL(fileURLWithPath: shadow.path("store.sqlite-wal"))
        var bytes = try Data(contentsOf: log)
        // Frames are 4,120 bytes behind a header of 32; some of the last few are cut off or overwritten.
        let torn = Int.random(in: max(32, bytes.count - 5 * 4_120)..<bytes.count, using: &generator)
        if Bool.random(using: &generator) {
            bytes.removeSubrange(torn...)
        } else {
            for index in torn..<min(torn + 700, bytes.count) { bytes[index] = UInt8.random(in: 0...255, using: &generator) }
        }
        try bytes.write(to: log)
        let audit = try await StoreAudit.ofFile(shadow.path("store.sqlite"), outcome)
        // What was synced is destroyed here, so entries may be gone; halves of them may not be left.
        #expect(audit.faults == [])
    }

    @Test(arguments: seeds) func killedProcessLosesNothingAndGoesOn(_ seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        var generator = SeededStoreGenerator(seed: seed)
        for _ in 0..<3 {
            let run = try DriverRun("sqlite", folder.path("store.sqlite"))
            let outcome = run.killed(after: Int.random(in: 1..<700, using: &generator))
            #expect(outcome.failures == [])
            let audit = try await StoreAudit.ofFile(folder.path("store.sqlite"), outcome)
            #expect(audit.lost == 0)
            #expect(audit.faults == [])
        }
    }

    @Test func copyOfAFileInUseIsSoundAndDisturbsNothing() async throws {
        let folder = try TemporaryFolder()
        let run = try DriverRun("sqlite", folder.path("store.sqlite"), lanes: 4, writes: 1_500)
        let copying = Task {
            // Once: the last to close the file, when the driver is gone, takes the log away.
            while !FileManager.default.fileExists(atPath: folder.path("store.sqlite-wal")) { try await Task.sleep(for: .milliseconds(1)) }
            for number in 0..<5 {
                try await Task.sleep(for: .milliseconds(20))
                try SQLiteDatabase.backUp(file: folder.path("store.sqlite"), to: folder.path("copy-\(number).sqlite"))
            }
        }
        // A driver that could not open its store leaves nothing to copy, and nothing to wait for.
        defer { copying.cancel() }
        let outcome = run.killed()
        try #require(outcome.failures == [])
        try await copying.value
        #expect(outcome.acknowledgements == 6_000)
        let audit = try await StoreAudit.ofFile(folder.path("store.sqlite"), outcome)
        #expect(audit.lost == 0)
        #expect(audit.faults == [])
        for number in 1..<5 {
            #expect(try await StoreAudit.ofFile(folder.path("copy-\(number).sqlite"), DriverRun.Outcome()).faults == [])
        }
    }

    static let strace = "/usr/bin/strace"

    /// Whether calls of a child can be made to fail here: containers may forbid tracing.
    static let canInject: Bool = {
        guard FileManager.default.isExecutableFile(atPath: strace) else {
            print("SKIPPED: strace is not installed; broken disks are not tested")
            return false
        }
        let works = ChildProcess.succeeds([
            strace, "-f", "-e", "trace=fsync", "-e", "inject=fsync:error=EIO", "-o", "/dev/null", "/bin/true",
        ])
        if !works { print("SKIPPED: strace may not trace here; broken disks are not tested") }
        return works
    }()

    /// Which call breaks, with which error, and which codes may be reported: a failed commit is unknown, everything behind
    /// it is refused.
    struct Breakage: Sendable, CustomTestStringConvertible {
        var calls: String
        var error: String
        var testDescription: String { "\(error) from \(calls)" }
        static let all = [
            Breakage(calls: "fsync,fdatasync", error: "EIO"), Breakage(calls: "pwrite64", error: "ENOSPC"),
            Breakage(calls: "pwrite64", error: "EIO"),
        ]
    }

    @Test(.enabled(if: canInject), arguments: Breakage.all, [4, 9, 30])
    func storeWhoseDiskFailsAcknowledgesNothingMore(_ breakage: Breakage, _ call: Int) async throws {
        let folder = try TemporaryFolder()
        // The tables and the log are there before anything breaks.
        let before = try DriverRun("sqlite", folder.path("store.sqlite"), lanes: 4, writes: 5).killed()
        #expect(before.acknowledgements == 20)
        let run = try DriverRun(
            "sqlite", folder.path("store.sqlite"), lanes: 4, writes: 400,
            wrapper: [
                Self.strace, "-f", "-o", "/dev/null", "-e", "trace=\(breakage.calls)", "-e",
                "inject=\(breakage.calls):error=\(breakage.error):when=\(call)+",
            ])
        let outcome = run.killed()
        // Every lane is refused in the end. One acknowledged by the last good commit may print that after another's failure.
        #expect(outcome.failures.count == 4 || outcome.failures == ["open"])
        #expect(outcome.acknowledgedAfterFailure < 4)
        #expect(outcome.failures.allSatisfy { ["commit-unknown", "store-ill", "open"].contains($0) }, "\(outcome.failures)")
        var said = before
        said.acknowledged.merge(outcome.acknowledged) { $1 }
        let audit = try await StoreAudit.ofFile(folder.path("store.sqlite"), said)
        #expect(audit.lost == 0)
        #expect(audit.faults == [])
    }
}
