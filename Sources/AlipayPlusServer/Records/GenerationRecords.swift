import BillfoldStorage

/// How often rates were published and parties changed: whoever holds those of a generation need not read them again.
///
/// Read it first: what is read behind it may be newer than it says, and is then read once more, but it is never older.
struct Generations: Sendable, Hashable {
    var rates: Int64
    var parties: Int64

    /// As the store has them now.
    init(reading tx: any Transaction) throws {
        let rows = try tx.query("SELECT rates, parties FROM alipay_plus_generations WHERE id = 1", [])
        guard let row = rows.first else { throw AlipayPlusServerError(code: .configurationInvalid, reason: "the store has no generations") }
        (rates, parties) = (try row.integer(0), try row.integer(1))
    }
}

/// The one row of ``Generations``.
enum GenerationRecords {
    static let migration = Migration(
        "alipayplus-0009-generations",
        [
            "CREATE TABLE alipay_plus_generations (id BIGINT NOT NULL PRIMARY KEY, rates BIGINT NOT NULL, parties BIGINT NOT NULL)",
            "INSERT INTO alipay_plus_generations (id, rates, parties) VALUES (1, 1, 1)",
        ])

    static func ratesChanged(in tx: any Transaction) throws {
        try tx.execute("UPDATE alipay_plus_generations SET rates = rates + 1 WHERE id = 1", [])
    }

    static func partiesChanged(in tx: any Transaction) throws {
        try tx.execute("UPDATE alipay_plus_generations SET parties = parties + 1 WHERE id = 1", [])
    }
}
