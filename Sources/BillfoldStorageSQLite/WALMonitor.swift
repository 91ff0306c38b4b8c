import GRDBSQLite
import Synchronization

/// Knows how long the write-ahead log is, and when something was written to it. A hook of our own also switches SQLite's automatic
/// checkpoints off, which would run inside a commit that callers wait for.
final class WALMonitor: Sendable {
    private let count = Atomic<Int>(0)
    private let last = Mutex<ContinuousClock.Instant?>(nil)

    /// Pages in the log after the last commit.
    var pages: Int { count.load(ordering: .relaxed) }

    /// When a commit that had something to write was synced the last time. SQLite calls no hook for one that had nothing.
    var lastCommit: ContinuousClock.Instant? { last.withLock { $0 } }

    /// - Important: The monitor must outlive the connection.
    func attach(to connection: OpaquePointer) {
        _ = sqlite3_wal_hook(
            connection,
            { context, _, _, pages in
                if let context { Unmanaged<WALMonitor>.fromOpaque(context).takeUnretainedValue().note(pages) }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func note(_ pages: CInt) {
        count.store(Int(pages), ordering: .relaxed)
        last.withLock { $0 = .now }
    }
}
