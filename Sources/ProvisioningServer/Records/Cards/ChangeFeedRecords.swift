import BillfoldPayments
import BillfoldStorage

/// How far the processor's changes are taken over: its own word for the place, in one row.
enum ChangeFeedRecords {
    static let migration = Migration(
        "bank-0003-change-feed",
        ["CREATE TABLE bank_change_feed (feed TEXT NOT NULL PRIMARY KEY, place TEXT NOT NULL, at BIGINT NOT NULL)"])

    private static let feed = "processor"

    static func place(in tx: any Transaction) throws -> String? {
        try tx.query("SELECT place FROM bank_change_feed WHERE feed = ?", [.text(feed)]).first?.text(0)
    }

    static func move(to place: String, at now: Timestamp, in tx: any Transaction) throws {
        let bindings: [SQLValue] = [.text(place), .integer(now.microseconds), .text(feed)]
        let isNew =
            try tx.execute("INSERT INTO bank_change_feed (place, at, feed) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", bindings) == 1
        if !isNew { try tx.execute("UPDATE bank_change_feed SET place = ?, at = ? WHERE feed = ?", bindings) }
    }
}
