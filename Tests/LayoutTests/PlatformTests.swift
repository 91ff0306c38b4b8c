import Foundation
import Testing

/// What runs in a phone runs from iOS 16 on.
struct PlatformTests {
    static let targets = Arrows.foundations.union(Arrows.protocols).union(Arrows.doctors).union(Arrows.forgers).union(Arrows.appClients)
        .union(Arrows.importNames)
        .union([
            "UIKitSimulator", "ContactsSimulator", "PassKitSimulator", "WebKitSimulator", "OSLogSimulator", "GriverSimulator",
            "PaymentCryptoIssuing",
        ])

    /// Names of what came after iOS 16 and macOS 13, by the iOS that brought them, as the toolchain's own interfaces and Apple's documents say.
    ///
    /// The compiler ignores availability on Linux, and this looks at text alone. What a client needs is compiled beside it and asked name by name, by
    /// `Tests/Outside/test_apple_platforms.py`; this is for all that runs in a phone, and for names that the toolchain does not know. Names that mean
    /// something else as well are left out, and so is what has no name in the text: conformances and operators (`Never` is `Codable`, and UUIDs are
    /// ordered, since 17), `enumerated()` as a collection (26), typed errors in the types of stored functions (18).
    static let newer: [(system: String, targets: Set<String>, names: [String])] = [
        // The standard library.
        ("16.4", targets, [#"StaticBigInt\b"#]),
        (
            "18", targets,
            [
                #"U?Int128\b"#, #"validating:"#, #"RangeSet\b"#, #"DiscontiguousSlice\b"#, #"(remov(e|ing)|move)Subranges\b"#,
                #"indices\((of|where):"#,
            ]
        ),
        ("26", targets, [#"InlineArray\b"#, #"UTF8Span\b"#, #"utf8Span\b"#]),
        // Locks and observation.
        ("17", targets, [#"import Observation\b"#, #"@Observable\b"#, #"withObservationTracking\b"#]),
        ("18", targets, [#"import Synchronization\b"#, #"(Mutex|Atomic|AtomicLazyReference)<"#]),
        ("26", targets, [#"Observations\b"#]),
        // Concurrency: groups without results, executors of one's own, tasks that start at once.
        (
            "17", targets,
            [
                #"(with)?(Throwing)?DiscardingTaskGroup\b"#, #"ExecutorJob\b"#, #"JobPriority\b"#,
                #"asUnownedSerialExecutor\b"#, #"basePriority\b"#,
            ]
        ),
        (
            "18", targets,
            [
                #"(Unowned)?TaskExecutor\b"#, #"withTaskExecutorPreference\b"#, #"executorPreference:"#, #"checkIsolated\b"#,
                #"(some|any) AsyncSequence<"#,
            ]
        ),
        (
            "26", targets,
            [
                #"Task\.immediate(Detached)?\b"#, #"addImmediateTask\w*"#, #"Task\.name\b"#, #"escalatePriority\b"#,
                #"withTaskPriorityEscalationHandler\b"#, #"isIsolatingCurrentContext\b"#,
            ]
        ),
        // Foundation.
        ("17", targets, [#"#Predicate\b"#, #"Predicate<"#, #"encodingInvalidCharacters:"#, #"isLeapMonth\b"#]),
        (
            "18", targets,
            [
                #"#Expression\b"#, #"URL\.Template\b"#, #"URL\(template:"#, #"UUID\.random\b"#, #"base64URLAlphabet\b"#,
                #"omitPaddingCharacter\b"#, #"ianaName\b"#, #"RecurrenceRule\b"#, #"dates\(by(Matching|Adding):"#,
                #"(?<=\.)dayOfYear\b"#, #"isRepeatedDay\b"#, #"preferredLocales\b"#, #"DiscreteFormatStyle\b"#,
                #"DiscontiguousAttributedSubstring\b"#, #"addObserver\(of:"#,
            ]
        ),
        // CryptoKit, which swift-crypto hands on where there is one.
        ("17", targets, [#"HPKE\b"#]),
        ("26", targets, [#"MLKEM\d+\b"#, #"MLDSA\d+\b"#, #"XWingMLKEM\w+"#, #"SHA3_\d+\b"#]),
        // PassKit, UIKit, WebKit and JavaScriptCore. The simulator declares PassKit's names itself.
        (
            "16.4", Arrows.appClients,
            [
                #"PKDeferredPaymentRequest\b"#, #"deferredPaymentRequest\b"#, #"isInspectable\b"#,
                #"JSGlobalContextSetInspectable\b"#,
            ]
        ),
        (
            "17", Arrows.appClients,
            [
                #"instantFundsOut\b"#, #"PKDisbursement\w+"#, #"PKApplePayLater\w+"#, #"applePayLaterAvailability\b"#,
                #"pagoBancomat\b"#, #"registerForTraitChanges\b"#, #"traitOverrides\b"#, #"UIContentUnavailable\w+"#,
            ]
        ),
    ]

    /// Who says such a name all the same, and why that needs no later system.
    static let exempt: [(path: String, names: Set<String>, why: String)] = [
        ("Sources/BillfoldConcurrency/Locked.swift", ["import Synchronization", "Mutex<"], "on other systems than Apple's alone"),
        ("Sources/BillfoldJSON/JSONCursor.swift", ["validating:"], "behind a question for the system's version"),
        ("Sources/PaymentCrypto/Encoding/StrictUTF8.swift", ["validating:"], "behind a question for the system's version"),
        ("Sources/PaymentCrypto/Ciphers/HybridEncryption.swift", ["HPKE"], "offered from iOS 17 on; only servers use it"),
        ("Sources/ApplePayApp/Request/MerchantCapabilities.swift", ["instantFundsOut"], "behind a question for the system's version"),
    ]

    /// Where names of later systems stand in a file's code: the line, the name and the system.
    private static func names(in files: [Sources.File]) throws -> [(file: Sources.File, line: Int, name: String, system: String)] {
        let expressions = try newer.map { system, targets, names in
            (system, targets, try NSRegularExpression(pattern: #"(?<!\w)(?:"# + names.joined(separator: "|") + ")"))
        }
        return files.flatMap { file in
            let text = file.codeLines.joined(separator: "\n")
            return expressions.filter { $0.1.contains(file.target) }.flatMap { system, _, expression in
                expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap { match in
                    Range(match.range, in: text).map { place in
                        (file, text[..<place.lowerBound].count(where: \.isNewline) + 1, String(text[place]), system)
                    }
                }
            }
        }
    }

    @Test func whatRunsInAPhoneNeedsNoLaterSystem() throws {
        var unused = Set(Self.exempt.flatMap { file in file.names.map { "\(file.path): \($0)" } })
        for found in try Self.names(in: Sources.swift.filter { Self.targets.contains($0.target) }) {
            let allowed = Self.exempt.first { $0.path == found.file.path }?.names ?? []
            unused.remove("\(found.file): \(found.name)")
            #expect(allowed.contains(found.name), "\(found.file):\(found.line): \(found.name) needs iOS \(found.system)")
        }
        #expect(unused.isEmpty, "what is exempt is not there")
    }

    @Test(arguments: [
        ("let lock = Mutex<Int>(0)", ["Mutex<"]), ("group.addImmediateTask {}", ["addImmediateTask"]),
        ("let text = String(validating: bytes, as: UTF8.self)", ["validating:"]), ("let wide: Int128 = 0", ["Int128"]),
        ("await withThrowingDiscardingTaskGroup { _ in }", ["withThrowingDiscardingTaskGroup"]),
        ("SHA384.hash(data: bytes); page.isInspectable = true", ["isInspectable"]),
        ("func isValidating(revalidating: Bool) -> MyInt128", []), ("let text = \"Mutex<Int>\" // Int128", []),
    ])
    func aNameOfALaterSystemIsSeen(code: String, found: [String]) throws {
        let file = Sources.File(path: "Sources/ApplePayApp/Toy.swift", text: "\n" + code)
        let names = try Self.names(in: [file])
        #expect(names.map(\.name) == found)
        #expect(names.allSatisfy { $0.line == 2 })
    }

    /// The lowest version of a system that the manifest names, such as 16.
    private static func lowest(_ system: String) throws -> String {
        let manifest = try #require(Sources.file("Package.swift")).text
        let platforms = try #require(manifest.firstMatch(of: /\n    platforms: \[(.+)\]/)).output.1
        return String(
            try #require(platforms.firstMatch(of: try Regex(#"\.\#(system)\(\.v(\d+)\)"#, as: (Substring, Substring).self))).output.1)
    }

    @Test func theManifestIsOfThesePlatforms() throws {
        #expect(try Self.lowest("iOS") == "16")
        #expect(try Self.lowest("macOS") == "15")
    }

    /// The rows of the table of `docs/libraries.md`: names, lowest versions, what it does.
    private static func rows() throws -> [(libraries: [String], systems: String, text: String)] {
        try #require(Sources.file("docs/libraries.md")).lines.compactMap { line in
            guard let row = line.wholeMatch(of: /\| ((?:`\w+`(?:, )?)+) \| (\w+ \/ \w+ \/ \w+) \| (.+) \|/) else { return nil }
            return (row.output.1.matches(of: /\w+/).map { String($0.output) }, String(row.output.2), String(row.output.3))
        }
    }

    @Test func theTableOfLibrariesSaysWhereEachRuns() throws {
        let manifest = try #require(Sources.file("Package.swift")).text
        let products = manifest.matches(of: /\.library\(name: "(\w+)"/).map { String($0.output.1) }
        let rows = try Self.rows()
        #expect(rows.flatMap(\.libraries).sorted() == products.sorted())
        let (iOS, macOS) = (try Self.lowest("iOS"), try Self.lowest("macOS"))
        for row in rows {
            for library in row.libraries {
                let expected = "\(Self.targets.contains(library) ? iOS : "no") / \(macOS) / yes"
                #expect(row.systems == expected, "\(library) runs on \(expected)")
            }
        }
    }

    /// What a phone's library offers from a later system on: the table says so, and no other library of a phone uses it.
    @Test func whatNeedsALaterSystemIsToldAndLeftToServers() throws {
        let files = Sources.swift.filter { Self.targets.contains($0.target) }
        var offers = 0
        for file in files where file.text.contains("@available(iOS") {
            for offer in file.text.matches(
                of: /(?m)^@available\(iOS (\d+)[^)]*\)\n(?:public|package) (?:\w+ )*(?:struct|enum|class|actor|func) (\w+)/)
            {
                offers += 1
                let row = try Self.rows().first { $0.libraries.contains(file.target) }
                let text = row?.text ?? ""
                #expect(text.contains("`\(offer.output.2)`") && text.contains("iOS \(offer.output.1)"), "\(file) offers \(offer.output.2)")
                let users = files.filter { $0.path != file.path && $0.codeLines.contains { $0.contains(offer.output.2) } }
                #expect(users.isEmpty, "\(users) uses \(offer.output.2)")
            }
        }
        #expect(offers == 1)
    }
}
