import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import Testing

@testable import billfold

/// A store is known by the migrations that ran on it, on every engine.
@Suite struct StoreKindTests {
    private static let names = StoreKinds.known.all.map(\.name)

    private static func kind(_ name: String) throws -> StoreKind { try #require(StoreKinds.known[name]) }

    private static func refusal(_ applied: [String]) -> String? {
        do throws(ServerError) {
            _ = try StoreKinds.known.kind(of: applied)
            return nil
        } catch { return error.code.description }
    }

    @Test(arguments: StoreEngine.available)
    func everyStoreIsKnownForWhatItIs(engine: StoreEngine) async throws {
        for name in Self.names {
            let kind = try Self.kind(name)
            try await engine.withStore { store in
                let runner = MigrationRunner(kind.migrations, clock: SystemClock(), logger: TestStore.logger)
                try await runner.run(on: store.database)
                #expect(try await StoreKinds.known.existing(in: store.database).name == name)
                let check = try await DatabaseCheck.check(store.database, of: kind, by: runner, links: nil)
                #expect(check.isGood, "\(check.text)")
            }
        }
    }

    /// What was migrated in part only, as by a server that ended meanwhile, is told by what it has.
    @Test(arguments: names) func aPartOfTheMigrationsIsEnough(name: String) throws {
        let all = try Self.kind(name).migrations.map(\.name)
        for count in 0...all.count {
            let found = try StoreKinds.known.kind(of: Array(all.prefix(count)))
            #expect(found == nil || found?.name == name)
            if count == all.count { #expect(found != nil) }
        }
    }

    @Test func aMixtureAndAStrangerAreRefused() throws {
        for one in StoreKinds.known.all {
            for other in StoreKinds.known.all where other.name != one.name {
                #expect(Self.refusal((one.migrations + other.own).map(\.name)) == "store-mixed", "\(one.name) and \(other.name)")
            }
            #expect(Self.refusal(one.migrations.map(\.name) + ["ledgerly-0001-books"]) == "store-unknown")
        }
        #expect(Self.refusal(["ledgerly-0001-books"]) == "store-unknown")
        #expect(Self.refusal([]) == nil)
    }

    @Test(arguments: StoreEngine.available) func aStoreOfNobodyIsRefused(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let error = await #expect(throws: ServerError.self) { _ = try await StoreKinds.known.existing(in: store.database) }
            #expect(error?.code.description == "store-unknown")
        }
    }
}
