import BillfoldStorage
import BillfoldTestSupport
import Synchronization
import Testing

/// What every engine promises about writes that meet, fail and are repeated.
@Suite(.serialized) struct ConcurrencyContractTests {
    typealias Items = WriteContractTests

    @Test(arguments: StoreEngine.available) func onlyOneOfManyConditionalUpdatesWins(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            try await Items.prepare(database)
            try await database.write { _ = try $0.execute("INSERT INTO item (id, amount) VALUES (1, 0)") }
            let winners = try await withThrowingTaskGroup(of: Int.self) { group in
                for contender in 1...16 as ClosedRange<Int64> {
                    group.addTask {
                        try await database.write {
                            try $0.execute("UPDATE item SET amount = ? WHERE id = ? AND amount = ?", [.integer(contender), 1, 0])
                        }
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(winners == 1)
        }
    }

    @Test(arguments: StoreEngine.available) func onlyOneOfManyInsertsOfAKeyWins(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            try await Items.prepare(database)
            let winners = try await withThrowingTaskGroup(of: Int.self) { group in
                for contender in 1...16 as ClosedRange<Int64> {
                    group.addTask {
                        try await database.write {
                            try $0.execute("INSERT INTO item (id, amount) VALUES (?, ?) ON CONFLICT DO NOTHING", [7, .integer(contender)])
                        }
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(winners == 1)
        }
    }

    @Test(arguments: StoreEngine.available) func aReadSeesOneMomentOnly(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            try await Items.prepare(database)
            try await database.write { _ = try $0.execute("INSERT INTO item (id, amount) VALUES (1, 50), (2, 50)") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for _ in 0..<60 {
                        try await database.write { transaction in
                            try transaction.execute("UPDATE item SET amount = amount - ? WHERE id = 1", [1])
                            try transaction.execute("UPDATE item SET amount = amount + ? WHERE id = 2", [1])
                        }
                    }
                }
                group.addTask {
                    for _ in 0..<60 {
                        let sum = try await database.read { transaction in
                            let first = try transaction.query("SELECT amount FROM item WHERE id = 1")[0].integer(0)
                            let second = try transaction.query("SELECT amount FROM item WHERE id = 2")[0].integer(0)
                            return first + second
                        }
                        #expect(sum == 100)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test(arguments: StoreEngine.available) func serialisationFailureRunsTheWholeBodyAgain(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            try await Items.prepare(database)
            let runs = Atomic<Int>(0)
            try await database.write { transaction in
                let run = runs.add(1, ordering: .relaxed).newValue
                try transaction.execute("INSERT INTO item (id, amount) VALUES (1, ?)", [.integer(Int64(run))])
                if run < 3 { throw StorageError(code: .serializationFailure, reason: "not yet") }
            }
            let amount = try await database.read { try $0.query("SELECT amount FROM item")[0].integer(0) }
            #expect(amount >= 3)
            #expect(amount == Int64(runs.load(ordering: .relaxed)))
        }
    }

    @Test(arguments: StoreEngine.available) func bodyThatAlwaysFailsToSerialiseEnds(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let error = await #expect(throws: StorageError.self) {
                try await StorageDeadline.$current.withValue(.now + .seconds(20)) {
                    try await database.write { _ in throw StorageError(code: .serializationFailure, reason: "never") }
                }
            }
            #expect(error?.code == .serializationFailure)
        }
    }

    @Test(arguments: StoreEngine.available) func writeAfterItsDeadlineDoesNotBegin(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            try await Items.prepare(database)
            let error = await #expect(throws: StorageError.self) {
                try await StorageDeadline.$current.withValue(.now - .seconds(1)) {
                    try await database.write { _ = try $0.execute("INSERT INTO item (id) VALUES (1)") }
                }
            }
            #expect(error?.code == .unavailable)
            #expect(try await Items.count(database) == 0)
        }
    }

    @Test(arguments: StoreEngine.available) func lostRepliesAreResolvedWithoutASecondEffect(_ engine: StoreEngine) async throws {
        try await engine.withStore { store in
            try await Items.prepare(store.database)
            let database = FaultyDatabase(
                store.database, seed: StoreEngine.seed, faults: .init(serializationFailures: 200, lostReplies: 300))
            for id in 0..<60 as Range<Int64> {
                let amount = try await database.write(
                    resolve: { try $0.query("SELECT amount FROM item WHERE id = ?", [.integer(id)]).first?.integer(0) }
                ) { transaction in
                    try transaction.execute("INSERT INTO item (id, amount) VALUES (?, ?)", [.integer(id), .integer(id * 2)])
                    return id * 2
                }
                #expect(amount == id * 2)
            }
            #expect(database.counts.lostReplies > 5)
            #expect(database.counts.serializationFailures > 5)
            #expect(try await Items.count(store.database) == 60)
        }
    }

    @Test(arguments: StoreEngine.available) func lostReplyWithoutResolveIsUnknown(_ engine: StoreEngine) async throws {
        try await engine.withStore { store in
            try await Items.prepare(store.database)
            let database = FaultyDatabase(store.database, seed: 1, faults: .init(lostReplies: 1_000))
            let error = await #expect(throws: StorageError.self) {
                try await database.write { _ = try $0.execute("INSERT INTO item (id) VALUES (1)") }
            }
            #expect(error?.code == .commitUnknown)
            #expect(try await Items.count(store.database) == 1)
        }
    }

    @Test(arguments: StoreEngine.available) func batchReportsTheRowsOfEachStatement(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            try await Items.prepare(database)
            let changed = try await database.write { transaction in
                try transaction.executeBatch([
                    Statement("INSERT INTO item (id, name) VALUES (?, ?), (?, ?)", [1, "a", 2, nil]),
                    Statement("UPDATE item SET amount = ? WHERE id > ?", [5, 0]),
                    Statement("DELETE FROM item WHERE id = ?", [9]),
                    Statement("INSERT INTO item (id, name) VALUES (?, ?), (?, ?)", [3, "c", 4, "d"]),
                ])
            }
            #expect(changed == [2, 2, 0, 2])
            let error = await #expect(throws: StorageError.self) {
                try await database.write { transaction in
                    _ = try transaction.executeBatch([
                        Statement("DELETE FROM item", []), Statement("INSERT INTO item (id) VALUES (?)", [nil]),
                        Statement("INSERT INTO item (id) VALUES (?)", [8]),
                    ])
                }
            }
            #expect(error?.code == .constraintViolation)
            #expect(try await Items.count(database) == 4)
        }
    }

    @Test(arguments: StoreEngine.available) func callersCancellationDoesNotUndoABegunWrite(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            try await Items.prepare(database)
            let task = Task {
                try await database.write { transaction in
                    try transaction.execute("INSERT INTO item (id) VALUES (1)")
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
            task.cancel()
            try await task.value
            #expect(try await Items.count(database) == 1)
        }
    }

    @Test(arguments: StoreEngine.available) func aHandedOutTransactionIsDeadAfterItsBody(_ engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            try await Items.prepare(database)
            // The write has ended before the variable is read, and nothing else touches it.
            nonisolated(unsafe) var kept: (any Transaction)?
            try await database.write { kept = $0 }
            let dead = try #require(kept)
            #expect(throws: StorageError.self) { try dead.execute("INSERT INTO item (id) VALUES (1)") }
            #expect(try await Items.count(database) == 0)
        }
    }

    @Test(arguments: StoreEngine.available) func closedStoreRefuses(_ engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let database = try await store.reopen()
            try await database.close()
            let error = await #expect(throws: StorageError.self) { try await database.write { _ in } }
            #expect(error?.code == .unavailable)
            try await store.reopen()
        }
    }
}
