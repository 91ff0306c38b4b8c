#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Which files lie under a store's names: the file's and its log's.
///
/// A file that was moved or removed goes on living behind its descriptors, and commits to it would be acknowledged that nobody finds
/// after a restart. Two values of different times tell whether that happened.
struct StorePlace: Equatable, Sendable {
    private struct Occupant: Equatable, Sendable {
        let device: UInt64
        let number: UInt64

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(truncatingIfNeeded: status.st_ino)
        }
    }

    private let file: Occupant?
    private let log: Occupant?

    init(path: String) {
        file = Occupant(path)
        log = Occupant(path + "-wal")
    }

    /// Whether the store's file is the same; its log may be another where nobody has it open.
    func hasSameFile(as other: Self) -> Bool { file != nil && file == other.file }
}
