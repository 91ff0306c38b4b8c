import BillfoldPayments
package import BillfoldStorage

/// A device that was reported lost and not found again.
package struct LostDevice: Sendable, Hashable {
    /// 48 upper-case hexadecimal digits.
    package var secureElement: String
    /// When it was reported, last.
    package var at: Timestamp
}

/// The rows of devices that count as lost: they take no new token, and the network may tell of a token in one of them only afterwards.
enum LostDeviceRecords {
    static let migration = Migration(
        "tokens-0009-lost-devices",
        ["CREATE TABLE token_lost_devices (secure_element TEXT NOT NULL PRIMARY KEY, at BIGINT NOT NULL)"])

    /// Keeps the latest report.
    static func note(_ secureElement: String, at now: Timestamp, in tx: any Transaction) throws {
        let bindings: [SQLValue] = [.integer(now.microseconds), .text(secureElement)]
        let isNew =
            try tx.execute(
                "INSERT INTO token_lost_devices (at, secure_element) VALUES (?, ?) ON CONFLICT DO NOTHING", bindings) == 1
        if !isNew { try tx.execute("UPDATE token_lost_devices SET at = ? WHERE secure_element = ?", bindings) }
    }

    /// Returns false when the device does not count as lost.
    static func remove(_ secureElement: String, in tx: any Transaction) throws -> Bool {
        try tx.execute("DELETE FROM token_lost_devices WHERE secure_element = ?", [.text(secureElement)]) == 1
    }

    /// The latest reports first.
    static func list(limit: Int, in tx: any Transaction) throws -> [LostDevice] {
        try tx.query(
            "SELECT secure_element, at FROM token_lost_devices ORDER BY at DESC, secure_element LIMIT ?", [.integer(Int64(limit))]
        ).map { LostDevice(secureElement: try $0.text(0), at: try $0.timestamp(1)) }
    }

    /// When the device was reported lost, last; `nil` where it does not count as lost.
    static func find(_ secureElement: String, in tx: any Transaction) throws -> Timestamp? {
        try tx.query("SELECT at FROM token_lost_devices WHERE secure_element = ?", [.text(secureElement)]).first?.timestamp(0)
    }
}
