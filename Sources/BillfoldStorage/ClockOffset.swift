/// Keeps, for every process of a test installation, how far its clock is ahead, in microseconds.
public protocol ClockOffset: Sendable {
    /// The offset as every process sees it now.
    func read() async throws -> Int64
    /// Replaces the offset by what the closure makes of it; nobody else changes it in between. The closure may run more than once.
    func change(_ next: @escaping @Sendable (Int64) throws -> Int64) async throws -> Int64
}

/// The offset in a store, for every process on it.
struct StoreClockOffset: ClockOffset {
    let database: any Database

    func read() async throws -> Int64 { try await database.read { try Self.offset(in: $0) } }

    func change(_ next: @escaping @Sendable (Int64) throws -> Int64) async throws -> Int64 {
        try await database.write { transaction in
            try transaction.execute(
                "INSERT INTO billfold_clock (id, offset_microseconds) VALUES (?, ?) ON CONFLICT DO NOTHING", [1, 0])
            // Adding nothing takes the row's lock, so that the offset read next stays as it is.
            try transaction.execute("UPDATE billfold_clock SET offset_microseconds = offset_microseconds + 0 WHERE id = ?", [1])
            let changed = try next(Self.offset(in: transaction))
            try transaction.execute("UPDATE billfold_clock SET offset_microseconds = ? WHERE id = ?", [.integer(changed), 1])
            return changed
        }
    }

    private static func offset(in transaction: any Transaction) throws -> Int64 {
        try transaction.query("SELECT offset_microseconds FROM billfold_clock WHERE id = ?", [1]).first?.integer(0) ?? 0
    }
}
