import BillfoldPayments
import BillfoldStorage
import BillfoldStorageSQLite
import BillfoldTestSupport
import GRDBSQLite
import Testing

/// What a read costs must not grow with all that was ever booked.
@Suite struct QueryPlanTests {
    private typealias Read = @Sendable (Fixture, TimeOrderedID, any Transaction) throws -> Void

    private static let reads: [(name: String, read: Read)] = [
        ("payments of an order", { fixture, id, tx in _ = try PaymentRecords.find(order: id, merchant: fixture.merchant, in: tx) }),
        (
            "payments of a day",
            { fixture, _, tx in _ = try PaymentRecords.find(settlementDay: "20260921", merchant: fixture.merchant, in: tx) }
        ),
        (
            "a page of a day",
            { fixture, id, tx in
                _ = try PaymentRecords.page(
                    of: .settlementDay("20260921"), after: id, limit: 10, merchant: fixture.merchant, in: tx)
            }
        ),
        (
            "a page from an instant",
            { fixture, id, tx in
                _ = try PaymentRecords.page(
                    of: .begunFrom(fixture.clock.now()), after: id, limit: 10, merchant: fixture.merchant, in: tx)
            }
        ),
        ("a payment", { fixture, id, tx in _ = try PaymentRecords.find(id, merchant: fixture.merchant, in: tx) }),
        ("a payment by its key", { fixture, _, tx in _ = try PaymentRecords.find(externalKey: "k", merchant: fixture.merchant, in: tx) }),
        (
            "modifications of a payment",
            { fixture, id, tx in _ = try ModificationRecords.find(payment: id, merchant: fixture.merchant, in: tx) }
        ),
        (
            "modifications of a day",
            { fixture, _, tx in _ = try ModificationRecords.find(settlementDay: "20260921", merchant: fixture.merchant, in: tx) }
        ),
    ]

    @Test(arguments: reads.indices) func readsNoMoreThanItReturns(_ index: Int) async throws {
        let (name, read) = Self.reads[index]
        try await StoreEngine.sqlite.withDatabase { database in
            let fixture = try await Fixture(database)
            let id = fixture.newID()
            let queries = try await database.write { tx in
                let recorder = QueryRecorder(tx)
                try read(fixture, id, recorder)
                return recorder.queries
            }
            let plans = try Self.plans(of: queries, path: #require(database as? SQLiteDatabase).configuration.path)
            #expect(!plans.isEmpty)
            for plan in plans {
                #expect(plan.contains("SEARCH") && !plan.contains("(merchant=?)") && !plan.contains("TEMP B-TREE"), "\(name): \(plan)")
            }
        }
    }

    /// How the engine would run the queries, in its own words.
    private static func plans(of queries: [String], path: String) throws -> [String] {
        var connection: OpaquePointer?
        defer { sqlite3_close_v2(connection) }
        #expect(sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
        return queries.flatMap { query -> [String] in
            var statement: OpaquePointer?
            defer { sqlite3_finalize(statement) }
            #expect(sqlite3_prepare_v2(connection, "EXPLAIN QUERY PLAN \(query)", -1, &statement, nil) == SQLITE_OK)
            var lines: [String] = []
            while sqlite3_step(statement) == SQLITE_ROW {
                if let text = sqlite3_column_text(statement, 3) { lines.append(String(cString: text)) }
            }
            return lines
        }
    }
}

private final class QueryRecorder: Transaction {
    private let inner: any Transaction
    private(set) var queries: [String] = []

    init(_ inner: any Transaction) { self.inner = inner }

    func query(_ sql: String, _ bindings: [SQLValue]) throws -> [Row] {
        queries.append(sql)
        return try inner.query(sql, bindings)
    }

    func execute(_ sql: String, _ bindings: [SQLValue]) throws -> Int { try inner.execute(sql, bindings) }
    func executeBatch(_ batch: [Statement]) throws -> [Int] { try inner.executeBatch(batch) }
}
