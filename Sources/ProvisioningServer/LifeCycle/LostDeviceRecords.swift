import BillfoldPayments
import BillfoldStorage

/// The rows of devices that were reported lost: the network may tell of a token in one of them only afterwards.
enum LostDeviceRecords {
    static let migration = Migration(
        "tokens-0009-lost-devices",
        ["CREATE TABLE token_lost_devices (secure_element TEXT NOT NULL PRIMARY KEY, at BIGINT NOT NULL)"])

    /// Keeps the latest report.
    static func note(_ secureElement: String, at now: Timestamp, in tx: any Transaction) throws {
        try tx.execute(
            "INSERT INTO token_lost_devices (secure_element, at) VALUES (?, ?) ON CONFLICT (secure_element) DO UPDATE SET at = excluded.at",
            [.text(secureElement), .integer(now.microseconds)])
    }

    /// When the device was reported lost, last.
    static func find(_ secureElement: String, in tx: any Transaction) throws -> Timestamp? {
        try tx.query("SELECT at FROM token_lost_devices WHERE secure_element = ?", [.text(secureElement)]).first?.timestamp(0)
    }
}
