import BillfoldJSON
import Foundation

/// A list in a file of the data folder, for all processes of a test installation and for the commands beside them.
struct FolderList<Element: Codable & Sendable>: Sendable {
    private let path: String
    /// What it lists, for a refusal.
    private let what: String

    /// - Parameters:
    ///   - file: The file's name.
    ///   - folder: The data folder.
    ///   - what: What it lists, in words.
    init(_ file: String, in folder: String, of what: String) {
        path = URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent(file).path
        self.what = what
    }

    /// Refuses with `data-folder-unusable` a file that cannot be understood.
    func read() throws -> [Element] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let bytes = try CommandFile.read(path)
        do { return try JSONDocument.decode([Element].self, bytes) } catch { throw unusable("cannot be understood") }
    }

    /// Replaces the list by what the closure makes of it; nobody else changes it in between.
    func change(_ change: (inout [Element]) throws -> Void) throws -> [Element] {
        // A lock of its own: the file is replaced whole, so that whoever reads it sees one state or the other.
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw unusable("cannot be locked") }
        defer { close(lock) }
        guard flock(lock, LOCK_EX) == 0 else { throw unusable("cannot be locked") }
        var list = try read()
        try change(&list)
        try CommandFile.replacePrivate(path, JSONDocument.encode(list))
        return list
    }

    private func unusable(_ why: String) -> CommandFailure {
        CommandFailure(.refused, code: "data-folder-unusable", reason: "the file of the \(what) \(why)")
    }
}
