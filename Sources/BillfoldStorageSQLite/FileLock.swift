import BillfoldStorage
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Holds a store's lock file for one process, as long as this value lives or until it is released.
///
/// SQLite itself would let a second process in; two writers with group commit each would starve one another, and the
/// movable clock and outbox claimers assume one process per file.
final class FileLock: Sendable {
    private let descriptor: Mutex<CInt>

    init(path: String) throws(StorageError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw StorageError(code: .unavailable, reason: "the lock file cannot be opened: \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw StorageError(code: .inUse, reason: "another process, or another store in this one, has the file open")
        }
        self.descriptor = Mutex(descriptor)
    }

    deinit { release() }

    /// Gives the lock back, also where a child that was forked meanwhile has a copy of the descriptor until it executes its program:
    /// closing alone would leave the lock to that copy (flock(2)). A second call does nothing.
    func release() {
        descriptor.withLock { descriptor in
            guard descriptor >= 0 else { return }
            flock(descriptor, LOCK_UN)
            close(descriptor)
            descriptor = -1
        }
    }
}
