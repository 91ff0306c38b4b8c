import BillfoldServer
import BillfoldStorage
import Foundation

/// The spaces of a test installation, in a file of the data folder.
struct FolderSpaces: SpaceBook {
    /// Most spaces: a team's.
    static let most = 64

    private let list: FolderList<Space>

    /// - Parameter folder: The data folder.
    init(_ folder: String) { list = FolderList("spaces.json", in: folder, of: "spaces") }

    func read() async throws -> [Space] { try list.read() }

    func change(_ change: @escaping @Sendable (inout [Space]) throws -> Void) async throws -> [Space] { try list.change(change) }

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
