import Foundation

extension PrivateFile {
    /// Reads a key's file that lies anywhere, through one descriptor: what was looked at is what is read. A link is followed.
    ///
    /// Throws `key-store-exposed` when other users have rights to it, or when it belongs to one of them, who could exchange it; root is
    /// none of them. Throws `key-store-unavailable` when it cannot be read or is no file.
    public static func read(_ path: String, upTo limit: Int = 1_048_576) throws(PaymentCryptoError) -> [UInt8] {
        let name = (path as NSString).lastPathComponent
        // A pipe in its place would keep whoever opens it waiting.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw unavailable("\(name) \(errno == ENOENT ? "does not exist" : "cannot be read")") }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        var state = stat()
        guard fstat(file, &state) == 0, state.st_mode & S_IFMT == S_IFREG else { throw unavailable("\(name) is no file") }
        guard state.st_mode & 0o077 == 0 else {
            throw exposed("\(name) is open to other users (mode \(String(state.st_mode & 0o777, radix: 8))); take their rights away")
        }
        guard state.st_uid == geteuid() || state.st_uid == 0 else {
            throw exposed("\(name) belongs to another user; make it this user's own")
        }
        // At the end of a file there are no bytes, which is no error: an empty file is empty.
        do { return Array(try handle.read(upToCount: limit) ?? Data()) } catch { throw unavailable("\(name) cannot be read") }
    }

    private static func unavailable(_ reason: String) -> PaymentCryptoError {
        PaymentCryptoError(code: .keyStoreUnavailable, reason: reason)
    }

    private static func exposed(_ reason: String) -> PaymentCryptoError { PaymentCryptoError(code: .keyStoreExposed, reason: reason) }
}
