import Foundation

/// The files that a command is given, and those it makes.
enum CommandFile {
    /// Reads a file; one that cannot be read is wrong usage.
    static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
        guard let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int, size <= 1_048_576,
            let data = FileManager.default.contents(atPath: path)
        else { throw CommandFailure(.usage, code: "unreadable-file", reason: "\(path) cannot be read, or has more than 1 MB") }
        return [UInt8](data)
    }

    static func text(_ path: String) throws(CommandFailure) -> String { String(decoding: try read(path), as: UTF8.self) }

    /// Writes a new file of mode 0600. An existing one is not overwritten: it may be the only copy of a key.
    static func writePrivate(_ path: String, _ text: String) throws(CommandFailure) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            let reason = errno == EEXIST ? "\(path) exists already" : "\(path) cannot be written"
            throw CommandFailure(.usage, code: errno == EEXIST ? "file-exists" : "unwritable-file", reason: reason)
        }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data(text.utf8))
            try handle.synchronize()
        } catch {
            throw CommandFailure(.ourFault, code: "unwritable-file", reason: "\(path) cannot be written")
        }
    }
}
