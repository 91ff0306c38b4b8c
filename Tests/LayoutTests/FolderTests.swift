import Testing

/// Folders of one target build on each other one way: a reader may begin with the lowest.
struct FolderTests {
    @Test func foldersOfATargetHaveNoCycle() {
        let targets = Dictionary(grouping: Sources.swift, by: \.target)
        #expect(targets.count > 20)
        for (target, files) in targets {
            let circles = Self.circles(Self.references(among: files))
            #expect(circles.isEmpty, "folders of \(target) refer to each other in a circle:\n\(circles.joined(separator: "\n"))")
        }
    }

    /// The folders of every server of a journey, the lowest first. What is on the top level composes them.
    static let layers = [["Configuration"], ["Records"], ["Service"], ["Routes", "Console"]]

    @Test(arguments: Arrows.servers.subtracting(["BillfoldServer"]).sorted())
    func aServerHasTheSameFoldersAsTheOthers(server: String) {
        let files = Sources.swift.filter { $0.target == server }
        let folders = Dictionary(grouping: files) { file in
            let parts = file.path.split(separator: "/")
            return parts.count > 3 ? String(parts[2]) : ""
        }
        #expect(Set(folders.keys) == Set(Self.layers.joined() + [""]), "\(server) has other folders than the other servers")
        #expect(folders[""].map { $0.count <= 10 } == true, "the top level of \(server) only composes")
        let references = Self.references(among: files)
        for (height, layer) in Self.layers.enumerated() {
            let lower = Set(Self.layers[..<height].joined())
            for folder in layer {
                let upward = (references[folder] ?? [:]).filter { !lower.contains($0.key) }
                #expect(upward.isEmpty, "\(server)/\(folder) refers upward: \(upward)")
            }
        }
    }

    @Test func aCircleIsSeen() {
        func file(_ path: String, _ text: String) -> Sources.File { Sources.File(path: "Sources/Toy/\(path)", text: text) }
        let value = file("Values/Price.swift", "public struct Price: Sendable {\n    struct Order {}\n}")
        let message = file("Messages/Order.swift", "@frozen package enum Order { case of([Price]) }")
        #expect(Self.circles(Self.references(among: [value, message])).isEmpty)
        // Neither a comment, nor a text, nor a member, nor what lies in the target's own folder counts.
        let quiet = file("Values/Rate.swift", "/// See Order.\nlet rate = \"Order\" + Toy.Order.name")
        #expect(Self.circles(Self.references(among: [value, message, quiet, file("Toy.swift", "let x: (Order, Price)")])).isEmpty)
        let wrong = file("Values/Total.swift", "final class Total {\n    var order: Order?\n}")
        #expect(Self.circles(Self.references(among: [value, message, wrong])) == ["Messages: Price", "Values: Order"])
        // A name of two folders says nothing.
        let namesake = file("Pages/Order.swift", "struct Order {}")
        #expect(Self.circles(Self.references(among: [value, message, wrong, namesake])).isEmpty)
    }

    /// The names of other folders' types that each folder uses, by folder and folder.
    private static func references(among files: [Sources.File]) -> [String: [String: Set<Substring>]] {
        var (owners, uses): ([Substring: Set<String>], [String: Set<Substring>]) = ([:], [:])
        for file in files {
            let parts = file.path.split(separator: "/")
            let folder = parts.count > 3 ? String(parts[2]) : ""
            let lines = file.codeLines
            for line in lines where line.utf8.first != UInt8(ascii: " ") {
                if let name = declared(in: line) { owners[name, default: []].insert(folder) }
            }
            guard !folder.isEmpty else { continue }
            // A type inside of another may have the name of a type of another folder.
            uses[folder, default: []].formUnion(Set(lines.flatMap(names(in:))).subtracting(lines.compactMap(declared(in:))))
        }
        var references: [String: [String: Set<Substring>]] = [:]
        for (folder, names) in uses {
            for name in names {
                guard let owner = owners[name], owner.count == 1, let other = owner.first, other != folder, !other.isEmpty else { continue }
                references[folder, default: [:]][other, default: []].insert(name)
            }
        }
        return references
    }

    /// The type that a line declares.
    private static func declared(in line: String) -> Substring? {
        let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
        let modifiers: Set<Substring> = ["public", "package", "internal", "private", "fileprivate", "final", "indirect", "open"]
        let words = line.split(separator: " ")
        guard let kind = words.firstIndex(where: { !modifiers.contains($0) && !$0.hasPrefix("@") }), kinds.contains(words[kind]),
            kind + 1 < words.count
        else { return nil }
        return names(in: String(words[kind + 1])).first
    }

    /// The words with a capital letter that no full stop stands before.
    private static func names(in line: String) -> [Substring] {
        let bytes = line.utf8
        var (found, place, before): ([Substring], String.Index, UInt8) = ([], line.startIndex, 0)
        while place < bytes.endIndex {
            guard isOfAWord(bytes[place]) else {
                before = bytes[place]
                bytes.formIndex(after: &place)
                continue
            }
            let end = bytes[place...].firstIndex { !isOfAWord($0) } ?? bytes.endIndex
            if before != UInt8(ascii: "."), (0x41...0x5A).contains(bytes[place]) { found.append(line[place..<end]) }
            (place, before) = (end, 0)
        }
        return found
    }

    private static func isOfAWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...: true
        default: false
        }
    }

    /// What each folder of a circle uses of the circle's others, a line for each folder.
    private static func circles(_ references: [String: [String: Set<Substring>]]) -> [String] {
        var reached: [String: Set<String>] = [:]
        for start in references.keys {
            var queue = [start]
            while let folder = queue.popLast() {
                for next in (references[folder] ?? [:]).keys where reached[start, default: []].insert(next).inserted { queue.append(next) }
            }
        }
        return reached.keys.sorted().compactMap { folder in
            let back = (references[folder] ?? [:]).filter { reached[$0.key]?.contains(folder) == true }
            return back.isEmpty ? nil : "\(folder): \(back.values.flatMap { $0 }.sorted().joined(separator: ", "))"
        }
    }
}
