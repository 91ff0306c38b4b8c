import BillfoldPayments
import BillfoldStorage

/// The rows of devices that were reported lost: the network may tell of a token in one of them only afterwards.
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

    /// When the device was reported lost, last.
    static func find(_ secureElement: String, in tx: any Transaction) throws -> Timestamp? {
        try tx.query("SELECT at FROM token_lost_devices WHERE secure_element = ?", [.text(secureElement)]).first?.timestamp(0)
    }
}
