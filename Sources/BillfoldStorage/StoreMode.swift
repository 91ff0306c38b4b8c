/// Whether a store holds real payments. Stamped when the store is made, and never changed: what exists only in test mode
/// (the movable clock, fault switches, test anchors) can then never meet production data.
public enum StoreMode: String, Sendable, CaseIterable {
    case test
    case production

    /// The tables of this target. Every store runs them first.
    public static let migrations = [
        Migration(
            "store-0001-mode",
            ["CREATE TABLE billfold_store (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)"]),
        Migration(
            "store-0002-clock",
            ["CREATE TABLE billfold_clock (id BIGINT NOT NULL PRIMARY KEY, offset_microseconds BIGINT NOT NULL)"]),
    ]

    /// Stamps a store that has no mode yet; otherwise checks that it has this one.
    ///
    /// - Throws: `mode-mismatch` when the store was made in the other mode.
    public func claim(_ database: any Database) async throws {
        let name = rawValue
        let found: String = try await database.write(resolve: { try Self.stamp(in: $0) }) { transaction in
            try transaction.execute(
                "INSERT INTO billfold_store (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", ["mode", .text(name)])
            guard let stamp = try Self.stamp(in: transaction) else {
                // A neighbour's row that this view does not show: look again.
                throw StorageError(code: .serializationFailure, reason: "the mode is being stamped")
            }
            return stamp
        }
        guard found == name else {
            throw StorageError(code: .modeMismatch, reason: "the store was made in \(found) mode; it cannot be opened in \(name) mode")
        }
    }

    /// The mode a store was stamped with; `nil` before that.
    public static func of(_ database: any Database) async throws -> StoreMode? {
        guard let name = try await database.read({ try stamp(in: $0) }) else { return nil }
        guard let mode = StoreMode(rawValue: name) else {
            throw StorageError(code: .modeMismatch, reason: "the store is stamped with a mode that this program does not know")
        }
        return mode
    }

    /// A read that every store answers, before its mode is claimed too.
    package static func stamp(in transaction: any Transaction) throws -> String? {
        try transaction.query("SELECT value FROM billfold_store WHERE name = ?", ["mode"]).first?.text(0)
    }
}
