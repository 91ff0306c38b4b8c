import BillfoldStorage
import BillfoldTestSupport
import Testing

/// What every engine promises about writes.
@Suite(.serialized) struct WriteContractTests {
    static let table = "CREATE TABLE item (id BIGINT NOT NULL PRIMARY KEY, amount BIGINT, name TEXT, body $BLOB)"

    static func prepare(_ database: any Database) async throws {
        try await database.write { _ = try $0.execute(table.replacing("$BLOB", with: $0.blobType)) }
    }

    static func count(_ database: any Database) async throws -> Int64 {
        try await database.read { try $0.query("SELECT COUNT(*) FROM item")[0].integer(0) }
    }

    struct Refused: Error {}

    @Test(arguments: StoreEngine.available) func thrownErrorUndoesTheWholeBody(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            try await Self.prepare(database)
            await #expect(throws: Refused.self) {
                try await database.write { transaction in
                    try transaction.execute("INSERT INTO item (id) VALUES (?)", [1])
                    try transaction.execute("INSERT INTO item (id) VALUES (?)", [2])
                    throw Refused()
                }
            }
            #expect(try await Self.count(database) == 0)
        }
    }

    @Test(arguments: StoreEngine.available) func refusalLeavesConcurrentWritesAlone(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            try await Self.prepare(database)
            let refused = await withTaskGroup(of: Bool.self) { group in
                for id in 0..<200 {
                    group.addTask {
                        do {
                            try await database.write { transaction in
                                try transaction.execute("INSERT INTO item (id) VALUES (?)", [.integer(Int64(id))])
                                if id % 7 == 0 { throw Refused() }
                            }
                            return false
                        } catch { return error is Refused }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(refused == 29)
            #expect(try await Self.count(database) == 171)
        }
    }

    @Test(arguments: StoreEngine.available) func secondRowWithAKeyIsAUniqueViolation(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            try await Self.prepare(database)
            try await database.write { _ = try $0.execute("INSERT INTO item (id) VALUES (?)", [1]) }
            let error = await #expect(throws: StorageError.self) {
                try await database.write { _ = try $0.execute("INSERT INTO item (id) VALUES (?)", [1]) }
            }
            #expect(error?.code == .uniqueViolation)
            let changed = try await database.write {
                try $0.execute("INSERT INTO item (id) VALUES (?) ON CONFLICT DO NOTHING", [1])
            }
            #expect(changed == 0)
        }
    }

    @Test(arguments: StoreEngine.available) func caughtStatementErrorStillUndoesTheBody(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            try await Self.prepare(database)
            let error = await #expect(throws: StorageError.self) {
                try await database.write { transaction in
                    try transaction.execute("INSERT INTO item (id) VALUES (?)", [1])
                    _ = try? transaction.execute("INSERT INTO item (id) VALUES (?)", [1])
                }
            }
            #expect(error?.code == .uniqueViolation)
            #expect(try await Self.count(database) == 0)
        }
    }

    @Test(arguments: StoreEngine.available) func concurrentIncrementsAllCount(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            try await Self.prepare(database)
            try await database.write { _ = try $0.execute("INSERT INTO item (id, amount) VALUES (?, ?)", [1, 0]) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        for _ in 0..<25 {
                            try await database.write {
                                _ = try $0.execute("UPDATE item SET amount = amount + ? WHERE id = ?", [1, 1])
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let amount = try await database.read { try $0.query("SELECT amount FROM item WHERE id = ?", [1])[0].integer(0) }
            #expect(amount == 200)
        }
    }

    @Test(arguments: StoreEngine.available) func acknowledgedWriteIsReadAtOnceAndAfterReopening(_ engine: StoreEngine) async throws {
        try await engine.withStore { store in
            try await Self.prepare(store.database)
            for id in 0..<20 as Range<Int64> {
                let database = store.database
                try await database.write { _ = try $0.execute("INSERT INTO item (id) VALUES (?)", [.integer(id)]) }
                #expect(try await Self.count(database) == id + 1)
            }
            #expect(try await Self.count(store.reopen()) == 20)
        }
    }

    @Test(arguments: StoreEngine.available) func valuesComeBackAsTheyWere(_ engine: StoreEngine) async throws {
        let values: [(SQLValue, SQLValue, SQLValue)] = [
            (.integer(.min), "", .blob([])),
            (.integer(.max), "支付 💳 é e\u{301} \"quoted\" 'single' ?", .blob([UInt8](0...255))),
            (nil, nil, nil),
            (-1, "\n\t\r", .blob([0, 0, 0])),
        ]
        try await engine.withDatabase { database in
            try await Self.prepare(database)
            try await database.write { transaction in
                for (index, value) in values.enumerated() {
                    try transaction.execute(
                        "INSERT INTO item (id, amount, name, body) VALUES (?, ?, ?, ?)",
                        [.integer(Int64(index)), value.0, value.1, value.2])
                }
            }
            let rows = try await database.read { try $0.query("SELECT amount, name, body FROM item ORDER BY id") }
            #expect(rows == values.map { Row([$0.0, $0.1, $0.2]) })
        }
    }

    @Test(arguments: StoreEngine.available) func textWithNULIsRefused(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            try await Self.prepare(database)
            let error = await #expect(throws: StorageError.self) {
                try await database.write { _ = try $0.execute("INSERT INTO item (id, name) VALUES (?, ?)", [1, "a\u{0}b"]) }
            }
            #expect(error?.code == .unexpectedValue)
        }
    }

    @Test(arguments: ["COMMIT", "ROLLBACK", "BEGIN", "PRAGMA synchronous=OFF", "SAVEPOINT a", "SELECT 1; DELETE FROM item", ""])
    func statementsThatEndTheTransactionAreRefused(_ sql: String) async throws {
        for engine in StoreEngine.available {
            try await engine.withDatabase { database in
                try await Self.prepare(database)
                let error = await #expect(throws: StorageError.self) { try await database.write { _ = try $0.execute(sql) } }
                #expect(error?.code == .invalidStatement, "\(engine)")
            }
        }
    }

    /// More at once than there are connections, each seeing what was acknowledged before it began.
    @Test(arguments: StoreEngine.available) func lookupSeesEveryAcknowledgedWrite(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            try await Self.prepare(database)
            let seen = try await withThrowingTaskGroup(of: Bool.self) { group in
                for id in Int64(1)...200 {
                    group.addTask {
                        try await database.write { _ = try $0.execute("INSERT INTO item (id, amount) VALUES (?, ?)", [.integer(id), 7]) }
                        let rows = try await database.lookup { try $0.query("SELECT amount FROM item WHERE id = ?", [.integer(id)]) }
                        return rows == [Row([7])]
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(seen.count == 200 && seen.allSatisfy(\.self))
        }
    }

    @Test(arguments: StoreEngine.available) func lookupChangesNothingAndOutlivesRefusals(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            try await Self.prepare(database)
            for _ in 0..<20 {
                await #expect(throws: StorageError.self) { try await database.lookup { _ = try $0.execute("DELETE FROM item") } }
                await #expect(throws: StorageError.self) {
                    try await database.lookup { _ = try $0.query("INSERT INTO item (id) VALUES (1) RETURNING id") }
                }
                await #expect(throws: Refused.self) { try await database.lookup { _ in throw Refused() } }
            }
            let rows = try await database.lookup { try $0.query("SELECT COUNT(*) FROM item") }
            #expect(rows == [Row([0])])
            try await database.close()
            await #expect(throws: StorageError.self) { try await database.lookup { _ = try $0.query("SELECT 1") } }
        }
    }

    @Test(arguments: StoreEngine.available) func readChangesNothing(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            try await Self.prepare(database)
            await #expect(throws: StorageError.self) {
                try await database.read { _ = try $0.query("INSERT INTO item (id) VALUES (1) RETURNING id") }
            }
            await #expect(throws: StorageError.self) {
                try await database.read { _ = try $0.execute("DELETE FROM item") }
            }
            #expect(try await Self.count(database) == 0)
        }
    }
}
