import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Synchronization
import Testing

/// Counts the statements that pass through to a real transaction.
private final class CountingTransaction: Transaction {
    private let base: any Transaction
    private(set) var statements = 0

    init(_ base: any Transaction) { self.base = base }

    func execute(_ sql: String, _ bindings: [SQLValue]) throws -> Int {
        statements += 1
        return try base.execute(sql, bindings)
    }

    func query(_ sql: String, _ bindings: [SQLValue]) throws -> [Row] {
        statements += 1
        return try base.query(sql, bindings)
    }

    func executeBatch(_ batch: [Statement]) throws -> [Int] {
        statements += batch.count
        return try base.executeBatch(batch)
    }

    var blobType: String { base.blobType }
}

@Suite struct DurableTransitionTests {
    @Test(arguments: StoreEngine.available)
    func oneTransitionTakesAtMostEightStatements(engine: StoreEngine) async throws {
        try await engine.withDatabase { database in
            let fixture = try await Fixture(database)
            let work = DurableTransition(store: fixture.store, merchant: fixture.merchant, identifiers: fixture.identifiers)
            let now = fixture.clock.now()
            let ids = try await work.prepare(3, at: now, in: database)
            for id in ids {
                let count = try await database.write { tx in
                    let counting = CountingTransaction(tx)
                    try work.settle(id, at: now, in: counting)
                    return counting.statements
                }
                #expect(count <= 8)
            }
            // A repetition has no effect.
            try await database.write { tx in try work.settle(ids[0], at: now, in: tx) }
            #expect(try await fixture.balance(.sales) == -9900)
            #expect(try await fixture.payment(ids[2])?.state == .succeeded)
        }
    }
}
