import GRDBSQLite
import Synchronization

/// Knows how long the write-ahead log is. A hook of our own also switches SQLite's automatic checkpoints off, which would
/// run inside a commit that callers wait for.
final class WALMonitor: Sendable {
    private let count = Atomic<Int>(0)

    /// Pages in the log after the last commit.
    var pages: Int { count.load(ordering: .relaxed) }

    /// - Important: The monitor must outlive the connection.
    func attach(to connection: OpaquePointer) {
        _ = sqlite3_wal_hook(
            connection,
            { context, _, _, pages in
                if let context {
                    Unmanaged<WALMonitor>.fromOpaque(context).takeUnretainedValue().count.store(Int(pages), ordering: .relaxed)
                }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
