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
