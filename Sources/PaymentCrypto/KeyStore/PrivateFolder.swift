import Foundation

/// Folders that their owner alone can enter, from the moment they are there.
///
/// The call that makes a folder gives it mode 0700: at no time is it open to others. No link is followed on the way that another user could
/// have placed, and no folder is taken that lies where everybody may put one and is another user's.
public enum PrivateFolder {
    private static let mode: mode_t = 0o700
    /// As the system's own limit.
    private static let mostLinks = 40

    /// Makes the folder and those above it that are missing, each durably. What is there stays as it is: whoever keeps secrets in a folder
    /// looks at its mode besides.
    ///
    /// - Throws: `key-store-exposed` for a path that another user could lead elsewhere, `key-store-unavailable` for one that cannot be made.
    public static func make(_ path: String) throws(PaymentCryptoError) {
        var place = path.hasPrefix("/") ? "/" : "."
        var names = Array(path.split(separator: "/").reversed().map(String.init))
        var links = 0
        while let name = names.popLast() {
            let next = place == "/" ? "/" + name : place + "/" + name
            let found = try entry(next, in: place)
            switch found.st_mode & S_IFMT {
            case S_IFLNK:
                links += 1
                guard links <= mostLinks else { throw unavailable(next, "is one of too many links") }
                let target = try target(of: next, found, in: place)
                if target.hasPrefix("/") { place = "/" }
                names += target.split(separator: "/").reversed().map(String.init)
            case S_IFDIR:
                let isOpenToAll = try isOpenToAll(place)
                guard isTrusted(found) || !isOpenToAll else {
                    throw exposed("\(next) lies where everybody may put a folder, and is another user's")
                }
                place = next
            default: throw unavailable(next, "is no folder")
            }
        }
    }

    /// What lies there, made where nothing does.
    private static func entry(_ path: String, in place: String) throws(PaymentCryptoError) -> stat {
        var found = stat()
        if lstat(path, &found) == 0 { return found }
        guard errno == ENOENT else { throw unavailable(path, "cannot be looked at") }
        // Somebody else may have made it meanwhile, or put a link there: what lies there is judged like anything that was there before.
        let isOurs = mkdir(path, mode) == 0
        guard isOurs || errno == EEXIST else { throw unavailable(path, "cannot be made") }
        guard lstat(path, &found) == 0 else { throw unavailable(path, "cannot be looked at") }
        guard isOurs else { return found }
        // A mask of modes that takes the owner's own rights; others have none either way.
        if found.st_mode & mode != mode { _ = chmod(path, mode) }
        try PrivateFile.syncFolder(of: path)
        return found
    }

    /// Where a link leads that nobody but us and the system's administrator can have placed, or can replace.
    private static func target(of link: String, _ found: stat, in place: String) throws(PaymentCryptoError) -> String {
        var folder = stat()
        guard lstat(place, &folder) == 0 else { throw unavailable(place, "cannot be looked at") }
        let canBeReplaced = folder.st_mode & S_IWOTH != 0 && folder.st_mode & S_ISVTX == 0
        guard isTrusted(found), isTrusted(folder), !canBeReplaced else {
            throw exposed("\(link) is a link that another user can place")
        }
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &bytes, bytes.count)
        guard count > 0, count < bytes.count else { throw unavailable(link, "is a link that cannot be read") }
        return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func isOpenToAll(_ folder: String) throws(PaymentCryptoError) -> Bool {
        var found = stat()
        guard lstat(folder, &found) == 0 else { throw unavailable(folder, "cannot be looked at") }
        return found.st_mode & S_IWOTH != 0
    }

    private static func isTrusted(_ found: stat) -> Bool { found.st_uid == 0 || found.st_uid == geteuid() }

    private static func exposed(_ reason: String) -> PaymentCryptoError { PaymentCryptoError(code: .keyStoreExposed, reason: reason) }

    private static func unavailable(_ path: String, _ why: String) -> PaymentCryptoError {
        PaymentCryptoError(code: .keyStoreUnavailable, reason: "the folder \(path) \(why)")
    }
}
