import Testing

/// A call says what its arguments are: at most two of them stand without a label.
struct LabelTests {
    /// A version is its numbers, as in a manifest.
    private static let versions = [
        "Sources/ApplePayApp/Availability/SystemVersion.swift: init (4)",
        "Sources/MiniPrograms/Packages/MiniProgramVersion.swift: init (3)",
    ]

    @Test func argumentsHaveLabels() {
        let found = Sources.swift.filter { $0.path.hasPrefix("Sources/") }.flatMap(Self.unlabelled).sorted()
        #expect(found == Self.versions, "more than two unlabelled parameters")
    }

    @Test func parametersAreCounted() {
        let code = "func a(_ x: (_: Int, _: Int) -> Int, b: Int, _ c: [Int: Int], _ d: Set<Int> = [1, 2]) {}\ninit(_ a: Int, of b: Int) {}"
        #expect(Self.unlabelled(in: Sources.File(path: "Sources/Toy/Toy.swift", text: code)) == ["Sources/Toy/Toy.swift: a (3)"])
    }

    private static func unlabelled(in file: Sources.File) -> [String] {
        let code = file.codeLines.joined(separator: "\n")
        return code.matches(of: /\b(?:func\s+(\w+)|init[?!]?)\s*(?:<[^\n(]*>)?\(/).compactMap { declaration in
            let count = unlabelledParameters(code[declaration.range.upperBound...])
            return count > 2 ? "\(file): \(declaration.output.1 ?? "init") (\(count))" : nil
        }
    }

    /// Counts in what follows an opening parenthesis, up to the one that closes it.
    private static func unlabelledParameters(_ code: Substring) -> Int {
        var (depth, count, isFirst) = (1, 0, true)
        for character in code.utf8 where depth > 0 {
            switch character {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ",") where depth == 1: isFirst = true
            case UInt8(ascii: " "), UInt8(ascii: "\n"): break
            default:
                if isFirst, depth == 1, character == UInt8(ascii: "_") { count += 1 }
                isFirst = false
            }
        }
        return count
    }
}
