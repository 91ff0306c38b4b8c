import Testing

/// Whoever uses the package from outside reads what a declaration does where it is declared.
struct DocumentedTests {
    /// What the language's own protocols say of these is true of every type.
    private static let ofTheLanguage: Set<String> = ["==", "<", "hash(into:)", "encode(to:)"]

    private static let declarations = Sources.swift.flatMap(DocumentedDeclaration.all)

    /// A function that a public protocol asks for is documented there, an override by what it overrides.
    @Test func whatStrangersUseIsDocumented() {
        let requirements = Set(Self.declarations.filter { $0.kind == .requirement }.map(\.name))
        let offenders = Self.declarations.filter { declaration in
            guard !declaration.isDocumented else { return false }
            let isWitness = Self.ofTheLanguage.contains(declaration.name) || requirements.contains(declaration.name)
            return declaration.kind != .function || !(declaration.isOverride || isWitness)
        }
        #expect(Self.declarations.count > 1_500)
        for offender in offenders { Issue.record("\(offender.place): \(offender.name) says nothing of itself") }
    }

    /// DocC shows what is written as `- Parameter name:`, or in a list under `- Parameters:`, beside the parameter.
    @Test func parametersAreWrittenAsSuch() {
        for file in Sources.swift where file.text.contains("- `") {
            for (number, line) in file.lines.enumerated() where line.firstMatch(of: /^ *\/\/\/ +- `\w+`:/) != nil {
                Issue.record("\(file):\(number + 1): write - Parameter name:")
            }
        }
    }

    @Test func declarationsAreFound() {
        let text = """
            /// Says something.
            @MainActor
            public protocol Speaker<Word> {
                func say(_ word: Word, to listener: (_: Int, _: Int) -> Void) async
                /// Falls silent.
                static func stop()
            }
            // Says nothing to others.
            public final class Toy: Speaker {
                public func say(
                    _ word: Int, to listener: (Int, Int) -> Void
                ) {}
                public static func == (lhs: Toy, rhs: Toy) -> Bool { true }
                /// Plays.
                // By chance.
                #if os(Linux)
                @discardableResult
                #endif
                open class func play<Ball>(with ball: Ball, _ count: Int = 1) {}
                func hidden() {}
            }
            """
        let found = DocumentedDeclaration.all(in: Sources.File(path: "Sources/Toy/Toy.swift", text: text))
        #expect(found.map(\.name) == ["Speaker", "say(_:to:)", "stop()", "Toy", "say(_:to:)", "==", "play(with:_:)"])
        #expect(found.filter(\.isDocumented).map(\.name) == ["Speaker", "stop()", "play(with:_:)"])
    }
}

/// A public type, a public function or a requirement of a public protocol.
struct DocumentedDeclaration {
    enum Kind {
        case type, function, requirement
    }

    var place: String
    var kind: Kind
    var isOverride: Bool
    var isDocumented: Bool
    private var keyword: Substring
    /// From its line on.
    private var code: ArraySlice<String>

    private static let types: Set<Substring> = ["struct", "class", "enum", "actor", "protocol"]
    private static let members: Set<Substring> = ["func", "var", "init", "subscript", "associatedtype"]
    private static let modifiers: Set<Substring> = [
        "public", "open", "static", "class", "final", "indirect", "override", "mutating", "nonmutating", "nonisolated", "isolated",
        "borrowing", "consuming",
    ]

    /// The formatter puts the end of a protocol under its beginning, and its requirements four columns further right.
    static func all(in file: Sources.File) -> [DocumentedDeclaration] {
        let (code, lines) = (file.codeLines, file.lines)
        var inProtocol: Int?
        return code.indices.compactMap { number in
            let indent = code[number].utf8.prefix { $0 == UInt8(ascii: " ") }.count
            if indent == inProtocol, code[number].utf8.count > indent { inProtocol = nil }
            let first = Substring(code[number].utf8.dropFirst(indent).prefix { $0 != UInt8(ascii: " ") })
            guard modifiers.contains(first) || first.utf8.first == UInt8(ascii: "@") || inProtocol == indent - 4 else { return nil }
            let words = code[number].split(separator: " ", maxSplits: 8)
            let before = words.prefix { modifiers.contains($0) || $0.hasPrefix("@") }
            let isPublic = before.contains { $0 == "public" || $0 == "open" }
            // `class` is a modifier and a kind of type.
            let isMember = words.dropFirst(before.count).first.map { members.contains($0.prefix { $0.isLetter }) } ?? false
            let keyword = before.last == "class" && !isMember ? "class" : words.dropFirst(before.count).first?.prefix { $0.isLetter } ?? ""
            let kind: Kind
            switch keyword {
            case _ where inProtocol == indent - 4 && isMember: kind = .requirement
            case _ where isPublic && types.contains(keyword): kind = .type
            case "func" where isPublic: kind = .function
            default: return nil
            }
            if keyword == "protocol", code[number].hasSuffix("{") { inProtocol = indent }
            return DocumentedDeclaration(
                place: "\(file):\(number + 1)", kind: kind, isOverride: before.contains("override"),
                isDocumented: isDocumented(number, lines), keyword: keyword, code: code[number..<min(number + 20, code.count)])
        }
    }

    /// Attributes, conditions and plain comments may stand between a comment and what it is of.
    private static func isDocumented(_ number: Int, _ lines: [Substring]) -> Bool {
        func isComment(_ place: Int) -> Bool { lines[place].utf8.drop { $0 == UInt8(ascii: " ") }.starts(with: "///".utf8) }
        var above = number - 1
        while above >= 0, !isComment(above) {
            let isBetween = lines[above].wholeMatch(of: /[ ]*(@\w+(\(.*\))?|#.*|\/\/.*)/) != nil
            guard isBetween else { return false }
            above -= 1
        }
        return above >= 0
    }

    /// Of a function with its labels, such as `sign(_:by:)`; of an operator without.
    var name: String {
        let text = code.joined(separator: "\n")
        guard keyword == "func", let found = text.firstMatch(of: /\bfunc +(\w+|[^\s\w(]+) *(?:<[^\n(]*>)? *\(/) else {
            return text.firstMatch(of: /\b(?:struct|class|enum|actor|protocol|var|init|subscript|associatedtype) *(\w*)/)
                .flatMap { $0.output.1.isEmpty ? nil : String($0.output.1) } ?? String(keyword)
        }
        let base = String(found.output.1)
        guard base.first?.isLetter ?? false else { return base }
        return "\(base)(\(Self.labels(text[found.range.upperBound...]).map { "\($0):" }.joined()))"
    }

    /// Of the parameters in what follows an opening parenthesis, up to the one that closes it.
    private static func labels(_ code: Substring) -> [Substring] {
        var (depth, start, parts): (Int, String.Index, [Substring]) = (1, code.startIndex, [])
        for place in code.utf8.indices where depth > 0 {
            switch code.utf8[place] {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ",") where depth == 1: break
            default: continue
            }
            guard depth == 0 || code.utf8[place] == UInt8(ascii: ",") && depth == 1 else { continue }
            parts.append(code[start..<place])
            start = code.utf8.index(after: place)
        }
        return parts.compactMap { $0.split { $0.isWhitespace || $0 == ":" }.first { !$0.hasPrefix("@") } }
    }
}
