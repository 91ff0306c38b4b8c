import Foundation

/// Files that their owner alone can read, and that are whole or not there at all.
///
/// The bytes go to a new file of mode 0600 in the same folder, which is synced before it takes its name; then the folder is synced.
/// After a function returns, the file survives a power cut; before that, what was there does.
public enum PrivateFile {
    /// Writes a file, in the place of an earlier one. Throws `key-store-unavailable`.
    public static func replace(_ path: String, with bytes: some Sequence<UInt8>) throws(PaymentCryptoError) {
        try write(bytes, to: path) { rename($0, path) == 0 }
    }

    /// Writes a file unless there is one. Returns false when there is; of several writers at once one is told true.
    public static func create(_ path: String, with bytes: some Sequence<UInt8>) throws(PaymentCryptoError) -> Bool {
        var isNew = false
        try write(bytes, to: path) { unfinished in
            // A link fails where the name is taken.
            isNew = link(unfinished, path) == 0
            return isNew || errno == EEXIST
        }
        return isNew
    }

    /// Makes durable which files a folder has.
    static func syncFolder(of path: String) throws(PaymentCryptoError) {
        let folder = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw failure("the folder cannot be opened") }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw failure("the folder cannot be synced") }
    }

    private static func write(
        _ bytes: some Sequence<UInt8>, to path: String, place: (_ unfinished: String) -> Bool
    ) throws(PaymentCryptoError) {
        let name = (path as NSString).lastPathComponent
        // The library makes the file with mode 0600 under a name that nobody has.
        var template = Array((folder(of: path) as NSString).appendingPathComponent(".\(name).XXXXXX").utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else { throw failure("\(name) cannot be written") }
        let unfinished = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let isWritten = fcntl(file, F_SETFD, FD_CLOEXEC) == 0 && fill(file, with: Array(bytes)) && fsync(file) == 0
        let isClosed = close(file) == 0
        let isPlaced = isWritten && isClosed && place(unfinished)
        // Where it was renamed, nothing is left to be removed.
        unlink(unfinished)
        guard isPlaced else { throw failure("\(name) cannot be written") }
        try syncFolder(of: path)
    }

    private static func fill(_ file: CInt, with bytes: [UInt8]) -> Bool {
        var left = bytes[...]
        while !left.isEmpty {
            let count = left.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            left = left.dropFirst(count)
        }
        return true
    }

    private static func folder(of path: String) -> String {
        let folder = (path as NSString).deletingLastPathComponent
        return folder.isEmpty ? "." : folder
    }

    private static func failure(_ reason: String) -> PaymentCryptoError {
        PaymentCryptoError(code: .keyStoreUnavailable, reason: reason)
    }
}
