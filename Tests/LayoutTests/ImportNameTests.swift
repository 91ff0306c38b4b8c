import Testing

/// Who imports an SDK by another of its names gets what is behind all of them, and nothing has to be aliased.
struct ImportNameTests {
    @Test func eachNameHandsOnOneModuleAndHasNothingOfItsOwn() throws {
        for name in Arrows.importNames.sorted() {
            let files = Sources.swift.filter { $0.target == name }
            let lines = files.flatMap(\.codeLines).filter { $0.contains { !$0.isWhitespace } }
            #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("@_exported public import ") }, "\(name) has something of its own")
            let behind = try #require(Arrows.allowed[name])
            #expect(behind.count == 1 && files.contains { $0.imports.contains(behind.first ?? "") }, "\(name) hands on \(behind)")
        }
    }

    @Test func theGuideSaysThatTheyNeedNoOption() throws {
        let guide = try #require(Sources.file("docs/guides/app.md")).text
        for name in Arrows.importNames {
            #expect(guide.contains("| `import \(name)` | none: depend on the product `\(name)` |"), "\(name)")
            #expect(!guide.contains("-module-alias \(name)="), "\(name) needs no alias")
        }
    }
}
