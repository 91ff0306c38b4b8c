import BillfoldJSON
import BillfoldServer
import BillfoldStorage
import Foundation

/// The spaces of a test installation, in a file of the data folder, for all its processes and for the commands beside them.
struct FolderSpaces: SpaceBook {
    /// Most spaces: a team's.
    static let most = 64

    private let path: String

    /// - Parameter folder: The data folder.
    init(_ folder: String) { path = URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent("spaces.json").path }

    func read() async throws -> [Space] { try stored() }

    func change(_ change: @escaping @Sendable (inout [Space]) throws -> Void) async throws -> [Space] {
        // A lock of its own: the file is replaced whole, so that whoever reads it sees one state or the other.
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw unusable("cannot be locked") }
        defer { close(lock) }
        guard flock(lock, LOCK_EX) == 0 else { throw unusable("cannot be locked") }
        var spaces = try stored()
        try change(&spaces)
        try CommandFile.replacePrivate(path, JSONDocument.encode(spaces))
        return spaces
    }

    private func stored() throws -> [Space] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let bytes = try CommandFile.read(path)
        do { return try JSONDocument.decode([Space].self, bytes) } catch { throw unusable("cannot be understood") }
    }

    private func unusable(_ why: String) -> CommandFailure {
        CommandFailure(.refused, code: "data-folder-unusable", reason: "the file of the spaces \(why)")
    }

    /// Gives somebody a space, or its space a new key and owners: its time stays.
    func enrol(_ name: String, keyHash: String, owners: [String]) async throws {
        _ = try await change { spaces in
            if let place = spaces.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
                (spaces[place].keys, spaces[place].owners) = ([keyHash], owners)
            } else {
                guard spaces.count < Self.most else {
                    throw CommandFailure(.refused, code: "too-many-spaces", reason: "a sandbox has \(Self.most) spaces at most")
                }
                spaces.append(Space(name: name, keys: [keyHash], owners: owners))
            }
        }
    }
}
