import BillfoldDiagnosis
import Foundation

/// The folder a sandbox keeps its store and its keys in. Only its owner can read it.
struct DataFolder: Sendable {
    let path: String

    /// Makes the folder where it is missing. Refuses with `data-folder-unusable` what cannot be made or is readable by others.
    init(_ path: String) throws {
        self.path = path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure(.refused, code: "data-folder-unusable", reason: "\(path) cannot be made")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let permissions = attributes?[.posixPermissions] as? NSNumber, permissions.intValue & 0o077 == 0 else {
            throw CommandFailure(
                .refused, code: "data-folder-unusable", reason: "\(path) can be read by others, and it holds keys: chmod 700 \(path)")
        }
    }

    func path(_ name: String) -> String { (path as NSString).appendingPathComponent(name) }

    func bytes(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: path(name)).map(Array.init) }

    /// The file's bytes, or those that `make` makes when there is no such file yet. Two processes that start at once agree:
    /// the file appears whole or not at all, and whoever comes second reads the first one's.
    func secret(_ name: String, make: () throws -> [UInt8]) throws -> Secret<[UInt8]> {
        if let known = bytes(name) { return Secret(known) }
        let made = try make()
        try write(made, to: name)
        guard let kept = bytes(name) else {
            throw CommandFailure(.refused, code: "data-folder-unusable", reason: "\(path(name)) cannot be read back")
        }
        return Secret(kept)
    }

    /// Writes a file that is not there yet; leaves one that is.
    func write(_ bytes: [UInt8], to name: String) throws {
        let target = path(name)
        let unfinished = target + ".\(ProcessInfo.processInfo.processIdentifier).part"
        guard FileManager.default.createFile(atPath: unfinished, contents: Data(bytes), attributes: [.posixPermissions: 0o600]) else {
            throw CommandFailure(.refused, code: "data-folder-unusable", reason: "\(target) cannot be written")
        }
        defer { try? FileManager.default.removeItem(atPath: unfinished) }
        // A link fails where the name is taken, which is what makes the first writer the only one.
        guard link(unfinished, target) == 0 || errno == EEXIST else {
            throw CommandFailure(.refused, code: "data-folder-unusable", reason: "\(target) cannot be written")
        }
    }
}
