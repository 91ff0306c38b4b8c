import BillfoldStorage
import BillfoldStorageSQLite
import BillfoldTestSupport
import Testing

/// What a store holds after a crash, held against what its driver was told.
struct StoreAudit {
    /// Acknowledged entries that are gone.
    var lost = 0
    /// Entries in the store, acknowledged or not.
    var present = 0
    /// What no crash may leave: gaps in a lane, halves of a write, sums other than zero, damage.
    var faults: [String] = []

    static func of(_ database: any InspectableDatabase, _ outcome: DriverRun.Outcome) async throws -> StoreAudit {
        var audit = StoreAudit()
        let lanes = try await database.read { transaction in
            try transaction.query("SELECT lane, COUNT(*), MAX(number) FROM entry GROUP BY lane ORDER BY lane").map {
                (lane: try $0.integer(0), count: try $0.integer(1), last: try $0.integer(2))
            }
        }
        var last: [Int64: Int64] = [:]
        for lane in lanes {
            audit.present += Int(lane.count)
            last[lane.lane] = lane.last
            if lane.count != lane.last + 1 { audit.faults.append("lane \(lane.lane) has \(lane.count) entries up to \(lane.last)") }
        }
        for (lane, number) in outcome.acknowledged { audit.lost += Int(max(0, number - (last[lane] ?? -1))) }
        let (sum, postings) = try await database.read { transaction in
            let row = try transaction.query("SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT), COUNT(*) FROM posting")[0]
            return (try row.integer(0), try row.integer(1))
        }
        if sum != 0 { audit.faults.append("the postings add up to \(sum)") }
        if postings != 2 * audit.present { audit.faults.append("\(postings) postings for \(audit.present) entries") }
        audit.faults += try await database.integrityProblems()
        return audit
    }

    /// Opens the file as a restarted program would.
    static func ofFile(_ path: String, _ outcome: DriverRun.Outcome) async throws -> StoreAudit {
        let database = try SQLiteDatabase(SQLiteConfiguration(path: path), logger: TestStore.logger)
        do {
            let audit = try await of(database, outcome)
            try await database.close()
            return audit
        } catch {
            try? await database.close()
            throw error
        }
    }
}
