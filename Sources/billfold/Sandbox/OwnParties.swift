import BillfoldJSON
import Foundation

/// The parties that were registered beside a test installation: who has which name, and in which folder its keys are.
struct OwnParties {
    /// What somebody registered under a name.
    struct Entry: Codable, Sendable, Equatable {
        var role: String
        var name: String
        /// Stands for the name in identifiers.
        var slug: String
        /// The folder with its env file, without links in its path.
        var folder: String
        /// ISO 8601.
        var registeredAt: String
        /// Whether it has a space.
        var space: Bool
        /// What its program has to know, but for secrets.
        var variables: [String: String] = [:]

        /// By which the servers know it.
        var identifiers: [(name: String, value: String)] {
            ["ALIPAY_PARTNER", "ALIPAY_APP_ID", "ALIPAY_PLUS_CLIENT_ID", "AUTHOR_ID", "AUTH_CLIENT_ID", "MINI_PROGRAM_ID"].compactMap {
                name in
                variables[name].map { (name, $0) }
            }
        }

        /// Whether the folder still has what was written into it.
        fileprivate var isThere: Bool { FileManager.default.fileExists(atPath: folder + "/\(role).env") }

        fileprivate func isOf(_ role: String, named name: String) -> Bool {
            self.role == role && self.name.utf8.elementsEqual(name.utf8)
        }
    }

    /// Most parties: a team's.
    static let most = 256

    private let list: FolderList<Entry>

    /// How a command that is advised names the data folder.
    private let words: String

    /// - Parameters:
    ///   - folder: The data folder.
    ///   - words: How a command that is advised names it.
    init(_ folder: String, words: String = "") {
        list = FolderList("own-parties.json", in: folder, of: "parties that were registered")
        self.words = words
    }

    /// All of them, in the order in which they were registered first.
    func read() throws -> [Entry] { try list.read() }

    /// Who has a name in a role; `nil` for nobody.
    func find(_ role: String, named name: String) throws -> Entry? { try read().first { $0.isOf(role, named: name) } }

    /// The party of a role whose space has that name.
    func find(_ role: String, ofSpace space: String) throws -> Entry? {
        try read().first { $0.role == role && $0.space && space.utf8.elementsEqual("own-\($0.slug)".utf8) }
    }

    /// Takes a name before anything is registered under it, and returns who had it. Refuses with `name-taken` a name that somebody
    /// registered into another folder: a program there would lose its keys without a word.
    func take(_ entry: Entry, replacing: Bool) throws -> Entry? {
        var earlier: Entry?
        _ = try list.change { entries in
            guard let place = entries.firstIndex(where: { $0.isOf(entry.role, named: entry.name) }) else {
                guard entries.count < Self.most else {
                    throw CommandFailure(
                        .refused, code: "too-many-parties",
                        reason: "a sandbox knows \(Self.most) parties at most; billfold sandbox end ends one")
                }
                return entries.append(entry)
            }
            let held = entries[place]
            guard replacing || !held.isThere || held.folder.utf8.elementsEqual(entry.folder.utf8) else { throw taken(held) }
            earlier = held
            // What is known of it stays until there is something newer.
            entries[place] = entry
            if entry.variables.isEmpty { entries[place].variables = held.variables }
        }
        return earlier
    }

    /// Keeps what became of a registration.
    func keep(_ entry: Entry) throws {
        _ = try list.change { entries in
            entries.removeAll { $0.isOf(entry.role, named: entry.name) }
            entries.append(entry)
        }
    }

    /// Takes a name from whoever has it: for one that was ended, or whose registration was refused.
    ///
    /// - Parameter earlier: Who has it again.
    func giveBack(_ entry: Entry, to earlier: Entry?) throws {
        _ = try list.change { entries in
            entries.removeAll { $0.isOf(entry.role, named: entry.name) }
            if let earlier { entries.append(earlier) }
        }
    }

    private func taken(_ held: Entry) -> CommandFailure {
        let known = held.identifiers.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        let name = OwnPartyFolder.quoted(held.name)
        return CommandFailure(
            .refused, code: "name-taken",
            reason: "\(held.role) \(held.name) is registered since \(held.registeredAt)" + (known.isEmpty ? "" : " as \(known)")
                + ", with its keys in \(held.folder), and a program there would lose them. Take another --name; or --to "
                + "\(OwnPartyFolder.quoted(held.folder)) to use those keys; or --replace for new keys here, which ends those. "
                + "billfold sandbox parties\(words) lists all, and billfold sandbox end \(held.role) --name \(name)\(words) ends it")
    }
}
