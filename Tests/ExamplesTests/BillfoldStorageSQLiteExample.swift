import BillfoldStorage
import BillfoldStorageSQLite
import Logging
import Testing

struct BillfoldStorageSQLiteExample {
    // Example
    let migrations =
        StoreMode.migrations + [Migration("shop-0001-paid", ["CREATE TABLE paid (payment TEXT NOT NULL PRIMARY KEY)"])]

    /// Opens the store of a folder, or makes it, and notes a payment. Returns how many there are.
    func note(_ payment: String, in folder: String, logger: Logger) async throws -> Int64 {
        let database = try SQLiteDatabase(SQLiteConfiguration(path: folder + "/store.sqlite"), logger: logger)
        try await MigrationRunner(migrations, clock: SystemClock(), logger: logger).run(on: database)
        try await StoreMode.production.claim(database)

        // Returns when the row is on the disk.
        try await database.write { _ = try $0.execute("INSERT INTO paid (payment) VALUES (?)", [.text(payment)]) }
        let count = try await database.read { try $0.query("SELECT COUNT(*) FROM paid")[0].integer(0) }

        // A copy of what is there now, while others go on writing.
        try await database.backup(to: folder + "/backup.sqlite")
        try await database.close()
        return count
    }
    // End

    @Test func example() async throws {
        let logger = Logger(label: "example") { _ in SwiftLogNoOpLogHandler() }
        try await withExampleFolder { folder in
            let count = try await note("P-1", in: folder, logger: logger)
            #expect(count == 1)
            let copy = try SQLiteDatabase(SQLiteConfiguration(path: folder + "/backup.sqlite"), logger: logger)
            let found = try await copy.read { try $0.query("SELECT payment FROM paid").map { try $0.text(0) } }
            #expect(found == ["P-1"])
            let mode = try await StoreMode.of(copy)
            #expect(mode == .production)
            try await copy.close()
        }
    }
}
