import Foundation
import Testing

struct StyleTests {
    /// The longest a source file may be; a longer one is two things.
    static let longest = 400
    /// Files that are longer for a reason, and how long they are. A number here only ever falls.
    static let ratchet: [String: Int] = [:]

    @Test func sourceFilesStayShort() {
        for file in Sources.swift {
            #expect(file.lines.count - 1 <= Self.ratchet[file.path] ?? Self.longest, "\(file) has \(file.lines.count - 1) lines")
        }
    }

    /// A function fits on a page.
    static let longestFunction = 70

    @Test func functionsStayShort() {
        let functions = Sources.swift.filter { $0.path.hasPrefix("Sources/") }.flatMap(Self.functions)
        #expect(functions.count > 5_000)
        for function in functions {
            #expect(function.lines <= Self.longestFunction, "\(function.place) has \(function.lines) lines")
        }
    }

    /// The functions and initializers that do not end on the line where they begin. The formatter puts their ends under their beginnings.
    private static func functions(of file: Sources.File) -> [(place: String, lines: Int)] {
        let lines = file.codeLines
        return lines.indices.compactMap { start in
            guard lines[start].hasSuffix("{") || lines[start].hasSuffix("("), Self.beginsFunction(lines[start]) else { return nil }
            let indent = String(repeating: " ", count: lines[start].utf8.prefix { $0 == UInt8(ascii: " ") }.count)
            guard let opened = lines[start...].firstIndex(where: { $0.hasSuffix("{") || $0.isEmpty }), !lines[opened].isEmpty,
                let end = lines[opened...].firstIndex(of: indent + "}")
            else { return nil }
            return ("\(file):\(start + 1)", end - start + 1)
        }
    }

    @Test func aFunctionIsMeasured() {
        let body = Array(repeating: "        work()", count: 69).joined(separator: "\n")
        let text = "struct A {\n    static func short() { work() }\n    func long(\n        a: Int\n    ) {\n\(body)\n    }\n}\n"
        let found = Self.functions(of: Sources.File(path: "Sources/Toy/A.swift", text: text))
        #expect(found.map(\.lines) == [73])
    }

    private static func beginsFunction(_ line: String) -> Bool {
        let modifiers: Set<Substring> = [
            "public", "package", "private", "fileprivate", "internal", "open", "static", "class", "override", "mutating", "nonisolated",
            "convenience", "required", "final", "isolated", "borrowing", "consuming",
        ]
        let word = line.split(separator: " ").first { !modifiers.contains($0) && !$0.hasPrefix("@") }
        return word.map { $0 == "func" || $0.hasPrefix("init(") || $0.hasPrefix("init?(") || $0.hasPrefix("init<") } ?? false
    }

    /// What library code must not say, and why. The executable may print.
    static let banned: [(pattern: String, why: String, exempt: Set<String>)] = [
        (#"\bfatalError\("#, "a library does not end its host's process", []),
        // A literal in the source that is no object identifier is found by the first test that runs.
        (#"\bpreconditionFailure\("#, "a library does not end its host's process", ["Sources/PaymentCrypto/ASN1/OID.swift"]),
        (#"\btry!"#, "a forced try ends the process", []),
        (#"\bas!\s"#, "a forced cast ends the process", []),
        (#"(?<![.\w])(debugP|p)rint\("#, "a library does not write to its host's output", ["billfold"]),
        (#"(?<![.\w])(Date|UUID)\(\)"#, "time and randomness are arguments", ["billfold"]),
        (#"\bSystemRandomNumberGenerator\(\)"#, "time and randomness are arguments", ["billfold"]),
        (#"\.random\(in:(?!.*using:)"#, "time and randomness are arguments", ["billfold"]),
        (#"\bcreateDirectory\("#, "a folder gets its mode by the call that makes it: PrivateFolder", []),
        // A phone gives these a place that no other app sees, and wants to be told when it may be read.
        (
            #"\.write\(to(File)?: (?!&)|\bcreateFile\("#, "a file gets its mode by the call that makes it: PrivateFile",
            ["Sources/AlipayApp/Pending/PendingPaymentStore.swift", "Sources/ApplePayApp/WalletExtension/ExtensionSnapshot.swift"]
        ),
    ]

    /// The numbers of the lines that a pattern is found in. A file without any is searched once, and not line by line.
    private static func lines(of file: Sources.File, matching expression: NSRegularExpression) -> [Int] {
        func hits(_ text: String) -> Bool { expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil }
        guard hits(file.codeLines.joined(separator: "\n")) else { return [] }
        return file.codeLines.enumerated().filter { hits($0.element) }.map { $0.offset + 1 }
    }

    @Test(arguments: banned.map(\.pattern))
    func bannedCodeIsAbsent(pattern: String) throws {
        let rule = try #require(Self.banned.first { $0.pattern == pattern })
        let expression = try NSRegularExpression(pattern: pattern)
        for file in Sources.swift where !rule.exempt.contains(file.target) && !rule.exempt.contains(file.path) {
            for number in Self.lines(of: file, matching: expression) { Issue.record("\(file):\(number): \(rule.why)") }
        }
    }

    @Test func moneyKnowsNoFloatingPoint() throws {
        let expression = try NSRegularExpression(pattern: #"\b(Double|Float|Float16|Float80|CGFloat|doubleValue|floatValue)\b"#)
        for file in Sources.swift where ["BillfoldMoney", "BillfoldPayments"].contains(file.target) {
            for number in Self.lines(of: file, matching: expression) { Issue.record("\(file):\(number): no floating point near money") }
        }
    }

    @Test func uncheckedConcurrencyIsArguedFor() {
        for file in Sources.swift {
            let lines = file.lines
            for (number, code) in file.codeLines.enumerated()
            where code.contains("@unchecked Sendable") || code.contains("nonisolated(unsafe)") {
                let near = lines[max(0, number - 6)...number]
                #expect(near.contains { $0.contains("//") }, "\(file):\(number + 1): say why this is safe")
            }
        }
    }

    @Test func nothingIsLeftToDo() {
        let words = ["TO" + "DO", "FIX" + "ME", "X" + "XX:", "HA" + "CK"]
        for file in Sources.swift + Sources.tests {
            for word in words {
                #expect(!file.text.contains(word), "\(file) says \(word)")
            }
        }
    }

    @Test func fileNamesAreNoCatchAll() {
        for file in Sources.swift {
            let name = file.path.split(separator: "/").last ?? ""
            let hit = ["Utils", "Utilities", "Helpers", "Helper", "Manager", "Misc", "Stub"].first { name.hasSuffix($0 + ".swift") }
            #expect(hit == nil || Self.unfilled.contains(file.target), "\(file) is not named for what it holds")
        }
    }

    @Test func noFileNamesAMachinesFolders() {
        let folders = ["/wo" + "rk/", "/ho" + "me/", "/Us" + "ers/", "/ro" + "ot/"]
        let endings = [".swift", ".md", ".json", ".html", ".mustache", ".css", ".js", ".mjs", ".yaml", ".yml", ".sh", ".py", ".sql", ".txt"]
        let files =
            ["Sources", "Tests", "docs", "scripts", "Benchmarks"].flatMap { Sources.files(under: $0, endings: endings) }
            + ["Package.swift", "Makefile", "README.md", "CONTRIBUTING.md"].compactMap(Sources.file)
        for file in files {
            for folder in folders { #expect(!file.text.contains(folder), "\(file) names \(folder)") }
        }
    }

    /// Targets without code of their own yet. The set only ever shrinks.
    static let unfilled: Set<String> = Set(
        Dictionary(grouping: Sources.swift, by: \.target).filter { $0.value.count == 1 && $0.value[0].path.hasSuffix("/Stub.swift") }.keys)

    @Test func everyLibraryHasItsPage() throws {
        let manifest = try String(contentsOf: Sources.root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let names = manifest.matches(of: /\.library\(name: "(\w+)"/).map { String($0.output.1) }
        #expect(names.count > 10)
        for name in names where !Self.unfilled.contains(name) {
            let page = Sources.root.appendingPathComponent("Sources/\(name)/Documentation.docc/\(name).md")
            guard let text = try? String(contentsOf: page, encoding: .utf8) else {
                if Self.awaited.contains(name) { continue }
                Issue.record("\(name) has no page")
                continue
            }
            #expect(text.hasPrefix("# ``\(name)``\n"), "\(name)'s page must begin with its symbol link")
            #expect(text.contains("```swift"), "\(name)'s page has no example")
        }
    }

    /// Libraries whose page is still to be written. The set only ever shrinks.
    static let awaited: Set<String> = []
}
