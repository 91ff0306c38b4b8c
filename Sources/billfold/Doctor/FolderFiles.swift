import AppContainer
import Foundation

/// What a folder that is handed to the doctor holds: a mini program as a whole, or else files that belong together.
enum FolderFiles {
    /// The most files that are taken.
    static let most = 200

    /// A file, standard input and a mini program's folder as they are; the files of any other folder, in the order of their names. Hidden
    /// ones are
    /// left out. Refused: a folder without files, and one with more than are taken.
    static func listed(_ path: String) throws -> [String] {
        guard path != CommandFile.standardInput, MiniProgramSource.isFolder(path) else { return [path] }
        let root = URL(fileURLWithPath: path)
        let files = try files(below: root)
        let isProgram = files.contains { file in
            let name = String(file.path.dropFirst(root.path.count + 1))
            return ["mini.project.json", "app.js"].contains(name) || name.hasSuffix(".axml") || (name == "app.json" && isPrograms(file))
        }
        if isProgram { return [path] }
        guard !files.isEmpty, files.count <= most else {
            let what = files.isEmpty ? "a folder without files" : "a folder with more than \(most) files"
            throw CommandFailure(.refused, code: "unreadable-folder", reason: "\(path) is \(what): hand over those that belong together")
        }
        return files.map(\.path)
    }

    private static func files(below root: URL) throws -> [URL] {
        guard
            let found = FileManager.default.enumerator(
                at: root, includingPropertiesForKeys: [.isRegularFileKey], options: [.skipsHiddenFiles])
        else { return [] }
        var files: [URL] = []
        while let file = found.nextObject() as? URL, files.count <= most {
            if try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true { files.append(file) }
        }
        return files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// Other projects have an `app.json` too.
    private static func isPrograms(_ file: URL) -> Bool {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return true }
        return !text.contains("\"expo\"") && !text.contains("\"bundleIdentifier\"")
    }
}
