import Testing

/// `UIKitSimulator` says on its page which of UIKit's names it has, and has those.
struct ShellTests {
    /// The members of each type whose name is UIKit's, the type's own name with those that it lies in.
    private static let declared = names(in: Sources.swift.filter { $0.target == "UIKitSimulator" })

    /// The rows of the page's table: a name, and its members.
    private static func rows() throws -> [(name: String, members: [String])] {
        try #require(Sources.file("Sources/UIKitSimulator/Documentation.docc/UIKitSimulator.md")).lines.compactMap { line in
            guard let row = line.wholeMatch(of: /\| `((?:UI|NS)[\w.]+)` \|((?: `\w+`)*) \|.*\|/) else { return nil }
            return (String(row.output.1), row.output.2.matches(of: /\w+/).map { String($0.output) })
        }
    }

    @Test func thePageNamesWhatIsThere() throws {
        let rows = try Self.rows()
        #expect(rows.count > 40)
        #expect(rows.map(\.name) == Self.declared.keys.sorted(), "the table has other names than the sources, or another order")
        for row in rows { #expect(row.members == Self.declared[row.name]?.sorted(), "\(row.name) has other members than the page says") }
    }

    /// What may be used on any thread, as UIKit has it. Everything else is the main actor's, of before concurrency: not told of in Swift 5.
    private static let threadless: Set = [
        "NSAttributedString", "NSKeyValueObservation", "NSMutableParagraphStyle", "NSUserActivity", "NSValue", "UIColor",
        "UIContentConfiguration", "UIFont", "UIImage", "UIPasteboard", "UITraitCollection",
    ]

    /// A class or a protocol is isolated as UIKit's is, and so is each that is in it; an extension of one adds no isolation of its own.
    @Test func whatIsTheMainActorsIsOfBeforeConcurrency() {
        for file in Sources.swift where file.target == "UIKitSimulator" {
            let lines = file.codeLines
            for (number, line) in lines.enumerated() {
                guard let found = line.firstMatch(of: /^ *(?:public|open) (?:final )?(?:class|protocol) ((?:UI|NS)\w+)/) else { continue }
                let attributes = lines[max(0, number - 2)..<number].map { $0.drop { $0 == " " } }
                let isIsolated = attributes == ["@MainActor", "@preconcurrency"]
                let isAnAnchor = line.contains(": NSLayoutAnchor<")
                #expect(isIsolated != Self.threadless.contains(String(found.output.1)) || isAnAnchor, "\(file):\(number + 1)")
            }
            guard !file.path.hasSuffix("/SimulatedScreen.swift") else { continue }
            let own = lines.filter { $0.contains("@MainActor public") || $0.contains("@MainActor open") }
            #expect(own.isEmpty, "\(file): isolation without @preconcurrency: \(own)")
        }
    }

    @Test func namesAreFound() {
        let text = """
            public let NSOne = 1
            #if os(Linux)
                open class UIToy: NSObject {
                    public enum Kind: Int, Sendable {
                        case plain = 0
                        case loud, `default`
                    }
                    open internal(set) var size = 1
                    private var secret = 2
                    public nonisolated static let shared = UIToy()
                    public init(_ size: Int) { self.size = size }
                    public static func + (toy: UIToy, more: Int) -> UIToy { toy }
                    open func play(
                        with ball: Int
                    ) {
                        let inside = 1
                    }
                    struct Hidden {
                        public var never = 1
                    }
                }
            #endif
            public protocol UIToyDelegate {
                func played(_ toy: UIToy)
            }
            @MainActor
            extension UIToy {
                @MainActor public var weight: Int { 1 }
            }
            public struct Other {}
            """
        let found = Self.names(in: [Sources.File(path: "Sources/UIKitSimulator/Toy.swift", text: text)])
        #expect(found.keys.sorted() == ["NSOne", "UIToy", "UIToy.Kind", "UIToyDelegate"])
        #expect(found["UIToy"] == ["size", "shared", "play", "weight"])
        #expect(found["UIToy.Kind"] == ["plain", "loud", "default"])
        #expect(found["UIToyDelegate"] == ["played"])
    }

    /// A type or an extension that a line lies in.
    private struct Scope {
        var indent: Int
        var name: String
        var kind: Substring
        var isSeen: Bool
    }

    private static let types: Set<Substring> = ["class", "struct", "enum", "protocol"]
    private static let kinds: Set<Substring> = types.union(["extension", "typealias", "func", "var", "let", "case"])
    private static let modifiers: Set<Substring> = [
        "public", "open", "final", "nonisolated", "static", "mutating", "override", "weak", "lazy", "internal(set)", "private(set)",
    ]

    /// The formatter puts members four columns to the right of what they are in.
    private static func names(in files: [Sources.File]) -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        for file in files {
            var scopes: [Scope] = []
            for line in file.codeLines {
                let indent = line.utf8.prefix { $0 == UInt8(ascii: " ") }.count
                let words = line.split(separator: " ")
                guard let first = words.first, !first.hasPrefix("#"), !first.hasPrefix("}"), !first.hasPrefix(")") else { continue }
                while let last = scopes.last, last.indent >= indent { scopes.removeLast() }
                // `class` before another kind is a modifier.
                let before = words.indices.first { place in
                    !(modifiers.contains(words[place]) || words[place].hasPrefix("@")
                        || (words[place] == "class" && place + 1 < words.count && kinds.contains(words[place + 1])))
                }
                guard let before, kinds.contains(words[before]), before + 1 < words.count else { continue }
                let kind = words[before]
                let name = String(words[before + 1].drop { $0 == "`" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." })
                let isPublic = words[..<before].contains { $0 == "public" || $0 == "open" }
                let scope = scopes.last
                if kind == "extension" || types.contains(kind) {
                    let whole = (scope.map { $0.name + "." } ?? "") + name
                    let isSeen = kind == "extension" || isPublic && scope?.isSeen ?? true
                    scopes.append(Scope(indent: indent, name: whole, kind: kind, isSeen: isSeen))
                    if kind != "extension", isSeen { found[whole, default: []] = found[whole] ?? [] }
                } else if let scope {
                    guard scope.isSeen, indent == scope.indent + 4 else { continue }
                    if kind == "case" {
                        guard scope.kind == "enum" else { continue }
                        for each in line.dropFirst(indent + 5).split(separator: ",") {
                            found[scope.name, default: []].insert(String(each.split { !$0.isLetter && !$0.isNumber }.first ?? ""))
                        }
                    } else if isPublic || scope.kind == "protocol", name != "rawValue", !name.isEmpty {
                        found[scope.name, default: []].insert(name)
                    }
                } else if isPublic {
                    found[name, default: []] = found[name] ?? []
                }
            }
        }
        return found.filter { $0.key.hasPrefix("UI") || $0.key.hasPrefix("NS") }
    }
}
