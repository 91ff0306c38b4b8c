import BillfoldStorage

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The file that holds a store, and the two beside it that SQLite makes.
struct StoreFile {
    let path: String

    /// Makes the file if it is not there, and lets its owner alone read and write it.
    ///
    /// SQLite gives `-wal` and `-shm` the mode of the file itself. Not to be called while a connection is open in this
    /// process: see ``restrict()``.
    func prepare() throws(StorageError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw unavailable("opened") }
        defer { close(descriptor) }
        try restrict()
        // A file whose directory entry was never synced can be lost as a whole.
        guard fsync(descriptor) == 0 else { throw unavailable("synced") }
        try syncDirectory()
    }

    /// Takes the files from everybody but their owner.
    ///
    /// It opens none of them: closing any descriptor of a file gives back the locks that SQLite holds on it in this process.
    func restrict() throws(StorageError) {
        for name in [path, path + "-wal", path + "-shm"] where access(name, F_OK) == 0 {
            guard chmod(name, 0o600) == 0 else { throw unavailable("given mode 0600") }
        }
    }

    /// Writes and syncs some hundred kilobytes beside the file, and takes them away: whether the disk takes writes, and has a little room.
    func requireRoom() throws(StorageError) {
        let scratch = path + ".probe"
        unlink(scratch)
        let descriptor = open(scratch, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw ill() }
        defer {
            close(descriptor)
            unlink(scratch)
        }
        let bytes = [UInt8](repeating: 0x5A, count: 262_144)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw ill() }
            written += count
        }
        guard fsync(descriptor) == 0 else { throw ill() }
    }

    private func ill() -> StorageError {
        StorageError(code: .storeIll, reason: "the disk takes no writes: \(String(cString: strerror(errno)))")
    }

    func syncDirectory() throws(StorageError) {
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unavailable("found in its directory") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw unavailable("synced in its directory") }
    }

    private func unavailable(_ what: String) -> StorageError {
        StorageError(code: .unavailable, reason: "the store's file cannot be \(what): \(String(cString: strerror(errno)))")
    }
}
