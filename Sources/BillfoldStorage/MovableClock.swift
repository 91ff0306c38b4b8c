import Synchronization

/// The time of day plus an offset that is kept in the store, so that every process on a test store lives at the same time.
///
/// A process sees what another one moved after its next ``refresh()``; ``run(every:onFailure:)`` does that on and on.
public final class MovableClock: WallClock {
    private let base: any WallClock
    private let database: any Database
    private let offset = Mutex<Int64>(0)

    /// - Throws: `mode-mismatch` unless the store is stamped with test mode.
    public init(base: any WallClock, database: any Database) async throws {
        guard try await StoreMode.of(database) == .test else {
            throw StorageError(code: .modeMismatch, reason: "the clock can be moved in test mode only")
        }
        self.base = base
        self.database = database
        try await refresh()
    }

    public func now() -> Timestamp {
        let (sum, overflow) = base.now().microseconds.addingReportingOverflow(offset.withLock { $0 })
        return Timestamp(microseconds: overflow ? .max : sum)
    }

    /// Reads the offset that the store has now.
    public func refresh() async throws {
        let stored = try await database.read { try Self.offset(in: $0) }
        offset.withLock { $0 = stored }
    }

    /// Moves the clock of every process on the store, forwards or, with a negative duration, backwards.
    public func advance(by duration: Duration) async throws {
        let microseconds = Timestamp(microseconds: 0).advanced(by: duration).microseconds
        let stored = try await database.write { transaction in
            try transaction.execute(
                "INSERT INTO billfold_clock (id, offset_microseconds) VALUES (?, ?) ON CONFLICT DO NOTHING", [1, 0])
            try transaction.execute(
                "UPDATE billfold_clock SET offset_microseconds = offset_microseconds + ? WHERE id = ?", [.integer(microseconds), 1])
            return try Self.offset(in: transaction)
        }
        offset.withLock { $0 = stored }
    }

    /// Refreshes until the task is cancelled. A store that cannot be read leaves the last offset in force.
    public func run(every interval: Duration, onFailure: @Sendable (any Error) -> Void) async {
        while !Task.isCancelled {
            do { try await refresh() } catch { onFailure(error) }
            do { try await Task.sleep(for: interval) } catch { return }
        }
    }

    private static func offset(in transaction: any Transaction) throws -> Int64 {
        try transaction.query("SELECT offset_microseconds FROM billfold_clock WHERE id = ?", [1]).first?.integer(0) ?? 0
    }
}
