import BillfoldDiagnosis
import BillfoldStorage
import BillfoldStoragePostgreSQL
import BillfoldTestSupport
import Foundation
import Synchronization
import Testing

/// What an answer to `COMMIT` proves: nothing, but for a constraint, a serialisation failure and a deadlock.
@Suite(.serialized, .enabled(if: PostgreSQLCluster.binaries != nil, "PostgreSQL is not installed"))
struct CommitAnswerTests {
    /// Every state that the installed server knows, and some that only others say.
    static let states: [String] = {
        let version = PostgreSQLCluster.binaries.map { URL(fileURLWithPath: $0).deletingLastPathComponent().lastPathComponent } ?? ""
        let list = (try? String(contentsOfFile: "/usr/share/postgresql/\(version)/errcodes.txt", encoding: .utf8)) ?? ""
        let known = list.split(separator: "\n").compactMap { $0.prefixMatch(of: /([0-9A-Z]{5})\s/).map { String($0.output.1) } }
        // Poolers, Citus, YugabyteDB; and those that matter most where the list is missing.
        let others = [
            "08P01", "08006", "25006", "25P02", "40002", "40003", "53000", "53100", "53200", "53300", "55P03", "57014", "57P01", "57P02",
            "57P03",
            "58000", "58030", "58P01", "XX000", "XX001", "XX002", "YB000", "ZZZZZ", "P0001", "0A000", "26000", "42501",
        ]
        return Set(known + others).subtracting(["00000"]).sorted()
    }()

    static func isCertainAbort(_ state: String) -> Bool { state.hasPrefix("23") || ["40001", "40P01"].contains(state) }

    /// A store behind a proxy of its own, with one session and one table.
    final class Place: Sendable {
        let proxy: CommitProxy
        let database: PostgreSQLDatabase
        let table: String

        init(_ table: String) async throws {
            self.table = table
            proxy = try CommitProxy(before: PostgreSQLCluster.shared.get().port)
            var configuration = PostgreSQLConfiguration(connection: Secret(proxy.connection))
            configuration.connections = 1
            database = try await PostgreSQLDatabase(configuration, randomness: SeededStoreGenerator(seed: 1), logger: TestStore.logger)
            try await PostgreSQLStoreTests.makeTable(database, table)
        }

        func close() async throws {
            try await database.close()
            proxy.close()
        }

        func has(_ id: Int64) async throws -> Bool {
            try await database.read { [table] in try !$0.query("SELECT id FROM \(table) WHERE id = ?", [.integer(id)]).isEmpty }
        }

        /// Writes the row and returns how often the body ran.
        func write(_ id: Int64, patiently: Bool = true) async throws -> Int {
            let runs = Atomic<Int>(0)
            let found = try await database.write(
                resolve: { [table] in try $0.query("SELECT id FROM \(table) WHERE id = ?", [.integer(id)]).first?.integer(0) }
            ) { [table] transaction in
                runs.add(1, ordering: .relaxed)
                let conflict = patiently ? " ON CONFLICT DO NOTHING" : ""
                try transaction.execute("INSERT INTO \(table) (id) VALUES (?)\(conflict)", [.integer(id)])
                return id
            }
            #expect(found == id)
            return runs.load(ordering: .relaxed)
        }
    }

    @Test func everyStateButACertainAbortIsResolvedByAsking() async throws {
        let states = Self.states.filter { !Self.isCertainAbort($0) }
        #expect(states.count >= 26)
        print("answers to COMMIT: \(states.count) states, each with the transaction applied and not")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<4 {
                group.addTask {
                    let place = try await Place("answers_\(lane)")
                    for (index, state) in states.enumerated() where index % 4 == lane {
                        place.proxy.expect(.init(fate: .applied, answer: .state(state)))
                        #expect(try await place.write(Int64(index) * 2) == 1, "\(state): the body ran again though its row stood")
                        place.proxy.expect(.init(fate: .rolledBack, answer: .state(state)))
                        #expect(try await place.write(Int64(index) * 2 + 1) == 2, "\(state): the body did not run again")
                        #expect(place.proxy.unused == 0)
                    }
                    let ids = try await PostgreSQLStoreTests.ids(place.database, place.table)
                    #expect(ids.count == states.indices.count { $0 % 4 == lane } * 2)
                    try await place.close()
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(arguments: ["40001", "40P01"]) func serialisationFailureIsRunAgain(_ state: String) async throws {
        let place = try await Place("again_\(state.lowercased())")
        place.proxy.expect(.init(fate: .rolledBack, answer: .state(state)))
        #expect(try await place.write(1) == 2)
        try await place.close()
    }

    @Test(arguments: states.filter { $0.hasPrefix("23") }) func constraintIsARefusal(_ state: String) async throws {
        let place = try await Place("constraint_\(state.lowercased())")
        place.proxy.expect(.init(fate: .rolledBack, answer: .state(state)))
        let error = await #expect(throws: StorageError.self) { try await place.write(1) }
        #expect(error?.code == (state == "23505" ? .uniqueViolation : .constraintViolation))
        #expect(try await !place.has(1))
        try await place.close()
    }

    @Test func rollbackAtTheCommitIsARefusal() async throws {
        let place = try await Place("rollback_tag")
        place.proxy.expect(.init(fate: .rolledBack, answer: .tag("ROLLBACK")))
        let error = await #expect(throws: StorageError.self) { try await place.write(1) }
        #expect(error?.code == .invalidStatement)
        try await place.close()
    }

    @Test func anotherTagProvesNothing() async throws {
        let place = try await Place("other_tag")
        place.proxy.expect(.init(fate: .applied, answer: .tag("SET")))
        #expect(try await place.write(1) == 1)
        try await place.close()
    }

    @Test(arguments: [true, false]) func withoutALookItIsUnknown(_ isApplied: Bool) async throws {
        let place = try await Place("blind_\(isApplied)")
        place.proxy.expect(.init(fate: isApplied ? .applied : .rolledBack, answer: .state("XX000")))
        let table = place.table
        let error = await #expect(throws: StorageError.self) {
            try await place.database.write { _ = try $0.execute("INSERT INTO \(table) (id) VALUES (1)") }
        }
        #expect(error?.code == .commitUnknown)
        try await place.close()
    }

    /// The look finds nothing, and still the first run's row comes: whoever inserts the key again waits for it.
    @Test(arguments: [true, false]) func rowThatShowsLaterIsWaitedFor(_ patiently: Bool) async throws {
        let place = try await Place("later_\(patiently)")
        place.proxy.expect(.init(fate: .appliedAfter(.milliseconds(400)), answer: .state("XX000")))
        #expect(try await place.write(1, patiently: patiently) == 2)
        #expect(try await PostgreSQLStoreTests.ids(place.database, place.table) == [1])
        try await place.close()
    }

    /// What a later run is refused for may be the first run's own work.
    @Test func deadlineOrRefusalAfterADoubtIsUnknown() async throws {
        struct Refused: Error {}
        let place = try await Place("doubt")
        let table = place.table
        place.proxy.expect(.init(fate: .appliedAfter(.milliseconds(1_500)), answer: .state("XX000")))
        let late = await #expect(throws: StorageError.self) {
            try await StorageDeadline.$current.withValue(.now + .milliseconds(600)) { try await place.write(1) }
        }
        #expect(late?.code == .commitUnknown)
        let runs = Atomic<Int>(0)
        place.proxy.expect(.init(fate: .rolledBack, answer: .state("58030")))
        let refused = await #expect(throws: StorageError.self) {
            try await place.database.write(resolve: { _ in nil as Bool? }) { transaction in
                if runs.add(1, ordering: .relaxed).newValue > 1 { throw Refused() }
                try transaction.execute("INSERT INTO \(table) (id) VALUES (2)")
                return true
            }
        }
        #expect(refused?.code == .commitUnknown)
        // And the first was there in the end.
        var stands = false
        for _ in 0..<200 {
            stands = try await place.has(1)
            if stands { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(stands)
        try await place.close()
    }
}
