import Testing

/// A stranger can follow a token from its route to the ledger with the list of `docs/a-tokens-walk.md` in hand.
struct WalkTests {
    /// The file and the name of each function of the list.
    private static func steps() throws -> [(file: String, name: String)] {
        let document = try #require(Sources.file("docs/a-tokens-walk.md"))
        return document.lines.compactMap { line in
            line.wholeMatch(of: /\| `([\w\/+]+\.swift)` \| `(\w+)` \| .+ \|/).map { ("Sources/\($0.output.1)", String($0.output.2)) }
        }
    }

    @Test func theWalkIsShort() throws {
        let steps = try Self.steps()
        #expect((30...35).contains(steps.count), "the walk passes \(steps.count) functions")
        #expect(Set(steps.map { "\($0.file) \($0.name)" }).count == steps.count, "the walk comes back to a function")
        #expect(steps.first?.file == "Sources/CardPaymentsServer/Routes/CardPaymentsRoutes.swift")
        #expect(steps.last?.file == "Sources/BillfoldPayments/LedgerRecords.swift")
    }

    @Test func everyStepIsThere() throws {
        for step in try Self.steps() {
            let file = try #require(Sources.file(step.file), "there is no \(step.file)")
            #expect(!Self.lengths(of: step.name, in: file).isEmpty, "\(step.file) has no \(step.name)")
        }
    }

    @Test(arguments: [
        "Sources/CardPaymentsServer/Service/Payments/CardPaymentsService+Payments.swift",
        "Sources/AlipayServer/Service/Link/WalletLinkService+Payments.swift",
    ])
    func payingIsReadAtOneGlance(path: String) throws {
        let lengths = Self.lengths(of: "pay", in: try #require(Sources.file(path)))
        #expect(!lengths.isEmpty, "\(path) has no function that pays")
        for length in lengths { #expect(length <= 30, "a function that pays has \(length) lines in \(path)") }
    }

    @Test func linesOfAFunctionAreCounted() {
        let code = "struct Toy {\n    func pay(\n        _ x: Int\n    ) {\n    }\n\n    func pays() {\n    }\n    init(_ x: Int) {}\n}"
        let file = Sources.File(path: "Sources/Toy/Toy.swift", text: code)
        #expect(Self.lengths(of: "pay", in: file) == [4])
        #expect(Self.lengths(of: "init", in: file) == [1])
        #expect(Self.lengths(of: "settle", in: file) == [])
    }

    /// How many lines each function of a name has, from its first to its closing brace, which stands as far in as it does.
    private static func lengths(of name: String, in file: Sources.File) -> [Int] {
        let lines = file.codeLines
        let modifiers = "(public |package |private |fileprivate |static |mutating )*"
        guard let declaration = try? Regex("^ *\(modifiers)\(name == "init" ? "" : "func ")\(name)[(<?]") else { return [] }
        return lines.indices.compactMap { start in
            guard lines[start].contains(declaration) else { return nil }
            let indent = lines[start].prefix { $0 == " " }
            if lines[start].hasSuffix("}") { return 1 }
            return lines[start...].firstIndex { $0 == "\(indent)}" }.map { $0 - start + 1 }
        }
    }
}
