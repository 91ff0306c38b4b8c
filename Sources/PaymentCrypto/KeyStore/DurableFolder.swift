import Foundation

/// A folder of small private files that are replaced whole: written beside, synced, renamed, and the folder synced.
struct DurableFolder: Sendable {
    let url: URL

    /// Makes the folder with mode 0700 when it is missing. Refuses one that others can enter, or can lead elsewhere.
    func prepare() throws(PaymentCryptoError) {
        try PrivateFolder.make(url.path)
        try requirePrivate(url)
    }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: url.appendingPathComponent(name).path) }

    /// Reads a file; throws `key-store-exposed` when others may read it, or enter the folder.
    func read(_ name: String) throws(PaymentCryptoError) -> Data {
        try requirePrivate(url)
        let file = url.appendingPathComponent(name)
        try requirePrivate(file)
        do {
            return try Data(contentsOf: file)
        } catch {
            throw PaymentCryptoError(code: .keyStoreUnavailable, reason: "\(name) cannot be read")
        }
    }

    /// Replaces a file. After it returns, the new contents survive a power cut; before that, the old ones do.
    func write(_ name: String, _ contents: Data) throws(PaymentCryptoError) {
        try PrivateFile.replace(url.appendingPathComponent(name).path, with: contents)
    }

    /// Removes a file; one that is not there is no error.
    func remove(_ name: String) throws(PaymentCryptoError) {
        let path = url.appendingPathComponent(name).path
        guard unlink(path) == 0 || errno == ENOENT else { throw Self.failure("\(name) cannot be removed") }
        try PrivateFile.syncFolder(of: path)
    }

    /// Runs a body while no other process changes the folder.
    func locked<Result>(_ body: () throws(PaymentCryptoError) -> Result) throws(PaymentCryptoError) -> Result {
        let lock = open(url.appendingPathComponent(".lock").path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw Self.failure("the lock cannot be opened") }
        defer { close(lock) }
        guard flock(lock, LOCK_EX) == 0 else { throw Self.failure("the lock cannot be taken") }
        return try body()
    }

    private func requirePrivate(_ file: URL) throws(PaymentCryptoError) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path),
            let mode = attributes[.posixPermissions] as? Int
        else { throw PaymentCryptoError(code: .keyStoreUnavailable, reason: "\(file.lastPathComponent) is missing") }
        guard mode & 0o077 == 0 else {
            throw PaymentCryptoError(
                code: .keyStoreExposed,
                reason: "\(file.lastPathComponent) is open to other users (mode \(String(mode, radix: 8))); take their rights away")
        }
    }

    private static func failure(_ reason: String) -> PaymentCryptoError {
        PaymentCryptoError(code: .keyStoreUnavailable, reason: reason)
    }
}
