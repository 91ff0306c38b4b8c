import Testing

/// A product's page lists what is documented, and by which test or suite each line is seen.
struct LineByLineTests {
    static let pages = Sources.files(under: "Sources", endings: [".md"]).filter { $0.text.contains("| seen by |") }

    /// The names in the last column of a table that has such a column, and those that a sentence lists.
    static func tests(named page: Sources.File) -> [String] {
        var isTable = false
        return page.lines.flatMap { line -> [String] in
            if line.hasSuffix("| seen by |") { isTable = true } else if !line.hasPrefix("|") { isTable = false }
            guard isTable, line.hasPrefix("|"), let cell = line.split(separator: "|").last else { return [] }
            return cell.matches(of: /`(\w+)`/).map { String($0.output.1) }
        }
    }

    @Test func theTestsThatAPageNamesAreThere() {
        #expect(!Self.pages.isEmpty)
        let code = Sources.tests.map(\.text).joined(separator: "\n")
        for page in Self.pages {
            let names = Set(Self.tests(named: page))
            #expect(!names.isEmpty, "\(page) names no test")
            for name in names where !["func \(name)(", "struct \(name) ", "class \(name) "].contains(where: code.contains) {
                Issue.record("\(page) names the test \(name)")
            }
        }
    }

    @Test func namesAreFoundInTheLastColumnAlone() {
        let text = "| member | seen by |\n|---|---|\n| `run` | `isRun`, `isSeen` |\n\n| member |\n|---|\n| `other` |"
        #expect(Self.tests(named: Sources.File(path: "Sources/Toy/Toy.md", text: text)) == ["isRun", "isSeen"])
    }
}
