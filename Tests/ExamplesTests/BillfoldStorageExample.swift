import BillfoldStorage
import Testing

struct BillfoldStorageExample {
    // Example
    /// `$BLOB` stands for the engine's type of byte strings.
    let migrations = [
        Migration("shop-0001-captures", ["CREATE TABLE captures (payment $BLOB NOT NULL PRIMARY KEY, capture $BLOB NOT NULL)"])
    ]

    /// Captures a payment under an id that was made before, and says whether this is the capture that counts.
    func capture(_ payment: TimeOrderedID, as id: TimeOrderedID, in database: any Database) async throws -> Bool {
        try await database.writeRepeatably { transaction in
            let inserted = try transaction.execute(
                "INSERT INTO captures (payment, capture) VALUES (?, ?) ON CONFLICT DO NOTHING", [payment.sqlValue, id.sqlValue])
            if inserted == 1 { return true }
            // Somebody was before: another caller, or an earlier run of this body, the answer to whose commit was lost.
            let rows = try transaction.query("SELECT capture FROM captures WHERE payment = ?", [payment.sqlValue])
            return try rows.first?.timeOrderedID(0) == id
        }
    }
    // End

    @Test func example() async throws {
        var random = SystemRandomNumberGenerator()
        let now = Timestamp(secondsSince1970: 1_790_000_000)
        let payment = TimeOrderedID(at: now, using: &random)
        let first = TimeOrderedID(at: now, using: &random)
        let second = TimeOrderedID(at: now, using: &random)
        try await withExampleStore(migrations) { database in
            let isFirst = try await capture(payment, as: first, in: database)
            let isSecond = try await capture(payment, as: second, in: database)
            // As after a lost commit: it finds its own row.
            let isFirstAgain = try await capture(payment, as: first, in: database)
            #expect(isFirst && !isSecond && isFirstAgain)
        }
    }
}
