package import BillfoldStorage

/// The remote switches of programmes. A programme without a row is on.
package enum ProgrammeRecords {
    /// A programme's switch as it was set last.
    package struct Switch: Sendable, Hashable {
        package var isOn: Bool
        /// For operators.
        package var remark: String
        package var by: String
        package var at: Timestamp
    }

    static let migration = Migration(
        "provisioning-0004-programmes",
        [
            """
            CREATE TABLE provisioning_programmes (
                id TEXT NOT NULL PRIMARY KEY, is_on BIGINT NOT NULL, remark TEXT NOT NULL, set_by TEXT NOT NULL, set_at BIGINT NOT NULL)
            """
        ])

    package static func find(_ id: String, in tx: any Transaction) throws -> Switch? {
        try tx.query("SELECT is_on, remark, set_by, set_at FROM provisioning_programmes WHERE id = ?", [.text(id)]).first.map { row in
            Switch(isOn: try row.integer(0) == 1, remark: try row.text(1), by: try row.text(2), at: try row.timestamp(3))
        }
    }

    /// Sets the switch. Doing it again changes nothing but who did it when.
    package static func set(_ id: String, to value: Switch, in tx: any Transaction) throws {
        let bindings: [SQLValue] = [
            .integer(value.isOn ? 1 : 0), .text(value.remark), .text(value.by), .integer(value.at.microseconds), .text(id),
        ]
        let update = "UPDATE provisioning_programmes SET is_on = ?, remark = ?, set_by = ?, set_at = ? WHERE id = ?"
        if try tx.execute(update, bindings) == 1 { return }
        let inserted = try tx.execute(
            "INSERT INTO provisioning_programmes (is_on, remark, set_by, set_at, id) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            bindings)
        // Somebody else set it for the first time between the two statements.
        if inserted == 0 { try tx.execute(update, bindings) }
    }
}
