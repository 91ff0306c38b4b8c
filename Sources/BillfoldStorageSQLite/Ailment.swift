import BillfoldStorage
import GRDBSQLite

/// What ails a store, by what it takes to be well again.
enum Ailment {
    /// There was no room for a write, which SQLite took back whole. No sync failed, so that the connections are sound.
    case full
    /// A read, a write or a sync failed, the file system is read-only, or the file is gone. What the system still holds of the file in
    /// memory may not be what is on the disk: all is closed and opened anew.
    case broken
    /// The file's content is damaged. A person puts a backup in its place.
    case damaged

    init(_ illness: StorageError) {
        switch illness.sqliteCode.map({ $0 & 0xFF }) {
        case SQLITE_FULL: self = .full
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged
        default: self = .broken
        }
    }
}

extension StorageError {
    /// SQLite's extended result code, where it gave this error.
    var sqliteCode: CInt? { engineCode.flatMap { CInt($0) } }

    /// As an answer to `COMMIT`: nothing was applied, for certain.
    ///
    /// A full disk is one: the frame that ends a transaction is written last, and a disk that is found full at the sync says so as an
    /// input/output error. After one of those the frames may be found whole when the file is opened anew.
    var isCertainAbort: Bool {
        switch sqliteCode.map({ $0 & 0xFF }) {
        case SQLITE_CONSTRAINT, SQLITE_BUSY, SQLITE_LOCKED, SQLITE_FULL: true
        default: false
        }
    }
}
