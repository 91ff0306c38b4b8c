import Synchronization

/// The time of day plus an offset that is kept outside the process, so that every process of a test installation lives at the
/// same time.
///
/// A process sees what another one moved after its next ``refresh()``; ``run(every:onFailure:)`` does that on and on.
public final class MovableClock: WallClock {
    private let base: any WallClock
    private let kept: any ClockOffset
    private let offset = Mutex<Int64>(0)

    /// A clock whose offset is in a store, for every process on it.
    ///
    /// - Throws: `mode-mismatch` unless the store is stamped with test mode.
    public convenience init(base: any WallClock, database: any Database) async throws {
        guard try await StoreMode.of(database) == .test else {
            throw StorageError(code: .modeMismatch, reason: "the clock can be moved in test mode only")
        }
        try await self.init(base: base, offset: StoreClockOffset(database: database))
    }

    /// A clock whose offset is kept elsewhere. Whoever makes it sees to it that it is never made in production.
    public init(base: any WallClock, offset: any ClockOffset) async throws {
        self.base = base
        kept = offset
        try await refresh()
    }

    public func now() -> Timestamp {
        let (sum, overflow) = base.now().microseconds.addingReportingOverflow(offsetMicroseconds)
        return Timestamp(microseconds: overflow ? .max : sum)
    }

    /// How far the clock is ahead, as this process last read it.
    public var offsetMicroseconds: Int64 { offset.withLock { $0 } }

    /// Reads the offset that holds now.
    public func refresh() async throws {
        let stored = try await kept.read()
        offset.withLock { $0 = stored }
    }

    /// Moves the clock of every process, forwards or, with a negative duration, backwards.
    public func advance(by duration: Duration) async throws {
        let microseconds = Timestamp(microseconds: 0).advanced(by: duration).microseconds
        try await move { $0 + microseconds }
    }

    /// Replaces the offset, in microseconds, by what the closure makes of it. What the closure throws leaves it as it was.
    public func move(_ next: @escaping @Sendable (Int64) throws -> Int64) async throws {
        let stored = try await kept.change(next)
        offset.withLock { $0 = stored }
    }

    /// Refreshes until the task is cancelled. What cannot be read leaves the last offset in force.
    public func run(every interval: Duration, onFailure: @Sendable (any Error) -> Void) async {
        while !Task.isCancelled {
            do { try await refresh() } catch { onFailure(error) }
            do { try await Task.sleep(for: interval) } catch { return }
        }
    }
}
