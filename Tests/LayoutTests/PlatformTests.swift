import Testing

/// What runs in a phone runs from iOS 16 on.
struct PlatformTests {
    static let targets = Arrows.foundations.union(Arrows.protocols).union(Arrows.appClients).union(["PassKitSimulator"])

    /// What needs iOS 18, and the files that have it on other systems alone.
    static let newer: [(word: String, exempt: Set<String>)] = [
        ("import Synchronization", ["Sources/BillfoldConcurrency/Locked.swift"]), ("Int128", []),
        ("(validating:", ["Sources/BillfoldJSON/JSONCursor.swift", "Sources/PaymentCrypto/Encoding/StrictUTF8.swift"]),
    ]

    @Test func whatRunsInAPhoneNeedsNoLaterSystem() {
        #expect(Sources.file("Package.swift")?.text.contains(".iOS(.v16)") == true)
        for file in Sources.swift where Self.targets.contains(file.target) {
            for (word, exempt) in Self.newer where file.text.contains(word) && !exempt.contains(file.path) {
                for (number, line) in file.codeLines.enumerated() where line.contains(word) {
                    Issue.record("\(file):\(number + 1): \(word) needs iOS 18")
                }
            }
        }
    }
}
