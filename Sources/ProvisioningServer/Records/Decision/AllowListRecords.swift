package import BillfoldStorage

/// A card and a secure element that are let in while their programme is being tested.
package struct AllowedDevice: Sendable, Hashable {
    package var card: String
    /// 48 upper-case hexadecimal digits.
    package var secureElement: String
    package var remark: String
    package var addedBy: String
    package var addedAt: Timestamp
}

/// The rows of the allow list.
package enum AllowListRecords {
    static let migration = Migration(
        "tokens-0002-allow-list",
        [
            """
            CREATE TABLE token_allow_list (
                card TEXT NOT NULL, secure_element TEXT NOT NULL, remark TEXT NOT NULL, added_by TEXT NOT NULL, added_at BIGINT NOT NULL,
                PRIMARY KEY (card, secure_element))
            """
        ])

    /// Doing it again changes nothing and returns false.
    static func insert(_ row: AllowedDevice, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "INSERT INTO token_allow_list (card, secure_element, remark, added_by, added_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [.text(row.card), .text(row.secureElement), .text(row.remark), .text(row.addedBy), .integer(row.addedAt.microseconds)]) == 1
    }

    static func remove(card: String, secureElement: String, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "DELETE FROM token_allow_list WHERE card = ? AND secure_element = ?", [.text(card), .text(secureElement)]) == 1
    }

    static func contains(card: String, secureElement: String, in tx: any Transaction) throws -> Bool {
        try !tx.query(
            "SELECT card FROM token_allow_list WHERE card = ? AND secure_element = ?", [.text(card), .text(secureElement)]
        ).isEmpty
    }

    /// The list, of one card or of all, in the order of cards and secure elements.
    ///
    /// - Parameters:
    ///   - card: `nil` for all.
    ///   - position: Card and secure element of the row behind which to begin.
    ///   - limit: How many at most.
    ///   - tx: Where they are read.
    static func list(card: String?, after position: [SQLValue]?, limit: Int, in tx: any Transaction) throws -> [AllowedDevice] {
        let conditions = (card == nil ? [] : ["card = ?"]) + (position == nil ? [] : ["(card, secure_element) > (?, ?)"])
        return try tx.query(
            """
            SELECT card, secure_element, remark, added_by, added_at FROM token_allow_list
            \(conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")) ORDER BY card, secure_element LIMIT ?
            """, (card.map { [.text($0)] } ?? []) + (position ?? []) + [.integer(Int64(limit))]
        ).map(read)
    }

    private static func read(_ row: Row) throws -> AllowedDevice {
        AllowedDevice(
            card: try row.text(0), secureElement: try row.text(1), remark: try row.text(2), addedBy: try row.text(3),
            addedAt: try row.timestamp(4))
    }

    /// The list, of one card or of all, oldest first.
    package static func list(card: String? = nil, limit: Int = 1_000, in tx: any Transaction) throws -> [AllowedDevice] {
        try tx.query(
            """
            SELECT card, secure_element, remark, added_by, added_at FROM token_allow_list \(card == nil ? "" : "WHERE card = ?")
            ORDER BY added_at, card, secure_element LIMIT ?
            """, (card.map { [.text($0)] } ?? []) + [.integer(Int64(limit))]
        ).map(read)
    }
}
