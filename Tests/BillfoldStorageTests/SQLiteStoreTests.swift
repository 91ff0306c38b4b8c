import BillfoldStorage
import BillfoldTestSupport
import Foundation
import Testing

@testable import BillfoldStorageSQLite

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What is SQLite's own: its settings, its file, its groups.
@Suite(.serialized) struct SQLiteStoreTests {
    static func open(_ path: String, beforeCheck: [String] = []) throws -> SQLiteDatabase {
        try SQLiteDatabase(SQLiteConfiguration(path: path), logger: TestStore.logger, beforeCheck: beforeCheck)
    }

    static func mode(_ path: String) throws -> Int {
        var status = stat()
        #expect(stat(path, &status) == 0)
        return Int(status.st_mode) & 0o777
    }

    @Test func settingsAreReadBackFromTheWriter() async throws {
        let folder = try TemporaryFolder()
        let database = try Self.open(folder.path("a.sqlite"))
        #expect(database.settings == SQLiteSettings(synchronous: 2, journalMode: "wal", foreignKeys: 1))
        try await database.close()
    }

    @Test(arguments: ["PRAGMA synchronous=NORMAL", "PRAGMA synchronous=OFF", "PRAGMA foreign_keys=OFF", "PRAGMA journal_mode=DELETE"])
    func weakenedSettingRefusesToStart(_ pragma: String) async throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: StorageError.self) { try Self.open(folder.path("a.sqlite"), beforeCheck: [pragma]) }
        #expect(error?.code == .unsafeSettings)
        // And the file is free again.
        try await Self.open(folder.path("a.sqlite")).close()
    }

    /// Bound values lie in a buffer of the connection's that grows, is overwritten, and is given back where it grew too far.
    @Test func valuesOfEveryLengthAreStoredByOneStatement() async throws {
        let folder = try TemporaryFolder()
        let database = try Self.open(folder.path("a.sqlite"))
        let lengths = [0, 1, 15, 16, 4_095, 4_096, 4_097, 65_536, 200_000, 3, 0, 70_000, 8]
        try await database.write { tx in
            try tx.execute(
                "CREATE TABLE things (id BIGINT NOT NULL PRIMARY KEY, text TEXT NOT NULL, bytes BLOB NOT NULL, more TEXT NOT NULL)")
            for (id, length) in lengths.enumerated() {
                try tx.execute("INSERT INTO things (id, text, bytes, more) VALUES (?, ?, ?, ?)", Self.values(id, length))
            }
        }
        for (id, length) in lengths.enumerated() {
            let wanted = Self.values(id, length)
            let found = try await database.read { tx in
                try tx.query("SELECT id, text, bytes, more FROM things WHERE id = ? AND text = ? AND bytes = ? AND more = ?", wanted)
            }
            let looked = try await database.lookup { tx in
                try tx.query("SELECT id, text, bytes, more FROM things WHERE text = ? AND id = ?", [wanted[1], wanted[0]])
            }
            #expect(found == [Row(wanted)])
            #expect(looked == [Row(wanted)])
        }
        await #expect(throws: StorageError.self) {
            try await database.write { tx in
                try tx.execute("INSERT INTO things (id, text, bytes, more) VALUES (?, ?, ?, ?)", [99, "a", .blob([0]), "nul \u{0}"])
            }
        }
        let rest = try await database.read { tx in try tx.query("SELECT COUNT(*) FROM things") }
        #expect(rest == [Row([.integer(Int64(lengths.count))])])
        try await database.close()
    }

    private static func values(_ id: Int, _ length: Int) -> [SQLValue] {
        [
            .integer(Int64(id)), .text(String(repeating: "x", count: length)), .blob([UInt8](repeating: UInt8(id), count: length)),
            .text("more \(id)"),
        ]
    }

    @Test(arguments: [":memory:", "file::memory:?cache=shared", "file:a.sqlite?mode=memory"])
    func storeThatIsNoFileIsRefused(_ path: String) {
        let error = #expect(throws: StorageError.self) { try Self.open(path) }
        #expect(error?.code == .unsafeSettings)
    }

    @Test func secondStoreOnTheFileIsRefused() async throws {
        let folder = try TemporaryFolder()
        let first = try Self.open(folder.path("a.sqlite"))
        let error = #expect(throws: StorageError.self) { try Self.open(folder.path("a.sqlite")) }
        #expect(error?.code == .inUse)
        try await first.close()
        try await Self.open(folder.path("a.sqlite")).close()
    }

    @Test func otherProcessOnTheFileIsRefused() async throws {
        let folder = try TemporaryFolder()
        let holder = try ChildProcess(
            ["/usr/bin/flock", folder.path("a.sqlite.lock"), "sh", "-c", "echo held; read -r _"], hasInput: true, readsOutput: true)
        #expect(holder.read() == Array("held\n".utf8))
        let error = #expect(throws: StorageError.self) { try Self.open(folder.path("a.sqlite")) }
        #expect(error?.code == .inUse)
        holder.closeInput()
        holder.wait()
    }

    @Test func filesAreTheOwnersAlone() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.sqlite")
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        #expect(chmod(path, 0o666) == 0)
        let database = try Self.open(path)
        try await database.write { _ = try $0.execute("CREATE TABLE a (id BIGINT NOT NULL PRIMARY KEY)") }
        for suffix in ["", "-wal", "-shm", ".lock"] { #expect(try Self.mode(path + suffix) == 0o600, "\(suffix)") }
        try await database.close()
    }

    @Test func fileThatIsNoDatabaseIsRefused() throws {
        let folder = try TemporaryFolder()
        try Data(repeating: 0x41, count: 8_192).write(to: URL(fileURLWithPath: folder.path("a.sqlite")))
        let error = #expect(throws: StorageError.self) { try Self.open(folder.path("a.sqlite")) }
        #expect(error?.code == .storeIll)
    }

    @Test func concurrentWritesShareCommits() async throws {
        let folder = try TemporaryFolder()
        let database = try Self.open(folder.path("a.sqlite"))
        try await database.write { _ = try $0.execute("CREATE TABLE a (id BIGINT NOT NULL PRIMARY KEY)") }
        let before = database.statistics
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 0..<500 as Range<Int64> {
                group.addTask { try await database.write { _ = try $0.execute("INSERT INTO a (id) VALUES (?)", [.integer(id)]) } }
            }
            try await group.waitForAll()
        }
        let after = database.statistics
        #expect(after.writes - before.writes == 500)
        #expect(after.groups - before.groups < 250)
        #expect(after.walPages > 0)
        try await database.close()
    }

    @Test func backupHoldsWhatWasAcknowledgedAndIsSound() async throws {
        let folder = try TemporaryFolder()
        let database = try Self.open(folder.path("a.sqlite"))
        try await database.write { _ = try $0.execute("CREATE TABLE a (id BIGINT NOT NULL PRIMARY KEY)") }
        try await database.write { _ = try $0.execute("INSERT INTO a (id) VALUES (1), (2), (3)") }
        try await database.backup(to: folder.path("copy.sqlite"))
        #expect(try Self.mode(folder.path("copy.sqlite")) == 0o600)
        await #expect(throws: StorageError.self) { try await database.backup(to: folder.path("copy.sqlite")) }
        let copy = try Self.open(folder.path("copy.sqlite"))
        #expect(try await copy.read { try $0.query("SELECT COUNT(*) FROM a")[0].integer(0) } == 3)
        #expect(try await copy.integrityProblems() == [])
        try await copy.close()
        try await database.close()
    }

    @Test func damagedFileIsFound() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.sqlite")
        let database = try Self.open(path)
        try await database.write { transaction in
            try transaction.execute("CREATE TABLE a (id BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL UNIQUE)")
            for id in 0..<400 as Range<Int64> {
                try transaction.execute("INSERT INTO a (id, name) VALUES (?, ?)", [.integer(id), .text("name \(id * 7)")])
            }
        }
        #expect(try await database.integrityProblems() == [])
        try await database.close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // Everything behind the first page, which holds the schema.
        for offset in stride(from: 4_096, to: bytes.count, by: 61) { bytes[offset] ^= 0xFF }
        try bytes.write(to: URL(fileURLWithPath: path))
        let damaged = try Self.open(path)
        var problems: [String] = []
        do { problems = try await damaged.integrityProblems() } catch let error as StorageError { problems = [error.reason] }
        #expect(!problems.isEmpty)
        try await damaged.close()
    }

    @Test func floatingPointIsNotRead() async throws {
        let folder = try TemporaryFolder()
        let database = try Self.open(folder.path("a.sqlite"))
        let error = await #expect(throws: StorageError.self) { try await database.read { try $0.query("SELECT 1.5") } }
        #expect(error?.code == .unexpectedValue)
        try await database.close()
    }
}
