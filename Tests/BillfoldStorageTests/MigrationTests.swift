import BillfoldStorage
import BillfoldTestSupport
import Testing

struct FixedClock: WallClock {
    var instant = Timestamp(secondsSince1970: 1_700_000_000)
    func now() -> Timestamp { instant }
}

@Suite(.serialized) struct MigrationTests {
    static let first = Migration("shop-0001-goods", ["CREATE TABLE goods (id $BLOB NOT NULL PRIMARY KEY, price BIGINT NOT NULL)"])
    static let second = Migration(
        "shop-0002-names", ["ALTER TABLE goods ADD COLUMN name TEXT", "CREATE INDEX goods_name ON goods (name)"])

    static func runner(_ migrations: [Migration]) -> MigrationRunner {
        MigrationRunner(migrations, clock: FixedClock(), logger: TestStore.logger)
    }

    @Test(arguments: StoreEngine.available) func eachMigrationRunsOnce(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            #expect(try await Self.runner([Self.first]).pending(on: database) == ["shop-0001-goods"])
            #expect(try await Self.runner([Self.first]).run(on: database) == ["shop-0001-goods"])
            #expect(try await Self.runner([Self.first, Self.second]).pending(on: database) == ["shop-0002-names"])
            #expect(try await Self.runner([Self.first, Self.second]).run(on: database) == ["shop-0002-names"])
            #expect(try await Self.runner([Self.first, Self.second]).run(on: database) == [])
            let applied = try await MigrationRunner.applied(in: database)
            #expect(applied.map(\.name) == ["shop-0001-goods", "shop-0002-names"])
            #expect(applied.allSatisfy { $0.appliedAt == FixedClock().instant })
        }
    }

    @Test(arguments: StoreEngine.available) func manyProcessesMigrateAtOnce(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let ran = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<8 { group.addTask { try await Self.runner([Self.first, Self.second]).run(on: database) } }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(ran.sorted() == ["shop-0001-goods", "shop-0002-names"])
        }
    }

    @Test(arguments: StoreEngine.available) func failedMigrationLeavesNothing(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let broken = Migration("shop-0002-broken", ["CREATE TABLE half (id BIGINT NOT NULL PRIMARY KEY)", "CREATE TABLE ("])
            await #expect(throws: StorageError.self) { try await Self.runner([Self.first, broken]).run(on: database) }
            let applied = try await MigrationRunner.applied(in: database)
            #expect(applied.map(\.name) == ["shop-0001-goods"])
            await #expect(throws: StorageError.self) { try await database.read { try $0.query("SELECT id FROM half") } }
        }
    }

    @Test(arguments: StoreEngine.available) func changedMigrationIsRefused(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            try await Self.runner([Self.first]).run(on: database)
            var changed = Self.first
            changed.statements[0] += " "
            let error = await #expect(throws: StorageError.self) { try await Self.runner([changed]).run(on: database) }
            #expect(error?.code == .schemaMismatch)
        }
    }

    @Test(arguments: StoreEngine.available) func newerSchemaIsRefusedAndOtherComponentsAreNot(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let other = Migration("sandbox-0001-devices", ["CREATE TABLE device (id BIGINT NOT NULL PRIMARY KEY)"])
            try await Self.runner([Self.first, Self.second]).run(on: database)
            #expect(try await Self.runner([other]).run(on: database) == ["sandbox-0001-devices"])
            let error = await #expect(throws: StorageError.self) { try await Self.runner([Self.first]).run(on: database) }
            #expect(error?.code == .schemaMismatch)
        }
    }

    /// Expand, then contract: the server of the version before goes on through the first half and is refused after the second.
    @Test(arguments: StoreEngine.available) func theVersionBeforeRunsBesideAnExpansion(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let expansion = Migration(
                "shop-0003-colour", ["ALTER TABLE goods ADD COLUMN colour TEXT", "CREATE INDEX goods_colour ON goods (colour)"],
                runsWith: "shop-0002-names")
            let contraction = Migration("shop-0004-contract", ["DROP INDEX goods_colour"])
            let (oldest, before) = (Self.runner([Self.first]), Self.runner([Self.first, Self.second]))
            try await before.run(on: database)
            #expect(try await Self.runner([Self.first, Self.second, expansion]).run(on: database) == ["shop-0003-colour"])

            // The old version starts again, changes nothing, and both read the other's rows.
            #expect(try await before.run(on: database) == [])
            #expect(try await before.pending(on: database) == [])
            _ = try await database.write { try $0.execute("INSERT INTO goods (id, price, name) VALUES (?, ?, ?)", [.blob([1]), 5, "old"]) }
            _ = try await database.write {
                try $0.execute("INSERT INTO goods (id, price, name, colour) VALUES (?, ?, ?, ?)", [.blob([2]), 6, "new", "red"])
            }
            let names = try await database.read { try $0.query("SELECT name FROM goods ORDER BY name").map { try $0.text(0) } }
            #expect(names == ["new", "old"])
            let colours = try await database.read { try $0.query("SELECT name FROM goods WHERE colour IS NULL").map { try $0.text(0) } }
            #expect(colours == ["old"])

            let tooOld = await #expect(throws: StorageError.self) { try await oldest.run(on: database) }
            #expect(tooOld?.code == .schemaMismatch)
            try await Self.runner([Self.first, Self.second, expansion, contraction]).run(on: database)
            let refused = await #expect(throws: StorageError.self) { try await before.run(on: database) }
            #expect(refused?.code == .schemaMismatch)
            #expect(refused?.reason.contains("shop-0004-contract") == true)
        }
    }

    @Test(
        arguments: StoreEngine.available,
        [
            Migration("shop-0003-x", ["ALTER TABLE goods DROP COLUMN name"], runsWith: "shop-0002-names"),
            Migration("shop-0003-x", ["ALTER TABLE goods ADD COLUMN size BIGINT NOT NULL"], runsWith: "shop-0002-names"),
            Migration("shop-0003-x", ["CREATE UNIQUE INDEX one ON goods (name)"], runsWith: "shop-0002-names"),
            Migration("shop-0003-x", ["UPDATE goods SET price = 0"], runsWith: "shop-0002-names"),
            Migration("shop-0003-x", ["CREATE TABLE more (id BIGINT NOT NULL PRIMARY KEY)"], runsWith: "other-0001-x"),
        ])
    func whatOldServersCannotBearMayNotLetThemRun(_ engine: StoreEngine, _ migration: Migration) async throws {
        try await engine.withDatabase { database in
            let error = await #expect(throws: StorageError.self) {
                try await Self.runner([Self.first, Self.second, migration]).run(on: database)
            }
            #expect(error?.code == .schemaMismatch)
            let applied = try await MigrationRunner.applied(in: database)
            #expect(applied.map(\.name) == ["shop-0001-goods", "shop-0002-names"])
        }
    }

    @Test func columnWithADefaultIsAdditive() {
        #expect(Migration("a-1-x", ["ALTER TABLE goods ADD COLUMN size BIGINT NOT NULL DEFAULT 0"]).isAdditive)
    }

    @Test(arguments: StoreEngine.available) func modeNeverChanges(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            try await Self.runner(StoreMode.migrations).run(on: database)
            #expect(try await StoreMode.of(database) == nil)
            try await StoreMode.test.claim(database)
            try await StoreMode.test.claim(database)
            let error = await #expect(throws: StorageError.self) { try await StoreMode.production.claim(database) }
            #expect(error?.code == .modeMismatch)
            #expect(try await StoreMode.of(database) == .test)
        }
    }

    @Test(arguments: StoreEngine.available) func movedClockIsSharedThroughTheStore(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            try await Self.runner(StoreMode.migrations).run(on: database)
            try await StoreMode.test.claim(database)
            let mine = try await MovableClock(base: FixedClock(), database: database)
            let theirs = try await MovableClock(base: FixedClock(), database: database)
            try await mine.advance(by: .seconds(3_600))
            #expect(mine.now() == FixedClock().instant.advanced(by: .seconds(3_600)))
            #expect(theirs.now() == FixedClock().instant)
            try await theirs.refresh()
            #expect(theirs.now() == mine.now())
            try await theirs.advance(by: .seconds(-600))
            try await mine.refresh()
            #expect(mine.now() == FixedClock().instant.advanced(by: .seconds(3_000)))
        }
    }

    @Test(arguments: StoreEngine.available) func clockOfAProductionStoreCannotBeMoved(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            try await Self.runner(StoreMode.migrations).run(on: database)
            try await StoreMode.production.claim(database)
            let error = await #expect(throws: StorageError.self) {
                try await MovableClock(base: FixedClock(), database: database)
            }
            #expect(error?.code == .modeMismatch)
        }
    }
}
