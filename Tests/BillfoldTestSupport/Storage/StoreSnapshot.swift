public import BillfoldStorage

/// All rows of a store as they were, to be put back: what a failover that loses rows, or a restored backup, leaves.
public struct StoreSnapshot: Sendable {
    private let rows: [(table: String, rows: [Row])]

    public init(of database: any InspectableDatabase) async throws {
        let tables = try await database.tableNames()
        rows = try await database.read { tx in try tables.map { ($0, try tx.query("SELECT * FROM \($0)", [])) } }
    }

    /// Loses everything that came since.
    public func restore(in database: any InspectableDatabase) async throws {
        let rows = rows
        try await database.write { tx in
            for (table, rows) in rows {
                try tx.execute("DELETE FROM \(table)", [])
                for row in rows {
                    let places = row.values.map { _ in "?" }.joined(separator: ", ")
                    try tx.execute("INSERT INTO \(table) VALUES (\(places))", row.values)
                }
            }
        }
    }
}
