import Foundation

/// The files that a keys command is given.
enum KeysFile {
    /// Reads a file; one that cannot be read is wrong usage.
    static func read(_ path: String) throws(KeysFailure) -> [UInt8] {
        guard let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int, size <= 1_048_576,
            let data = FileManager.default.contents(atPath: path)
        else { throw KeysFailure(code: "unreadable-file", reason: "\(path) cannot be read, or has more than 1 MB", exitCode: 64) }
        return [UInt8](data)
    }

    static func text(_ path: String) throws(KeysFailure) -> String { String(decoding: try read(path), as: UTF8.self) }

    /// What stands before the first line break: how files hold passwords.
    static func firstLine(_ path: String) throws(KeysFailure) -> String {
        try text(path).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).first.map(String.init) ?? ""
    }

    /// Writes a new file of mode 0600. An existing one is not overwritten: it may be the only copy of a key.
    static func writePrivate(_ path: String, _ text: String) throws(KeysFailure) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            let reason = errno == EEXIST ? "\(path) exists already" : "\(path) cannot be written"
            throw KeysFailure(code: errno == EEXIST ? "file-exists" : "unwritable-file", reason: reason, exitCode: 64)
        }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data(text.utf8))
            try handle.synchronize()
        } catch {
            throw KeysFailure(code: "unwritable-file", reason: "\(path) cannot be written", exitCode: 70)
        }
    }
}
